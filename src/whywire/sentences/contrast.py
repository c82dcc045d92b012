"""What a sentence says in the place of what it denies: "a bomb, not a gas leak, caused the explosion".

The sentence model marks one cause, often with the words of the other. Which error is worse? To count the cause that
the sentence replaces. So the relation keeps the one, and the other is denied.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from whywire.news.article import Span, overlap
from whywire.sentences.reading import CausalRelation

_INSTEAD = re.compile(
    r"(?:,\s(?:and\s)?not|,?\srather than|,\sа не)\s"
    r"(?!(?:only|just|merely|simply|least|yet|because|for|in|on|at|to|seen|\w+ed|\w+ing|только|просто|менее|более|\w+л[аио]?)\b)",
    re.IGNORECASE,
)
"""What stands between what is asserted and what is not so, if no clause follows."""

_EDGE = re.compile(r"[,;:.!?—–]")
"""What ends the words on either side."""


def asserted_side(text: str, relation: CausalRelation) -> CausalRelation:
    """The relation with what is asserted as its cause, where its cause holds words of what is denied."""
    for kept, replaced in contrasts(text):
        start, end = relation.cause
        if not overlap(replaced, relation.cause) or overlap(replaced, relation.effect):
            continue
        if overlap(kept, relation.cause):
            return replace(relation, cause=(start, min(end, kept[1])))
        if not overlap(kept, relation.effect):
            return replace(relation, cause=kept)
    return relation


def with_denied_sides(
    text: str, relations: Sequence[CausalRelation], denials: Sequence[CausalRelation]
) -> tuple[tuple[CausalRelation, ...], tuple[CausalRelation, ...]]:
    """The relations and the denials of a sentence, with what it says in the place of a cause among the denials."""
    kept: dict[tuple[Span, Span], CausalRelation] = {}
    denied = {(one.cause, one.effect): one for one in denials}
    for relation in relations:
        sides = [pair for pair in contrasts(text) if not overlap(pair[1], relation.effect)]
        if any(overlap(replaced, relation.cause) for _, replaced in sides):
            denied.setdefault((relation.cause, relation.effect), replace(relation, denied=True))
            continue
        kept.setdefault((relation.cause, relation.effect), relation)
        for asserted, replaced in sides:
            if overlap(asserted, relation.cause):
                other = replace(relation, cause=replaced, signals=(), edge=None, denied=True)
                denied.setdefault((replaced, relation.effect), other)
    return tuple(kept.values()), tuple(denied.values())


def contrasts(text: str) -> list[tuple[Span, Span]]:
    """For each contrast of a text the words that are asserted and those that are denied, as half-open spans."""
    found = []
    edges = [0, *(edge.end() for edge in _EDGE.finditer(text)), len(text) + 1]
    for instead in _INSTEAD.finditer(text):
        start = edges[bisect_right(edges, instead.start()) - 1]
        end = edges[bisect_right(edges, instead.end())] - 1
        if text[start : instead.start()].strip() and text[instead.end() : end].strip():
            start += len(text[start:]) - len(text[start:].lstrip())
            found.append(((start, instead.start()), (instead.end(), end)))
    return found
