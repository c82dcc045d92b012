"""Offsets as other programs count them, turned into characters (Unicode code points) at the door."""

from __future__ import annotations

from collections.abc import Sequence

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


def spans_with_words(text: str, marked: Sequence[tuple[Span, str]]) -> list[Span]:
    """The characters of spans that are all counted in characters, or all in UTF-16 units, as their words show.

    Args:
        marked: spans with their words, in which white space does not count.

    Raises:
        InputError: counted either way, a span has other words; the first such span is named.
    """

    def has(span: Span, words: str) -> bool:
        return 0 <= span[0] <= span[1] <= len(text) and "".join(text[slice(*span)].split()) == "".join(words.split())

    other = next(((span, words) for span, words in marked if not has(span, words)), None)
    if other is None:
        return [span for span, _ in marked]
    try:
        turned = [from_utf_16(text, span) for span, _ in marked]
    except InputError:
        turned = []
    if len(turned) < len(marked) or not all(map(has, turned, (words for _, words in marked))):
        (start, end), words = other
        raise InputError(f"the text has {text[start:end]!r} at [{start}, {end}], not {words!r}")
    return turned
