"""A timeline: events in the order they happened, as far as it is known.

The time of an event is bounded by a stated time and by its first report: what happened did so before the report, and
what is planned comes after it. One event is *before* another if their bounds do not overlap. This is a partial order
without cycles, whatever the times. The list of events is a linear extension of it: where bounds overlap, stated
times and reports give the likelier order, with its confidence.

Many events of a graph do not belong on a timeline: causes named in a word or two, and remarks. A list that is too
long to read is no timeline, and what it leaves out is still in the graph. So an event without a headline is listed
only if its title has a verb in the past or the future tense that says more than that somebody spoke, and if it has a
date, or several reports and a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise

from whywire.elements import Event, EventTime, Precision, has_headline
from whywire.events.time.event_time import DAY
from whywire.events.time.tenses import main_marks

CERTAIN, BY_WORDS, BY_BOTH, BY_REPORTS, UNSURE = 0.97, 0.9, 0.6, 0.55, 0.5
"""The confidence in the order of two neighbours, by what orders them: a report that lies between them; two stated
times; one stated time and a report; two reports; nothing. The third and the fourth were set on one half of the news
streams (docs/results/timelines.md), where reports are a day apart and hardly show the order."""


_SPOKE = re.compile(
    r"(?:said|told|added|noted|explained|answered|asked|wrote|posted"
    r"|(?:сказал|рассказал|заявил|сообщил|добавил|отметил|подчеркнул|уточнил|пояснил|написал)[аио]?)\b"
)
"""A verb that only says that somebody spoke."""


class TemporalRelation(StrEnum):
    """The temporal relation of an event to the one listed before it."""

    AFTER = "after"
    SAME_TIME = "same_time"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event, and when it happened.

    Args:
        time: ``None`` if no mention states one.
    """

    event: Event
    time: EventTime | None

    @property
    def bounds(self) -> tuple[date, date]:
        """The first day on which the event may have happened, and the day after the last."""
        start, end = (self.time.start, self.time.end) if self.time else (date.min, date.max)
        seen = self.event.first_seen
        if seen and self.event.planned and seen.earliest.date() < end:
            start = max(start, seen.earliest.date())
        if seen and not self.event.planned and start <= seen.latest.date():
            end = min(end, seen.latest.date() + DAY)
        return start, end

    @property
    def likely(self) -> date:
        """The day it is listed under: the first of its bounds if it has a time, else that of its first report."""
        if self.time is None and self.event.first_seen:
            return self.event.first_seen.at.date()
        start, end = self.bounds
        return start if self.time else end - DAY

    def before(self, other: DatedEvent) -> bool:
        """Whether this event certainly ended before the other began."""
        return self.bounds[1] <= other.bounds[0]


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """The relation of an event of a timeline to the one before it.

    Args:
        confidence: probability that the relation is right, 0.5 to 1.
    """

    relation: TemporalRelation
    confidence: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events in order, with the relation of each to the one before it.

    Args:
        steps: one fewer than there are events.
    """

    events: tuple[DatedEvent, ...]
    steps: tuple[TimelineStep, ...]


def dated(event: Event) -> DatedEvent:
    """The event with the time that its mentions state."""
    return DatedEvent(event, event.when)


def in_order(events: Iterable[DatedEvent]) -> Timeline:
    """List events so that none comes before one that certainly ended earlier."""
    ordered = tuple(sorted(events, key=_place))
    return Timeline(ordered, tuple(timeline_step(one, other) for one, other in pairwise(ordered)))


def timeline_step(one: DatedEvent, other: DatedEvent) -> TimelineStep:
    """The relation of the second of two neighbours in a timeline to the first."""
    timed = sum(event.time is not None for event in (one, other))
    if one.before(other):
        return TimelineStep(TemporalRelation.AFTER, BY_WORDS if timed == 2 else CERTAIN)
    if not (_known(one) and _known(other)):
        return TimelineStep(TemporalRelation.UNKNOWN, UNSURE)
    if timed == 2:
        day = one.bounds == other.bounds and one.bounds[1] - one.bounds[0] == DAY
        return (
            TimelineStep(TemporalRelation.SAME_TIME, BY_WORDS)
            if day
            else TimelineStep(TemporalRelation.UNKNOWN, UNSURE)
        )
    if one.likely == other.likely or (one.time and one.bounds[1] > other.likely):
        return TimelineStep(TemporalRelation.UNKNOWN, UNSURE)
    return TimelineStep(TemporalRelation.AFTER, BY_BOTH if timed else BY_REPORTS)


def is_worth_listing(one: DatedEvent, *, linked: bool) -> bool:
    """Whether an event belongs on a timeline for readers.

    It does if it has a headline, or if its title has a verb in the past or the future tense that says more than that
    somebody spoke and it has a time more exact than a year, or several reports and a link.

    Args:
        linked: whether a link starts or ends at the event.
    """
    event = one.event
    if has_headline(event):
        return True
    if not reads_like_a_report(event):
        return False
    is_dated = one.time is not None and one.time.precision is not Precision.YEAR
    return is_dated or (linked and len(event.articles) > 1)


def reads_like_a_report(event: Event) -> bool:
    """Whether an event's title has a verb in the past or the future tense that says more than that somebody spoke."""
    verbs = main_marks(event.title, event.language)
    return not all(_SPOKE.match(event.title, verb.at) for verb in verbs)


def _known(one: DatedEvent) -> bool:
    return one.time is not None or one.event.first_seen is not None


def _place(one: DatedEvent) -> tuple[object, ...]:
    event = one.event
    reported = (0, event.first_seen.at) if event.first_seen else (1,)
    return not _known(one), one.likely, event.planned, reported, event.title, event.id
