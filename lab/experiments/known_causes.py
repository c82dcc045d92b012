"""Measure how many known direct causes the graph built of the documents that tell of them holds.

python lab/experiments/known_causes.py articles data/event_causes > articles.jsonl
whywire build articles.jsonl --out out
python lab/experiments/known_causes.py score data/event_causes articles.jsonl out > scores.json

Questions of event_causes name an event and its direct causes in a person's words; topics without documents are left
out. An event of the graph stands for a named one when one of its mentions, or its title, in a document of the topic
is among the five most similar ones (cosine of the headline model) and at least 0.55 similar. A cause is found when a
link runs from an event that stands for it to one that stands for its effect.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from whywire.language_models import LanguageModels
from whywire.news import Language
from whywire_lab.tasks.record import provenance

NEAREST, SIMILAR = 5, 0.55
LONGEST_MENTION = 300
STRONGEST = 3
"""Links an article, for the second of the two shares."""

Row = dict[str, Any]
Known = tuple[str, str, str]
"""Topic, cause, effect."""


def main() -> None:
    """Print articles to build from, or the scores of what was built."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", choices=["articles", "score"])
    parser.add_argument("folder", type=Path, help="of the corpus, with questions.jsonl and stories.jsonl")
    parser.add_argument("articles", type=Path, nargs="?", help="what the first step printed")
    parser.add_argument("built", type=Path, nargs="?", help="the folder that `whywire build` wrote")
    arguments = parser.parse_args()
    if arguments.do == "articles":
        for row in articles(rows(arguments.folder / "stories.jsonl")):
            print(json.dumps(row, ensure_ascii=False))
        return
    told = {row["id"]: row for row in rows(arguments.articles)}
    known = known_causes(rows(arguments.folder / "questions.jsonl"), {topic(name) for name in told})
    events, links = (list(rows(arguments.built / f"{name}.jsonl")) for name in ("events", "links"))
    causes = sorted((row for row in links if row["kind"] == "causes"), key=lambda row: -row["strength"])
    standing = events_of(known, events, told)
    strongest = causes[: STRONGEST * len(told)]
    scores = {
        "articles": len(told),
        "known causes": len(known),
        "events": len(events),
        "links": len(causes),
        "both events in the graph": round(float(np.mean([bool(cause and effect) for cause, effect in standing])), 4),
        "found": found(standing, causes),
        f"found among the {STRONGEST} strongest links an article": found(standing, strongest),
    }
    print(json.dumps({"scores": scores} | provenance(), indent=2))


def rows(path: Path) -> Iterator[Row]:
    """The objects of a file, one a line."""
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def topic(article: str) -> str:
    """The topic of an article, by its id."""
    return article.partition("-")[0]


def articles(stories: Iterator[Row]) -> Iterator[Row]:
    """Documents as rows for ``whywire build``."""
    for story in stories:
        for row in story["documents"]:
            text = row.get("content") or row.get("snippet") or ""
            name = f"{story['topic_id']}-{row['id']}"
            told = {"title": row["title"], "text": text}
            yield {"id": name, "url": row.get("link"), "source": row.get("source")} | told


def known_causes(questions: Iterator[Row], topics: set[str]) -> list[Known]:
    """Each direct cause with its effect once, of the topics that have documents."""
    return sorted(
        {
            (str(row["topic_id"]), row[f"option_{letter.strip()}"], row["target_event"])
            for row in questions
            if str(row["topic_id"]) in topics
            for letter in row["golden_answer"].split(",")
            if not row[f"option_{letter.strip()}"].lower().startswith("none of")
        }
    )


def events_of(known: list[Known], events: list[Row], told: dict[str, Row]) -> list[tuple[set[str], set[str]]]:
    """Of each known cause, the events of the graph that stand for the cause and for the effect."""
    words: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))  # topic -> words -> events
    for event in events:
        titles = ({"article": article, "field": "title", "span": None} for article in event["articles"])
        for mention in (*event["mentions"], *titles):
            text = told[mention["article"]][mention["field"]]
            text = text[slice(*mention["span"])] if mention["span"] else text
            if len(text.split()) > 1 and len(text) <= LONGEST_MENTION:
                words[topic(mention["article"])][text].add(event["id"])
    model = LanguageModels().pairs(Language.ENGLISH)
    vectors = {name: model.embed(list(own)) for name, own in words.items()}

    def standing(name: str, text: str) -> set[str]:
        similarity = vectors[name] @ model.embed([text])[0]
        texts = list(words[name])
        nearest = [place for place in np.argsort(-similarity)[:NEAREST] if similarity[place] >= SIMILAR]
        return {event for place in nearest for event in words[name][texts[place]]}

    return [(standing(name, cause), standing(name, effect)) for name, cause, effect in known]


def found(standing: list[tuple[set[str], set[str]]], causes: list[Row]) -> float:
    """The share of known causes that are links."""
    effects = defaultdict(set)
    for row in causes:
        effects[row["source"]].add(row["target"])
    return round(
        float(np.mean([any(effects[event] & effect for event in cause - effect) for cause, effect in standing])), 4
    )


if __name__ == "__main__":
    main()
