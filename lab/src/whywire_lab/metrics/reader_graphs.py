"""How much of a reader's graph of an article another graph has, and how much of that graph the reader drew.

Two events are the same if a mention of the one overlaps a mention of the other by half of the shorter, and the longer
is at most four times as long. A drawn link is right if the reader drew one between the same events; strictly, a link
with an end that is no event of the reader's is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Place = tuple[str, int, int]
"""Field, and half-open character offsets in it."""


@dataclass(frozen=True)
class Drawn:
    """The graph of an article.

    Args:
        events: the places of the mentions of each event.
        links: how each is told (``said``, ``implied`` or ``claimed``), by the numbers of cause and effect.
    """

    events: Sequence[Sequence[Place]]
    links: Mapping[tuple[int, int], str]


@dataclass
class Counts:
    """Sums over articles."""

    events: int = 0
    events_found: int = 0
    drawn_events: int = 0
    drawn_events_right: int = 0
    links: dict[str, int] = field(default_factory=dict)
    links_found: dict[str, int] = field(default_factory=dict)
    drawn_links: int = 0
    drawn_links_right: int = 0
    drawn_links_reversed: int = 0

    @property
    def precision(self) -> float:
        """Share (0 to 1) of drawn links that are right."""
        return self.drawn_links_right / max(1, self.drawn_links)

    @property
    def recall(self) -> float:
        """Share (0 to 1) of the reader's links that are drawn."""
        return sum(self.links_found.values()) / max(1, sum(self.links.values()))

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall of links."""
        return _harmonic(self.precision, self.recall)

    @property
    def event_f1(self) -> float:
        """The harmonic mean of the shares of events of either graph that the other has."""
        return _harmonic(self.drawn_events_right / max(1, self.drawn_events), self.events_found / max(1, self.events))

    def recall_of(self, how: str) -> float:
        """Share (0 to 1) of the reader's links told in one way that are drawn."""
        return self.links_found.get(how, 0) / max(1, self.links.get(how, 0))


def count(gold: Drawn, drawn: Drawn, into: Counts) -> None:
    """Add an article to the sums."""
    to_drawn, to_gold = matches(gold.events, drawn.events), matches(drawn.events, gold.events)
    into.events += len(gold.events)
    into.events_found += sum(map(bool, to_drawn))
    into.drawn_events += len(drawn.events)
    into.drawn_events_right += sum(map(bool, to_gold))
    for (cause, effect), how in gold.links.items():
        into.links[how] = into.links.get(how, 0) + 1
        if any((a, b) in drawn.links for a in to_drawn[cause] for b in to_drawn[effect] if a != b):
            into.links_found[how] = into.links_found.get(how, 0) + 1
    for cause, effect in drawn.links:
        into.drawn_links += 1
        right = any((a, b) in gold.links for a in to_gold[cause] for b in to_gold[effect])
        into.drawn_links_right += right
        if not right and any((b, a) in gold.links for a in to_gold[cause] for b in to_gold[effect]):
            into.drawn_links_reversed += 1


def matches(events: Sequence[Sequence[Place]], others: Sequence[Sequence[Place]]) -> list[set[int]]:
    """Of each event, the numbers of the others that are the same.

    Args:
        events, others: the places of the mentions of each event, in one article.
    """
    return [
        {
            number
            for number, theirs in enumerate(others)
            if any(same_place(place, their) for place in places for their in theirs)
        }
        for places in events
    ]


def same_place(place: Place, other: Place) -> bool:
    """Whether two places overlap by half of the shorter, the longer being at most four times as long."""
    if place[0] != other[0]:
        return False
    shorter, longer = sorted((place[2] - place[1], other[2] - other[1]))
    shared = min(place[2], other[2]) - max(place[1], other[1])
    return shared >= 0.5 * shorter and longer <= 4 * shorter


def _harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0
