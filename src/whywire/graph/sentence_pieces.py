"""Sentences as pieces with the roles of their words, for display."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from whywire.elements import Claim
from whywire.news.article import Span

Piece = list[str]
"""A piece of a sentence and its roles: ``["heavy rain", "cause"]``, ``["because", "signal"]``."""


def sentence_pieces(claim: Claim) -> list[Piece]:
    """Split the claim's sentence wherever a span begins or ends; the joined pieces are the quote."""
    origin = claim.sentence[0]
    return pieces_of(claim.quote, [(role, (start - origin, end - origin)) for role, (start, end) in _spans(claim)])


def pieces_of(text: str, spans: Sequence[tuple[str, Span]]) -> list[Piece]:
    """Split a text wherever a span begins or ends; the joined pieces are the text.

    The roles of a piece are those of all spans that contain it, separated by spaces.

    Args:
        spans: roles with half-open character offsets.
    """
    bounds = (bound for _, ends in spans for bound in ends if 0 < bound < len(text))
    cuts = sorted({0, *bounds, len(text)})
    return [
        [text[left:right], " ".join(dict.fromkeys(role for role, (start, end) in spans if start <= left < end))]
        for left, right in pairwise(cuts)
    ]


def _spans(claim: Claim) -> Iterator[tuple[str, Span]]:
    for role in ("cause", "effect", "antecedent", "consequent"):
        span = getattr(claim, role)
        if span:
            yield role, span
    for signal in claim.signals:
        yield "signal", signal
