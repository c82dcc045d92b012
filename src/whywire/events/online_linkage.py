"""Average linkage of headlines that come one by one: each joins the most likely event or opens one.

Which error is worse? Two events in one, as in :mod:`whywire.events.linkage`, and here it is never undone. So a
headline joins an event, and an event another, only where the *mean* probability of their pairs reaches
``SAME_EVENT_THRESHOLD``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from whywire.events.components import SAME_EVENT_THRESHOLD
from whywire.events.distinct import DISTINCT, distinct_pairs
from whywire.events.linkage import Estimate, with_prior
from whywire.events.stream_window import WindowItem

MAX_COMPARED = 16
"""Members of an event that are compared; of more, as many spread evenly over the event."""


@dataclass(eq=False, slots=True)
class OnlineEvent:
    """An event with its headlines inside the window.

    Args:
        id: of the headline that opened it.
        number: of that headline in the stream.
    """

    id: str
    number: int
    members: list[WindowItem]


class OnlineLinkage:
    """Assigns headlines to events.

    Args:
        estimate: from cosines to probabilities of *same event*, for the pairs that were not scored.
        window: pairs of headlines further apart get probability 0.
        prior: log-odds added to every estimate.
    """

    def __init__(self, estimate: Estimate, window: timedelta, prior: float) -> None:
        self._estimate, self._window, self._prior = estimate, window, prior
        self._event_of: dict[int, OnlineEvent] = {}
        self._probabilities: dict[int, dict[int, float]] = {}

    def assign(
        self, item: WindowItem, neighbours: Sequence[WindowItem], probabilities: Sequence[float]
    ) -> tuple[OnlineEvent, tuple[str, ...]]:
        """Assign a headline to the event it is most likely to report, or to a new one.

        Args:
            neighbours: earlier headlines inside the window.
            probabilities: of *same event* with each, prior included.

        Returns:
            The event, and the ids of the events that were merged with it because of this headline; the oldest event
            keeps its id.
        """
        self._probabilities[item.number] = {
            other.number: probability for other, probability in zip(neighbours, probabilities, strict=True)
        }
        events = list(dict.fromkeys(self._event_of[other.number] for other in neighbours))
        linked = [(self._mean_probability([item], event.members), -event.number, event) for event in events]
        linked.sort(key=lambda found: found[:2], reverse=True)
        if not linked or linked[0][0] < SAME_EVENT_THRESHOLD:
            event = OnlineEvent(item.headline.id, item.number, [item])
            self._event_of[item.number] = event
            return event, ()
        event = linked[0][2]
        self._event_of[item.number] = event
        event.members.append(item)
        ended = []
        for probability, _, other in linked[1:]:
            if (
                probability >= SAME_EVENT_THRESHOLD
                and self._mean_probability(event.members, other.members) >= SAME_EVENT_THRESHOLD
            ):
                event, merged = sorted((event, other), key=lambda found: found.number)
                for member in merged.members:
                    self._event_of[member.number] = event
                event.members += merged.members
                ended.append(merged.id)
        return event, tuple(ended)

    def forget(self, items: Sequence[WindowItem]) -> None:
        """Drop headlines that have left the window."""
        for item in items:
            self._event_of.pop(item.number).members.remove(item)
            del self._probabilities[item.number]

    def _mean_probability(self, one: Sequence[WindowItem], other: Sequence[WindowItem]) -> float:
        """The mean probability of *same event* of the pairs between two groups."""
        left, right = _spread(one), _spread(other)
        cosines = np.stack([item.vector for item in left]) @ np.stack([item.vector for item in right]).T
        matrix = with_prior(self._estimate(cosines), self._prior)
        for row, a in enumerate(left):
            for column, b in enumerate(right):
                newer, older = (a, b) if a.number > b.number else (b, a)
                known = self._probabilities[newer.number].get(older.number)
                if a.distance(b) > self._window:
                    matrix[row, column] = 0.0
                elif known is not None:
                    matrix[row, column] = known
        told = distinct_pairs([item.told for item in (*left, *right)])
        matrix[told[: len(left), len(left) :]] = DISTINCT
        return float(matrix.mean())


def _spread(members: Sequence[WindowItem]) -> Sequence[WindowItem]:
    """At most ``MAX_COMPARED`` members, spread evenly from the first to the last."""
    if len(members) <= MAX_COMPARED:
        return members
    return [members[place] for place in np.linspace(0, len(members) - 1, MAX_COMPARED).astype(int)]
