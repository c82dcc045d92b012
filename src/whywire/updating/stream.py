"""Groups headlines by event as they come: one by one or in batches, in order of time or late.

A headline is decided as in a build: the stories that it touches are found again
(:class:`~whywire.events.article_index.ArticleIndex`), and their headlines are grouped again
(:func:`~whywire.events.headline_events.score_headlines`). So the events are those of all headlines grouped at once,
whatever their order. A new headline can move earlier ones to another event; its assignment lists them. Events keep
their ids as in an updated graph (:mod:`whywire.updating.stable_ids`).

Headlines are forgotten two weeks after they were published, so memory is bounded by the news of two weeks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from whywire.elements import short_hash
from whywire.events.article_index import ArticleIndex
from whywire.events.candidates import WINDOW
from whywire.events.distinct import distinction
from whywire.events.headline_events import HEADLINE_PRIOR, SameEventScorer, score_headlines
from whywire.events.linkage import with_prior
from whywire.events.report_vectors import indexed
from whywire.events.told import told_by_report
from whywire.news import Article
from whywire.news.duplicates import in_canonical_order
from whywire.pairs.reports import Report, TwoReports, report_of
from whywire.progress import Advance, Stages
from whywire.updating.stable_ids import complete_ids, keep_ids

BATCH = 256
"""Headlines embedded at a time, and headlines after which old ones are forgotten."""

MAX_LATENESS = timedelta(days=5)
"""How much older than the newest headline a late one may be to be compared with the news of its time."""

KEPT = MAX_LATENESS + 2 * WINDOW + timedelta(days=1)
"""How long headlines are kept: a late one changes the crowds of headlines within the window of time, these may become
alike to others one window further away, and of some times only the day is known."""


class StreamStep(StrEnum):
    """What a headline did to the events."""

    OPENED = "opened"
    """The headline is in an event that did not exist before."""
    JOINED = "joined"
    """The headline joined an event."""
    MERGED = "merged"
    """The headline joined an event, and another event ended."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The event of a new headline, and the earlier headlines that it moved.

    Args:
        id: of the headline.
        event: id of its event: the id of the headline that opened it, or an id made from that.
        moved: the new events of earlier headlines that are in another event from now on, by the ids of both.
        ended: ids of the events that have no headlines from now on; they are never given again.
        nearest: id of the headline most likely to report the same event, and that probability (0 to 1); ``None`` if
            there was none to compare.
        late: it came too late to be compared with the news of its time, and opened an event that nothing joins.
    """

    id: str
    event: str
    step: StreamStep
    moved: Mapping[str, str] = field(default_factory=dict)
    ended: tuple[str, ...] = ()
    nearest: tuple[str, float] | None = None
    late: bool = False


def final_events(assignments: Iterable[Assignment]) -> dict[str, str]:
    """The event of each headline after all of these assignments, by the ids of both."""
    event_of: dict[str, str] = {}
    for assignment in assignments:
        event_of |= {assignment.id: assignment.event, **assignment.moved}
    return event_of


@dataclass(frozen=True, slots=True, eq=False)
class _Headline:
    """A headline that is kept.

    Args:
        id: as it was given.
        article: its id is the given one, or an id made from it if an earlier headline has the same.
        vector: (size,), unit length.
        time: when it was published; the newest time of all headlines so far if that is not known.
    """

    id: str
    article: Article
    vector: NDArray[np.float32]
    time: datetime | None


class MonolingualStream:
    """The events of a stream of headlines in one language.

    The same headlines in the same order give the same assignments however they are cut into batches.

    Args:
        scorer: of that language.
        prior: log-odds added to every probability of *same event*.
    """

    def __init__(self, scorer: SameEventScorer, *, prior: float = HEADLINE_PRIOR) -> None:
        self._scorer, self._prior = _RememberingScorer(scorer), prior
        self._index = ArticleIndex()
        self._headlines: dict[str, _Headline] = {}
        self._event_of: dict[str, str] = {}
        self._members: dict[str, set[str]] = {}
        self._opened_by: dict[str, str] = {}
        self._newest: datetime | None = None
        self._count = 0

    def __len__(self) -> int:
        """Number of headlines kept, to compare others with."""
        return len(self._headlines)

    @property
    def scored(self) -> int:
        """Number of pairs that the scorer was asked about so far."""
        return self._scorer.asked

    def add(self, headlines: Iterable[Article]) -> list[Assignment]:
        """Assign headlines to events, in the order they come."""
        waiting = iter(headlines)
        assignments: list[Assignment] = []
        while batch := list(islice(waiting, BATCH)):
            vectors = self._scorer.embed([report_of(article) for article in batch])
            assignments += map(self._assign, batch, vectors)
        return assignments

    def _assign(self, article: Article, vector: NDArray[np.float32]) -> Assignment:
        time = article.published.at if article.published else self._newest
        self._newest = max(filter(None, (time, self._newest)), default=None)
        if self._count % BATCH == 0:
            self._forget([key for key, kept in self._headlines.items() if self._age(kept.time) > KEPT])
        self._count += 1
        if self._age(time) > MAX_LATENESS:
            return Assignment(article.id, article.id, StreamStep.OPENED, late=True)
        key = article.id
        while key in self._headlines:
            key = f"{article.id}-{short_hash(key)}"
        self._headlines[key] = _Headline(article.id, replace(article, id=key), vector, time)
        regrouping = self._index.regroup([indexed(self._headlines[key].article, vector)])
        self._index.apply(regrouping)
        groups = self._grouped(regrouping.stories)
        before: defaultdict[str, set[str]] = defaultdict(set)
        for member in (member for group in groups for member in group if member in self._event_of):
            before[self._event_of[member]].add(member)
        wanted = [key if key in group else group[0] for group in groups]
        events = complete_ids(keep_ids(before, groups), wanted, self._used_among)
        moved: dict[str, str] = {}
        for event, group, opener in zip(events, groups, wanted, strict=True):
            self._opened_by.setdefault(event, opener)
            for member in group:
                earlier = self._event_of.get(member)
                if earlier != event:
                    self._move(member, event)
                    if earlier:
                        moved[self._headlines[member].id] = event
        event = self._event_of[key]
        ended = tuple(sorted(name for name in before if name not in self._members))
        step = StreamStep.OPENED if event not in before else StreamStep.MERGED if ended else StreamStep.JOINED
        return Assignment(article.id, event, step, moved, ended, self._nearest(key, groups))

    def _grouped(self, stories: Sequence[Sequence[str]]) -> list[list[str]]:
        """The headlines of stories by event."""
        articles = in_canonical_order(self._headlines[key].article for story in stories for key in story)
        place = {article.id: number for number, article in enumerate(articles)}
        scored = score_headlines(
            articles,
            np.stack([self._headlines[key].vector for key in place]),
            articles[0].language,
            self._scorer,
            Stages(),
            stories=sorted(sorted(place[key] for key in story) for story in stories),
            prior=self._prior,
        )
        return [[articles[number].id for number in group] for group in scored.groups()]

    def _nearest(self, key: str, groups: Sequence[Sequence[str]]) -> tuple[str, float] | None:
        """The headline most likely to report the same event, of those that this one was compared with."""
        article = self._headlines[key].article
        report, told = report_of(article), told_by_report(article)
        found: list[tuple[str, float]] = []
        for other in (self._headlines[member] for group in groups for member in group if member != key):
            probability = self._scorer.known(report, report_of(other.article))
            if probability is not None:
                apart = distinction(told, told_by_report(other.article)) is not None
                found.append((other.id, 0.0 if apart else float(with_prior(np.array(probability), self._prior))))
        return max(found, key=lambda pair: pair[1], default=None)

    def _move(self, key: str, event: str) -> None:
        self._leave(key)
        self._event_of[key] = event
        self._members.setdefault(event, set()).add(key)

    def _leave(self, key: str) -> None:
        event = self._event_of.pop(key, None)
        if event is not None:
            self._members[event].remove(key)
            if not self._members[event]:
                del self._members[event]

    def _used_among(self, names: Collection[str]) -> set[str]:
        """The ids among these that belong to an event, or once did."""
        return {name for name in names if name in self._opened_by}

    def _age(self, time: datetime | None) -> timedelta:
        """How much older than the newest headline a headline of this time is."""
        return self._newest - time if self._newest and time else timedelta(0)

    def _forget(self, keys: Collection[str]) -> None:
        self._index.forget(keys)
        for key in keys:
            self._leave(key)
            self._scorer.forget(report_of(self._headlines.pop(key).article))
        self._opened_by = {
            event: opener
            for event, opener in self._opened_by.items()
            if opener in self._headlines or event in self._members
        }


class _RememberingScorer:
    """A scorer that is asked once about a pair.

    Attributes:
        asked: number of pairs that were scored.
    """

    def __init__(self, scorer: SameEventScorer) -> None:
        self._scorer, self.asked = scorer, 0
        self._known: dict[Report, dict[Report, float]] = {}
        self.embed, self.cosine_for = scorer.embed, scorer.cosine_for
        self.same_event_by_cosine, self.usual_share = scorer.same_event_by_cosine, scorer.usual_share

    def same_event_probabilities(
        self, pairs: Sequence[TwoReports], cosines: NDArray[np.float32], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        unknown = [number for number, pair in enumerate(pairs) if self.known(*pair) is None]
        if unknown:
            found = self._scorer.same_event_probabilities([pairs[at] for at in unknown], cosines[unknown], advance)
            for number, probability in zip(unknown, found.tolist(), strict=True):
                first, second = sorted(pairs[number])
                self._known.setdefault(first, {})[second] = probability
        self.asked += len(unknown)
        return np.array([self.known(*pair) for pair in pairs], dtype=np.float64)

    def known(self, one: Report, other: Report) -> float | None:
        """The probability of a pair that was scored."""
        first, second = sorted((one, other))
        return self._known.get(first, {}).get(second)

    def forget(self, report: Report) -> None:
        self._known.pop(report, None)
