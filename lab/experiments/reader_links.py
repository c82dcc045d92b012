"""Measure the links of a build against the graphs that readers drew of its articles, and sort the errors by kind.

python lab/experiments/reader_links.py articles --data DATA --language en [--labels GRAPHS] > articles.jsonl
whywire build articles.jsonl --out out
python lab/experiments/reader_links.py score --data DATA --language en [--labels GRAPHS] --built out

Labels are those read twice, which nothing learns from, unless a file is given. Two events are the same as
whywire_lab.metrics.reader_graphs says; a link counts in each article that tells of both its events. *ECE*: the mean
difference of probability and share right over ten bins of probability. *At precision .8*: the share of the reader's
said links that are drawn by the surest links, as far down as four in five of them are right.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import numpy as np

from whywire.graph.build_folder import read_graph
from whywire.graph.causal_graph import CausalGraph
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.labels.files import FOLDER
from whywire_lab.labels.keys import articles_by_hash
from whywire_lab.metrics.reader_graphs import Counts, Drawn, Place, count, matches
from whywire_lab.tasks.record import provenance

PRECISE = 0.8


def main() -> None:
    """Print articles to build from, or the scores of what was built."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["articles", "score"])
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--language", choices=["en", "ru"], required=True)
    parser.add_argument("--labels", type=Path, help="a file of graphs, instead of those that were read twice")
    parser.add_argument("--built", type=Path, help="the folder that `whywire build` wrote")
    arguments = parser.parse_args()
    rows = [*json_lines(arguments.labels or FOLDER / f"reader_graphs_twice_{arguments.language}.jsonl")]
    if arguments.do == "articles":
        stream = articles_by_hash(arguments.data / "news_stream", arguments.language)
        for row in rows:
            kept = {
                name: stream[row["article"]].get(name) for name in ("url", "source", "published", "title", "text")
            }
            print(json.dumps({"id": row["article"]} | kept, ensure_ascii=False))
        return
    graphs = {row["article"]: gold(row) for row in rows}
    print(json.dumps({"scores": scores(graphs, read_graph(arguments.built))} | provenance(), indent=2))


def gold(row: Mapping[str, list[dict[str, object]]]) -> Drawn:
    """The graph that a reader drew."""
    events = [[tuple(place) for place in event["mentions"]] for event in row["events"]]
    return Drawn(events, {(link["cause"], link["effect"]): link["how"] for link in row["links"]})


def scores(graphs: Mapping[str, Drawn], graph: CausalGraph) -> dict[str, object]:
    """All scores of the module's description."""
    places: dict[str, dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for event in graph.events:
        for mention in event.mentions:
            places[mention.article][event.id].append((mention.field, *mention.span))
    causes = [link for link in graph.links if link.kind == "causes"]
    sums, kinds, missed = Counts(), Counter[str](), Counter[str]()
    judged: list[tuple[float, bool, int]] = []
    for name, theirs in graphs.items():
        number = {event: at for at, event in enumerate(places[name])}
        links = {
            (number[link.source], number[link.target]): link.probability
            for link in causes
            if link.source in number and link.target in number
        }
        ours = Drawn([*places[name].values()], dict.fromkeys(links, "drawn"))
        count(theirs, ours, sums)
        match = matches(ours.events, theirs.events)
        found: set[tuple[int, int]] = set()
        for (cause, effect), probability in sorted(links.items(), key=lambda item: -item[1]):
            kind = kind_of(match[cause], match[effect], theirs.links.keys())
            kinds[kind] += 1
            right = {pair for pair in product(match[cause], match[effect]) if theirs.links.get(pair) == "said"}
            judged.append((probability, kind == "right", len(right - found)))
            found |= right
        known = {at for own in match for at in own}
        linked = {pair for cause, effect in links for pair in product(match[cause], match[effect])}
        for pair, how in theirs.links.items():
            if pair not in linked:
                missed[f"{how}: {'no link' if known >= {*pair} else 'an event was not found'}"] += 1
    probability, right, said = np.array(sorted(judged, reverse=True)).T
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    last = np.flatnonzero(precision >= PRECISE).max(initial=-1) + 1
    return {
        "articles": len(graphs),
        "F1, precision, recall": [round(own, 4) for own in (sums.f1, sums.precision, sums.recall)],
        "recall by kind": {how: round(sums.recall_of(how), 4) for how in sums.links},
        "events F1": round(sums.event_f1, 4),
        "said links drawn at precision 0.8": round(float(said[:last].sum()) / max(1, sums.links.get("said", 0)), 4),
        "of links with probability 0.5 and more right": [
            round(float(right[probability >= 0.5].mean()), 4),
            int((probability >= 0.5).sum()),
        ],
        "ECE": round(ece(probability, right), 4),
        "links drawn, by kind": dict(kinds.most_common()),
        "links missed, by kind": dict(missed.most_common()),
    }


def kind_of(cause: set[int], effect: set[int], links: Iterable[tuple[int, int]]) -> str:
    """Whether a drawn link is right, or how it is wrong, by the reader's events that are its cause and its effect."""
    pairs, links = {*product(cause, effect)}, {*links}
    if pairs & links:
        return "right"
    if not cause or not effect:
        return "an end is no event of the reader's"
    if {pair[::-1] for pair in pairs} & links:
        return "reversed"
    if cause & effect:
        return "both ends are one event of the reader's"
    reached = set(cause)
    while more := {target for source, target in links if source in reached} - reached:
        reached |= more
    if reached & effect:
        return "indirect"
    causes = [{source for source, target in links if target in end} for end in (cause, effect)]
    return "two effects of one cause" if causes[0] & causes[1] else "no link"


def ece(probability: np.ndarray, right: np.ndarray) -> float:
    """The expected calibration error over ten bins of equal width."""
    of = np.minimum((probability * 10).astype(int), 9)
    return float(
        sum(abs(right[of == at].mean() - probability[of == at].mean()) * (of == at).mean() for at in np.unique(of))
    )


if __name__ == "__main__":
    main()
