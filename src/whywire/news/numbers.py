"""The numbers in a headline and what each of them counts.

If two reports count different things, a comparison of their numbers would make the second report a correction of the
first. So a number is read only if it is clear what the number counts. Dates, ages, scores, temperatures, parts of
names and daily increments are skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from whywire.news.stems import stems

NUMBER_WORDS = {
    word: number
    for number, words in enumerate(
        (
            "two два две двое двух двоих",
            "three три трое трех трёх троих",
            "four четыре четверо четырех четырёх четверых",
            "five пять пятеро пяти пятерых",
            "six шесть шестеро шести шестерых",
            "seven семь семеро семи семерых",
            "eight восемь восьмеро восьми восьмерых",
            "nine девять девятеро девяти девятерых",
            "ten десять десятеро десяти десятерых",
            "eleven одиннадцать одиннадцати",
            "twelve двенадцать двенадцати",
        ),
        start=2,
    )
    for word in words.split()
}
"""Numbers from two to twelve as words; "one" is rarely a count."""

NO_COUNT_AFTER = re.compile(
    r"at|aged?|hundred|сто|ста|(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|двадцат|тридцат|сорок|"
    r"пят[ьи]десят|шест[ьи]десят|сем[ьи]десят|восем[ьи]десят|девяност|двест|тр[её]хсот|триста)\w*"
)
"""Words before a number that make it an age or part of a larger number."""

SCALES = {
    name: 10**power
    for power, names in (
        (3, "k thousand тыс"),
        (6, "m mn mln million млн миллион"),
        (9, "b bn bln billion млрд миллиард"),
        (12, "tn trillion трлн триллион"),
    )
    for name in names.split()
}

PEOPLE_TERMS = {
    "dead": re.compile(
        r"dead|die[sd]?|deaths?|kill(s|ed|ing)?|toll|fatalities|lives|bodies|погиб\w*|умер\w*|скончал\w*|жертв\w*|"
        r"смерт[еьия]\w*|убит\w*|тел[ао]?"
    ),
    "hurt": re.compile(r"hurt|injur\w+|wounded|пострада\w+|ранен\w*|травм\w+"),
    "ill": re.compile(r"cases?|infect\w+|positive|случа\w+|заболе\w+|зара[зж]\w+|инфицир\w+"),
    "held": re.compile(r"arrest\w*|detain\w*|задерж\w+|арестов\w+"),
    "missing": re.compile(r"missing|пропал\w*|пропавш\w+"),
}
"""What happened to the people counted, and the words that say so."""

MAX_WORDS_TO_PEOPLE_TERM = 9
"""The largest distance in words between a number of people and the word that says what happened to them."""

CONTEXT_WORDS = 3
"""Words before and after a sum, a share or a number of things that form its context."""

CLAUSE_BREAK_WORDS = 3
"""A comma or "and" adds this many words to the distance; a colon adds none: "toll revised: seven"."""

TIME_WORD = re.compile(
    r"(day|week|month|year|hour|minut|second|дн|ден|сут|недел|месяц|год|лет|час|минут|секунд|раз|time|"
    r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|"
    r"январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр)\w*"
)
"""Words after a number that make it a date, an age or a duration."""

INCREMENT = re.compile(
    r"\b(new|another|further|additional|others|fresh|daily|today|24 hours|in a day|(record|report|register)s? \d+)\b"
    r"|\b(ещ[её]|нов(ый|ых|ые|ого)|за сутки|за день|сегодня)\b",
    re.IGNORECASE,
)
"""Words of an increment: the increment of a day is not the total, and the next day's increment does not correct
it."""

APART = r"[, \u00a0\u2007\u2009\u202f'’]"
"""Separators of thousands: a comma, an apostrophe, or a space of any width."""

DIGITS = rf"\d{{1,3}}(?:{APART}\d{{3}})+(?!\d)|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d)|\d+(?:[.,]\d+)?"
"""A number in digits, with or without separators."""

THOUSANDS_BY_POINT = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""A point separates thousands if the number counts people; in other numbers it may be a decimal point."""

NUMBER = re.compile(rf"{DIGITS}|[^\W\d_]+")

SCALE = "|".join(sorted(SCALES, key=len, reverse=True))

TOKEN = re.compile(
    rf"(?P<currency>[$€£₽₹¥])?(?<![\w.:/+–-])(?P<digits>{DIGITS})"
    rf"(?:\s?(?P<scale>{SCALE})(?:(?:(?<=тыс)|(?<=ион)|(?<=иард))[а-яё]+)?\b)?"
    r"(?P<percent>\s?(?:%|per ?cent\b|процент\w*))?(?P<rest>[-–:/.,]?\w)?"
    r"|(?P<word>[^\W\d_]+(?:['’-]\w+)*)|(?P<break>[,;:.!?])",
    re.IGNORECASE,
)

APPROXIMATION = re.compile(
    r"about|around|nearly|almost|over|than|some|около|почти|свыше|более|менее|порядка|примерно|больше|меньше"
)
"""Words before a number that make it approximate."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number and what it counts.

    Args:
        counted: a key of ``PEOPLE_TERMS``, ``"%"``, a currency sign, or the stem of the noun after the number.
        tolerance: the largest rounding error of the number: 6 may mean 6.4, and "over 300" may mean 380.
        context: stems of the words around the number; empty for people, because ``counted`` is enough there.
    """

    counted: str
    value: Decimal
    tolerance: Decimal
    context: frozenset[str] = frozenset()

    def shares_context(self, other: Count) -> bool:
        """Return whether the contexts share a stem: then both may count the same thing. Always true for people."""
        return not self.context or not self.context.isdisjoint(other.context)

    def agrees(self, other: Count) -> bool:
        """Return whether both counts can be the same number, stated with different precision."""
        return abs(self.value - other.value) < max(self.tolerance, other.tolerance)


def numbers(text: str) -> set[str]:
    """Return all numbers in a text, in digits or as words from two to twelve, whatever the numbers count."""
    words = NUMBER.findall(text.lower())
    return {_plain(str(NUMBER_WORDS.get(word, word))) for word in words if word[0].isdigit() or word in NUMBER_WORDS}


def counts(headline: str) -> list[Count]:
    """Return the numbers of a headline, in digits or as words from two to twelve, with what they count."""
    if INCREMENT.search(headline):
        return []
    tokens = list(TOKEN.finditer(headline))
    words = [(token["word"] or "").lower() for token in tokens]
    return [count for place in range(len(tokens)) if (count := _count(words, tokens, place)) is not None]


def _count(words: list[str], tokens: list[re.Match[str]], place: int) -> Count | None:
    token = tokens[place]
    value, tolerance = _value(token)
    before, behind = words[place - 1] if place else "", words[place + 1 : place + 2]
    aside = all(
        beside["break"] and beside["break"] != ":"
        for beside in (*tokens[place - 1 : place], *tokens[place + 1 : place + 2])
    )
    if (
        value is None
        or token["rest"]
        or aside
        or NO_COUNT_AFTER.fullmatch(before)
        or any(map(TIME_WORD.match, behind))
    ):
        return None
    people = None if token["currency"] or token["percent"] else _people(words, tokens, place)
    if not token["scale"] and not token["percent"] and THOUSANDS_BY_POINT.fullmatch(token["digits"] or ""):
        if not people:
            return None
        value, tolerance = _precise(token["digits"].replace(".", ""))
    if APPROXIMATION.fullmatch(before):
        tolerance = value / 2
    if people:
        return Count(people, value, tolerance)
    counted = "%" if token["percent"] else token["currency"] or "".join(sorted(stems("".join(behind))))
    context = words[max(0, place - CONTEXT_WORDS) : place + CONTEXT_WORDS + 1]
    return Count(counted, value, tolerance, frozenset(stems(" ".join(context)) - {counted})) if counted else None


def _value(token: re.Match[str]) -> tuple[Decimal | None, Decimal]:
    """Return a token's number (``None`` without one or for a year) and the place value of its last digit."""
    word = (token["word"] or "").lower()
    if word in NUMBER_WORDS:
        return Decimal(NUMBER_WORDS[word]), Decimal(1)
    digits = token["digits"]
    if not digits or (re.fullmatch(r"(19|20)\d\d", digits) and not token["currency"]):
        return None, Decimal(1)
    value, last = _precise(_plain(digits))
    scale = SCALES.get((token["scale"] or "").lower(), 1)
    return value * scale, last * scale


def _precise(plain: str) -> tuple[Decimal, Decimal]:
    """Return a number, and the place value of its last significant digit."""
    last = Decimal(1).scaleb(-len(plain.partition(".")[2]))
    if "." not in plain and len(plain) > 2:
        last = Decimal(10) ** (len(plain) - len(plain.rstrip("0")))
    return Decimal(plain), last


def _plain(digits: str) -> str:
    """Return digits without separators of thousands, and with a decimal point."""
    apart = rf"{APART}|\." if digits.count(".") > 1 else APART
    return re.sub(rf"(?:{apart})(?=\d{{3}}(?!\d))", "", digits).replace(",", ".")


def _people(words: list[str], tokens: list[re.Match[str]], place: int) -> str | None:
    """Return the key of ``PEOPLE_TERMS`` whose word is nearest to a number; ``None`` if no such word is near."""
    candidates: list[tuple[int, bool, str]] = []
    first, last = max(0, place - MAX_WORDS_TO_PEOPLE_TERM), place + MAX_WORDS_TO_PEOPLE_TERM
    for at, word in enumerate(words[first : last + 1], first):
        for outcome, pattern in PEOPLE_TERMS.items():
            if pattern.fullmatch(word):
                between = tokens[min(place, at) + 1 : max(place, at)]
                breaks = sum(
                    token["break"] not in (None, ":") or token[0].lower() in ("and", "и") for token in between
                )
                candidates.append((abs(at - place) + CLAUSE_BREAK_WORDS * breaks, at < place, outcome))
    nearest = min(candidates, default=None)
    return nearest[2] if nearest and nearest[0] <= MAX_WORDS_TO_PEOPLE_TERM else None
