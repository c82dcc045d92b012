"""Measure what a build makes of packs: stories of five or six articles whose main events readers listed and graded.

python lab/experiments/packs.py articles --data DATA --language en > articles.jsonl
whywire build articles.jsonl --out out
python lab/experiments/packs.py score --data DATA --language en --built out

*One event*: the readers' mentions, grouped by the event of the build that a mention is of (one of ours overlaps it by
half of the shorter, and the longer is at most four times as long); a mention of no event is a group of its own. *Top
ten*: the share of main events that are among the ten most important events of the pack. *Strength*: of
the pairs of main events that are both in the build, the strength of the link from the earlier to the later one, 0
where there is none, against the readers' score; *linked*: the shares of pairs of each class of CRAB that have a link.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from whywire import CausalGraph
from whywire.graph.build_folder import read_graph
from whywire.graph.main_events import importance
from whywire_lab.corpora.packs import Pack, Place, article_rows, read_packs
from whywire_lab.metrics.groups import b_cubed, ceaf_e, muc
from whywire_lab.metrics.reader_graphs import same_place
from whywire_lab.tasks.record import provenance

TOP = 10

CLASSES = {"none": (0, 20), "low": (20, 50), "medium": (50, 80), "high": (80, 101)}
"""CRAB, section 3.4."""


def main() -> None:
    """Print articles to build from, or the scores of what was built."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["articles", "score"])
    parser.add_argument("--data", type=Path, required=True, help="the folder of corpora")
    parser.add_argument("--language", choices=["en", "ru"], required=True)
    parser.add_argument("--labels", type=Path, help="a file of stories, instead of all that there are")
    parser.add_argument("--built", type=Path, help="the folder that `whywire build` wrote")
    arguments = parser.parse_args()
    packs = read_packs(arguments.data, arguments.language, arguments.labels)
    if arguments.do == "articles":
        rows = article_rows(arguments.data, arguments.language)
        for name in dict.fromkeys(name for pack in packs for name in pack.articles):
            row = rows[name]
            kept = {key: row.get(key) for key in ("url", "source", "published", "title", "text")}
            print(json.dumps({"id": name} | kept, ensure_ascii=False))
        return
    graph = read_graph(arguments.built)
    built = [pack for pack in packs if not graph.articles.keys().isdisjoint(pack.articles)]
    print(json.dumps({"scores": scores(built, graph)} | provenance(), indent=2))


def scores(packs: Sequence[Pack], graph: CausalGraph) -> dict[str, object]:
    """All scores of the module's description."""
    ours: defaultdict[str, list[tuple[Place, str]]] = defaultdict(list)
    for event in graph.events:
        for mention in event.mentions:
            ours[mention.article].append(((mention.article, mention.field, *mention.span), event.id))
    strength = {(link.source, link.target): link.strength for link in graph.links if link.kind == "causes"}
    predicted: list[str] = []
    truth: list[str] = []
    top: list[bool] = []
    read: list[int] = []
    told: list[tuple[float, float]] = []
    for number, pack in enumerate(packs):
        events_of = [[event_of(place, ours[place[0]]) for place in places] for places in pack.events]
        for at, found in enumerate(events_of):
            for place, name in zip(pack.events[at], found, strict=True):
                predicted.append(name or f"alone {number} {place}")
                truth.append(f"{number} {at}")
        of_pack = {name for article in pack.articles for _, name in ours[article]}
        ranked = sorted(
            map(graph.event, of_pack),
            key=lambda event: (-importance(event, graph.links_of(event.id)), event.id),
        )
        leading = {event.id for event in ranked[:TOP]}
        top += [any(name in leading for name in found) for found in events_of if found]
        for cause, effect, score in pack.pairs:
            names = [{name for name in events_of[at] if name} for at in (cause, effect)]
            if all(names):
                both = [(a, b) for a in names[0] for b in names[1]]
                read.append(score)
                told.append(
                    (
                        max(strength.get(pair, 0.0) for pair in both),
                        max(strength.get(pair[::-1], 0.0) for pair in both),
                    )
                )
    forward, back = np.array(told).T
    linked = {
        name: [round(float((forward[chosen] > 0).mean()), 3), int(chosen.sum())]
        for name, (low, high) in CLASSES.items()
        if (chosen := (np.array(read) >= low) & (np.array(read) < high)).any()
    }
    groups = {name: score(predicted, truth) for name, score in (("MUC", muc), ("B³", b_cubed), ("CEAFe", ceaf_e))}
    return {
        "packs": len(packs),
        "mentions": len(truth),
        "mentions of an event of ours": round(
            1 - sum(name.startswith("alone ") for name in predicted) / len(truth), 4
        ),
        **{name: [round(own.precision, 4), round(own.recall, 4), round(own.f1, 4)] for name, own in groups.items()},
        "CoNLL F1": round(float(np.mean([own.f1 for own in groups.values()])), 4),
        f"main events among the top {TOP}": round(float(np.mean(top)), 4),
        "pairs": len(read),
        "r of strength": round(float(np.corrcoef(forward, read)[0, 1]), 4),
        "reversed": int(((back > 0) & (forward == 0)).sum()),
        "linked, of pairs": linked,
    }


def event_of(place: Place, ours: Sequence[tuple[Place, str]]) -> str | None:
    """The event of the build with the mention that shares most with a place; ``None`` if none is the same."""
    shared: Counter[str] = Counter()
    for (_, field, start, end), name in ours:
        if same_place((field, start, end), place[1:]):
            shared[name] = max(shared[name], min(end, place[3]) - max(start, place[2]))
    return max(shared, key=lambda name: shared[name]) if shared else None


if __name__ == "__main__":
    main()
