"""The headlines of a stream that are inside the window, and the nearest of them to each new headline.

Headlines older than the window plus the allowed lateness are dropped, so memory is bounded by the news of that time.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from whywire.events.distinct import Told, told_by_report
from whywire.news.article import Article, Published
from whywire.news.language import language_by_letters
from whywire.pairs.reports import Report

COSINE_TOLERANCE = 1e-4
"""By how much a cosine may differ when it is summed in another order."""

CANDIDATES_PER_NEIGHBOUR = 8
"""Headlines examined for each neighbour wanted, at most: some of them are outside the window."""

MIN_ROWS = 1024
"""Rows by which the matrix of vectors grows, at least."""

EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline of a stream.

    Args:
        published: if unknown, the newest time seen so far is taken instead.
        text: its beginning is read, too.
    """

    id: str
    title: str
    published: Published | None = None
    source: str | None = None
    text: str = ""

    @property
    def report(self) -> Report:
        """What the pair model reads of it."""
        return Report.of(self.title, self.text)

    @property
    def told(self) -> Told:
        """What its words tell of the event."""
        language = language_by_letters(self.title)
        return told_by_report(Article(self.id, self.title, self.text, language, published=self.published))


@dataclass(eq=False, slots=True)
class WindowItem:
    """A headline in the window.

    Args:
        number: headlines of the stream before this one.
        vector: (size,), unit length.
        told: what the headline tells.
        start, end: bounds of the time of its publication.
        row: its row in the matrix of vectors.
    """

    number: int
    headline: Headline
    vector: NDArray[np.float32]
    told: Told
    start: datetime
    end: datetime
    row: int = -1

    def distance(self, other: WindowItem) -> timedelta:
        """The shortest time that may lie between the two; negative where their times overlap."""
        return max(self.start - other.end, other.start - self.end)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A new headline with its nearest neighbours among the earlier ones.

    Args:
        neighbours: most similar first.
        cosines: (neighbours,).
        expired: headlines that left the window when it came.
        late: it came too late to be compared with the news of its time, and is not kept.
    """

    item: WindowItem
    neighbours: list[WindowItem]
    cosines: NDArray[np.float32]
    expired: list[WindowItem]
    late: bool = False


class StreamWindow:
    """The headlines that new ones are compared with, one row each in a matrix, so that batches are compared at once.

    Args:
        window: longest time between two headlines that are compared.
        late: how much older than the newest headline a new one may be, beyond the window, to be compared.
        neighbours: nearest neighbours of a headline, at most.
        floor: lowest cosine of a neighbour.
    """

    def __init__(self, window: timedelta, late: timedelta, neighbours: int, floor: float) -> None:
        self._window, self._late, self._neighbours, self._floor = window, late, neighbours, floor
        self._items: list[WindowItem] = []
        self._vectors = np.zeros((0, 0), dtype=np.float32)
        self._by_age: list[tuple[datetime, int, WindowItem]] = []
        self._newest = EARLIEST
        self._count = 0

    def __len__(self) -> int:
        """Number of headlines kept."""
        return len(self._items)

    def add(self, batch: Sequence[Headline], vectors: NDArray[np.float32]) -> list[Arrival]:
        """Add headlines in the order they come, and find the neighbours of each among those before it.

        Args:
            vectors: (batch, size), unit length.
        """
        before, among = self._cosines(vectors), vectors @ vectors.T
        arrivals: list[Arrival] = []
        for number, headline in enumerate(batch):
            near = [self._items[row] for row in self._nearest(before[number])]
            near += [arrivals[other].item for other in self._nearest(among[number, :number])]
            arrivals.append(self._arrive(headline, vectors[number], near))
        for arrival in arrivals:
            if not arrival.late:
                self._keep(arrival.item)
        for arrival in arrivals:
            for item in arrival.expired:
                self._drop(item)
        return arrivals

    def _cosines(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines (vectors, kept) with each headline kept."""
        if not self._items:
            return np.zeros((len(vectors), 0), dtype=np.float32)
        return vectors @ self._vectors[: len(self._items)].T

    def _nearest(self, cosines: NDArray[np.float32]) -> NDArray[np.int64]:
        """Indices of the cosines that reach the floor; of very many only the highest."""
        places = np.flatnonzero(cosines >= self._floor - COSINE_TOLERANCE)
        most = CANDIDATES_PER_NEIGHBOUR * self._neighbours
        if len(places) <= most:
            return places
        return np.sort(places[np.argpartition(-cosines[places], most)[:most]])

    def _arrive(self, headline: Headline, vector: NDArray[np.float32], near: Sequence[WindowItem]) -> Arrival:
        known = headline.published
        start, end = (known.at, known.until) if known else (self._newest, self._newest)
        self._newest = max(self._newest, start)
        item = WindowItem(self._count, headline, vector, headline.told, start, end)
        self._count += 1
        oldest = _before(self._newest, self._window + self._late)
        expired = []
        while self._by_age and self._by_age[0][0] < oldest:
            expired.append(heapq.heappop(self._by_age)[2])
        none = np.zeros(0, dtype=np.float32)
        if start < oldest:
            return Arrival(item, [], none, expired, late=True)
        heapq.heappush(self._by_age, (start, item.number, item))
        inside = [other for other in near if other.start >= oldest and item.distance(other) <= self._window]
        if not inside:
            return Arrival(item, [], none, expired)
        cosines = (np.stack([other.vector for other in inside]) * vector).sum(axis=1)
        ranked = sorted(zip((-cosines).tolist(), (other.number for other in inside), inside, strict=True))
        chosen = [(-cosine, other) for cosine, _, other in ranked[: self._neighbours] if -cosine >= self._floor]
        kept = np.array([cosine for cosine, _ in chosen], dtype=np.float32)
        return Arrival(item, [other for _, other in chosen], kept, expired)

    def _keep(self, item: WindowItem) -> None:
        item.row = len(self._items)
        if item.row == len(self._vectors):
            more = np.zeros((max(MIN_ROWS, len(self._vectors)), len(item.vector)), dtype=np.float32)
            self._vectors = np.concatenate([self._vectors, more]) if self._items else more
        self._vectors[item.row] = item.vector
        self._items.append(item)

    def _drop(self, item: WindowItem) -> None:
        """Remove a headline; the last row takes its place."""
        last = self._items.pop()
        if last is not item:
            self._items[item.row] = last
            self._vectors[item.row] = last.vector
            last.row = item.row


def _before(moment: datetime, span: timedelta) -> datetime:
    return EARLIEST if moment - EARLIEST < span else moment - span
