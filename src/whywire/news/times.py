"""Times as news writes them, turned into the one notion of time: aware, in UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from email.utils import parsedate_to_datetime

from whywire.errors import InputError
from whywire.news.article import Published

FIRST_YEAR, LAST_YEAR = 1900, 2200
"""Years a report may bear; any other is a mistake, and near the years 1 and 9999 arithmetic overflows."""

_MIDNIGHT = time(0, tzinfo=UTC)
_SECONDS = range(10**8, 72 * 10**8)
_MILLISECONDS = range(10**11, 72 * 10**11)
"""Unix times from March 1973 to February 2198. The two ranges are apart, so the number tells its unit;
smaller numbers (0, a year, a row number) are no time."""

_COMPACT_DATE = re.compile(r"(?:19|2[01])\d{6}")
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?")
_RFC_2822 = re.compile(r"(?:[A-Za-z]{3,9},?\s+)?\d{1,2}\s+[A-Za-z]{3,9}\s+\d{2,4}\b")
_SPACED_ZONE = re.compile(r"\s+(?=[+-]\d\d:?\d\d$)")
_NAMED_ZONE = re.compile(r"\s*(?:UTC|GMT|Z)$", re.IGNORECASE)


def parse_time(value: object) -> Published | None:
    """Read when something was published.

    Understood are ISO 8601 (no zone means UTC; a date alone, or exactly midnight in UTC, means that only the
    day is known, since feeds write dates that way), RFC 2822 (``Sat, 02 May 2020 10:00:00 +0300``), Unix
    seconds and milliseconds as a number or its digits, and the `date` and `datetime` objects a Parquet file
    holds.

    Returns:
        The time, or ``None`` where the value is missing: ``None``, not-a-number or a blank string.

    Raises:
        InputError: the value is there and is no time between the years 1900 and 2200.
    """
    if value is None or value != value or (isinstance(value, str) and not value.strip()):
        return None
    try:
        moment = _parse(value)
        if not isinstance(moment, datetime):
            moment = datetime.combine(moment, _MIDNIGHT)
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError) as error:
        raise InputError(f"unreadable time {str(value)[:40]!r}") from error
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise InputError(f"a time outside the years {FIRST_YEAR} to {LAST_YEAR}: {str(value)[:40]!r}")
    return Published(moment, day_only=moment.timetz() == _MIDNIGHT)


def render_time(published: Published) -> str:
    """Write a time as ISO 8601: ``2020-05-02`` where only the day is known, else ``2020-05-02T10:00:00Z``.

    `parse_time` reads back what it wrote.
    """
    at = published.at.astimezone(UTC)
    return at.date().isoformat() if published.day_only else at.isoformat().replace("+00:00", "Z")


def _parse(value: object) -> date:
    if isinstance(value, date):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError(f"a time cannot be {type(value).__name__}")
    text = str(value).strip()
    if len(text) > 64:
        raise ValueError("too long for a time")
    if _NUMBER.fullmatch(text) and not _COMPACT_DATE.fullmatch(text):
        return _from_unix(float(text))
    if _RFC_2822.match(text):
        return parsedate_to_datetime(text)
    return datetime.fromisoformat(_NAMED_ZONE.sub("+00:00", _SPACED_ZONE.sub("", text)))


def _from_unix(number: float) -> datetime:
    if int(number) in _SECONDS:
        return datetime.fromtimestamp(number, UTC)
    if int(number) in _MILLISECONDS:
        return datetime.fromtimestamp(number / 1000, UTC)
    raise ValueError("neither Unix seconds nor milliseconds")
