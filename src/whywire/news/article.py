"""The article, the form in which news travels through Whywire, and problems of the input."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from enum import StrEnum

from whywire.news.language import Language

Span = tuple[int, int]
"""A half-open range of character offsets: ``text[start:end]``."""


def overlap(left: Span, right: Span) -> bool:
    """Return whether two spans share a character."""
    return left[0] < right[1] and right[0] < left[1]


class InferredFrom(StrEnum):
    """Where the day of publication was inferred from, if the article does not give a time."""

    URL = "url"
    DATELINE = "dateline"
    TEXT = "text"
    """A separate line at the head of the text."""
    PAGE = "page"
    """The markup of the web page."""


INFERRED_WITHIN = timedelta(days=1)
"""The largest error of an inferred day: addresses use the outlet's time zone, and datelines give the day of
writing."""


@dataclass(frozen=True, slots=True)
class Published:
    """When an article was published, and how exactly that is known.

    Args:
        at: an aware datetime in UTC; the first instant of the day if only the day is known.
        day_only: the source gave a date without a time of day.
        inferred_from: where the day was read from; ``None`` if the source gave the time.
        utc_offset: minutes by which the outlet's clock is ahead of UTC; ``None`` if no zone was given, and also for
            UTC, because machines everywhere write UTC. The offset does not count in comparisons.
    """

    at: datetime
    day_only: bool = False
    inferred_from: InferredFrom | None = None
    utc_offset: int | None = field(default=None, compare=False)

    @property
    def local(self) -> datetime:
        """The time by the outlet's clock; in UTC if the outlet's zone is not known."""
        return self.at.astimezone(timezone(timedelta(minutes=self.utc_offset))) if self.utc_offset else self.at

    @property
    def day(self) -> date:
        """The day by the outlet's clock, to which "today" and "on Monday" refer."""
        return self.local.date()

    @property
    def until(self) -> datetime:
        """The end of the day if only the day is known, else ``at``."""
        return self.at + timedelta(days=1, microseconds=-1) if self.day_only else self.at

    @property
    def earliest(self) -> datetime:
        """The earliest moment at which the article may have appeared."""
        return self.at - INFERRED_WITHIN if self.inferred_from else self.at

    @property
    def latest(self) -> datetime:
        """The latest moment at which the article may have appeared."""
        return self.until + INFERRED_WITHIN if self.inferred_from else self.until


@dataclass(frozen=True, slots=True)
class Article:
    """A news report: a headline and perhaps a text.

    Args:
        id: unique in a build; derived from the url or the content if the input gives none.
        title: the headline, one line, never empty.
        text: the body as read; every offset Whywire reports points into this string.
        language: the language of title and text together.
        published: ``None`` if the time is missing or unreadable.
        links: urls that the article links to.
        also: ids of identical copies that were left out.
        place: where the article was read (``file:line``); empty if unknown; not compared.
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

    @property
    def outlet(self) -> str:
        """The source. An article without a source counts as an outlet of its own."""
        return self.source or self.id


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with the input.

    Args:
        place: ``file:line`` (in a Parquet file the row, from 1), a file, or an article's id.
        reason: what is wrong, without a full stop.
        kept: the article was kept; only a part of the article was repaired or dropped.
        row: the rejected row, as far as it could be read; ``None`` if the article was kept.
    """

    place: str
    reason: str
    kept: bool = False
    row: object = None

    def __str__(self) -> str:
        """Return ``place: reason``."""
        return f"{self.place}: {self.reason}"
