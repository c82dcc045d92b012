"""A timeline across articles: events told by several of them, in the order they happened as far as it is known.

Statements of the articles' main events are grouped as headlines are: the pair model and the embedding together say
which tell of the same event, and average linkage makes them a partition. Two whose words name different times are
never one. Each group is one event and keeps all its phrasings.

What is known of an event's time bounds it: the words that name one; else its report, for what has happened has
happened by then, and what is announced lies after it. One event is *before* another where the bounds do not overlap.
That is a partial order without cycles, whatever the times. The list of events is one of its extensions: where bounds
overlap, the likelier order by words, reports and tense, with its confidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from whywire.graph.elements import digest
from whywire.headlines.candidates import candidate_pairs
from whywire.headlines.grouping import group_events, pairs_left_open, with_prior
from whywire.headlines.model import HeadlineModel
from whywire.headlines.words import stems
from whywire.language_models import LanguageModels
from whywire.news import Article, Language, Published, Span, without_duplicates
from whywire.stories.phrasing import rephrase
from whywire.stories.statements import CLIP_WORDS, MOST, Statement, is_background, main_events
from whywire.stories.tenses import Tense
from whywire.stories.when import DAY, Precision

NEIGHBOURS, FLOOR, SECOND_LOOK = 12, 0.1, 16
"""A statement is compared with this many others at most, none of them less like it than this; and
again with so many."""

STATEMENT_PRIOR = -1.5
"""Log-odds added to every chance of *same event*: statements of one story lie nearer to one another than headlines
of a stream do, which the chances are fitted on."""

ABOUT = 0.1
"""The chance of telling of the same, by the embeddings alone, from which an event is about what was asked for."""

CERTAIN, BY_WORDS, BY_BOTH, BY_REPORTS, UNSURE = 0.97, 0.9, 0.6, 0.55, 0.5
"""How sure a neighbouring order is: a report stands between the two; both have their own words; only one has; both
are placed by their reports; nothing tells them apart. The third and fourth are measured on one half of the news
streams (docs/results.md); the reports there are a day apart, and tell hardly anything."""


class Placing(StrEnum):
    """How an event lies to the one listed before it."""

    AFTER = "after"
    SAME_TIME = "same_time"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class EventTime:
    """When an event happened, and the words that say so.

    Args:
        start: its first day.
        end: the day after its last.
        span: where the words stand in the article's ``field``.
    """

    start: date
    end: date
    precision: Precision
    article: str
    field: str
    span: Span
    words: str


@dataclass(frozen=True, slots=True)
class Phrasing:
    """One article's words for an event: ``getattr(article, field)[start:end]``."""

    article: str
    url: str | None
    field: str
    span: Span
    text: str
    tense: Tense


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """An event, told by one article or more.

    Args:
        id: stable for the same first phrasing.
        title: its phrasing nearest to the middle, a headline if there is one; or that in other words, where somebody
            phrased it and the article vouches for each.
        time: the time that most of its phrasings agree on; ``None`` where none names one.
        reported: the earliest report.
        tense: past where any report tells it as done, else future.
        phrasings: in order of their reports.
    """

    id: str
    title: str
    language: Language
    time: EventTime | None
    reported: Published | None
    tense: Tense
    phrasings: tuple[Phrasing, ...]

    @property
    def bounds(self) -> tuple[date, date]:
        """The first day the event may have happened on, and the day after the last."""
        start, end = (self.time.start, self.time.end) if self.time else (date.min, date.max)
        if self.reported is None:
            return start, end
        day = self.reported.at.date()
        if self.tense is Tense.FUTURE:
            return (max(start, day), end) if end > day else (start, end)
        return (start, min(end, day + DAY)) if start <= day else (start, end)

    @property
    def likely(self) -> date:
        """The day it is listed under, inside the bounds: the first of its time, or the day of its report."""
        start, end = self.bounds
        return end - DAY if self.time is None and start == date.min else start

    def before(self, other: TimelineEvent) -> bool:
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

    events: tuple[TimelineEvent, ...]
    steps: tuple[Step, ...]


def build_timeline(
    articles: Iterable[Article],
    *,
    about: str | None = None,
    models: LanguageModels | None = None,
    most: int = MOST,
    words: int | None = CLIP_WORDS,
    phrase: Callable[[str], str] | None = None,
    progress: Callable[[int], object] = lambda done: None,  # noqa: ARG005
) -> Timeline:
    """The timeline of these articles' main events; the order they come in changes nothing.

    An article in neither English nor Russian is one event, its headline.

    Args:
        about: keep only events that tell of this.
        most: events an article gives at most.
        words: clip each text at the sentence end nearest to so many words; ``None`` for all of it.
        phrase: says an event in other words, which its title then has where the article vouches for them.
        progress: called with the number of articles just read.

    Raises:
        MissingExtraError: dateparser is not installed.
    """
    kept, _ = without_duplicates(articles)
    models = models or LanguageModels()
    events: list[TimelineEvent] = []
    for language in Language:
        own = [article for article in kept if article.language is language]
        if language is Language.OTHER:
            events += [_headline_event(article) for article in own]
        elif own:
            events += _events(own, models.headlines(language), about, most, words, phrase, progress)
    return in_order(events)


def in_order(events: Iterable[TimelineEvent]) -> Timeline:
    """List events so that none stands before one that certainly ended before it."""
    ordered = tuple(sorted(events, key=_place))
    return Timeline(ordered, tuple(step(one, other) for one, other in pairwise(ordered)))


def step(one: TimelineEvent, other: TimelineEvent) -> Step:
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


def _known(event: TimelineEvent) -> bool:
    return event.time is not None or event.reported is not None


def _place(event: TimelineEvent) -> tuple[object, ...]:
    reported = (0, event.reported.at) if event.reported else (1,)
    return not _known(event), event.likely, list(Tense).index(event.tense), reported, event.title, event.id


@dataclass(frozen=True, slots=True)
class _Told:
    """A statement on its way into an event."""

    article: Article
    statement: Statement
    time: EventTime | None


def _events(
    articles: Sequence[Article],
    model: HeadlineModel,
    about: str | None,
    most: int,
    words: int | None,
    phrase: Callable[[str], str] | None,
    progress: Callable[[int], object],
) -> list[TimelineEvent]:
    told: list[_Told] = []
    for article in articles:
        found = main_events(article, model, most=most, words=words)
        told += [_Told(article, statement, _time_of(statement, article)) for statement in found]
        progress(1)
    if not told:
        return []
    texts = [item.statement.text for item in told]
    vectors = model.embed(texts)
    nowhen = [None] * len(texts)
    pairs = candidate_pairs(vectors, nowhen, neighbours=NEIGHBOURS, floor=model.cosine_for(FLOOR))
    chances = _same(pairs, told, vectors, model)
    chances |= _same(pairs_left_open(len(told), chances, each=SECOND_LOOK), told, vectors, model)

    def guess(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        return with_prior(model.same_event_by_cosine(cosines), STATEMENT_PRIOR)

    groups = group_events(chances, vectors, guess)
    if about:
        likeness = model.same_event_by_cosine(vectors @ model.embed([about])[0])
        wanted = stems(about)
        near = [
            chance >= ABOUT
            or 2 * len(wanted & stems(f"{item.article.title} {item.statement.text}")) >= len(wanted) > 0
            for chance, item in zip(likeness.tolist(), told, strict=True)
        ]
        groups = [group for group in groups if any(near[number] for number in group)]
    return [_event([told[number] for number in group], vectors[group], phrase) for group in groups]


def _same(
    pairs: Sequence[tuple[int, int]], told: Sequence[_Told], vectors: NDArray[np.float32], model: HeadlineModel
) -> dict[tuple[int, int], float]:
    """The chance that the two statements of each pair tell of the same event; none where their times differ."""
    relations = model.ask([(told[i].statement.text, told[j].statement.text) for i, j in pairs])
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    same = with_prior(model.same_event(relations, (vectors[left] * vectors[right]).sum(axis=1)), STATEMENT_PRIOR)
    return {
        pair: 0.0 if _apart(told[pair[0]].time, told[pair[1]].time) else chance
        for pair, chance in zip(pairs, same.tolist(), strict=True)
    }


def _apart(one: EventTime | None, other: EventTime | None) -> bool:
    """Whether two times leave a whole day between them: over midnight sources disagree by one."""
    return bool(one and other and (one.end + DAY <= other.start or other.end + DAY <= one.start))


def _time_of(statement: Statement, article: Article) -> EventTime | None:
    """The time that a statement names, or else one of its repeats that is no background."""
    for stated in (statement, *statement.repeats):
        when = stated.when
        if when and (stated is statement or not is_background(when, article)):
            first, last = when.span
            span = (stated.span[0] + first, stated.span[0] + last)
            words = stated.text[first:last]
            return EventTime(when.start, when.end, when.precision, article.id, stated.field, span, words)
    return None


def _event(told: Sequence[_Told], vectors: NDArray[np.float32], phrase: Callable[[str], str] | None) -> TimelineEvent:
    nearness = (vectors @ vectors.T).sum(axis=1)

    def centrality(number: int) -> tuple[bool, float, int]:
        return told[number].statement.field == "title", round(float(nearness[number]), 5), -number

    reports = [item.article.published for item in told if item.article.published]
    done = any(item.statement.tense is not Tense.FUTURE for item in told)
    stated = [item.statement for item in told]
    middle = told[max(range(len(told)), key=centrality)]
    named = rephrase(middle.statement, middle.article, phrase) if phrase else middle.statement
    return TimelineEvent(
        id=_id(stated[0].article, stated[0].field, stated[0].span),
        title=named.phrased or named.text,
        language=told[0].article.language,
        time=_agreed([item.time for item in told if item.time]),
        reported=min(reports, key=lambda report: (report.at, report.until), default=None),
        tense=Tense.PAST if done else Tense.FUTURE,
        phrasings=tuple(_phrasing(item.article, item.statement) for item in told),
    )


def _agreed(times: Sequence[EventTime]) -> EventTime | None:
    """The time that overlaps most of the others, the more exact of equals, the first of these."""

    def support(time: EventTime) -> tuple[int, timedelta]:
        return sum(time.start < other.end and other.start < time.end for other in times), time.start - time.end

    return max(times, key=support, default=None)


def _phrasing(article: Article, stated: Statement) -> Phrasing:
    return Phrasing(article.id, article.url, stated.field, stated.span, stated.text, stated.tense)


def _headline_event(article: Article) -> TimelineEvent:
    """The one event of an article in a language that no model reads."""
    span = (0, len(article.title))
    whole = Phrasing(article.id, article.url, "title", span, article.title, Tense.PRESENT)
    return TimelineEvent(
        _id(article.id, "title", span), article.title, article.language, None, article.published, Tense.PAST, (whole,)
    )


def _id(article: str, field: str, span: Span) -> str:
    return f"t-{digest(article, field, *map(str, span))}"
