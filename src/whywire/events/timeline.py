"""A timeline: events in the order they happened, as far as it is known.

What is known of an event's time bounds it: the words that name one; else its first report, for what has happened has
happened by then, and what is planned lies after it. One event is *before* another where the bounds do not overlap.
That is a partial order without cycles, whatever the times. The list of events is one of its extensions: where bounds
overlap, the likelier order by words and reports, with its confidence.

A graph has many events that nobody would put on a timeline: causes named in a word or two, remarks, what cannot be
read without its sentence. Which error is worse? A list too long to read is no timeline, and what is left out of it is
still in the graph. So what has no headline must read alone, in the past or the future, and be dated or well told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise

from whywire.events.assembling import own_words
from whywire.graph.elements import Event, Mention, MentionKind, is_reported
from whywire.news.article import Article
from whywire.news.sentences import split_sentences
from whywire.stories.tenses import main_marks
from whywire.stories.when import DAY, Precision, event_time

CERTAIN, BY_WORDS, BY_BOTH, BY_REPORTS, UNSURE = 0.97, 0.9, 0.6, 0.55, 0.5
"""How sure a neighbouring order is: a report stands between the two; both have their own words; only one has; both
are placed by their reports; nothing tells them apart. The third and fourth are measured on one half of the news
streams (docs/results.md); the reports there are a day apart, and tell hardly anything."""


_SPOKE = re.compile(
    r"(?:said|told|added|noted|explained|answered|asked|wrote|posted"
    r"|(?:сказал|рассказал|заявил|сообщил|добавил|отметил|подчеркнул|уточнил|пояснил|написал)[аио]?)\b"
)
"""A verb that tells of no more than that somebody spoke."""


class Placing(StrEnum):
    """How an event lies to the one listed before it."""

    AFTER = "after"
    SAME_TIME = "same_time"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class EventTime:
    """When an event happened, by the words that say so.

    Args:
        start: its first day.
        end: the day after its last.
    """

    start: date
    end: date
    precision: Precision
    words: str


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event, and when it happened.

    Args:
        time: ``None`` where no mention names one.
    """

    event: Event
    time: EventTime | None

    @property
    def bounds(self) -> tuple[date, date]:
        """The first day the event may have happened on, and the day after the last."""
        start, end = (self.time.start, self.time.end) if self.time else (date.min, date.max)
        if self.event.first_seen is None:
            return start, end
        day = self.event.first_seen.at.date()
        if self.event.planned:
            return (max(start, day), end) if end > day else (start, end)
        return (start, min(end, day + DAY)) if start <= day else (start, end)

    @property
    def likely(self) -> date:
        """The day it is listed under, inside the bounds: the first of its time, or the day of its first report."""
        start, end = self.bounds
        return end - DAY if self.time is None and start == date.min else start

    def before(self, other: DatedEvent) -> bool:
        """Whether this event certainly ended before the other began."""
        return self.bounds[1] <= other.bounds[0]


@dataclass(frozen=True, slots=True)
class Step:
    """From one event of the list to the next.

    Args:
        confidence: that the placing is right, 0.5 to 1.
    """

    placing: Placing
    confidence: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events in order, and how each lies to the one before it.

    Args:
        steps: one fewer than there are events.
    """

    events: tuple[DatedEvent, ...]
    steps: tuple[Step, ...]


def dated(event: Event, articles: Mapping[str, Article]) -> DatedEvent:
    """The event with the time that its mentions name.

    Args:
        articles: those that mention it, by id; of those without a text only the headlines are read.

    Raises:
        MissingExtraError: dateparser is not installed.
    """
    named = (_named_time(mention, articles[mention.article]) for mention in event.mentions)
    return DatedEvent(event, _agreed([time for time in named if time]))


def in_order(events: Iterable[DatedEvent]) -> Timeline:
    """List events so that none stands before one that certainly ended before it."""
    ordered = tuple(sorted(events, key=_place))
    return Timeline(ordered, tuple(step(one, other) for one, other in pairwise(ordered)))


def step(one: DatedEvent, other: DatedEvent) -> Step:
    """How the second of two neighbours in a timeline lies to the first."""
    timed = sum(event.time is not None for event in (one, other))
    if one.before(other):
        return Step(Placing.AFTER, BY_WORDS if timed == 2 else CERTAIN)
    if not (_known(one) and _known(other)):
        return Step(Placing.UNKNOWN, UNSURE)
    if timed == 2:
        day = one.bounds == other.bounds and one.bounds[1] - one.bounds[0] == DAY
        return Step(Placing.SAME_TIME, BY_WORDS) if day else Step(Placing.UNKNOWN, UNSURE)
    if one.likely == other.likely or (one.time and one.bounds[1] > other.likely):
        return Step(Placing.UNKNOWN, UNSURE)
    return Step(Placing.AFTER, BY_BOTH if timed else BY_REPORTS)


def is_worth_listing(one: DatedEvent, articles: Mapping[str, Article], *, linked: bool) -> bool:
    """Whether an event belongs on a timeline that is to be read.

    It has a headline; or it is named by words that can be read alone and tell in the past or the future of more than
    that somebody spoke, and either a time within a year is named or several reports tell it and a link joins it to
    another event.

    Args:
        linked: whether a link begins or ends at it.
    """
    event = one.event
    if is_reported(event):
        return True
    verbs = main_marks(event.title, event.language)
    if own_words(event, articles) != event.title or all(_SPOKE.match(event.title, verb.at) for verb in verbs):
        return False
    is_dated = one.time is not None and one.time.precision is not Precision.YEAR
    return is_dated or (linked and len(event.articles) > 1)


def _known(one: DatedEvent) -> bool:
    return one.time is not None or one.event.first_seen is not None


def _place(one: DatedEvent) -> tuple[object, ...]:
    event = one.event
    reported = (0, event.first_seen.at) if event.first_seen else (1,)
    return not _known(one), one.likely, event.planned, reported, event.title, event.id


def _named_time(mention: Mention, article: Article) -> EventTime | None:
    """The time that a mention names: in its own words, else a clause in those of its sentence around it.

    Cause and effect often stand in one sentence and happened at two times, so theirs is what their own words say.
    """
    text = getattr(article, mention.field)
    spans = [mention.span]
    if mention.kind is MentionKind.STATEMENT:
        start, end = mention.span
        spans += [(a, b) for a, b in split_sentences(text, article.language) if a <= start and end <= b]
    for span in spans:
        words = text[slice(*span)]
        if when := event_time(words, article.language, article.published):
            return EventTime(when.start, when.end, when.precision, words[slice(*when.span)])
    return None


def _agreed(times: Sequence[EventTime]) -> EventTime | None:
    """The time that overlaps most of the others, the more exact of equals, the first of these."""

    def support(time: EventTime) -> tuple[int, timedelta]:
        return sum(time.start < other.end and other.start < time.end for other in times), time.start - time.end

    return max(times, key=support, default=None)
