"""Count the causal frames and chains of a build and of readers' packs, as CRAB counts its own (tables 6 and 7).

python lab/experiments/packs.py articles --data DATA --language en --labels STORIES > articles.jsonl
whywire build articles.jsonl --out out
python lab/experiments/structures.py --built out [--labels STORIES]

*Build*: the frame of every event, and all chains. *Main events*: the same among the main events of each story alone,
which are what readers and CRAB list; *all links*: their frames if less probable links counted, too. *Readers*: the
frame of every main event of a pack that has an earlier one, and the chains of pairs graded above 50.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from enum import StrEnum
from pathlib import Path

from packs import Pack, labelled

from whywire import CausalGraph
from whywire.elements import strength_class
from whywire.graph.build_folder import read_graph
from whywire.graph.chains import ChainKind, causal_triples, chains
from whywire.graph.frames import MIN_PROBABILITY, Frame, frame_of
from whywire.graph.main_events import main_events
from whywire_lab.metrics.crab import CAUSAL
from whywire_lab.tasks.record import provenance

CRAB = {
    "frames": dict(zip(Frame, (24, 18, 30, 98, 149, 33), strict=True)),
    "chains": dict(zip(ChainKind, (774, 924, 115), strict=True)),
}
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
    scores = {
        "build": of_graph(graph, {event.id for event in graph.events}),
        "main events": of_graph(graph, leading),
        "main events, all links": {"frames": frames_of(graph, leading, 0)},
    }
    if arguments.labels:
        scores["readers"] = of_packs([*labelled(arguments.labels)])
    print(json.dumps({"scores": scores | {"CRAB": CRAB}} | provenance(), indent=2))


def of_graph(graph: CausalGraph, events: Set[str]) -> Counts:
    """The frames and chains of these events, by the links between them."""
    kinds = (chain.kind for chain in chains(graph) if events >= {*chain.events})
    return {"frames": frames_of(graph, events, MIN_PROBABILITY), "chains": counted(ChainKind, kinds)}


def frames_of(graph: CausalGraph, events: Set[str], probability: float) -> dict[str, int]:
    """The frames of these events, by the links between them that are at least this probable."""
    links = ([link for link in graph.causes_of(event) if link.source in events] for event in events)
    strengths = ([link.strength for link in causes if link.probability >= probability] for causes in links)
    return counted(Frame, map(frame_of, strengths))


def of_packs(packs: Sequence[Pack]) -> Counts:
    """The frames and chains of readers' grades."""
    frames: list[Frame] = []
    kinds: list[ChainKind] = []
    for pack in packs:
        strengths: defaultdict[int, list[int]] = defaultdict(list)
        for _, effect, score in pack.pairs:
            strengths[effect].append(score)
        frames += map(frame_of, strengths.values())
        links = [(cause, effect) for cause, effect, score in pack.pairs if strength_class(score) in CAUSAL]
        kinds += [kind for kind, *_ in causal_triples(range(len(pack.events)), links)]
    return {"frames": counted(Frame, frames), "chains": counted(ChainKind, kinds)}


def counted(kinds: type[StrEnum], found: Iterable[str]) -> dict[str, int]:
    """How often each kind was found."""
    times = Counter(found)
    return {kind: times[kind] for kind in kinds}


if __name__ == "__main__":
    main()
