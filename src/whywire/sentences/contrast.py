"""Contrasts between an asserted and a denied cause: "a bomb, not a gas leak, caused the explosion".

The sentence model marks one cause, often including words of the denied one. The denied cause must not count, so the
relation keeps the asserted cause, and the denied cause becomes a denial.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from whywire.news.article import Span, overlap
from whywire.news.withdrawals import IN_FACT
from whywire.sentences.reading import CausalRelation
from whywire.sentences.signals import averts, concedes, signals_concession

_CAUSAL_PREPOSITION = r"(?:because of|due to|from|by|of|из-за|от|по причине)"
"""Prepositions that mark a cause, on both sides of a contrast: "from milk, not from the vaccine"."""

_VERB_ING = r"\w+ing(?!\W*$|[,.;:]|\s(?:caus|trigger|spark|led\b|was\b|were\b|is\b))"
"""A word in -ing, unless what follows shows that it is a noun: "not flooding, caused"."""

_INSTEAD = re.compile(
    rf"(?:,\s(?:and\s)?not|,?\srather than|,\sа не)\s(?P<marked>{_CAUSAL_PREPOSITION}\s)?"
    rf"(?!(?:only|just|merely|simply|least|yet|because|for|in|on|at|to|seen|\w+ed|{_VERB_ING}|только|просто|менее|более|\w+л[аио]?)\b)",
    re.IGNORECASE,
)
"""The words between the asserted and the denied side, if no clause follows."""

_TO_MARK = re.compile(rf".*\b{_CAUSAL_PREPOSITION}\s", re.IGNORECASE | re.DOTALL)
"""The words up to the last preposition that marks a cause."""

_NEGATES = re.compile(r"\b(?:not|no|never|nothing|не|нет|ни)\b|n['’]t\b", re.IGNORECASE)

_EDGE = re.compile(r"[,;:.!?—–]")
"""Punctuation that ends either side."""


def asserted_side(text: str, relation: CausalRelation) -> CausalRelation:
    """Return the relation, with the asserted side as its cause if its cause includes words of the denied side."""
    for kept, replaced in _sides(text, relation):
        start, end = relation.cause
        if not overlap(replaced, relation.cause):
            continue
        if overlap(kept, relation.cause):
            return replace(relation, cause=(start, min(end, kept[1])))
        if not overlap(kept, relation.effect):
            return replace(relation, cause=kept)
    return relation


def with_denied_sides(
    text: str, relations: Sequence[CausalRelation], denials: Sequence[CausalRelation]
) -> tuple[tuple[CausalRelation, ...], tuple[CausalRelation, ...]]:
    """Return the relations and denials of a sentence, with the denied sides of contrasts among the denials.

    The words decide which side is asserted, whatever sign the model gave the relation. What is only conceded
    ("despite rain"), nearly came or was prevented («едва не вызвал») is no denial.
    """
    kept: dict[tuple[Span, Span], CausalRelation] = {}
    denied: dict[tuple[Span, Span], CausalRelation] = {}

    def deny(relation: CausalRelation) -> None:
        denial = denied.setdefault((relation.cause, relation.effect), relation)
        if relation.probability > denial.probability:
            denied[relation.cause, relation.effect] = relation

    only_asserts = IN_FACT.match(text) and not _NEGATES.search(text)
    for relation in (*relations, *denials):
        if relation.denied and _only_concedes(text, relation):
            continue
        sides = list(_sides(text, relation))
        asserts = any(overlap(asserted, relation.cause) for asserted, _ in sides)
        negates = relation.denied and not only_asserts and not averts(text, relation.cause, relation.effect)
        if asserts or not (negates or any(overlap(replaced, relation.cause) for _, replaced in sides)):
            kept.setdefault((relation.cause, relation.effect), replace(relation, denied=False))
        else:
            deny(replace(relation, denied=True))
        for asserted, replaced in sides:
            if overlap(asserted, relation.cause):
                deny(replace(relation, cause=replaced, signals=(), denied=True))
    return tuple(kept.values()), tuple(denied.values())


def _only_concedes(text: str, relation: CausalRelation) -> bool:
    if concedes(text, relation):
        return True
    return signals_concession(text, relation) and not _NEGATES.search(text)


def _sides(text: str, relation: CausalRelation) -> Iterator[tuple[Span, Span]]:
    """Yield the contrasts whose denied words may be a cause; these end where the verb or the effect begins."""
    parts = (relation.effect, *relation.signals, (relation.cause[1], relation.cause[1]))
    for kept, (start, end) in contrasts(text):
        replaced = start, min(end, *(part[0] for part in parts if part[0] > start), end)
        if not overlap(replaced, relation.effect):
            yield kept, (start, start + len(text[slice(*replaced)].rstrip()))


def contrasts(text: str) -> list[tuple[Span, Span]]:
    """Return the asserted and the denied words of each contrast in a text, as half-open spans."""
    sides = []
    edges = [0, *(edge.end() for edge in _EDGE.finditer(text)), len(text) + 1]
    for instead in _INSTEAD.finditer(text):
        start = edges[bisect_right(edges, instead.start()) - 1]
        end = edges[bisect_right(edges, instead.end())] - 1
        asserted = text[start : instead.start()]
        if asserted.strip() and text[instead.end() : end].strip() and not _NEGATES.search(asserted):
            start += len(asserted) - len(asserted.lstrip())
            if instead["marked"] and (mark := _TO_MARK.match(text, start, instead.start())):
                start = mark.end()
            sides.append(((start, instead.start()), (instead.end(), end)))
    return sides
