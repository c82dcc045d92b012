"""Offsets as other programs count them, turned into characters (Unicode code points) at the door."""

from __future__ import annotations

from whywire.errors import InputError
from whywire.news.article import Span


def from_utf_16(text: str, span: Span) -> Span:
    """The characters of a span that is counted in UTF-16 units, as JavaScript and Java count.

    Raises:
        InputError: the span lies outside the text, or cuts a character in two.
    """
    units = text.encode("utf-16-le")
    start, end = (2 * offset for offset in span)
    if not 0 <= start <= end <= len(units):
        raise InputError(
            f"the span [{span[0]}, {span[1]}] does not lie in the text of {len(units) // 2} UTF-16 units"
        )
    try:
        before, words = units[:start].decode("utf-16-le"), units[start:end].decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise InputError(f"the span [{span[0]}, {span[1]}] cuts a character in two") from error
    return len(before), len(before) + len(words)


def span_with_words(text: str, span: Span, words: str) -> Span:
    """The characters of a span that is counted in characters or in UTF-16 units, as the words in the file show.

    Args:
        words: white space in them does not count.

    Raises:
        InputError: neither has.
    """
    wanted = "".join(words.split())
    if "".join(text[slice(*span)].split()) == wanted:
        return span
    try:
        turned = from_utf_16(text, span)
    except InputError:
        turned = span
    if "".join(text[slice(*turned)].split()) != wanted:
        raise InputError(f"the text has {text[slice(*span)]!r} at [{span[0]}, {span[1]}], not {words!r}")
    return turned
