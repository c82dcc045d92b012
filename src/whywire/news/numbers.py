"""The numbers that a headline names, and what each of them counts.

The worse error is to take two numbers of different things for one thing: the second report would seem to correct the
first. So a number whose thing is not plain (a date, an age, a score, a temperature, part of a name, what was new
on one day) is not read at all.
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
"""Small numbers as headlines spell them; "one" is rarely a count."""

NO_COUNT_AFTER = re.compile(
    r"at|aged?|hundred|сто|ста|(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|двадцат|тридцат|сорок|"
    r"пят[ьи]десят|шест[ьи]десят|сем[ьи]десят|восем[ьи]десят|девяност|двест|тр[её]хсот|триста)\w*"
)
"""Words before a number that make it an age or a part of a larger number, and no count."""

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
"""What happened to the people that are counted, by the words that say so."""

MAX_WORDS_TO_PEOPLE_TERM = 9
"""The most words between a number and the word that says what happened to the people it counts."""

CONTEXT_WORDS = 3
"""The words before and after a sum, a share or a number of things that are compared as its context."""

CLAUSE_BREAK_WORDS = 3
"""A comma or an "and" between the two counts as this many words."""

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
"""Words of an increment: what one day added is no count of the whole, and the next day's does not correct it."""

APART = r"[, \u00a0\u2007\u2009\u202f'’]"
"""What sets thousands apart: a comma, an apostrophe, or a space of any width."""

DIGITS = rf"\d{{1,3}}(?:{APART}\d{{3}})+(?!\d)|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d)|\d+(?:[.,]\d+)?"
"""A number in digits, its thousands apart or not."""

THOUSANDS_BY_POINT = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""Of people, who come in no fractions, this is in the thousands; of other things it may be a decimal as well."""

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
"""Words before a number that make it a rough one."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number and what it counts.

    Args:
        counted: what happened to the people counted (a key of ``PEOPLE_TERMS``), ``"%"``, a currency's sign, or the
            stem of the noun after the number.
        tolerance: what the number may be off by: 6 may be 6.4, and "over 300" may be 380.
        context: stems of the words around it; empty for people, where ``counted`` is enough.
    """

    counted: str
    value: Decimal
    tolerance: Decimal
    context: frozenset[str] = frozenset()

    def shares_context(self, other: Count) -> bool:
        """Whether the words around the two allow that both count one thing; always so for people."""
        return not self.context or not self.context.isdisjoint(other.context)

    def agrees(self, other: Count) -> bool:
        """Whether the two can be one number, given more and less exactly."""
        return abs(self.value - other.value) < max(self.tolerance, other.tolerance)


def numbers(text: str) -> set[str]:
    """All numbers that a text names, in digits or in words from two to twelve, whatever they are of."""
    found = NUMBER.findall(text.lower())
    return {_plain(str(NUMBER_WORDS.get(word, word))) for word in found if word[0].isdigit() or word in NUMBER_WORDS}


def counts(headline: str) -> list[Count]:
    """The numbers of a headline with what they count, in digits or in words from two to twelve."""
    if INCREMENT.search(headline):
        return []
    tokens = list(TOKEN.finditer(headline))
    return [count for place, token in enumerate(tokens) if (count := _count(tokens, place, token)) is not None]


def _count(tokens: list[re.Match[str]], place: int, token: re.Match[str]) -> Count | None:
    value, tolerance = _value(token)
    words = [(other["word"] or "").lower() for other in tokens]
    before, behind = words[place - 1] if place else "", words[place + 1 : place + 2]
    aside = all(
        beside and beside[0]["break"] for beside in (tokens[place - 1 : place], tokens[place + 1 : place + 2])
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
    """The number that a token is, and the place of its last significant digit; a year is no number."""
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
    """A number, and the place of its last significant digit."""
    last = Decimal(1).scaleb(-len(plain.partition(".")[2]))
    if "." not in plain and len(plain) > 2:
        last = Decimal(10) ** (len(plain) - len(plain.rstrip("0")))
    return Decimal(plain), last


def _plain(digits: str) -> str:
    """The digits without what sets thousands apart, and with a point before decimals."""
    apart = rf"{APART}|\." if digits.count(".") > 1 else APART
    return re.sub(rf"(?:{apart})(?=\d{{3}}(?!\d))", "", digits).replace(",", ".")


def _people(words: list[str], tokens: list[re.Match[str]], place: int) -> str | None:
    """What happened to the people that the number counts (a key of ``PEOPLE_TERMS``), by the nearest such word."""
    found: list[tuple[int, bool, str]] = []
    for other in range(
        max(0, place - MAX_WORDS_TO_PEOPLE_TERM), min(len(words), place + MAX_WORDS_TO_PEOPLE_TERM + 1)
    ):
        for of, said in PEOPLE_TERMS.items():
            if said.fullmatch(words[other]):
                between = tokens[min(place, other) + 1 : max(place, other)]
                breaks = sum(1 for token in between if token["break"] or token[0].lower() in ("and", "и"))
                found.append((abs(other - place) + CLAUSE_BREAK_WORDS * breaks, other < place, of))
    return min(found)[2] if found and min(found)[0] <= MAX_WORDS_TO_PEOPLE_TERM else None
