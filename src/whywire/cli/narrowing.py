"""Less of a graph: what was known at a moment, what is strong enough, what one outlet alone says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Annotated

import typer

from whywire.elements import EvidenceKind
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.merging import merge
from whywire.graph.snapshots import as_of
from whywire.news import parse_time

AS_OF = Annotated[
    str | None, typer.Option("--as-of", help="Only what was known then: a day (to its end) or a time, ISO 8601.")
]
AT_LEAST = Annotated[
    float, typer.Option("--at-least", min=0, max=100, help="Only links of at least this strength (0 to 100).")
]
SOURCE = Annotated[
    str | None, typer.Option("--source", help="Only links that rest on this outlet alone, on no one else's word.")
]
EVIDENCE = Annotated[
    list[EvidenceKind] | None,
    typer.Option(
        "--evidence",
        help="Only links that rest on this: *said* in a sentence, *shown* by headlines or *judged* by a model; may "
        "be given twice.",
    ),
]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What of a graph is wanted: the values of the options above."""

    moment: str | None = None
    at_least: float = 0
    source: str | None = None
    evidence: Sequence[EvidenceKind] | None = None


def narrowed(graphs: Sequence[CausalGraph], wanted: Narrowing) -> CausalGraph:
    """The one graph of several, narrowed by the options' values.

    Raises:
        InputError: the moment is no time, nothing was known yet, or no article is by the source.
    """
    graph, source = reduce(merge, known_by(wanted.moment, graphs)), wanted.source
    if wanted.evidence:
        graph = graph.with_evidence(wanted.evidence)
    if source is not None:
        outlets = {article.source for article in graph.articles.values() if article.source}
        if source not in outlets:
            raise InputError(f"no article is by {source!r}", hint=f"outlets: {', '.join(sorted(outlets)) or 'none'}")
        graph = graph.only_from_outlet(source)
    return graph.with_min_strength(wanted.at_least)


def known_by(moment: str | None, graphs: Sequence[CausalGraph]) -> Sequence[CausalGraph]:
    """The graphs as they were known at a moment; as they are where none is given.

    Raises:
        InputError: the moment is no time, or nothing was known yet.
    """
    if moment is None:
        return graphs
    time = parse_time(moment)
    if time is None:
        raise InputError("--as-of needs a time", hint="such as 2026-03-04 or 2026-03-04T12:00Z")
    then = [as_of(graph, time.until) for graph in graphs]
    if not any(graph.articles for graph in then):
        raise InputError(f"no article is known to have been out by {moment}")
    return then
