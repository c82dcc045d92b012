"""Differences between two graphs: the events and links that are new, gone or changed."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from whywire.elements import Event, Link
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, event_row, link_row

T = TypeVar("T", Event, Link)
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Differences(Generic[T]):
    """Differences between two lists of events, or of links.

    Args:
        new: only in the later graph, in its order.
        gone: only in the earlier graph, in its order.
        changed: pairs of the earlier and the later version, in the later graph's order.
    """

    new: tuple[T, ...] = ()
    gone: tuple[T, ...] = ()
    changed: tuple[tuple[T, T], ...] = ()

    def __bool__(self) -> bool:
        """Return whether there are differences."""
        return bool(self.new or self.gone or self.changed)


@dataclass(frozen=True, slots=True)
class GraphDiff:
    """Differences between two graphs; false if the graphs are equal."""

    events: Differences[Event]
    links: Differences[Link]

    def __bool__(self) -> bool:
        """Return whether there are differences."""
        return bool(self.events or self.links)


def diff(before: CausalGraph, after: CausalGraph) -> GraphDiff:
    """Compare two graphs.

    Events are matched by id, links by source, target and kind. A matched event or link has changed if its row in
    ``events.jsonl`` or ``links.jsonl`` has.
    """
    return GraphDiff(
        _differences(
            {event.id: (event, event_row(before, event)) for event in before.events},
            {event.id: (event, event_row(after, event)) for event in after.events},
        ),
        _differences(_links(before), _links(after)),
    )


def _links(graph: CausalGraph) -> dict[tuple[str, str, str], tuple[Link, Row]]:
    return {(link.source, link.target, link.kind): (link, link_row(graph, link)) for link in graph.links}


def _differences(before: dict[Key, tuple[T, Row]], after: dict[Key, tuple[T, Row]]) -> Differences[T]:
    return Differences(
        new=tuple(element for key, (element, _) in after.items() if key not in before),
        gone=tuple(element for key, (element, _) in before.items() if key not in after),
        changed=tuple(
            (before[key][0], element)
            for key, (element, row) in after.items()
            if key in before and before[key][1] != row
        ),
    )
