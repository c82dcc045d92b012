"""Causal paths between events, and root causes.

A path consists of open causal links. It runs forward in time as a whole: no event on it certainly happened before an
earlier event of the path, not even where events in between have no time, so that each single link is possible.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Set
from dataclasses import dataclass
from math import prod

import networkx as nx

from whywire.elements import Event, Link, LinkKind, Order
from whywire.graph.causal_graph import CausalGraph
from whywire.links.order import order_of_events


@dataclass(frozen=True, slots=True)
class CausalPath:
    """A sequence of causal links from one event to another.

    Args:
        links: each starts at the event where the one before it ends; never empty.
    """

    links: tuple[Link, ...]

    @property
    def strength(self) -> float:
        """The strength of the weakest link, 0 to 100."""
        return min(link.strength for link in self.links)

    @property
    def probability(self) -> float:
        """That all its links hold, if none depends on another (0 to 1)."""
        return prod(link.probability for link in self.links)

    @property
    def weight(self) -> float:
        """The least weight of its links, 0 to 100. It orders paths."""
        return min(link.weight for link in self.links)

    @property
    def events(self) -> tuple[str, ...]:
        """The ids of the events on the path, from the cause to the effect."""
        return (self.links[0].source, *(link.target for link in self.links))


def paths(graph: CausalGraph, cause: str, effect: str) -> Iterator[CausalPath]:
    """Yield the simple paths from one event to another, those of the greatest weight first, then shortest first.

    The search is lazy (best first): a dense graph may have very many paths, and the first ones are found quickly.

    Args:
        cause: id of the first event.
        effect: id of the last event.

    Raises:
        KeyError: there is no event with one of these ids.
    """
    yield from paths_between(graph, {cause}, {effect})


def paths_between(graph: CausalGraph, causes: Set[str], effects: Set[str]) -> Iterator[CausalPath]:
    """Yield the simple paths from any cause to any effect, in the order of :func:`paths`.

    A path ends at the first effect it reaches and contains no other cause than the one it starts at.

    Args:
        causes: ids of events.
        effects: ids of events.

    Raises:
        KeyError: there is no event with one of these ids.
    """
    yield from _search(graph, causes, effects, _ancestors(graph, effects))


def _search(graph: CausalGraph, causes: Set[str], effects: Set[str], ancestors: Set[str]) -> Iterator[CausalPath]:
    """Best-first search over partial paths, restricted to events from which an effect can be reached."""
    queue: list[tuple[float, int, tuple[str, ...], tuple[Event, ...], tuple[Link, ...]]] = []

    def extend(visited: tuple[str, ...], dated: tuple[Event, ...], links: tuple[Link, ...]) -> None:
        for link in graph.effects_of(visited[-1]):
            onward = link.target in effects or (link.target in ancestors and link.target not in causes)
            target = graph.event(link.target)
            comparable = () if link.order is Order.SAID else dated  # the sentence overrides the times
            if onward and target.id not in visited and all(order_of_events(event, target) for event in comparable):
                longer = (*links, link)
                weakest = min(step.weight for step in longer)
                step = (-weakest, len(longer), (*visited, target.id), (*comparable, target), longer)
                heapq.heappush(queue, step)

    for cause in sorted(causes):
        extend((cause,), (graph.event(cause),), ())
    while queue:
        _, _, visited, dated, links = heapq.heappop(queue)
        if visited[-1] in effects:
            yield CausalPath(links)
        else:
            extend(visited, dated, links)


def root_causes(graph: CausalGraph, *events: str) -> tuple[CausalPath, ...]:
    """Return the path of the greatest weight from each root cause of some events, in that order.

    A root cause is an event from which a path leads to one of these events and which itself has no such cause. If
    events without further causes led to one another in a cycle, each event of the cycle is a root cause.

    Args:
        events: ids.

    Raises:
        KeyError: there is no event with one of these ids.
    """
    ancestors = _ancestors(graph, set(events))
    strongest = {
        cause: path for cause in ancestors if (path := next(_search(graph, {cause}, set(events), ancestors), None))
    }
    cycles = nx.condensation(_causal_digraph(graph).subgraph(strongest))
    roots = (cause for cycle, causes in cycles.in_degree if not causes for cause in cycles.nodes[cycle]["members"])
    return tuple(sorted((strongest[root] for root in roots), key=lambda path: (-path.weight, path.events)))


def _ancestors(graph: CausalGraph, effects: Set[str]) -> set[str]:
    """Return the ids of the events from which one of the effects can be reached, without regard to times.

    Raises:
        KeyError: there is no event with one of these ids.
    """
    digraph = _causal_digraph(graph)
    return {cause for effect in effects for cause in nx.ancestors(digraph, graph.event(effect).id)}


def _causal_digraph(graph: CausalGraph) -> nx.DiGraph:
    """Return all events and the open causal links."""
    digraph = nx.DiGraph()
    digraph.add_nodes_from(event.id for event in graph.events)
    causal = (link for link in graph.links if link.kind is LinkKind.CAUSES and link.closed_by is None)
    digraph.add_edges_from((link.source, link.target) for link in causal)
    return digraph
