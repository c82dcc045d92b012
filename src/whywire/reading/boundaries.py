"""Where words that name an event begin and end: at whole words, without the punctuation and connectives around."""

from __future__ import annotations

import re

from whywire.news.article import Span

_OPENS = re.compile(
    r"(?:[\s,.;:!?—–\-)\]»”’…]|(?:and|but|or|nor|that|which|who|while|as|because of|because|due to"
    r"|из-за|(?<=из-)за|и|а|но|или|что|как|так|же|то"
    r"|котор(?:ый|ая|ое|ые|ого|ой|ому|ым|ых|ую))[\s,]+)+",
    re.IGNORECASE,
)
"""What may stand before the words that name an event."""

_CLOSING = frozenset(" \t\r\n,;:!?—–-([«“‘…")
"""Characters that may stand after these words; so may any space, and a full stop that ends no initial ("the
U.S.")."""

_INITIAL = re.compile(r"\b\w\.")

_JOINS = frozenset(
    re.findall(
        r"\w+",
        "and but or nor that which who while as after because amid the a an of to in on at by for with from into"
        " и а но или что как после перед в во на с со к о об от до по за из у для при под не",
    )
)
"""Words that may stand after these words, behind a space or a comma."""

_LONGEST_JOIN = max(map(len, _JOINS))

_PAIRS = {"(": ")", "[": "]", "«": "»", "“": "”"}


def tidied(text: str, span: Span) -> Span:
    """The span of whole words closest to a span, without what only joins it to the rest; never empty.

    Args:
        span: half-open character offsets, not empty.
    """
    start, end = span
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    match = _OPENS.match(text, start, end)
    first = match.end() if match else start
    last = _last(text, first, end)
    if not any(map(str.isalnum, text[first:last])):
        return start, end
    return _without_half(text, first, last)


def _last(text: str, start: int, end: int) -> int:
    """Where a span ends without what only joins it to the words after it, in linear time."""
    while start < end:
        letter = text[end - 1]
        is_stop = letter == "." and not (end > 1 and _INITIAL.match(text, end - 2))
        if is_stop or letter in _CLOSING or letter.isspace():
            end -= 1
        elif length := _join_before(text, start, end):
            end -= length
        else:
            break
    return end


def _join_before(text: str, start: int, end: int) -> int:
    """The length of the word that only joins a span to the words after it, 0 if there is none before ``end``."""
    word = end
    while word > start and end - word <= _LONGEST_JOIN and text[word - 1].isalpha():
        word -= 1
    stands_alone = word > start and (text[word - 1].isspace() or text[word - 1] == ",")
    return end - word if stands_alone and text[word:end].lower() in _JOINS else 0


def _without_half(text: str, start: int, end: int) -> Span:
    """The span without a quotation mark or a bracket at one end whose other half is outside."""
    words = text[start:end]
    for opens, closes in _PAIRS.items():
        if words.startswith(opens) and closes not in words:
            start += 1
        elif words.endswith(closes) and opens not in words:
            end -= 1
    if words.count('"') == 1 and len(words) > 1:
        start, end = start + words.startswith('"'), end - words.endswith('"')
    return start, end
