"""The articles of one language in the order they came, as arrays that grow, with the events of their mentions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Event, Mention, MentionKind
from whywire.events.article_readings import ArticleReading, ReadClaim
from whywire.events.article_reports import report_of
from whywire.events.candidates import WINDOW, Times
from whywire.events.mentions import FoundMention
from whywire.events.scorer import MAX_NEIGHBOURS
from whywire.news import Article
from whywire.news.distinctive_terms import COMMON_COUNT, stems
from whywire.news.distinctive_terms import COMMON_SHARE as COMMON_TITLE_SHARE
from whywire.pairs.reports import Report

Indices = NDArray[np.int64]

MIN_ROWS = 256
"""Rows by which an array grows, at least."""

BLOCK_ROWS = 1024
"""Articles compared with all others at a time, which bounds memory."""


class GrowingRows:
    """An array to which rows are added; what is returned is a view."""

    def __init__(self, dtype: type[np.generic], width: int | None = None) -> None:
        self._rows = np.zeros((0,) if width is None else (0, width), dtype=dtype)
        self._count = 0

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._count

    def add(self, row: Any) -> None:
        """Add a row."""
        if self._count == len(self._rows):
            shape = (max(MIN_ROWS, self._count), *self._rows.shape[1:])
            self._rows = np.concatenate([self._rows, np.zeros(shape, dtype=self._rows.dtype)])
        self._rows[self._count] = row
        self._count += 1

    def truncate(self, count: int) -> None:
        """Forget all rows after the first ``count``."""
        self._count = count

    @property
    def rows(self) -> NDArray[Any]:
        """All rows."""
        return self._rows[: self._count]


class _OpenTimes(Times):
    """Times of articles some of which are finished: these are outside the window of all others."""

    def __init__(self, starts: NDArray[np.float64], ends: NDArray[np.float64], finished: NDArray[np.bool_]) -> None:
        self.starts, self.ends, self._finished = starts, ends, finished

    def outside(self, rows: Indices, columns: Indices, window: timedelta = WINDOW) -> NDArray[np.bool_]:
        return super().outside(rows, columns, window) | self._finished[columns] | self._finished[rows][:, None]


class LanguageNews:
    """The articles of one language, by number in the order they came.

    Attributes:
        articles: the articles.
        reports: what the pair model reads of each.
        number: of an article, by its id.
        mentions: of each article, the first of them its headline; ``article_index`` is the article's number.
        claims: of each article; ``ends`` are among the article's mentions.
        vectors_of: (mentions, size) of each article.
        event_of: the id of the event of each mention of each article.
        story_of: the story of each article; ``None`` where it is alone.
        members: the articles of each story.
    """

    def __init__(self) -> None:
        self.articles: list[Article] = []
        self.reports: list[Report] = []
        self.number: dict[str, int] = {}
        self.mentions: list[tuple[FoundMention, ...]] = []
        self.claims: list[tuple[ReadClaim, ...]] = []
        self.vectors_of: list[NDArray[np.float32]] = []
        self.event_of: list[list[str]] = []
        self.story_of: list[str | None] = []
        self.members: defaultdict[str, set[int]] = defaultdict(set)
        self._place: dict[Mention, tuple[int, int]] = {}
        self._vectors = GrowingRows(np.float32, 0)
        self._starts, self._ends = GrowingRows(np.float64), GrowingRows(np.float64)
        self._finished = GrowingRows(np.bool_)
        self._title_stems: Counter[str] = Counter()
        self._nearest: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        """Return the number of articles."""
        return len(self.articles)

    @property
    def vectors(self) -> NDArray[np.float32]:
        """(articles, size), unit length: of titles and leads."""
        return self._vectors.rows

    @property
    def times(self) -> Times:
        """The times of publication; a finished article is near none."""
        return _OpenTimes(self._starts.rows, self._ends.rows, self._finished.rows)

    @property
    def open_count(self) -> int:
        """The number of articles that are not finished."""
        return len(self) - int(self._finished.rows.sum())

    def add(self, article: Article, reading: ArticleReading, *, finished: bool = False) -> int:
        """Add an article whose mentions have no events yet; returns its number.

        Args:
            finished: its events and its story stay as they are.
        """
        number = len(self.articles)
        if not number:
            self._vectors = GrowingRows(np.float32, len(reading.vector))
        self.articles.append(article)
        self.reports.append(report_of(article))
        self.number[article.id] = number
        mentions = tuple(replace(one, article_index=number) for one in reading.mentions)
        self.mentions.append(mentions)
        self._place |= {one.mention: (number, at) for at, one in enumerate(mentions)}
        self.claims.append(reading.claims)
        self.vectors_of.append(np.stack([one.vector for one in mentions]))
        self.event_of.append([""] * len(mentions))
        self.story_of.append(None)
        self._vectors.add(reading.vector)
        times = Times([article.published])
        self._starts.add(times.starts[0])
        self._ends.add(times.ends[0])
        self._finished.add(finished)
        self._title_stems.update(stems(article.title))
        return number

    def without(self, gone: Collection[str], readings: Mapping[str, ArticleReading]) -> LanguageNews:
        """The articles but for some.

        Args:
            gone: their ids.
            readings: of the others.
        """
        kept = LanguageNews()
        for number, article in enumerate(self.articles):
            if article.id not in gone:
                kept.add(article, readings[article.id], finished=bool(self._finished.rows[number]))
                kept.event_of[-1] = self.event_of[number]
                kept._join(len(kept) - 1, self.story_of[number])
        return kept

    @contextmanager
    def tentatively(self, articles: Sequence[Article], readings: Mapping[str, ArticleReading]) -> Iterator[list[int]]:
        """Add articles, yield their numbers, and remove them again."""
        count, known = len(self.articles), self._neighbours()
        numbers = [self.add(article, readings[article.id]) for article in articles]
        try:
            yield numbers
        finally:
            self._nearest = known
            self._remove_after(count)

    def place(self, event: Event) -> None:
        """Note the event of its mentions, and the story of the articles whose headlines mention it."""
        for mention in event.mentions:
            number, at = self._place[mention]
            self.event_of[number][at] = event.id
            if mention.kind is MentionKind.HEADLINE:
                self._join(number, event.story)

    def places(self, event: Event) -> list[tuple[int, int]]:
        """The number of the article and the index in it of each mention of an event."""
        return [self._place[mention] for mention in event.mentions]

    def nearest(self) -> NDArray[np.float32]:
        """For each article, the cosine from which another headline is among its nearest neighbours, (articles,)."""
        return self._neighbours()[:, 0]

    def _neighbours(self) -> NDArray[np.float32]:
        """The cosines of the nearest headlines of each article, ascending, (articles, ``MAX_NEIGHBOURS``)."""
        known = 0 if self._nearest is None else len(self._nearest)
        if self._nearest is None or known < len(self):
            rows = np.full((len(self), MAX_NEIGHBOURS), -np.inf, dtype=np.float32)
            if self._nearest is not None:
                rows[:known] = self._nearest
            self._nearest = self._with_neighbours(rows, known)
        return self._nearest

    def shared_title_stems(self, one: str, other: str) -> int:
        """How many distinctive stems two titles share."""
        limit = max(COMMON_COUNT, COMMON_TITLE_SHARE * len(self))
        return sum(self._title_stems[stem] <= limit for stem in stems(one) & stems(other))

    def similarity(self, number: int) -> Callable[[Indices], NDArray[np.float64]]:
        """How similar an article is to others: a function from their numbers to values (articles,).

        The cosine of their vectors, and 0 outside the window of time.
        """

        def similarity(others: Indices) -> NDArray[np.float64]:
            result: NDArray[np.float64] = (self.vectors[others] @ self.vectors[number]).astype(np.float64)
            result[self.times.outside(np.array([number]), others)[0]] = 0.0
            return result

        return similarity

    def _join(self, number: int, story: str | None) -> None:
        before = self.story_of[number]
        if before is not None:
            self.members[before].discard(number)
            if not self.members[before]:
                del self.members[before]
        self.story_of[number] = story
        if story is not None:
            self.members[story].add(number)

    def _remove_after(self, count: int) -> None:
        while len(self.articles) > count:
            article = self.articles.pop()
            self.reports.pop()
            del self.number[article.id]
            for one in self.mentions.pop():
                del self._place[one.mention]
            for own in (self.claims, self.vectors_of, self.event_of, self.story_of):
                own.pop()
            self._title_stems.subtract(stems(article.title))
        for rows in (self._vectors, self._starts, self._ends, self._finished):
            rows.truncate(count)

    def _with_neighbours(self, rows: NDArray[np.float32], known: int) -> NDArray[np.float32]:
        """The cosines of the nearest neighbours of each article, ascending; those of the first ``known`` grow."""
        everything = np.arange(len(self))
        for start in range(known, len(self), BLOCK_ROWS):
            block = everything[start : start + BLOCK_ROWS]
            cosines = self.vectors[block] @ self.vectors.T
            cosines[self.times.outside(block, everything) | (block[:, None] == everything)] = -np.inf
            keep = min(MAX_NEIGHBOURS, len(self))
            rows[block, -keep:] = np.sort(np.partition(cosines, -keep, axis=1)[:, -keep:], axis=1)
            if known:
                nearer = np.flatnonzero((cosines[:, :known] > rows[:known, 0]).any(axis=0))
                both = np.hstack([rows[nearer], cosines[:, nearer].T])
                rows[nearer] = np.sort(both, axis=1)[:, -MAX_NEIGHBOURS:]
        return rows
