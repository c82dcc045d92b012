"""Cuts a sentence into clauses, roughly: at punctuation and before connectives, if both pieces are long enough."""

from __future__ import annotations

import re

from whywire.news.article import Span

_MIN_WORDS = 5
"""A shorter segment is joined to the one before it."""

_CUT = re.compile(
    r"(?<=[,;:—–])\s+|\s+-\s+"
    r"|\s+(?=(?:and|but|that|which|who|while|after|before|because|as|when|where|since|although|so|for|with|amid)\s)"
    r"|\s+(?=(?:и|но|а|что|чтобы|который|которая|которое|которые|после|перед|пока|когда|где|хотя|поскольку|если)\s)",
    re.IGNORECASE,
)
_EDGES = " \t\r\n,;:—–-.!?"


def segments(sentence: str) -> list[Span]:
    """Return the half-open character spans of a sentence's pieces, in order, never empty and without overlaps.

    A short sentence is one piece. Between pieces there are only spaces and punctuation.
    """
    cuts = [0, *(cut.end() for cut in _CUT.finditer(sentence)), len(sentence)]
    pieces: list[Span] = []
    start = 0
    for end, following in zip(cuts[1:], [*cuts[2:], None], strict=True):
        enough = len(sentence[start:end].split()) >= _MIN_WORDS
        rest = following is None or len(sentence[end:].split()) >= _MIN_WORDS
        if (enough and rest) or following is None:
            if trimmed := _trimmed(sentence, start, end):
                pieces.append(trimmed)
            start = end
    return pieces


def _trimmed(sentence: str, start: int, end: int) -> Span | None:
    """Return a span without spaces and punctuation at its ends; ``None`` if nothing is left."""
    end = start + len(sentence[start:end].rstrip(_EDGES))
    start = end - len(sentence[start:end].lstrip(_EDGES))
    return (start, end) if start < end else None
