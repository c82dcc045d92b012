"""Groups headlines into events as they come: one by one or in batches, in order of time or late.

A new headline is compared with the nearest of those inside the window, so the pair model is asked a bounded number of
times about it. It joins the event whose members it is most likely one with *on average*, where that reaches one half,
or opens an event. If that brings its event near enough to another one, the two become one, under the older one's id.
An event is named for the headline that opened it; what ended in what is told.

However the judge decides about single pairs, every headline is in exactly one event: *same event* stays symmetric and
transitive (HLGD 2021, sections 5.1 and 5.2). Nothing older than the window (and how late news may come) is kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import WINDOW
from whywire.events.components import SAME_EVENT_THRESHOLD as SAME_EVENT
from whywire.events.linkage import with_prior
from whywire.events.scorer import HEADLINE_PRIOR
from whywire.news.article import Published
from whywire.pairs.model import HeadlineModel

NEIGHBOURS, FLOOR = 12, 0.1
"""A headline is compared with this many others at most, none of them less like it (as a probability) than this."""

LOOKED_AT = 16
"""Members of an event that speak for it; of more, these many spread evenly over it."""

BATCH = 256
"""Headlines compared with those kept at a time, which bounds memory."""

SLACK = 1e-4
"""What a cosine may differ by when it is summed in another order."""

SPARE = 8
"""For each neighbour to be found so many are looked at more closely: some lie outside the window."""

LATE = timedelta(days=1)
"""How much later than younger news a headline may come and still find its event."""


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline of a stream.

    Args:
        published: where it is not known, the newest time seen so far is taken for it.
    """

    id: str
    title: str
    published: Published | None = None
    source: str | None = None


class Step(StrEnum):
    """What a headline did to the events."""

    OPENED = "opened"
    JOINED = "joined"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a headline went.

    Args:
        id: the headline's.
        event: the event it is in now.
        ended: events that became one with that one through this headline; what was in them is in it.
        nearest: the headline most likely to tell of the same event, and how likely that is; ``None`` where there is
            no candidate.
        asked: how many pairs the judge was asked about.
        late: it came too late to be compared with the news of its time.
    """

    id: str
    event: str
    step: Step
    ended: tuple[str, ...] = ()
    nearest: tuple[str, float] | None = None
    asked: int = 0
    late: bool = False


def final_events(placed: Iterable[Placed]) -> dict[str, str]:
    """The event that each headline is in at the end, by the ids of both, after all that was placed."""
    log = list(placed)
    into = {gone: one.event for one in log for gone in one.ended}

    def last(event: str) -> str:
        while event in into:
            event = into[event]
        return event

    return {one.id: last(one.event) for one in log}


class Judge(Protocol):
    """Says how likely two headlines tell of one event."""

    def embed(self, headlines: Sequence[Headline]) -> NDArray[np.float32]:
        """Unit vectors (headlines, size)."""

    def probabilities(
        self, pairs: Sequence[tuple[Headline, Headline]], cosines: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """The probability (pairs,) that the two tell of one event; the same in either order."""

    def estimate(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The same from the cosine alone, for pairs not worth a pass; of any shape."""

    def cosine_for(self, probability: float) -> float:
        """The cosine from which :meth:`estimate` reaches a probability."""


class ModelJudge:
    """The judge that a pair model is."""

    def __init__(self, model: HeadlineModel) -> None:
        self.model = model

    def embed(self, headlines: Sequence[Headline]) -> NDArray[np.float32]:
        """The model's embedding of the titles."""
        return self.model.embed([headline.title for headline in headlines])

    def probabilities(
        self, pairs: Sequence[tuple[Headline, Headline]], cosines: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """The model's word on both titles."""
        relations = self.model.relation_probabilities([(left.title, right.title) for left, right in pairs])
        return self.model.same_event(relations, cosines)

    def estimate(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The model's estimate by the embeddings."""
        return self.model.same_event_by_cosine(cosines)

    def cosine_for(self, probability: float) -> float:
        """The cosine from which the estimate reaches a probability."""
        return self.model.cosine_for(probability)


@dataclass(eq=False, slots=True)
class _Item:
    """A headline inside the window, with probabilities by the numbers of the older ones it was compared with."""

    number: int
    headline: Headline
    vector: NDArray[np.float32]
    start: datetime
    end: datetime
    row: int = -1
    event: _Event | None = None
    probabilities: dict[int, float] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class _Event:
    id: str
    number: int
    members: list[_Item]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A headline whose neighbours are found and not yet judged.

    Args:
        forgotten: headlines that left the window when it came.
    """

    item: _Item
    neighbours: list[_Item]
    cosines: NDArray[np.float32]
    forgotten: list[_Item]
    late: bool = False


class _Living:
    """The headlines that are kept, a row each in one matrix, so that a batch is compared with all of them at once."""

    def __init__(self) -> None:
        self.items: list[_Item] = []
        self._vectors = np.zeros((0, 0), dtype=np.float32)

    def cosines(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of vectors (any, size) with each of those kept: (any, kept)."""
        if not self.items:
            return np.zeros((len(vectors), 0), dtype=np.float32)
        return vectors @ self._vectors[: len(self.items)].T

    def add(self, item: _Item) -> None:
        item.row = len(self.items)
        if item.row == len(self._vectors):
            more = np.zeros((max(1024, len(self._vectors)), len(item.vector)), dtype=np.float32)
            self._vectors = np.concatenate([self._vectors, more]) if self.items else more
        self._vectors[item.row] = item.vector
        self.items.append(item)

    def remove(self, item: _Item) -> None:
        """Its row goes to the last one."""
        last = self.items.pop()
        if last is not item:
            self.items[item.row] = last
            self._vectors[item.row] = last.vector
            last.row = item.row


class EventStream:
    """The events of a stream of headlines in one language.

    Batches are for speed alone: the same headlines in the same order give the same events however they are cut.

    Args:
        judge: says how likely two headlines tell of one event.
        window: headlines further apart are never compared.
        late: how much later than younger news a headline may come and still be compared.
        neighbours: how many headlines a new one is compared with at most.
    """

    def __init__(
        self,
        judge: Judge,
        *,
        window: timedelta = WINDOW,
        late: timedelta = LATE,
        neighbours: int = NEIGHBOURS,
    ) -> None:
        self._judge = judge
        self._window, self._late, self._neighbours = window, late, neighbours
        self._floor = judge.cosine_for(FLOOR)
        self._living = _Living()
        self._by_age: list[tuple[datetime, int, _Item]] = []
        self._newest = datetime.min.replace(tzinfo=UTC)
        self._count = 0

    def __len__(self) -> int:
        """How many headlines are kept, to compare others with."""
        return len(self._living.items)

    def add(self, headlines: Iterable[Headline]) -> list[Placed]:
        """Place headlines, in the order they come."""
        waiting = iter(headlines)
        placed: list[Placed] = []
        while batch := list(islice(waiting, BATCH)):
            placed += self._add(batch)
        return placed

    def _add(self, batch: list[Headline]) -> list[Placed]:
        vectors = self._judge.embed(batch)
        before, among = self._living.cosines(vectors), vectors @ vectors.T
        waiting: list[_Waiting] = []
        for number, headline in enumerate(batch):
            near = [self._living.items[row] for row in self._nearest(before[number])]
            near += [waiting[other].item for other in self._nearest(among[number, :number])]
            waiting.append(self._arrive(headline, vectors[number], near))
        for one in waiting:
            if not one.late:
                self._living.add(one.item)
        for one in waiting:
            for item in one.forgotten:
                self._living.remove(item)
        self._compare(waiting)
        return [self._place(one) for one in waiting]

    def _nearest(self, cosines: NDArray[np.float32]) -> NDArray[np.int64]:
        """Places of those alike enough; of very many only the nearest, and more than will be asked about."""
        places = np.flatnonzero(cosines >= self._floor - SLACK)
        most = SPARE * self._neighbours
        if len(places) <= most:
            return places
        return np.sort(places[np.argpartition(-cosines[places], most)[:most]])

    def _arrive(self, headline: Headline, vector: NDArray[np.float32], near: Sequence[_Item]) -> _Waiting:
        """Find a headline's neighbours among those that came before it.

        Args:
            near: those alike enough, and more.
        """
        known = headline.published
        start, end = (known.at, known.until) if known else (self._newest, self._newest)
        self._newest = max(self._newest, start)
        item = _Item(self._count, headline, vector, start, end)
        self._count += 1
        oldest = _before(self._newest, self._window + self._late)
        forgotten = []
        while self._by_age and self._by_age[0][0] < oldest:
            forgotten.append(heapq.heappop(self._by_age)[2])
        if start < oldest:
            return _Waiting(item, [], np.zeros(0, dtype=np.float32), forgotten, late=True)
        heapq.heappush(self._by_age, (start, item.number, item))
        inside = [other for other in near if other.start >= oldest and self._together(item, other)]
        if not inside:
            return _Waiting(item, [], np.zeros(0, dtype=np.float32), forgotten)
        cosines = (np.stack([other.vector for other in inside]) * vector).sum(axis=1)
        found = sorted(zip((-cosines).tolist(), (other.number for other in inside), inside, strict=True))
        chosen = [(-cosine, other) for cosine, _, other in found[: self._neighbours] if -cosine >= self._floor]
        nearness = np.array([cosine for cosine, _ in chosen], dtype=np.float32)
        return _Waiting(item, [other for _, other in chosen], nearness, forgotten)

    def _together(self, one: _Item, other: _Item) -> bool:
        """Whether two headlines lie inside the window, however their times are read."""
        return max(one.start - other.end, other.start - one.end) <= self._window

    def _compare(self, waiting: Sequence[_Waiting]) -> None:
        """Ask the judge about all new pairs at once."""
        pairs = [(one.item.headline, other.headline) for one in waiting for other in one.neighbours]
        if not pairs:
            return
        asked = self._judge.probabilities(pairs, np.concatenate([one.cosines for one in waiting]))
        found = iter(with_prior(asked, HEADLINE_PRIOR).tolist())
        for one in waiting:
            one.item.probabilities = {other.number: next(found) for other in one.neighbours}

    def _place(self, one: _Waiting) -> Placed:
        item, asked = one.item, len(one.neighbours)
        for forgotten in one.forgotten:
            if forgotten.event:
                forgotten.event.members.remove(forgotten)
        events = list(dict.fromkeys(other.event for other in one.neighbours if other.event))
        linked = [(self._linkage([item], event.members), -event.number, event) for event in events]
        best = max(linked, key=lambda found: found[:2], default=None)
        nearest = max(
            ((other.headline.id, item.probabilities[other.number]) for other in one.neighbours),
            key=lambda found: found[1],
            default=None,
        )
        if best is None or best[0] < SAME_EVENT:
            item.event = event = _Event(item.headline.id, item.number, [item])
            return Placed(item.headline.id, event.id, Step.OPENED, (), nearest, asked, one.late)
        event, ended = best[2], []
        item.event = event
        event.members.append(item)
        for probability, _, other in sorted(linked, key=lambda found: found[:2], reverse=True):
            if (
                other is not event
                and probability >= SAME_EVENT
                and self._linkage(event.members, other.members) >= SAME_EVENT
            ):
                event, gone = sorted((event, other), key=lambda found: found.number)
                for member in gone.members:
                    member.event = event
                event.members += gone.members
                ended.append(gone.id)
        step = Step.MERGED if ended else Step.JOINED
        return Placed(item.headline.id, event.id, step, tuple(ended), nearest, asked)

    def _linkage(self, one: Sequence[_Item], other: Sequence[_Item]) -> float:
        """The mean probability that a headline of the one and one of the other tell of the same event."""
        left, right = _spread(one), _spread(other)
        cosines = np.stack([item.vector for item in left]) @ np.stack([item.vector for item in right]).T
        probabilities = with_prior(self._judge.estimate(cosines), HEADLINE_PRIOR)
        for row, a in enumerate(left):
            for column, b in enumerate(right):
                newer, older = (a, b) if a.number > b.number else (b, a)
                known = newer.probabilities.get(older.number)
                if not self._together(a, b):
                    probabilities[row, column] = 0.0
                elif known is not None:
                    probabilities[row, column] = known
        return float(probabilities.mean())


def _spread(members: Sequence[_Item]) -> Sequence[_Item]:
    """All of an event, or of a large one some, evenly from the first to the last."""
    if len(members) <= LOOKED_AT:
        return members
    return [members[place] for place in np.linspace(0, len(members) - 1, LOOKED_AT).astype(int)]


def _before(moment: datetime, span: timedelta) -> datetime:
    earliest = datetime.min.replace(tzinfo=UTC)
    return earliest if moment - earliest < span else moment - span
