"""When an event happened, by the words of its report: "on Tuesday", "last May", "во вторник".

:mod:`whywire.events.time.phrases` finds the words, and dateparser resolves them, counted from the day of the report
in the time zone of its outlet. News is about the past: of two possible times the earlier is taken, unless the phrase
("next Friday") or the nearest verb ("will open on Friday") points ahead. A weekday name may mean the day of the
report itself. If the time zone is unknown, it may also mean the following day, provided that this day has already
begun in some time zone. A day or a month that may be just ahead or almost a year ago is taken to be ahead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from whywire.elements import Precision
from whywire.errors import MissingExtraError
from whywire.events.time.background import LONG_AGO, is_background
from whywire.events.time.phrases import NAMES, Direction, Kind, TimePhrase, time_phrases
from whywire.events.time.tenses import Tense, tense_near, tense_of
from whywire.news.article import Published, Span
from whywire.news.language import Language

JUST_AHEAD = timedelta(days=120)
"""A day or a month without a year that is at most this far ahead is not last year's: who means last year says so."""

DAY = timedelta(days=1)

FIRST_CLOCKS = timedelta(hours=14)
"""How far the earliest time zone is ahead of UTC."""


@dataclass(frozen=True, slots=True)
class When:
    """A time that words name.

    Args:
        start: its first day.
        end: the day after its last day.
        span: of the words.
    """

    start: date
    end: date
    precision: Precision
    span: Span


def find_times(text: str, language: Language, published: Published | None) -> list[When]:
    """The times a sentence names, in the order of its words.

    Args:
        text: a sentence or a few, in English or Russian; in other languages nothing is found.
        published: when the report appeared. Without it, only times with a year of their own are resolved. If its day
            is inferred, weekdays and times such as "yesterday" are left out.

    Raises:
        MissingExtraError: dateparser is not installed.
    """
    found = []
    for phrase in time_phrases(text, language):
        if published is None and phrase.kind not in (Kind.DATE, Kind.FIXED):
            continue
        if published and published.inferred_from and phrase.kind in (Kind.WEEKDAY, Kind.RELATIVE):
            continue  # the inferred day may be a day off
        day = published.day if published else date(2000, 1, 1)
        last = _last_day(published) if published and phrase.kind is Kind.WEEKDAY else day
        tense = tense_near(text, language, phrase.span[0])
        interval = _interval(phrase, tense, day, last, language)
        if interval:
            found.append(When(*interval, phrase.span))
    return found


def event_time(text: str, language: Language, published: Published | None, within: Span | None = None) -> When | None:
    """The time of the event in a statement: the most exact time, and the first of equally exact ones.

    Left out are times in a relative clause ("who retired in 2019") or in brackets, times of another event ("after
    winning in 2019"), lists and ranges ("in 2015 and 2019"), times of the background
    (:mod:`whywire.events.time.background`), and times that contradict the tense, for what has happened did so before
    its report, and what is announced comes after it.

    Args:
        within: the span of the text that describes the event; ``None`` for the whole text.

    Raises:
        MissingExtraError: dateparser is not installed.
    """
    return _event_time(text, language, published, published and published.utc_offset, within)


@cache
def versions() -> dict[str, str]:
    """The package that resolves times, with its version; empty where it is missing."""
    try:
        return {"dateparser": version("dateparser")}
    except PackageNotFoundError:
        return {}


@lru_cache(maxsize=65_536)
def _event_time(
    text: str,
    language: Language,
    published: Published | None,
    utc_offset: int | None,  # noqa: ARG001 - a key of the cache, since equal times may differ in it
    within: Span | None,
) -> When | None:
    """`event_time`, cached."""
    named = find_times(text, language, published)
    if not named:
        return None
    first, last = within or (0, len(text))
    asides = [match.span() for pattern in (_ASIDE, _SEVERAL) for match in pattern.finditer(text)]
    found = [
        when
        for when in named
        if first <= when.span[0]
        and when.span[1] <= last
        and not any(start < when.span[1] and when.span[0] < end for start, end in asides)
        and not (
            (published is None or published.day - when.start > LONG_AGO)
            and is_background(text, language, (first, last), when.span)
        )
    ]
    if published and tense_of(text, language) is Tense.FUTURE:
        found = [when for when in found if when.end > published.day - (published.at - published.earliest)]
    elif published:
        found = [when for when in found if when.start <= _last_day(published)]
    return min(found, key=lambda when: (when.end - when.start, when.span), default=None)


_ASIDE = re.compile(
    r"(?:,\s|\()(?:who|which|whose|where|when)\b[^,()]*|\([^()]*\)?|\b(?:before|after|since|until|from)\s\w+ing\b[^,;]*"
    r"|,\s(?:в |на |о |с |из )?(?:котор\w+|где|когда)\b[^,()]*"
)

_POINT = rf"(?:(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?|{'|'.join(NAMES)})"
_SEVERAL = re.compile(
    rf"(?<![\w-]){_POINT}(?:,?\s{_POINT}){{0,2}}\s?(?:[-–—]|\b(?:and|or|to|till|until|through|и|или|по|до)\b)\s?"
    rf"(?:(?:on|in|в|во)\s)?{_POINT}(?![\w-])",
    re.IGNORECASE,
)
"""Several times, or a range of times: none of them alone is the time of the event."""


def _last_day(published: Published) -> date:
    """The latest possible date at the outlet when the report appeared."""
    if published.utc_offset is None:
        return (published.latest + FIRST_CLOCKS).date()
    return published.day


def _interval(
    phrase: TimePhrase, tense: Tense, day: date, last: date, language: Language
) -> tuple[date, date, Precision] | None:
    """The days that a phrase means.

    Args:
        day: of the report.
        last: the latest possible date at the outlet.
    """
    if phrase.kind in (Kind.DATE, Kind.FIXED, Kind.RELATIVE):
        return _read(phrase.plain, language, day, "past")
    if phrase.direction in (Direction.LAST_YEAR, Direction.THIS_YEAR):
        year = day.year - (phrase.direction is Direction.LAST_YEAR)
        return _read(f"{phrase.plain} {year}", language, day, "past")
    if phrase.direction is Direction.LAST:
        # "last May" in May is a year ago, "last Friday" on a Friday a week
        base = day.replace(day=1) - DAY if phrase.kind is Kind.MONTH else day
        return _read(phrase.plain, language, base, "past")
    earlier = _read(phrase.plain, language, last + DAY, "past")
    later = _read(phrase.plain, language, day, "future")
    ahead = phrase.direction is Direction.NEXT or (phrase.direction is Direction.THIS and tense is not Tense.PAST)
    if ahead or earlier is None or later is None:
        return later
    if tense is Tense.FUTURE and earlier[0] != day:
        return earlier if phrase.kind is Kind.MONTH and earlier[1] > day else later
    just_ahead = later[0] - day <= JUST_AHEAD and earlier[1] <= day - 2 * JUST_AHEAD
    return later if just_ahead and phrase.kind is not Kind.WEEKDAY else earlier


@lru_cache(maxsize=10_000)
def _read(plain: str, language: Language, base: date, prefer: str) -> tuple[date, date, Precision] | None:
    """The interval that dateparser reads, counted from a day."""
    settings = {
        "RELATIVE_BASE": datetime.combine(base, datetime.min.time()),
        "PREFER_DATES_FROM": prefer,
        "PREFER_DAY_OF_MONTH": "first",
        "PREFER_MONTH_OF_YEAR": "first",
        "DATE_ORDER": "DMY" if language is Language.RUSSIAN else "MDY",
        "TIMEZONE": "UTC",
    }
    try:
        read = _parser()(languages=[language.value], settings=settings).get_date_data(plain)
    except (ValueError, OverflowError):
        return None  # the thirty-first of June
    if read.date_obj is None:
        return None
    start, precision = read.date_obj.date(), Precision(read.period)
    match precision:
        case Precision.DAY:
            return start, start + DAY, precision
        case Precision.WEEK:
            monday = start - timedelta(days=start.weekday())
            return monday, monday + 7 * DAY, precision
        case Precision.MONTH:
            first = start.replace(day=1)
            return first, (first + timedelta(days=31)).replace(day=1), precision
        case Precision.YEAR:
            return date(start.year, 1, 1), date(start.year + 1, 1, 1), precision


def _parser() -> Any:
    try:
        from dateparser.date import DateDataParser
    except ModuleNotFoundError as error:
        raise MissingExtraError("dateparser", "times") from error
    return DateDataParser
