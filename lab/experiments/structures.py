"""Count the causal frames and chains of a build and of readers' packs, as CRAB counts its own (tables 6 and 7).

python lab/experiments/packs.py articles --data DATA --language en --labels STORIES > articles.jsonl
whywire build articles.jsonl --out out
python lab/experiments/structures.py --built out [--labels STORIES]

*Build*: the frame of every event, and all chains. *Main events*: the same among the main events of each story alone,
which are what readers and CRAB list. *Readers*: the frame of every main event of a pack that an earlier one was graded
for, and the chains of pairs graded above 50.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from packs import Pack, labelled

from whywire import CausalGraph
from whywire.elements import Link, strength_class
from whywire.graph.build_folder import read_graph
from whywire.graph.chains import ChainKind, causal_triples, chains
from whywire.graph.frames import MIN_PROBABILITY, Frame, frame_of
from whywire.graph.main_events import main_events
from whywire_lab.metrics.crab import CAUSAL
from whywire_lab.tasks.record import provenance

CRAB = {
    "frames": {"strong_direct": 24, "direct": 18, "strong_contributory": 30, "contributory": 98, "mixed": 149, "none": 33},
    "chains": {"mediation": 774, "confounding": 924, "collider": 115},
}  # fmt: skip
"""Romanou et al. 2023, tables 6 and 7."""

Counts = dict[str, dict[str, int]]


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", type=Path, required=True, help="the folder that `whywire build` wrote")
    parser.add_argument("--labels", type=Path, help="a file of readers' stories")
    arguments = parser.parse_args()
    graph = read_graph(arguments.built)
    leading = {event.id for story in graph.stories() for event in main_events(story)}
    scores = {"build": of_graph(graph, {event.id for event in graph.events}), "main events": of_graph(graph, leading)}
    if arguments.labels:
        scores["readers"] = of_packs([*labelled(arguments.labels)])
    print(json.dumps({"scores": scores | {"CRAB": CRAB}} | provenance(), indent=2))


def of_graph(graph: CausalGraph, events: Set[str]) -> Counts:
    """The frames and chains of these events, by the links between them."""
    return counts(
        (
            frame_of([link.strength for link in graph.causes_of(event) if is_likely(link) and link.source in events])
            for event in events
        ),
        (chain.kind for chain in chains(graph) if events >= {*chain.events}),
    )


def is_likely(link: Link) -> bool:
    """Whether frames and chains are made of this link."""
    return link.probability >= MIN_PROBABILITY


def of_packs(packs: Sequence[Pack]) -> Counts:
    """The frames and chains of readers' grades."""
    found: list[Frame] = []
    kinds: list[ChainKind] = []
    for pack in packs:
        strengths: defaultdict[int, list[int]] = defaultdict(list)
        for _, effect, score in pack.pairs:
            strengths[effect].append(score)
        found += map(frame_of, strengths.values())
        links = [(cause, effect) for cause, effect, score in pack.pairs if strength_class(score) in CAUSAL]
        kinds += [kind for kind, *_ in causal_triples(range(len(pack.events)), links)]
    return counts(found, kinds)


def counts(found: Iterable[Frame], kinds: Iterable[ChainKind]) -> Counts:
    """How many frames and chains there are of each kind."""
    frame, chain = Counter(found), Counter(kinds)
    return {
        "frames": {kind.value: frame[kind] for kind in Frame},
        "chains": {kind.value: chain[kind] for kind in ChainKind},
    }


if __name__ == "__main__":
    main()
