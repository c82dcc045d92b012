"""Groups headlines by event as they come: one by one or in batches, in order of time or late.

The same in a stream as :mod:`whywire.events.headline_events` does all at once: a bounded number of nearest neighbours
inside the window is scored (:mod:`whywire.events.stream_window`), and a headline is assigned by average linkage
(:mod:`whywire.events.online_linkage`, which says which error is worse). What differs is that nothing is ever divided
again. If a headline brings its event near enough to another one, the two are merged under the id of the older one; an
event has the id of the headline that opened it, and every assignment says which events it ended.

Whatever the scorer says of single pairs, every headline is in exactly one event: *same event* stays symmetric and
transitive (HLGD 2021, sections 5.1 and 5.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from itertools import islice

import numpy as np

from whywire.events.candidates import WINDOW
from whywire.events.distinct import distinction
from whywire.events.linkage import with_prior
from whywire.events.online_linkage import OnlineLinkage
from whywire.events.scorer import HEADLINE_PRIOR, MAX_NEIGHBOURS, MIN_PROBABILITY, SameEventScorer
from whywire.events.stream_window import Arrival, Headline, StreamWindow

BATCH = 256
"""Headlines compared with those kept at a time, which bounds memory."""

MAX_LATENESS = timedelta(days=1)
"""How much later than younger news a headline may come and still be compared with the news of its time."""


class StreamStep(StrEnum):
    """What a headline did to the events."""

    OPENED = "opened"
    """It opened an event."""
    JOINED = "joined"
    """It joined an event."""
    MERGED = "merged"
    """It joined an event and merged others with it."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The event that a headline was assigned to.

    Args:
        id: of the headline.
        event: id of the event it is in now.
        ended: ids of the events that were merged with that one because of this headline.
        nearest: id of the headline most likely to report the same event, and that probability (0 to 1); ``None``
            where there is no candidate.
        scored: number of pairs scored for it.
        late: it came too late to be compared with the news of its time.
    """

    id: str
    event: str
    step: StreamStep
    ended: tuple[str, ...] = ()
    nearest: tuple[str, float] | None = None
    scored: int = 0
    late: bool = False


def final_events(assignments: Iterable[Assignment]) -> dict[str, str]:
    """The event that each headline is in after all of these assignments, by the ids of both."""
    log = list(assignments)
    merged_into = {ended: one.event for one in log for ended in one.ended}

    def final(event: str) -> str:
        while event in merged_into:
            event = merged_into[event]
        return event

    return {one.id: final(one.event) for one in log}


class MonolingualStream:
    """The events of a stream of headlines in one language.

    The same headlines in the same order give the same events however they are cut into batches.

    Args:
        scorer: of that language.
        window: headlines further apart are never compared.
        late: how much later than younger news a headline may come and still be compared.
        neighbours: earlier headlines that a new one is compared with, at most.
        prior: log-odds added to every probability of *same event*.
    """

    def __init__(
        self,
        scorer: SameEventScorer,
        *,
        window: timedelta = WINDOW,
        late: timedelta = MAX_LATENESS,
        neighbours: int = MAX_NEIGHBOURS,
        prior: float = HEADLINE_PRIOR,
    ) -> None:
        self._scorer, self._prior = scorer, prior
        self._window = StreamWindow(window, late, neighbours, scorer.cosine_for(MIN_PROBABILITY))
        self._linkage = OnlineLinkage(scorer.same_event_by_cosine, window, prior)

    def __len__(self) -> int:
        """Number of headlines kept, to compare others with."""
        return len(self._window)

    def add(self, headlines: Iterable[Headline]) -> list[Assignment]:
        """Assign headlines to events, in the order they come."""
        waiting = iter(headlines)
        assignments: list[Assignment] = []
        while batch := list(islice(waiting, BATCH)):
            vectors = self._scorer.embed([headline.report for headline in batch])
            arrivals = self._window.add(batch, vectors)
            for arrival, probabilities in zip(arrivals, self._score(arrivals), strict=True):
                assignments.append(self._assign(arrival, probabilities))
        return assignments

    def _score(self, arrivals: list[Arrival]) -> list[list[float]]:
        """The probabilities of *same event* with the neighbours of each arrival, prior included; 0 if told apart."""
        pairs = [(one.item.headline.report, other.headline.report) for one in arrivals for other in one.neighbours]
        if not pairs:
            return [[] for _ in arrivals]
        cosines = np.concatenate([one.cosines for one in arrivals])
        probabilities = with_prior(self._scorer.same_event_probabilities(pairs, cosines), self._prior)
        told = [(one.item.told, other.told) for one in arrivals for other in one.neighbours]
        probabilities[[distinction(*pair) is not None for pair in told]] = 0.0
        found = iter(probabilities.tolist())
        return [list(islice(found, len(one.neighbours))) for one in arrivals]

    def _assign(self, arrival: Arrival, probabilities: list[float]) -> Assignment:
        name = arrival.item.headline.id
        self._linkage.forget(arrival.expired)
        if arrival.late:
            return Assignment(name, name, StreamStep.OPENED, late=True)
        event, ended = self._linkage.assign(arrival.item, arrival.neighbours, probabilities)
        ids = [other.headline.id for other in arrival.neighbours]
        nearest = max(zip(ids, probabilities, strict=True), key=lambda found: found[1], default=None)
        opened = event.number == arrival.item.number
        step = StreamStep.OPENED if opened else StreamStep.MERGED if ended else StreamStep.JOINED
        return Assignment(name, event.id, step, ended, nearest, len(probabilities))
