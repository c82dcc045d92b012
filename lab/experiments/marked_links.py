"""Measure how many of the causal links that people marked in documents the graph built of them holds.

python lab/experiments/marked_links.py articles data/event_mentions/documents.jsonl > articles.jsonl
whywire build articles.jsonl --out out
python lab/experiments/marked_links.py score data/event_mentions/documents.jsonl out > scores.json

The documents are those of EventStoryLine (English) and NEREL (Russian) with links from trigger to trigger. A marked
link is *found* when a link of causes runs from an event with a mention around the one trigger to an event with a
mention around the other, both in that document; mentions of more than 160 characters do not count, for they would
hold everything. *Precision* is over links whose events both have a mention around a trigger of one document; such a
link is right when some marked link agrees, where coreferent triggers count as one.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from whywire_lab.tasks.record import provenance

LONGEST_MENTION = 160
FIRST_LINE = 300
"""Characters of a document's first line that stand for a headline where there is but one sentence."""
SHORTEST_SENTENCE = 5
"""Words; what is shorter at a document's head is a dateline."""

Row = dict[str, Any]
Trigger = tuple[str, str]
"""A document's id, and a mention's in it."""


def main() -> None:
    """Print articles to build from, or the scores of what was built."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", choices=["articles", "score"])
    parser.add_argument("documents", type=Path)
    parser.add_argument("built", type=Path, nargs="?", help="the folder that `whywire build` wrote")
    parser.add_argument("--said", action="store_true", help="only links with evidence other than *implied*")
    arguments = parser.parse_args()
    documents = [row for row in rows(arguments.documents) if row.get("links")]
    if arguments.do == "articles":
        for row in documents:
            print(json.dumps(article(row), ensure_ascii=False))
    else:
        events, links = (list(rows(arguments.built / f"{name}.jsonl")) for name in ("events", "links"))
        if arguments.said:
            links = [link for link in links if any(own["kind"] != "implied" for own in link["evidence"])]
        scores = score(documents, events, links)
        print(json.dumps({"scores": scores} | provenance(), indent=2))


def rows(path: Path) -> Iterator[Row]:
    """The objects of a file, one a line."""
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def body(document: Row) -> int:
    """Where the text begins after the address and the dateline that many documents begin with."""
    start = 0
    for first, last in document["sentences"]:
        words = document["text"][first:last]
        if "http" not in words and len(words.split()) >= SHORTEST_SENTENCE:
            break
        start = last + 1
    return start


def article(document: Row) -> Row:
    """A document as a row for ``whywire build``: its first real sentence is the title."""
    text, start = document["text"], body(document)
    title = next((text[first:last] for first, last in document["sentences"] if first >= start), "")
    if len(document["sentences"]) == 1:
        title = text.strip().split("\n")[0][:FIRST_LINE]
    row = {
        "id": document["document"],
        "title": title,
        "text": text[start:],
        "language": document.get("language", "en"),
    }
    return row | ({"published": document["published"]} if document["published"] else {})


def score(documents: list[Row], events: list[Row], links: list[Row]) -> Row:
    """How many marked links the graph has, how many of its links are marked, and how mentions share events."""
    effects = defaultdict(set)
    causes = [(row["source"], row["target"]) for row in links if row["kind"] == "causes"]
    for source, target in causes:
        effects[source].add(target)
    spans = defaultdict(list)
    for event in events:
        for mention in event["mentions"]:
            start, end = mention["span"] if mention["field"] == "text" else (0, LONGEST_MENTION + 1)
            if end - start <= LONGEST_MENTION:
                spans[mention["article"]].append((start, end, event["id"]))
    same_event: dict[Trigger, object] = {}
    around: dict[Trigger, set[str]] = {}
    for document in documents:
        name, start = document["document"], body(document)
        for mention in document["mentions"]:
            trigger = name, mention["id"]
            same_event[trigger] = mention["same_as"] or trigger
            first, last = mention["start"] - start, mention["end"] - start
            around[trigger] = {event for begin, end, event in spans[name] if begin <= first and last <= end}
    marked = [
        ((document["document"], link["source"]), (document["document"], link["target"]))
        for document in documents
        for link in document["links"]
    ]
    found = sum(any(effects[event] & around[target] for event in around[source]) for source, target in marked)
    recall = found / len(marked)
    judged, right = compare(causes, around, {(same_event[a], same_event[b]) for a, b in marked}, same_event)
    precision = right / judged if judged else 0.0
    return {
        "documents": len(documents),
        "marked links": len(marked),
        "links": len(causes),
        "links that can be judged": judged,
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / (precision + recall), 4) if found else 0.0,
        "both triggers in mentions": round(sum(bool(around[a] and around[b]) for a, b in marked) / len(marked), 4),
        **coreference(around, same_event),
    }


def compare(
    causes: Iterable[tuple[str, str]],
    around: dict[Trigger, set[str]],
    marked: set[tuple[object, object]],
    same_event: dict[Trigger, object],
) -> tuple[int, int]:
    """How many links lie between triggers of one document, and how many of these are marked."""
    triggers = defaultdict(lambda: defaultdict(set))  # event -> document -> what its triggers refer to
    for trigger, events in around.items():
        for event in events:
            triggers[event][trigger[0]].add(same_event[trigger])
    judged, right = set(), set()
    for source, target in causes:
        both = triggers[source].keys() & triggers[target].keys()
        pairs = {(a, b) for name in both for a in triggers[source][name] for b in triggers[target][name] if a != b}
        if pairs:
            judged.add((source, target))
            if pairs & marked:
                right.add((source, target))
    return len(judged), len(right)


def coreference(around: dict[Trigger, set[str]], same_event: dict[Trigger, object]) -> Row:
    """Whether coreferent triggers of different documents share an event, and B³ of triggers that lie in one event."""
    chains = defaultdict(list)
    for trigger, events in around.items():
        chains[same_event[trigger]] += [(trigger, event) for event in events]
    pairs = [
        left == right
        for chain in chains.values()
        for (one, left), (other, right) in combinations(chain, 2)
        if one[0] != other[0]
    ]
    alone = {trigger: next(iter(events)) for trigger, events in around.items() if len(events) == 1}
    events, truth = Counter(alone.values()), Counter(same_event[trigger] for trigger in alone)
    cells = Counter((event, same_event[trigger]) for trigger, event in alone.items())
    total = max(1, len(alone))
    return {
        "coreferent pairs of two documents": len(pairs),
        "in one event": round(sum(pairs) / max(1, len(pairs)), 4),
        "b3 precision": round(sum(n * n / events[event] for (event, _), n in cells.items()) / total, 4),
        "b3 recall": round(sum(n * n / truth[chain] for (_, chain), n in cells.items()) / total, 4),
    }


if __name__ == "__main__":
    main()
