"""A rough segmentation of a sentence into clauses: at punctuation, and before words that begin a clause.

A mention of an event is a clause rather than a sentence: a long sentence tells of several. A cut too many
is the lesser error: segments of one event are joined again by their vectors.
"""

from __future__ import annotations

import re

from whywire.news.article import Span

MIN_WORDS = 5
"""A shorter segment is joined to the one before it."""

_CUT = re.compile(
    r"(?<=[,;:—–])\s+|\s+-\s+"
    r"|\s+(?=(?:and|but|that|which|who|while|after|before|because|as|when|where|since|although|so|for|with|amid)\s)"
    r"|\s+(?=(?:и|но|а|что|чтобы|который|которая|которое|которые|после|перед|пока|когда|где|хотя|поскольку|если)\s)",
    re.IGNORECASE,
)
_EDGES = " \t\r\n,;:—–-.!?"


def segments(sentence: str) -> list[Span]:
    """Half-open character offsets of the sentence's pieces, in order; they do not overlap and are never empty.

    A sentence of few words is one piece. Between pieces lie spaces and punctuation alone.
    """
    cuts = [0, *(found.end() for found in _CUT.finditer(sentence)), len(sentence)]
    pieces: list[Span] = []
    start = 0
    for end, following in zip(cuts[1:], [*cuts[2:], None], strict=True):
        enough = len(sentence[start:end].split()) >= MIN_WORDS
        rest = following is None or len(sentence[end:].split()) >= MIN_WORDS
        if (enough and rest) or following is None:
            if trimmed := _trimmed(sentence, start, end):
                pieces.append(trimmed)
            start = end
    return pieces


def _trimmed(sentence: str, start: int, end: int) -> Span | None:
    """The span without spaces and punctuation at its ends; ``None`` where nothing else is in it."""
    while start < end and sentence[start] in _EDGES:
        start += 1
    while start < end and sentence[end - 1] in _EDGES:
        end -= 1
    return (start, end) if start < end else None
