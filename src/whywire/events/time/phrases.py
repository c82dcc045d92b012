"""Finds words that name a time in running text, and puts them into a form that dateparser reads.

A date library that searches a text finds dates in "may", "Sun" and any number. So words count as a time only if they
or the word before them leave no doubt: a month alone must follow a preposition, a year must be introduced, a weekday
must be written out. Limits ("until Friday", "by 2030", "до мая") are times, but not those of events. They are left
out, and so are habits ("every Tuesday") and names ("Black Friday", "USA Today").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from whywire.news.article import Span
from whywire.news.language import Language


class Kind(StrEnum):
    """The kind of time that a phrase names, which decides how it is resolved."""

    DATE = "date"
    """A day with its year."""
    DAY = "day"
    """A day and month without the year."""
    WEEKDAY = "weekday"
    MONTH = "month"
    """A month without the year."""
    FIXED = "fixed"
    """A year, or a month with its year."""
    RELATIVE = "relative"
    """Counted from the day of the report."""


class Direction(StrEnum):
    """Whether a phrase itself points before or after the report."""

    LAST = "last"
    NEXT = "next"
    THIS = "this"
    """The coming day, unless the verb is in the past tense: "this Friday"."""
    LAST_YEAR = "last year"
    """In the calendar year before the report's."""
    THIS_YEAR = "this year"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """Words that name a time.

    Args:
        span: of the words, without a preposition before them.
        plain: the same in a form that dateparser reads.
    """

    span: Span
    plain: str
    kind: Kind
    direction: Direction = Direction.OPEN


def time_phrases(text: str, language: Language) -> list[TimePhrase]:
    """The time phrases of an English or Russian text, in order; of two that overlap, only the longer."""
    rules = {Language.ENGLISH: _ENGLISH, Language.RUSSIAN: _RUSSIAN}.get(language, ())
    found = sorted(
        (phrase for pattern, read in rules for phrase in _read(pattern, read, text)),
        key=lambda phrase: (phrase.span[0] - phrase.span[1], phrase.span),
    )
    kept: list[TimePhrase] = []
    for phrase in found:
        if all(phrase.span[1] <= other.span[0] or other.span[1] <= phrase.span[0] for other in kept):
            kept.append(phrase)
    barred = _BARRED[language] if rules else None
    return sorted(
        (
            phrase
            for phrase in kept
            if not (barred and barred.search(text, max(0, phrase.span[0] - 40), phrase.span[0]))
        ),
        key=lambda phrase: phrase.span,
    )


_Reader = Callable[[re.Match[str]], tuple[str, Kind, Direction]]


def _read(pattern: re.Pattern[str], read: _Reader, text: str) -> Iterator[TimePhrase]:
    for match in pattern.finditer(text):
        plain, kind, direction = read(match)
        yield TimePhrase(match.span("when"), plain, kind, direction)


def _direction(word: str | None) -> Direction:
    first = (word or "").lower()
    if first.startswith(("last", "past", "прошл", "минувш", "прошедш")):
        return Direction.LAST
    if first.startswith(("next", "coming", "следующ", "будущ", "ближайш", "предстоящ", "наступающ")):
        return Direction.NEXT
    return Direction.THIS if first.startswith(("this", "эт")) else Direction.OPEN


def _year_direction(word: str | None) -> Direction:
    """Which year "May last year" and "в мае прошлого года" mean."""
    first = (word or "").lower()
    if first.startswith(("last", "прошл", "минувш")):
        return Direction.LAST_YEAR
    return Direction.THIS_YEAR if first.startswith(("this", "эт", "текущ", "нынешн")) else _direction(word)


_BEFORE = r"(?<![\w'’-])"
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_ISO = rf"{_BEFORE}(?P<when>{_YEAR}-[01]\d-[0-3]\d)(?![\w-])"

# English

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
)
_WEEKDAY = r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
_PART_OF_DAY = r"(?:\s(?:morning|afternoon|evening|night)\b)?"
_COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"


def _english_day(match: re.Match[str]) -> tuple[str, Kind, Direction]:
    plain = f"{match['month'].rstrip('.')} {match['day']}"
    if match["year"]:
        return f"{plain} {match['year']}", Kind.DATE, Direction.OPEN
    return plain, Kind.DAY, _year_direction(match["of"])


def _english_month(match: re.Match[str]) -> tuple[str, Kind, Direction]:
    month = match["month"].rstrip(".")
    if match["year"]:
        return f"{month} {match['year']}", Kind.FIXED, Direction.OPEN
    if match["of"]:
        return month, Kind.MONTH, _year_direction(match["of"])
    return month, Kind.MONTH, _direction(match["direction"])


def _english_relative(match: re.Match[str]) -> tuple[str, Kind, Direction]:
    plain = match["when"].lower()
    plain = re.sub(r"^(?:earlier|later) |^this (?=morning|afternoon|evening|night)|^to(?=night)", "", plain)
    if plain in ("morning", "afternoon", "evening", "night"):
        plain = "today"
    return plain.replace("last night", "yesterday"), Kind.RELATIVE, Direction.OPEN


_ENGLISH: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (re.compile(_ISO), lambda match: (match["when"], Kind.DATE, Direction.OPEN)),
    (
        re.compile(
            rf"{_BEFORE}(?P<when>(?:{_WEEKDAY},?\s)?(?:the\s)?(?:(?P<month>{_MONTH})\s(?P<day>{_DAY})(?:st|nd|rd|th)?"
            rf"(?:,?\s(?P<year>{_YEAR})|\s(?:of\s)?(?P<of>last|this)\syear)?))"
            r"(?![\w%]|[.,:]\d|\s(?:percent|per cent))"
        ),
        _english_day,
    ),
    (
        re.compile(
            rf"{_BEFORE}(?P<when>(?:{_WEEKDAY},?\s)?(?:the\s)?(?P<day>{_DAY})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month>{_MONTH})"
            rf"(?:,?\s(?P<year>{_YEAR})|\s(?:of\s)?(?P<of>last|this)\syear)?)(?!\w|['’]s)"
        ),
        _english_day,
    ),
    (
        re.compile(
            rf"(?:{_BEFORE}(?:[Ii]n|[Dd]uring|[Ss]ince|[Oo]f|[Bb]ack in)\s(?:the\s)?)?"
            rf"{_BEFORE}(?P<when>(?:(?P<direction>[Ee]arly|[Ll]ate|[Mm]id)[\s-])?(?P<month>{_MONTH}),?\s(?P<year>{_YEAR}))(?P<of>)(?![\w-])"
        ),
        _english_month,
    ),
    (
        re.compile(
            rf"{_BEFORE}(?:(?:[Ii]n|[Dd]uring|(?:end|beginning|start|middle|month)\sof|[Bb]ack\sin)\s(?=\S)|(?=[Ll]ast|[Nn]ext|[Tt]his|[Ee]arly|[Ll]ate|[Mm]id-))"
            rf"(?P<when>(?:(?P<direction>[Ll]ast|[Nn]ext|[Tt]his|[Ee]arly|[Ll]ate|[Mm]id)[\s-])?(?P<month>{_MONTH})(?:\s(?:of\s)?(?P<of>last|this)\syear)?)(?P<year>)"
            r"(?![\w'’-]|\s\d|\s[A-Z])"
        ),
        _english_month,
    ),
    (
        re.compile(
            rf"{_BEFORE}(?:(?P<onward>from|starting|beginning|effective)\s(?:on\s)?)?"
            rf"(?P<when>(?:(?:this\s)?(?P<direction>[Ll]ast|[Pp]ast|[Nn]ext|coming)\s|(?P<this>[Tt]his)\s)?"
            rf"(?P<day>{_WEEKDAY}){_PART_OF_DAY})"
            r"(?!\w|[-‐](?!\w+ing)|\s(?:Times|Telegraph|Mail|Mirror|Express|Night|Live|School|Post|Standard)\b)"
        ),
        lambda match: (
            match["day"],
            Kind.WEEKDAY,
            Direction.NEXT if match["onward"] else _direction(match["direction"] or match["this"]),
        ),
    ),
    (
        re.compile(
            r"(?<![\w'’-])(?<!\bthe )(?P<when>[Tt]he day before yesterday|[Yy]esterday|"
            r"[Tt]oday(?! in (?:19|20)\d\d)|[Tt]omorrow|"
            r"[Tt]onight|[Ll]ast night|"
            r"[Tt]his (?:morning|afternoon|evening)|(?:[Ee]arlier |[Ll]ater )?[Tt]his (?:week|month|year)|"
            rf"(?:[Ll]ast|[Nn]ext) (?:week|month|year)|{_COUNT} (?:days?|weeks?|months?|years?) ago)"
            r"(?![\w-]|['’]s|\sShow\b)"
        ),
        _english_relative,
    ),
    (
        re.compile(
            rf"{_BEFORE}(?:[Ii]n|[Dd]uring|[Bb]ack in|[Ee]arly|[Ll]ate|[Mm]id-)\s?(?P<when>{_YEAR})"
            r"(?![\w%'’-]|[.,]\d|"
            r"\s(?:\w+\s)?(?:cases|people|patients|deaths|homes|schools|countries|dollars|euros|places|locations|cities|stores)\b)"
        ),
        lambda match: (match["when"], Kind.FIXED, Direction.OPEN),
    ),
)

# Русский

_MONTHS = {
    stem + ending: nominative
    for stem, endings, nominative in (
        ("январ", "я е", "январь"), ("феврал", "я е", "февраль"), ("март", "а е", "март"), ("апрел", "я е", "апрель"),
        ("ма", "я е", "май"), ("июн", "я е", "июнь"), ("июл", "я е", "июль"), ("август", "а е", "август"),
        ("сентябр", "я е", "сентябрь"), ("октябр", "я е", "октябрь"),
        ("ноябр", "я е", "ноябрь"), ("декабр", "я е", "декабрь"),
    )
    for ending in endings.split()
}  # fmt: skip
_GENITIVE = "|".join(name for name in _MONTHS if not name.endswith("е"))
_PREPOSITIONAL = "|".join(name for name in _MONTHS if name.endswith("е"))
_WEEKDAYS = {
    "понедельник": "понедельник", "вторник": "вторник", "среду": "среда", "четверг": "четверг", "пятницу": "пятница",
    "субботу": "суббота", "воскресенье": "воскресенье",
}  # fmt: skip
_DIRECTION = r"(?:прошл|минувш|прошедш|эт|следующ|будущ|ближайш|предстоящ|наступающ|текущ)[а-яё]{1,3}"
_RU_YEAR = rf"(?P<year>{_YEAR})(?:-?(?:м|го))?(?:\s(?:году|года|год|г\.?))?"


def _russian_day(match: re.Match[str]) -> tuple[str, Kind, Direction]:
    plain = f"{match['day']} {match['month']}"
    if match["year"]:
        return f"{plain} {match['year']}", Kind.DATE, Direction.OPEN
    return plain, Kind.DAY, _year_direction(match["direction"])


def _russian_month(match: re.Match[str]) -> tuple[str, Kind, Direction]:
    month = _MONTHS[match["month"].lower()]
    if match["year"]:
        return f"{month} {match['year']}", Kind.FIXED, Direction.OPEN
    if match["of"]:
        return month, Kind.MONTH, _year_direction(match["of"])
    return month, Kind.MONTH, _direction(match["direction"])


def _russian_relative(match: re.Match[str]) -> tuple[str, Kind, Direction]:
    plain = match["when"].lower()
    if plain == "накануне":
        return "вчера", Kind.RELATIVE, Direction.OPEN
    if found := re.fullmatch(rf"({_DIRECTION})\s(\w+)", plain):
        unit = {"г": "год", "м": "месяц", "н": "неделя"}[found[2][0]]
        direction = _direction(found[1])
        place = {"год": "в {} году", "месяц": "в {} месяце", "неделя": "на {} неделе"}[unit]
        words = {Direction.LAST: ("прошлом", "прошлой"), Direction.NEXT: ("следующем", "следующей")}
        word = words.get(direction, ("этом", "этой"))[unit == "неделя"]
        return place.format(word), Kind.RELATIVE, Direction.OPEN
    return plain, Kind.RELATIVE, Direction.OPEN


_RUSSIAN: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (re.compile(_ISO), lambda match: (match["when"], Kind.DATE, Direction.OPEN)),
    (
        re.compile(rf"(?<![\w.])(?P<when>{_DAY}\.(?:0[1-9]|1[0-2])\.{_YEAR})(?![\w.]\w)"),
        lambda match: (match["when"], Kind.DATE, Direction.OPEN),
    ),
    (
        re.compile(
            rf"(?<![\w.,])(?P<when>(?:(?:{'|'.join(_WEEKDAYS)}),?\s)?(?P<day>{_DAY})(?:-го)?\s(?P<month>{_GENITIVE})"
            rf"(?:\s(?:{_RU_YEAR}|(?P<direction>{_DIRECTION})\sгода))?)(?!\w)"
        ),
        _russian_day,
    ),
    (
        re.compile(
            rf"\b(?:[Вв]|[Вв]о|[Нн]а)\s(?:(?:начале|середине|конце|первых числах|последних числах)\s)?"
            rf"(?P<when>(?:(?P<direction>{_DIRECTION})\s)?(?P<month>{_PREPOSITIONAL}|{_GENITIVE})"
            rf"(?:\s{_RU_YEAR}|\s(?P<of>{_DIRECTION})\sгода)?)(?!\w)"
        ),
        _russian_month,
    ),
    (
        re.compile(
            rf"\b[Вв](?:о|\sночь на)?\s(?P<when>(?:(?P<direction>{_DIRECTION})\s)?(?P<day>{'|'.join(_WEEKDAYS)}))"
            r"(?!\w|\sобитания)"
        ),
        lambda match: (_WEEKDAYS[match["day"]], Kind.WEEKDAY, _direction(match["direction"])),
    ),
    (
        re.compile(
            r"(?<!Россия )(?<!Украина )(?<![\w-])(?P<when>[Пп]озавчера|[Вв]чера|[Сс]егодня|[Пп]ослезавтра|[Зз]автра|"
            r"[Нн]акануне(?=[.,;)]|\s(?:[а-яё]+л(?:а|о|и)?(?:с[ья])?|в|вечером)\b)|"
            r"(?:(?:два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|\d{1,2})\s)?"
            r"(?:день|дня|дней|неделю|недели|недель|месяц|месяца|месяцев|год|года|лет)\sназад|"
            r"[Чч]ерез (?:неделю|месяц|год|"
            r"(?:два|три|четыре|пять|\d{1,2}) дн(?:я|ей)))(?![\w-])"
        ),
        _russian_relative,
    ),
    (
        re.compile(
            rf"\b(?:[Вв]|[Нн]а)\s(?:(?:начале|середине|конце)\s)?(?P<when>{_DIRECTION}\s(?:неделе|месяце|году))\b"
        ),
        _russian_relative,
    ),
    (
        re.compile(
            rf"\b(?:[Вв]|[Нн]ачале|[Кк]онце|[Вв]есной|[Лл]етом|[Оо]сенью|[Зз]имой)\s(?P<when>(?P<year>{_YEAR})(?:-м|\s(?:году|года|г\.?))(?:\sг(?:оду|\.))?)(?!\w)"
        ),
        lambda match: (match["year"], Kind.FIXED, Direction.OPEN),
    ),
)

NAMES = tuple(re.findall(r"[A-Z]\w+", _MONTH + _WEEKDAY) + sorted({*_MONTHS, *_WEEKDAYS}, key=len, reverse=True))
"""The words for months and weekdays in the forms that phrases have, in both languages."""

_BARRED = {
    Language.ENGLISH: re.compile(
        r"(?:\b(?:until|till|til|by|before|after|since|prior to|up to|through|every|each|any|per|as of|than|"
        r"between|following|USA|Black|Good|Ash|Easter|Palm|Super|Giving|Holy|Bloody|Cyber|Sheffield|Shrove|Maundy)"
        r"(?:\s(?:the|early|late|mid|end of|at least|about))*[\s-](?:the\s)?)$",
        re.IGNORECASE,
    ),
    Language.RUSSIAN: re.compile(
        r"\b(?:до|к|ко|после|по|кажд\w+|начиная с|между|не позднее|не ранее|против)"
        r"(?:\s(?:утра|вечера|конца|начала|середины))?\s$|[«\"“][^«»\"“”\s]+\s$",
        re.IGNORECASE,
    ),
}
