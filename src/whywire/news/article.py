"""The article: the one form in which news travels through Whywire; and what is wrong with the input."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from enum import StrEnum

from whywire.news.language import Language

Span = tuple[int, int]
"""A half-open range of character offsets: ``text[start:end]``."""


def overlap(left: Span, right: Span) -> bool:
    """Whether two spans share a character."""
    return left[0] < right[1] and right[0] < left[1]


class InferredFrom(StrEnum):
    """What the day of publication was read from where the article does not give it."""

    URL = "url"
    DATELINE = "dateline"
    TEXT = "text"
    """A line of its own at the head of the text."""
    PAGE = "page"
    """The markup of the web page."""


INFERRED_WITHIN = timedelta(days=1)
"""How far off an inferred day may be: addresses go by the clock of the outlet, datelines by the day of writing."""


@dataclass(frozen=True, slots=True)
class Published:
    """When an article was published, and how exactly that is known.

    Args:
        at: an aware datetime in UTC; the first instant of the day when only the day is known.
        day_only: the source gave a date without a time of day.
        inferred_from: what the day was read from; ``None`` where the source gave the time.
        utc_offset: minutes that the clock of the outlet is ahead of UTC; ``None`` where no zone was given, and for
            UTC itself, which machines write everywhere. It is no part of what a time is: one moment by two clocks is
            the same moment.
    """

    at: datetime
    day_only: bool = False
    inferred_from: InferredFrom | None = None
    utc_offset: int | None = field(default=None, compare=False)

    @property
    def local(self) -> datetime:
        """The time by the clock of the outlet; in UTC where its zone is not known."""
        return self.at.astimezone(timezone(timedelta(minutes=self.utc_offset))) if self.utc_offset else self.at

    @property
    def day(self) -> date:
        """The day by the clock of the outlet, which "today" and "on Monday" are said by."""
        return self.local.date()

    @property
    def until(self) -> datetime:
        """The last moment that the time means: the end of the day when only the day is known."""
        return self.at + timedelta(days=1, microseconds=-1) if self.day_only else self.at

    @property
    def earliest(self) -> datetime:
        """The first moment the article may have appeared at."""
        return self.at - INFERRED_WITHIN if self.inferred_from else self.at

    @property
    def latest(self) -> datetime:
        """The last moment the article may have appeared at."""
        return self.until + INFERRED_WITHIN if self.inferred_from else self.until


@dataclass(frozen=True, slots=True)
class Article:
    """One news report: a headline and, where there is one, its text.

    Args:
        id: unique in a build; made from the url or the content where the input names none.
        title: the headline, one line, never empty.
        text: the body as read; every offset Whywire reports points into this very string.
        language: of the title and text together.
        published: ``None`` where the time is missing or unreadable.
        links: urls the article points at.
        also: ids of identical copies that were left out for this one.
        place: where it was read (``file:line``); empty where that is not known. It is no part of what an article is:
            two that differ in it alone are equal.
    """

    id: str
    title: str
    text: str = ""
    language: Language = Language.OTHER
    url: str | None = None
    source: str | None = None
    published: Published | None = None
    links: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with the input.

    Args:
        place: ``file:line`` (in a Parquet file the row, from 1), a file, or an article's id.
        reason: what is wrong, without a full stop.
        kept: the article was kept, only something about it was mended or dropped.
        row: what was read and rejected, as far as it could be read; ``None`` when it was kept.
    """

    place: str
    reason: str
    kept: bool = False
    row: object = None

    def __str__(self) -> str:
        """Render as ``place: reason``."""
        return f"{self.place}: {self.reason}"
