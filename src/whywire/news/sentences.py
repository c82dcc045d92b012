"""Sentence segmentation: the sentences of a text as spans, and which of them are boilerplate.

If a boundary is missed, a model still reads both sentences. If a boundary is wrong, no model sees cause and effect
together. So in doubt there is no boundary. The rules, in order:

1. A line break always ends a sentence: wire copy has a paragraph a line.
2. Otherwise a sentence ends with a run of ``. ! ? …`` with any closing quotes and brackets, followed by whitespace.
   So ``3.5``, ``12.05.2020``, ``example.com`` and ``И.И.`` are not split. If a paragraph break was lost (``the
   end.Then``), no whitespace is needed between a lower-case word and a capitalised word.
3. What follows must look like a beginning: a capital or a digit, perhaps after quotes, brackets, dashes or
   signs. A sentence does not end at a quotation that is followed by a dash (``"…!" — said the minister``) or by its
   speaker (``"…?" Smith said``), nor at dots followed by a digit (``+5… +7``).
4. A full stop after an initial, an abbreviation, the number of a list item or inside a dateline is no boundary,
   except where ``abbreviations.txt`` says so.
5. A sentence longer than ``MAX_SENTENCE_CHARS`` is cut at whitespace, or anywhere if there is none.

Each character is read a bounded number of times, so the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files

from whywire.news.article import Span
from whywire.news.language import Language
from whywire.news.times import ZONES

MAX_SENTENCE_CHARS = 1000
"""No sentence of a newspaper is longer. A longer span is a table, a list or noise."""

_WINDOW = 40
"""Characters read on each side of a full stop: more than the longest abbreviation together with a number before
it."""

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
        text: any text; offsets point into this string.
        language: in English and Russian a short number with a full stop may end a sentence (``He is 25.``);
            in other languages it is read as an ordinal (``am 3. Mai``). The abbreviations of both languages apply to
            any text.

    Returns:
        Spans in order. They do not overlap, are not empty and do not begin or end with whitespace. Together they
        cover every character that is not whitespace.
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
    """Return whether ``text[mark:end]`` ends the sentence that began at ``start``; the line ends at ``stop``."""
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
    """Return whether two sentences meet here without whitespace. Parts of a name or an address do not count."""
    if not (following[0].isupper() and (following[1:].islower() or following[1:].isspace())):
        return False
    word = _PLAIN_WORD.search(before)
    return word is not None and word[0].islower()


def _stop_is_boundary(before: str, following: str, ordinals: bool) -> bool:
    """Return whether a full stop between two pieces of text ends a sentence, not only an abbreviation."""
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
    """Trim a span of whitespace and cut it into pieces of ``MAX_SENTENCE_CHARS``; yield nothing if it is blank."""
    end = start + len(text[start:end].rstrip())
    while (start := _end_of(_SPACE, text, start, end)) < end:
        cut = end
        if end - start > MAX_SENTENCE_CHARS:
            words = text[start : start + MAX_SENTENCE_CHARS + 1].rsplit(None, 1)
            cut = start + (len(words[0]) if len(words) == 2 else MAX_SENTENCE_CHARS)
        yield start, cut
        start = cut


def _end_of(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int:
    match = pattern.match(text, start, stop)
    return match.end() if match else start


# tables


def _sections(file: str) -> dict[str, list[str]]:
    """Return the lines of a file in this folder under each heading in brackets, without comments."""
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
"""Capitalised words that continue a sentence after an abbreviation: the day or zone of an hour ("at 5 p.m. Monday",
"в 17 ч. МСК"), or the country of dollars."""


_PAGE = {heading: "|".join(lines) for heading, lines in _sections("boilerplate.txt").items()}
_BOILERPLATE = re.compile(r"\W*?(?:{begins})|.*?(?:{anywhere})".format_map(_PAGE), re.IGNORECASE | re.DOTALL)
_CLOSES = re.compile(_PAGE["closes"], re.IGNORECASE | re.DOTALL)


def is_boilerplate(sentence: str) -> bool:
    """Return whether a sentence, English or Russian, belongs to the page, not the report (``boilerplate.txt``)."""
    return bool(_BOILERPLATE.match(sentence))


def of_the_report(sentences: Sequence[str]) -> list[bool]:
    """Return whether each sentence of a text is of its report.

    Not of it are boilerplate, the rest of a quotation that boilerplate opens (the plot of a film), and, if it stands
    in the second half, a line that closes a report with all that follows: headlines of other articles.
    """
    kept: list[bool] = []
    closed = quoting = False
    for number, sentence in enumerate(sentences):
        ends = "”" in sentence
        page = is_boilerplate(sentence)
        closed = closed or (2 * number >= len(sentences) and _CLOSES.match(sentence) is not None)
        kept.append(not (closed or quoting or page))
        quoting = (quoting or (page and "“" in sentence)) and not ends
    return kept
