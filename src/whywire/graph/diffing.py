"""What changed from one build to the next: events and links that are new, gone, or not what they were."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from whywire.elements import Event, Link
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.to_rows import Row, event_row, link_row

T = TypeVar("T", Event, Link)
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Changes(Generic[T]):
    """What became of events, or of links.

    Args:
        new: only in the later build, in its order.
        gone: only in the earlier build, in its order.
        changed: as it was and as it is, in the later build's order.
    """

    new: tuple[T, ...] = ()
    gone: tuple[T, ...] = ()
    changed: tuple[tuple[T, T], ...] = ()

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.new or self.gone or self.changed)


@dataclass(frozen=True, slots=True)
class Diff:
    """What became of a graph; false where nothing changed."""

    events: Changes[Event]
    links: Changes[Link]

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.events or self.links)


def diff(before: CausalGraph, after: CausalGraph) -> Diff:
    """Compare two builds.

    An event is the same while it keeps its id, which is named for its first article; a link, while it joins the same
    events in the same way. Either has changed where its row in the files of the build has.
    """
    return Diff(
        _changes(
            {event.id: (event, event_row(before, event)) for event in before.events},
            {event.id: (event, event_row(after, event)) for event in after.events},
        ),
        _changes(_links(before), _links(after)),
    )


def _links(graph: CausalGraph) -> dict[tuple[str, str, str], tuple[Link, Row]]:
    return {(link.source, link.target, link.kind): (link, link_row(graph, link)) for link in graph.links}


def _changes(before: dict[Key, tuple[T, Row]], after: dict[Key, tuple[T, Row]]) -> Changes[T]:
    return Changes(
        new=tuple(thing for key, (thing, _) in after.items() if key not in before),
        gone=tuple(thing for key, (thing, _) in before.items() if key not in after),
        changed=tuple(
            (before[key][0], thing) for key, (thing, row) in after.items() if key in before and before[key][1] != row
        ),
    )
