"""Infers the day of publication from an article's address or the head of its text.

A wrong day can reverse links; a missing day only leaves their order unknown. So a day is taken only if it is written
in full where the report speaks of itself: in the address, a dateline ("BEIRUT, Sept 18 (Reuters) –"), or a line of
the head that holds nothing but a date ("Posted: September 18, 2012"). A missing year is taken only from the address
or such lines. Sentences are not read, since they may tell of other days. Ambiguous dates (04/05/2013) and dates of
updates, which may be years later, are not taken. If address and text name days more than one day apart, neither is
taken.

The day is the one on which the report was written or published, in local time: see `Published.earliest`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from urllib.parse import urlsplit

from whywire.news.article import INFERRED_WITHIN, InferredFrom, Published
from whywire.news.language import Language

YEARS = range(1990, 2050)
"""Years of news on the web; any other number of four digits is not read as a year."""

HEAD_LINES, HEAD_CHARACTERS = 8, 2_000
"""Limits on the head of a text. Within these limits the head ends with the first paragraph."""

PARAGRAPH_CHARACTERS = 160
"""A line of at least this many characters is a paragraph. A paragraph may begin with a dateline."""

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan января январь янв", "february feb февраля февраль фев", "march mar марта март мар",
            "april apr апреля апрель апр", "may мая май", "june jun июня июнь июн", "july jul июля июль июл",
            "august aug августа август авг", "september sept sep сентября сентябрь сент сен",
            "october oct октября октябрь окт", "november nov ноября ноябрь нояб ноя",
            "december dec декабря декабрь дек",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

_YEAR, _MONTH, _DAY = r"(?P<year>(?:19|20)\d\d)", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
_NAMED = rf"(?P<named>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})"


# Addresses

_DAYS_OF_FOLDERS = (
    rf"/{_YEAR}/{_MONTH}/{_DAY}(?!\d)",
    rf"/{_YEAR}/{_NAMED}/{_DAY}(?!\d)",
    rf"/{_YEAR}/(?P<month>\d\d)(?P<day>\d\d)(?!\d)",
    rf"/(?P<one>\d{{1,2}})/(?P<other>\d{{1,2}})/{_YEAR}(?!\d)",
)
_DAYS_OF_SLUGS = (
    rf"(?<!\d){_YEAR}(?P<sign>[-_.])(?P<month>\d{{1,2}})(?P=sign){_DAY}(?!\d|_archive)",
    rf"(?<!\d)(?P<one>\d\d)(?P<sign>[-_.])(?P<other>\d\d)(?P=sign){_YEAR}(?!\d)",
    rf"(?<![\da-z]){_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?![\da-z])",
)
"""Patterns, the most reliable first: the last patterns may also match a number. The first match counts."""

_FOLDERS, _SLUGS = (
    tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)
    for patterns in (_DAYS_OF_FOLDERS, _DAYS_OF_SLUGS)
)
_DAY_FIRST = re.compile(
    r"\.(?:ru|su|рф|xn--p1ai|by|kz|kg|uz|ua|am|ge|md|uk|ie|au|nz|in|za|fr|de|at|it|es|pt|nl|be|pl|cz|ro|bg|gr|tr|br|ar|mx)$"
)
"""Hosts of countries that write day, month, year."""

_OF_DATE = re.compile(
    r"(?:^|[/_-])(?:of|on|since|from|after|before|until|till|by|for|in|to|ot|s|so|do|posle|za|na|v)[-_]$",
    re.IGNORECASE,
)
"""A preposition before a date at the end of a path: then the date is the date of an event, as in
"quake-of-2011-03-11"."""

_END_OF_PATH = re.compile(r"(?:[-_]\d{4,})?(?:\.[a-z]+)?/?", re.IGNORECASE)
"""The end of a path: at most the article's number and a suffix."""

_ADDRESS_MONTH = re.compile(rf"/{_YEAR}(?:[/-](?:{_MONTH}|{_NAMED}))?(?:/|$)", re.IGNORECASE)
_ADDRESS_LINE = re.compile(r"https?\s?:\s?/\s?/\s?\w")

# The head of a text

_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\w){_YEAR}\s?(?P<sign>[-./])\s?{_MONTH}\s?(?P=sign)\s?{_DAY}(?!\d)",
        rf"(?<!\w){_NAMED}\s?\.?\s?{_DAY}(?:st|nd|rd|th)?(?!\d|\s?[:.]\s?\d\d)(?:\s?,?\s?{_YEAR}(?!\d))?",
        rf"(?<![\w:.])(?<!\d: )(?<!\d : ){_DAY}(?:st|nd|rd|th)?[\s-]\s?(?:of\s)?{_NAMED}(?!\w)"
        rf"\s?\.?(?:\s?[,-]?\s?{_YEAR}(?!\d))?",
        rf"(?<!\w)(?P<one>\d{{1,2}})\s?(?P<sign>[./-])\s?(?P<other>\d{{1,2}})\s?(?P=sign)\s?{_YEAR}(?!\d)",
    )
)

_UPDATE = r"updated|modified|edited|corrected|обновлен\w*|изменен\w*"
_LABEL = r"published|posted|released?|опубликован\w*|размещен\w*|дата публикации"
_ZONE = (
    r"(?:GMT|UTC|UK|BST|IST|CES?T|EES?T|MSK|МСК|[ECMP][SD]?T|AK[SD]T|AE[SD]?T|NZ[SD]?T|SGT|PHT)"
    r"(?:\s?[+-]\s?\d\d?(?:\s?:?\s?\d+)?)?|[+-]\d\d:?\d\d"
)
_FILLER = re.compile(
    rf"(?<!\w)(?:{_UPDATE}|{_LABEL}|{_ZONE}|first|last|originally|created|date|time|on|at|дата|создано|добавлено|от|в|"
    r"hrs|hours|г|года|год|ч|час|по москве|"
    r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|"
    r"понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье|пн|вт|ср|чт|пт|сб|вс|"
    r"\d{1,2}\s?[:.]\s?\d\d(?:\s?:\s?\d\d)?(?:\s?[ap]\s?\.?\s?m\b\s?\.?)?|\d{1,2}\s?[ap]\s?\.?\s?m\b\s?\.?)(?!\w)",
    re.IGNORECASE,
)
"""Words and times that a line may contain beside its date."""

_LABELLED = re.compile(rf"(?<!\w)(?:{_LABEL})(?!\w)", re.IGNORECASE)
_UPDATED = re.compile(rf"(?<!\w)(?:{_UPDATE})(?!\w)[^\d]*(?:\d{{1,2}}\s?:\s?\d\d[^\d]*)?$", re.IGNORECASE)
_COLUMNS = re.compile(r"[|•·]")

_PLACE = r"(?:[A-ZА-ЯЁ][\w.'’()-]*|and|of|de|la|и)"
_SHOUTED = re.compile(r"[A-ZА-ЯЁ][A-ZА-ЯЁ .'’-]{2,}[,.]?\s")
_BEFORE_DATE = re.compile(rf"{_PLACE}(?:(?:\s?[,/]\s?|\s){_PLACE}){{0,6}}\s?[.,_–—-]{{0,2}}\s?\(?")
_NO_PLACE = re.compile(
    r"(?:сегодня|вчера|завтра|накануне|today|yesterday|tomorrow|on|since|from|until|by|in|the|updated|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|[всдк])(?!\w)",
    re.IGNORECASE,
)
_AFTER_DATE = re.compile(r"(?:\s?г(?:ода|\.)?)?\s?[.,]?\s?(?:[–—:]|-{1,2}\s|/|\()")
_AFTER_SHOUTED = re.compile(r"(?:\s?г(?:ода|\.)?)?\s?(?:[.,–—:/(]|-{1,2}\s)")
_AGENCY = re.compile(r"(?:\s?г(?:ода|\.)?)?\s?[.,]\s[A-ZА-ЯЁ][\w.«»-]*(?:\s[A-ZА-ЯЁ][\w.«»-]*){0,3}\s?[.–—-](?:\s|$)")


YearAndMonth = tuple[int, int | None]
"""A year, and its month if known."""


@dataclass(frozen=True, slots=True)
class _Date:
    """A date as written. Its offsets ``start`` and ``end`` do not count in comparisons."""

    year: int | None
    month: int
    day: int
    start: int = field(compare=False)
    end: int = field(compare=False)

    def in_year(self, year: int | None = None) -> date | None:
        """Return the day, in the given year if the date has no year; ``None`` if there is no year or no such day."""
        year = self.year or year
        if year is None or year not in YEARS:
            return None
        try:
            return date(year, self.month, self.day)
        except ValueError:
            return None


def infer_published(url: str | None, text: str, language: Language = Language.OTHER) -> Published | None:
    """Return the day of publication that the address or the head of the text names; ``None`` if they name no day.

    Args:
        url: the address; an address in the first line of the text is read as well.
        text: only its first lines are read.
        language: in Russian, and in addresses of many countries, the day stands before the month.
    """
    lines = _head(text)
    addresses = [url] if url else []
    if lines and _ADDRESS_LINE.match(lines[0]):
        addresses.append("".join(lines.pop(0).split()))
    month = next(filter(None, map(_month_of_address, addresses)), None)
    by_address = next(filter(None, (_day_of_address(address, language) for address in addresses)), None)
    by_text, source = _day_of_head(lines, month, language)
    day = by_address or by_text
    if day is None or (by_text and not _agree(by_text, month)) or abs(day - (by_text or day)) > INFERRED_WITHIN:
        return None
    at = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return Published(at, day_only=True, inferred_from=InferredFrom.URL if by_address else source)


def day_of_line(line: str, language: Language) -> date | None:
    """Return the day of a line that contains only a full date, perhaps with a time and a label."""
    written = _day_of_line(line, language)
    return written.in_year() if written else None


def _head(text: str) -> list[str]:
    """Return the first lines, up to and including the first paragraph, with single spaces."""
    lines: list[str] = []
    for line in text[:HEAD_CHARACTERS].split("\n"):
        if words := " ".join(line.split()):
            lines.append(words)
        if len(lines) == HEAD_LINES or (len(words) >= PARAGRAPH_CHARACTERS and not _ADDRESS_LINE.match(words)):
            break
    return lines


def _day_of_address(address: str, language: Language) -> date | None:
    try:
        parts = urlsplit(address)
        path, host = parts.path, parts.hostname or ""
    except ValueError:
        return None
    day_first = language is Language.RUSSIAN or _DAY_FIRST.search(host) is not None
    for pattern in (*_FOLDERS, *_SLUGS):
        dates = {match: written for match in pattern.finditer(path) if (written := _read(match, day_first))}
        if dates:
            is_told = pattern in _SLUGS and not any(_is_at_an_end(path, match) for match in dates)
            days = {*dates.values()}
            return None if is_told or len(days) > 1 else days.pop().in_year()
    return None


def _is_at_an_end(path: str, match: re.Match[str]) -> bool:
    """Return whether a date is a whole part of a path, or begins or ends its last part.

    A date between other words or after a preposition is the date of an event: "remembering-2001-09-11-attacks".
    """
    if _OF_DATE.search(path, 0, match.start()):
        return False
    rest = path[match.end() :]
    starts = path[match.start() - 1] == "/" and (rest.startswith("/") or "/" not in rest.rstrip("/"))
    return starts or _END_OF_PATH.fullmatch(rest) is not None


def _month_of_address(address: str) -> YearAndMonth | None:
    match = _ADDRESS_MONTH.search(address)
    if match is None or int(match["year"]) not in YEARS:
        return None
    month = _MONTHS[match["named"].lower()] if match["named"] else int(match["month"] or 0)
    return int(match["year"]), month if 1 <= month <= 12 else None


def _day_of_head(
    lines: Sequence[str], address_month: YearAndMonth | None, language: Language
) -> tuple[date | None, InferredFrom]:
    """Return the first day that a line of the head or a dateline names, and which of the two named it.

    A date without a year gets the year of the address. If the address has no year, the date gets the only year in the
    lines above it.
    """
    years: set[int] = set()
    for line in lines:
        year, month = address_month or (next(iter(years)) if len(years) == 1 else None, None)
        for source, look in ((InferredFrom.TEXT, _day_of_line), (InferredFrom.DATELINE, _dateline)):
            written = look(line, language)
            if written is None:
                continue
            year_before = month == 1 and written.month == 12
            if day := written.in_year(year - 1 if year and year_before else year):
                return day, source
        years |= {int(digits) for digits in re.findall(r"(?<!\w)(?:19|20)\d\d(?!\w)", line)} & set(YEARS)
    return None, InferredFrom.TEXT


def _agree(day: date, address_month: YearAndMonth | None) -> bool:
    """Return whether a day is at most a month from the month of the address, or a year from its year."""
    if address_month is None:
        return True
    year, month = address_month
    if month is None:
        return abs(year - day.year) <= 1
    return abs(12 * (year - day.year) + month - day.month) <= 1


def _day_of_line(line: str, language: Language) -> _Date | None:
    """Return the date that a line or a column of it consists of, or the date after "posted by … on"."""
    if len(line) >= PARAGRAPH_CHARACTERS:
        return None
    for part in (line, *_COLUMNS.split(line)):
        dates = _dates(part, language)
        given = [written for written in dates if not _UPDATED.search(part, 0, written.start)]
        if given and not _words_beside(part, dates):
            return given[0]
        labelled = [written for written in given if _LABELLED.search(part, 0, written.start)]
        if labelled and not _words_beside(rest := part[labelled[0].start :], _dates(rest, language)):
            return labelled[0]
    return None


def _words_beside(line: str, dates: Sequence[_Date]) -> bool:
    """Return whether a line has words other than dates, times and their labels."""
    for written in dates:
        line = line[: written.start] + " " * (written.end - written.start) + line[written.end :]
    return any(map(str.isalnum, _FILLER.sub(" ", line)))


def _dateline(line: str, language: Language) -> _Date | None:
    """Return the date of the dateline that opens a paragraph: a place, a date, and an agency or a dash."""
    written = next(iter(_dates(line[:PARAGRAPH_CHARACTERS], language)), None)
    if written is None or not _BEFORE_DATE.fullmatch(line, 0, written.start) or _NO_PLACE.match(line):
        return None
    ends = _AFTER_SHOUTED if _SHOUTED.match(line, 0, written.start) else _AFTER_DATE
    return written if ends.match(line, written.end) or _AGENCY.match(line, written.end) else None


def _dates(line: str, language: Language) -> list[_Date]:
    """Return the dates of a line in order, with or without a year; of overlapping dates only the longest."""
    taken: list[_Date] = []
    matches = [match for pattern in _DATES for match in pattern.finditer(line)]
    for match in sorted(matches, key=lambda match: (match.start() - match.end(), match.start())):
        written = _read(match, language is Language.RUSSIAN)
        if written and all(written.end <= longer.start or longer.end <= written.start for longer in taken):
            taken.append(written)
    return sorted(taken, key=lambda written: written.start)


def _read(match: re.Match[str], day_first: bool) -> _Date | None:
    """Return the date in the groups of a match; ``None`` if the day does not exist or the date is ambiguous.

    Args:
        day_first: if two numbers stand before a year, the first number is the day.
    """
    groups = match.groupdict()
    if groups.get("one"):
        day, month = int(groups["one"]), int(groups["other"])
        if not (day_first or groups.get("sign") == "." or day > 12):
            if month <= 12 and day != month:
                return None
            day, month = month, day
    else:
        day = int(groups["day"])
        month = _MONTHS[groups["named"].lower()] if groups.get("named") else int(groups["month"])
    written = _Date(int(groups["year"]) if groups.get("year") else None, month, day, *match.span())
    return written if written.in_year(2000) else None
