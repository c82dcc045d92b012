"""Sentence segmentation: the sentences of a text as spans of it, and which are no part of the report.

A missed boundary joins two sentences, and a model still reads both; an invented boundary separates a cause from its
effect for good. So where both are likely, there is no boundary. The rules, in order:

1. A line break always ends a sentence: wire copy has a paragraph a line.
2. Otherwise a sentence ends with a run of ``. ! ? …``, closing quotes and brackets in and after it included,
   followed by whitespace. So ``3.5``, ``12.05.2020``, ``example.com`` and ``И.И.`` hold together by
   themselves. Where a paragraph break was lost (``the end.Then``), a lower-case word before and a capitalised
   one after stand for the whitespace.
3. What follows must look like a beginning: a capital or a digit, perhaps behind quotes, brackets, dashes or
   signs. A quotation goes on before a dash (``"…!" — said the minister``) and a speaker (``"…?" Smith
   said``), dots before a digit (``+5… +7``).
4. A full stop after an initial, an abbreviation, the number of a list item or inside a dateline ends nothing,
   except where ``abbreviations.txt`` says so.
5. A sentence longer than ``MAX_SENTENCE_CHARS`` is cut at whitespace, or anywhere when there is none.

No character is looked at more than a bounded number of times: time is linear in the text, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

from whywire.news.article import Span
from whywire.news.language import Language
from whywire.news.times import ZONES

MAX_SENTENCE_CHARS = 1000
"""Longer than any sentence a person wrote for a newspaper; what is longer is a table, a list or noise."""

_WINDOW = 40
"""Characters read on each side of a full stop: more than any abbreviation with the number before it."""

_LINE = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_MARKS = re.compile(r"[.!?…][.!?…\"'»”’“)\]]*+")
_SPACE = re.compile(r"\s*+")
_OPENING = re.compile(r"[^\w.!?…,;:]*+")
_DASH = re.compile(r"\s*+[-–—]")
_SPEAKER = re.compile(r"(?:[A-Z][\w.'’-]*+\s){1,3}(?:said|says|asked|asks|told|wrote|writes|added|replied)\b")
_PLAIN_WORD = re.compile(r"(?:^|[\s\"'«“„‘(-])[^\W\d_]{2,}$")
_WORD = re.compile(r"[^\W\d_]+")
_INITIAL = re.compile(r"(?:[^\W\d_]\.-?)*[^\W\d_]")
_LIST_NUMBER = re.compile(r"\W*(?:\d{1,3}|[IVX]{1,4}|[^\W\d_])?\W*")
_DATELINE = re.compile(
    r"\s*[A-ZА-ЯЁ][\w-]{1,20}(?:[ /,]{1,2}[A-ZА-ЯЁ][\w-]{1,20}){0,3}[.,]\s"  # МОСКВА,
    r"\d{1,2}\s[а-я]{3,8}\.?[\s/–—-]{1,4}"  # 4 мая -
    r"(?:(?:/[^/\n]{2,30}/|ТАСС|РИА|Интерфакс)[^.\n]{0,20}\.)?"  # РИА Новости.
)


def split_sentences(text: str, language: Language) -> list[Span]:
    """Find the sentences of a text.

    Args:
        text: any text; offsets are into this very string.
        language: in English and Russian a short number with a full stop may end a sentence (``He is 25.``);
            in other languages it is read as an ordinal (``am 3. Mai``). Abbreviations are known whatever the
            language.

    Returns:
        Spans in order and apart, none empty, none with whitespace at its ends; together they cover every
        character that is not whitespace.
    """
    ordinals = language is Language.OTHER
    return [
        piece
        for line in _LINE.finditer(text)
        for start, end in _sentences_of_line(text, line.start(), line.end(), ordinals)
        for piece in _pieces(text, start, end)
    ]


def _sentences_of_line(text: str, start: int, stop: int, ordinals: bool) -> Iterator[Span]:
    dateline = _DATELINE.match(text, start, stop)
    for marks in _MARKS.finditer(text, dateline.end() if dateline else start, stop):
        if marks.end() < stop and _is_boundary(text, start, *marks.span(), stop, ordinals):
            yield start, marks.end()
            start = marks.end()
    yield start, stop


def _is_boundary(text: str, start: int, mark: int, end: int, stop: int, ordinals: bool) -> bool:
    """Tell whether ``text[mark:end]`` ends the sentence begun at ``start``, in a line up to ``stop``."""
    before = text[max(start, mark - _WINDOW) : mark]
    if not (text[end].isspace() or _is_glued(before, text[end : end + 2])):
        return False
    head = _end_of(_OPENING, text, end, stop)
    if head == stop or not (text[head].isupper() or text[head].isdigit()):
        return False
    following = text[head : min(stop, head + _WINDOW)]
    marks = text[mark:end].rstrip(")]")
    dots = marks.strip(".…") == ""
    if not dots and _DASH.match(text, end, stop):
        return False
    if marks[0] in "!?" and marks[-1] in "\"'»”’“" and _SPEAKER.match(following):
        return False
    if mark - start < _WINDOW and _LIST_NUMBER.fullmatch(before):
        return False
    if dots and marks != ".":
        return not following[0].isdigit()
    return marks != "." or _stop_is_boundary(before, following, ordinals)


def _is_glued(before: str, following: str) -> bool:
    """Tell whether sentences meet here without whitespace, and not the parts of a name or an address."""
    if not (following[0].isupper() and (following[1:].islower() or following[1:].isspace())):
        return False
    word = _PLAIN_WORD.search(before)
    return word is not None and word[0].islower()


def _stop_is_boundary(before: str, following: str, ordinals: bool) -> bool:
    """Tell whether a full stop between two bits of text is more than the mark of an abbreviation."""
    preceding, word = ["", "", *before.split()][-2:]
    word = word.lstrip("\"'«“„‘([-–—/")
    key = word.lower()
    phrase = ("#" if preceding[-1:].isdigit() else preceding.lower()) + key
    opener = _WORD.match(following)
    opens = opener is not None and opener[0] in _OPENERS and following[opener.end() : opener.end() + 1] != "."
    if key in _CONTINUED_BY and _CONTINUED_BY[key].match(following):
        return False
    if phrase in _BEFORE_NUMBER:
        return not following[0].isdigit()
    if key in _BEFORE_NAME or phrase in _BEFORE_NAME or (word[-1:].isupper() and _INITIAL.fullmatch(word)):
        other_script = word.isascii() and "Ё" <= following[0] <= "я"
        return opens or other_script
    if key in _BEFORE_NUMBER:
        return not following[0].isdigit()
    return opens or not (ordinals and key.isdigit() and len(key) < 3)


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """Trim a span of whitespace and cut it to ``MAX_SENTENCE_CHARS``; a blank span gives nothing."""
    end = start + len(text[start:end].rstrip())
    while (start := _end_of(_SPACE, text, start, end)) < end:
        cut = end
        if end - start > MAX_SENTENCE_CHARS:
            words = text[start : start + MAX_SENTENCE_CHARS + 1].rsplit(None, 1)
            cut = start + (len(words[0]) if len(words) == 2 else MAX_SENTENCE_CHARS)
        yield start, cut
        start = cut


def _end_of(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int:
    found = pattern.match(text, start, stop)
    return found.end() if found else start


# tables


def _sections(file: str) -> dict[str, list[str]]:
    """The lines of a file of this folder under each heading in brackets, without comments."""
    sections: dict[str, list[str]] = {}
    for line in files(__package__).joinpath(file).read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"\[(.+)\]", line):
            lines = sections.setdefault(heading[1], [])
        elif line and not line.startswith("# "):
            lines.append(line)
    return sections


_BEFORE_NAME, _BEFORE_NUMBER, _OPENERS = (
    frozenset(" ".join(lines).split()) for lines in _sections("abbreviations.txt").values()
)

_WEEKDAYS = (
    "Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:nesday)?|Thu(?:rs(?:day)?)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?|"
    "Понедельник|Вторник|Сред[ау]|Четверг|Пятниц[ау]|Суббот[ау]|Воскресенье"
)
_MONTHS = "Jan(?:uary)?|Feb(?:ruary)?|March|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
_OF_AN_HOUR = re.compile(
    rf"(?:(?:{_WEEKDAYS}|Christmas|Easter)(?![\w'’])|New Year"
    rf"|(?:{_MONTHS}|Nov(?:ember)?|Dec(?:ember)?)\.?\s\d"
    rf"|(?:{'|'.join(ZONES)}|[ECMP]T)(?!\w)"
    r"|(?:Eastern|Central|Mountain|Pacific)(?!\s(?!Time|Standard|Daylight)[A-Z])\b"
    r"|(?:[A-Z][\w-]+\s){1,3}[Tt]ime\b)"
)

_CONTINUED_BY = {
    **dict.fromkeys(("a.m", "p.m", "ч", "час", "мин"), _OF_AN_HOUR),
    "долл": re.compile(r"США\b"),
}
"""What goes on a sentence after an abbreviation that a capital would else end it behind: of an hour its day or zone
("at 5 p.m. Monday", "в 17 ч. МСК"), of dollars whose they are."""


_BOILERPLATE = re.compile(
    r"\W*(?:{begins})|.*?(?:{anywhere})".format_map(
        {heading: "|".join(lines) for heading, lines in _sections("boilerplate.txt").items()}
    ),
    re.IGNORECASE | re.DOTALL,
)


def is_boilerplate(sentence: str) -> bool:
    """Whether a sentence, English or Russian, is of the page and not of its report (``boilerplate.txt``)."""
    return bool(_BOILERPLATE.match(sentence))
