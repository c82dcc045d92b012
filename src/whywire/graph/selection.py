"""Selection of a part of one or several graphs: by time, strength, outlet and kind of evidence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce

from whywire.elements import EvidenceKind
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.merging import merge
from whywire.graph.snapshots import as_of
from whywire.news import parse_time


@dataclass(frozen=True, slots=True)
class Selection:
    """Which part of a graph to select; all of it by default.

    Args:
        as_of: a date (to its end) or a time, ISO 8601; only what was published by then is selected.
        min_strength: only links of at least this strength (0 to 100).
        outlet: only links all of whose evidence is from this outlet.
        evidence: only links with evidence of one of these kinds.
    """

    as_of: str | None = None
    min_strength: float = 0
    outlet: str | None = None
    evidence: Collection[EvidenceKind] = ()


def select(graphs: Sequence[CausalGraph], wanted: Selection) -> CausalGraph:
    """Merge graphs into one and return the selected part.

    Raises:
        InputError: ``as_of`` is not a time, no article was published by then, or no article is from the outlet.
    """
    graph = reduce(merge, _snapshots(graphs, wanted.as_of))
    if wanted.evidence:
        graph = graph.with_evidence(wanted.evidence)
    if wanted.outlet is not None:
        outlets = {article.source for article in graph.articles.values() if article.source}
        if wanted.outlet not in outlets:
            raise InputError(
                f"no article is by {wanted.outlet!r}", hint=f"outlets: {', '.join(sorted(outlets)) or 'none'}"
            )
        graph = graph.only_from_outlet(wanted.outlet)
    return graph.with_min_strength(wanted.min_strength) if wanted.min_strength else graph


def _snapshots(graphs: Sequence[CausalGraph], as_of_text: str | None) -> Sequence[CausalGraph]:
    if as_of_text is None:
        return graphs
    time = parse_time(as_of_text)
    if time is None:
        raise InputError(f"not a time: {as_of_text!r}", hint="such as 2026-03-04 or 2026-03-04T12:00Z")
    snapshots = [as_of(graph, time.until) for graph in graphs]
    if not any(graph.articles for graph in snapshots):
        raise InputError(f"no article is known to have been published by {as_of_text}")
    return snapshots
