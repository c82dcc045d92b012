"""How one event led to another by way of others, and where it all began.

A path is made of open causal links. It respects time: no event on it certainly came before one that stands earlier on
the path, even where each link alone would pass because an event between them has no time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import UTC, datetime

import networkx as nx

from whywire.elements import Event, Link, LinkKind, Order
from whywire.graph.causal_graph import CausalGraph
from whywire.links.order import order_of_events

LONG_AGO = datetime.min.replace(tzinfo=UTC)
"""Before all news."""


@dataclass(frozen=True, slots=True)
class Path:
    """A causal chain from one event to another.

    Args:
        links: each begins where the one before it ends; never empty.
    """

    links: tuple[Link, ...]

    @property
    def strength(self) -> float:
        """That of its weakest link, 0 to 100."""
        return min(link.strength for link in self.links)

    @property
    def events(self) -> tuple[str, ...]:
        """The ids of the events it passes, from the cause to the effect."""
        return (self.links[0].source, *(link.target for link in self.links))


def paths(graph: CausalGraph, cause: str, effect: str) -> Iterator[Path]:
    """Find the paths that pass no event twice, strongest first, the shorter of two as strong.

    They are found one by one: in a tangled graph there may be very many, the first few come at once.

    Args:
        cause: id of the event they begin at.
        effect: id of the event they end at.

    Raises:
        KeyError: the graph has no such event.
    """
    yield from paths_between(graph, {cause}, {effect})


def paths_between(graph: CausalGraph, causes: Set[str], effects: Set[str]) -> Iterator[Path]:
    """Find the paths from any of some events to any of others, as :func:`paths` does those between two.

    A path ends at the first effect it comes to, and passes no cause but the one it begins at.

    Args:
        causes: ids.
        effects: ids.

    Raises:
        KeyError: the graph has no such event.
    """
    yield from _paths(graph, causes, effects, _leading_to(graph, effects))


def _paths(graph: CausalGraph, causes: Set[str], effects: Set[str], leading: Set[str]) -> Iterator[Path]:
    """The paths by way of events among those that lead to an effect at all, whatever the clock says."""
    waiting: list[tuple[float, int, tuple[str, ...], tuple[Event, ...], tuple[Link, ...]]] = []

    def extend(passed: tuple[str, ...], ordered: tuple[Event, ...], links: tuple[Link, ...]) -> None:
        for link in graph.effects_of(passed[-1]):
            onward = link.target in effects or (link.target in leading and link.target not in causes)
            target = graph.event(link.target)
            known = () if link.order is Order.SAID else ordered  # a sentence knows better than the times
            if onward and target.id not in passed and all(order_of_events(event, target) for event in known):
                further = (*links, link)
                weakest = min(one.strength for one in further)
                heapq.heappush(waiting, (-weakest, len(further), (*passed, target.id), (*known, target), further))

    for cause in sorted(causes):
        extend((cause,), (graph.event(cause),), ())
    while waiting:
        _, _, passed, ordered, links = heapq.heappop(waiting)
        if passed[-1] in effects:
            yield Path(links)
        else:
            extend(passed, ordered, links)


def root_causes(graph: CausalGraph, *events: str) -> tuple[Path, ...]:
    """Return the strongest path from each event that the causes of these go back to, strongest first.

    A root has no cause among the events that led to these. Where the last ones known led to one another in a circle,
    each of them is a root.

    Raises:
        KeyError: the graph has no such event.
    """
    leading = _leading_to(graph, set(events))
    ways = ((cause, next(_paths(graph, {cause}, set(events), leading), None)) for cause in leading)
    strongest = {cause: path for cause, path in ways if path}
    circles = nx.condensation(_shape(graph).subgraph(strongest))
    roots = (
        cause for circle, causes in circles.in_degree if not causes for cause in circles.nodes[circle]["members"]
    )
    return tuple(sorted((strongest[root] for root in roots), key=lambda path: (-path.strength, path.events)))


def _leading_to(graph: CausalGraph, effects: Set[str]) -> set[str]:
    """The events from which links lead to one of some, whatever the clock says.

    Raises:
        KeyError: the graph has no such event.
    """
    shape = _shape(graph)
    return {cause for effect in effects for cause in nx.ancestors(shape, graph.event(effect).id)}


def _shape(graph: CausalGraph) -> nx.DiGraph:
    """All events, joined by the open causal links."""
    shape = nx.DiGraph()
    shape.add_nodes_from(event.id for event in graph.events)
    causal = (link for link in graph.links if link.kind is LinkKind.CAUSES and link.closed_by is None)
    shape.add_edges_from((link.source, link.target) for link in causal)
    return shape
