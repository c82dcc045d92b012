"""Parses times as news writes them into aware times in UTC, and writes them.

A wrong time can reverse links. If only the day is known, only the order within that day is lost. So a time of day
without a known zone is dropped, and only the day is taken.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from whywire.errors import InputError
from whywire.news.article import Published
from whywire.news.inferred_days import day_of_line
from whywire.news.language import Language

FIRST_YEAR, LAST_YEAR = 1900, 2200
"""Accepted years of reports. Other years are mistakes, and near the years 1 and 9999 arithmetic overflows."""

ZONES = {
    name: round(60 * float(hours))
    for line in (
        "0 UTC GMT UT Z WET|1 CET BST WEST WAT|2 CEST EET SAST CAT|3 MSK МСК EEST EAT TRT|4 SAMT GST|5 YEKT PKT UZT",
        "5.5 IST|5.75 NPT|6 OMST BDT|7 KRAT NOVT WIB ICT|8 IRKT SGT HKT PHT MYT AWST|9 YAKT JST KST|9.5 ACST",
        "10.5 ACDT|10 VLAT AEST|11 MAGT SAKT AEDT|12 PETT NZST|13 NZDT|-2.5 NDT|-3.5 NST|-3 ADT BRT ART|-4 EDT AST",
        "-5 EST CDT|-6 CST MDT|-7 MST PDT|-8 PST AKDT|-9 AKST|-10 HST",
    )
    for hours, *names in map(str.split, line.split("|"))
    for name in names
}
"""Minutes by which a zone is ahead of UTC. An ambiguous name means the zone that writes most news: BST is British and
IST is Indian. The American names are taken from RFC 2822."""

PLACES = {"ET": "America/New_York", "CT": "America/Chicago", "MT": "America/Denver", "PT": "America/Los_Angeles"}
"""Names of zones that do not say whether it is summer time, with places in these zones."""

_MIDNIGHT = time(0)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS = range(10**8, 72 * 10**8)
_MILLISECONDS = range(10**11, 72 * 10**11)
"""Unix times from March 1973 to February 2198. The ranges do not overlap, so a number shows its unit; smaller numbers
(0, a year, a row number) are not times."""

AHEAD = timedelta(days=1)
"""The longest time by which a report may be ahead of now: clocks are wrong by time zones, not by years."""

_FARTHEST_ZONE = 15 * 60
"""Offsets from UTC in minutes must be smaller: the largest in use is 14 hours."""

_COMPACT_DATE = re.compile(r"(?:19|2[01])\d{6}")
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?")
_RFC_2822 = re.compile(r"(?:[A-Za-z]{3,9}(?:,\s?|\s))?\d{1,2}\s[A-Za-z]{3,9}\s\d{2,4}\b")
_RFC_850 = re.compile(r"(?<!\S)(\d\d?)-([A-Za-z]{3})-(\d{2,4})(?!\S)")
"""The date of RFC 850, ``05-Mar-26``, which has hyphens."""

_ASCTIME = re.compile(
    r"[A-Za-z]{3},? (?P<month>[A-Za-z]{3}) (?P<day>\d\d?) (?P<clock>\d\d?:\d\d:\d\d(?: \S+)?) (?P<year>\d{4})"
)
"""Times of C's ``asctime`` and the command ``date``: ``Thu Mar 5 18:30:00 2026``, ``… 18:30:00 MSK 2026``."""

_END_OF_DAY = re.compile(r"(?<=[T ])24:00(?::00(?:[.,]0+)?)?(?![\d:])")
_TWELVE_HOURS = re.compile(
    r"(?<![\d.:])(?P<hour>\d\d?)(?P<rest>(?:[:.]\d\d){0,2})\s?(?P<half>[ap])\.?\s?m\b\.?", re.IGNORECASE
)
_DOTTED = re.compile(r"(?<=[T ])(?P<hour>[01]?\d|2[0-4])\.(?P<minute>[0-5]\d)(?![.:]?\d)")
_CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?$")
_ZONED = re.compile(
    r"(?P<local>.*?(?:\d:\d\d(?::\d\d(?:[.,]\d+)?)?|T\d{2,6}(?:[.,]\d+)?))\s?"
    r"(?:\(?(?P<name>[^\W\d_]+(?:[\s/_][^\W\d_]+)*)\)?)?\s?"
    r"(?P<offset>(?P<sign>[+-])(?P<hours>\d\d?)(?::?(?P<minutes>\d\d)(?::\d\d(?:\.\d+)?)?)?)?"
    r"(?:\s?[(\[](?P<remark>.*)[)\]])?"
)
"""A time of day and its zone: ``18:30 MSK``, ``18:30:00 +0300 (MSK)``, ``18:30 GMT+3``, ``18:30[Europe/Moscow]``."""


_TWO_ZONES = re.compile(r"\d\s?Z\s?[+-]\d|[+-]\d\d:?\d\d\s?Z\b")


def parse_time(
    value: object, language: Language = Language.OTHER, notes: list[str] | None = None
) -> Published | None:
    """Read when something was published.

    Accepted are ISO 8601, RFC 2822 (``Sat, 02 May 2020 10:00:00 +0300``), RFC 850 and C's ``asctime``, in which a
    missing zone means UTC; Unix seconds and milliseconds as a number or digits; the `date` and `datetime` objects of
    Parquet files; and dates as people write them (``2 May 2020, 6:30 p.m. ET``, ``02.05.2020 18.30``), of which only
    the day is taken if the time has no zone. A zone is an offset, a name in ``ZONES`` or ``PLACES``, or a name of the
    IANA database (``[Europe/Moscow]``), which is ignored beside an offset. A date alone, or exactly midnight in UTC
    or in the zone, means that only the day is known, since feeds write dates that way.

    Args:
        language: in Russian the day stands before the month.
        notes: receives a note if the time of day is not used because its zone is not known.

    Returns:
        The time, or ``None`` if the value is missing: ``None``, not-a-number or a blank string.

    Raises:
        InputError: the value is not a time between the years 1900 and 2200, or is the Unix time 0.
    """
    if value is None or value != value or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str) and _TWO_ZONES.search(value):
        raise InputError(f"a time with two zones: {value[:40]!r}")
    try:
        published = _published(_parse(value, language, [] if notes is None else notes))
    except (ValueError, OverflowError, TypeError) as error:
        raise InputError(f"unreadable time {str(value)[:40]!r}") from error
    if not FIRST_YEAR <= published.at.year <= LAST_YEAR:
        raise InputError(f"a time outside the years {FIRST_YEAR} to {LAST_YEAR}: {str(value)[:40]!r}")
    if published.at == _EPOCH:
        raise InputError(f"the zero of computer clocks is no time of a report: {str(value)[:40]!r}")
    return published


def names_zone(text: str) -> bool:
    """Return whether the time in a text, as `parse_time` reads it, has a known zone; Unix times are in UTC."""
    line = " ".join(text.split())
    if _NUMBER.fullmatch(line):
        return True
    try:
        zoned = _ZONED.fullmatch(_with_plain_clock(line)[0])
    except ValueError:
        return False
    return zoned is not None and _zone(zoned) is not None


def is_future(published: Published, now: datetime) -> bool:
    """Return whether a time is more than ``AHEAD`` after now."""
    return published.at > now + AHEAD


def render_time(published: Published) -> str:
    """Return a time in ISO 8601: ``2020-05-02`` if only the day is known, else ``2020-05-02T10:00:00Z``.

    `parse_time` reads it back unchanged.
    """
    at = published.at.astimezone(UTC)
    return at.date().isoformat() if published.day_only else at.isoformat().replace("+00:00", "Z")


def utc_text(time: datetime, digits: str = "seconds") -> str:
    """Return a time of UTC as ISO 8601 with a ``Z``.

    Args:
        digits: its precision, as for ``datetime.isoformat``.
    """
    return time.isoformat(timespec=digits).replace("+00:00", "Z")


def render_local_time(published: Published) -> str:
    """Like `render_time`, but in the outlet's zone if that is known: ``2020-05-02T13:00:00+03:00``."""
    local = published.local
    is_plain = published.day_only or not published.utc_offset or local.time() == _MIDNIGHT  # read back as a day
    return render_time(published) if is_plain else local.isoformat()


def _published(moment: date) -> Published:
    if not isinstance(moment, datetime) or moment.time() == _MIDNIGHT:
        return Published(datetime(moment.year, moment.month, moment.day, tzinfo=UTC), day_only=True)
    at = moment.astimezone(UTC)
    minutes, rest = divmod(moment.utcoffset() or timedelta(), timedelta(minutes=1))
    day_only = at.time() == _MIDNIGHT  # it is rendered as a day, which has no zone
    return Published(at, day_only, utc_offset=None if rest or day_only else minutes or None)


def _parse(value: object, language: Language, notes: list[str]) -> date:
    """Return the day or the aware moment that a value names."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError(f"a time cannot be {type(value).__name__}")
    text = " ".join(str(value).split()).replace("\u2212", "-")
    if len(text) > 64:
        raise ValueError("too long for a time")
    if _NUMBER.fullmatch(text) and not _COMPACT_DATE.fullmatch(text):
        return _from_unix(float(text))
    plain, days = _with_plain_clock(text)
    zoned = _ZONED.fullmatch(plain)
    local = zoned["local"] if zoned else plain
    zone = _zone(zoned) if zoned else None
    try:
        moment = parsedate_to_datetime(local) if _RFC_2822.match(local) else datetime.fromisoformat(local)
        by_machine = plain == text or _ASCTIME.fullmatch(text)
        if zoned and by_machine and not (zoned["name"] or zoned["offset"] or zoned["remark"]):
            zone = UTC
    except ValueError:
        moment = _as_people_write(local, language)
    if zone is None and (moment.time() != _MIDNIGHT or (not zoned and ":" in text)):
        notes.append(f"only the day of {text!r} is read: the zone of its time is not known")
    moment += timedelta(days)
    return moment.replace(tzinfo=zone) if zone else moment.date()


def _with_plain_clock(text: str) -> tuple[str, int]:
    """Return the text with its time of day in the 24-hour clock, and the days to add: 24:00 is 00:00 of the next day.

    Raises:
        ValueError: the time of day is impossible, such as 18:30 AM.
    """
    if asctime := _ASCTIME.fullmatch(text):
        text = f"{asctime['day']} {asctime['month']} {asctime['year']} {asctime['clock']}"
    text = _RFC_850.sub(r"\1 \2 \3", text)
    text = _DOTTED.sub(r"\g<hour>:\g<minute>", _TWELVE_HOURS.sub(_of_24_hours, text))
    return _END_OF_DAY.subn("00:00", text)


def _of_24_hours(clock: re.Match[str]) -> str:
    hour, is_afternoon = int(clock["hour"]), clock["half"] in "pP"
    if not 1 <= hour <= 12 + 11 * is_afternoon:
        raise ValueError("no time of a clock of twelve hours")
    hour = hour % 12 + 12 * is_afternoon if hour <= 12 else hour
    return f"{hour:02}{clock['rest'].replace('.', ':') or ':00'}"


def _as_people_write(local: str, language: Language) -> datetime:
    """Return the date in a line, with the time of day at the end of the line."""
    clock = _CLOCK.search(local)
    date_part = local[: clock.start()].removesuffix("T") if clock else local
    day = day_of_line(date_part, language)
    if day is None:
        raise ValueError("no date")
    hour, minute, second = (int(part or 0) for part in clock.groups()) if clock else (0, 0, 0)
    return datetime(day.year, day.month, day.day, hour, minute, second)


def _zone(zoned: re.Match[str]) -> tzinfo | None:
    """Return the zone given by a name, an offset, or an offset from a named zone; ``None`` if it is unknown."""
    name, offset = zoned["name"], zoned["offset"]
    if not offset:
        return _named_zone(name or zoned["remark"] or "")
    ahead = ZONES.get(name.upper()) if name else 0
    if ahead is None:
        return None
    ahead += int(zoned["sign"] + "1") * (60 * int(zoned["hours"]) + int(zoned["minutes"] or 0))
    return timezone(timedelta(minutes=ahead)) if abs(ahead) <= _FARTHEST_ZONE else None


def _named_zone(name: str) -> tzinfo | None:
    if (ahead := ZONES.get(name.upper())) is not None:
        return timezone(timedelta(minutes=ahead))
    place = PLACES.get(name.upper(), name)
    try:
        return ZoneInfo(place) if "/" in place else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _from_unix(number: float) -> datetime:
    if int(number) in _SECONDS:
        return datetime.fromtimestamp(number, UTC)
    if int(number) in _MILLISECONDS:
        return datetime.fromtimestamp(number / 1000, UTC)
    raise ValueError("neither Unix seconds nor milliseconds")
