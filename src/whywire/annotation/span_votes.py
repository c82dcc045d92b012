"""Causal relations that several annotators marked in a sentence: paired, compared, and brought to one.

Annotators mark any number of relations, in any order. Two annotators' relations are paired as they agree best
(RECESS, appendix A.3); those of several fall into groups, at most one of each annotator, and the consensus of a group
is the relation in it that the others come nearest to. So what comes out is always what somebody marked, and its cause
never overlaps its effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Generic, Protocol, TypeVar

import networkx as nx

from whywire.news.article import Span, overlap

CAUSE, EFFECT, SIGNAL = KINDS = ("cause", "effect", "signal")


class MarkedSpans(Protocol):
    """A relation as spans, half-open character offsets into its sentence."""

    @property
    def cause(self) -> Span:
        """The words of the cause."""

    @property
    def effect(self) -> Span:
        """The words of the effect."""

    @property
    def signals(self) -> Sequence[Span]:
        """The pieces of the signal; none if the relation is implicit."""


Relation = TypeVar("Relation", bound=MarkedSpans)

SpansKey = tuple[Span, Span, tuple[Span, ...]]


@dataclass(frozen=True, slots=True)
class Match:
    """How far two annotators agree on a kind of span: as a share of relations, 0 to 1, or of one relation, 0 or 1.

    Args:
        exact: both marked the very same span.
        one_side: a start or an end is the same.
        overlap: a word is the same.
    """

    exact: float
    one_side: float
    overlap: float


@dataclass(frozen=True, slots=True)
class RelationDecision(Generic[Relation]):
    """A relation that annotators marked.

    Args:
        relation: as one of them marked it: the one that the others come nearest to.
        votes: how many annotators marked it.
        share: of the annotators, above 0, up to 1; above one half for a majority.
        exact: the share of those who marked it that marked these very spans.
    """

    relation: Relation
    votes: int
    share: float
    exact: float


def spans_of(kind: str, relation: MarkedSpans | None) -> tuple[Span, ...]:
    """The spans of a kind, in order."""
    if relation is None:
        return ()
    return {CAUSE: (relation.cause,), EFFECT: (relation.effect,), SIGNAL: tuple(sorted(relation.signals))}[kind]


def match(kind: str, one: MarkedSpans | None, other: MarkedSpans | None) -> Match:
    """How far two relations agree on a kind.

    If both left a kind unmarked (a signal, say) they agree on it; if only one did, they do not. A signal of several
    pieces is exact where all pieces are, and agrees otherwise where some piece does. With no relation there is no
    agreement.
    """
    left, right = spans_of(kind, one), spans_of(kind, other)
    if one is None or other is None or not left or not right:
        return Match(*[float(one is not None and other is not None and left == right)] * 3)
    couples = list(product(left, right))
    return Match(
        float(left == right),
        float(any(first[0] == second[0] or first[1] == second[1] for first, second in couples)),
        float(any(overlap(first, second) for first, second in couples)),
    )


def pair_relations(
    one: Sequence[Relation], other: Sequence[Relation]
) -> list[tuple[Relation | None, Relation | None]]:
    """Each relation with one of the other annotator, or with none: the pairing with most agreements of any kind.

    Of pairings with as many agreements the one that shares most characters. As many relations as can be are paired,
    even if they agree on nothing.
    """
    graph = nx.Graph()
    some = 1 + min(len(one), len(other))  # all characters shared together weigh less than one agreement
    for (row, left), (column, right) in product(enumerate(one), enumerate(other)):
        agreements = sum(found.exact + found.one_side + found.overlap for found in _matches(left, right))
        graph.add_edge((0, row), (1, column), weight=agreements + similarity(left, right) / some)
    matched = dict(map(sorted, nx.max_weight_matching(graph, maxcardinality=True)))
    left_out = set(range(len(other))) - {column for _, column in matched.values()}
    paired = [(left, other[matched[0, row][1]] if (0, row) in matched else None) for row, left in enumerate(one)]
    return [*paired, *((None, other[column]) for column in sorted(left_out))]


def similarity(one: MarkedSpans, other: MarkedSpans) -> float:
    """The mean F1 of the characters of causes, effects and signals, 0 to 1; no signals twice are the same."""
    return sum(_shared(spans_of(kind, one), spans_of(kind, other)) for kind in KINDS) / len(KINDS)


def merge_relations(marked: Sequence[Sequence[Relation]]) -> list[RelationDecision[Relation]]:
    """Bring the relations of several annotators of a sentence together.

    Two relations may be one where both their causes and their effects overlap; the most similar are joined first.
    The order of annotators, and of their relations, does not matter.

    Args:
        marked: the relations of each annotator, none for who found the sentence not causal.

    Returns:
        One for each group, those of most annotators first, then in the order of the sentence. The consensus of the
        annotators is those with a ``share`` above one half.
    """
    by_spans: dict[SpansKey, Relation] = {}
    holders: dict[SpansKey, set[int]] = {}
    for annotator, relations in enumerate(marked):
        for relation in relations:
            key = _key(relation)
            by_spans.setdefault(key, relation)
            holders.setdefault(key, set()).add(annotator)
    decided = []
    for group in _groups(by_spans, holders):
        votes = sum(len(holders[key]) for key in group)
        central = max(
            group, key=lambda key: (_closeness(key, group, by_spans, holders), len(holders[key]), _first(key))
        )
        decided.append(RelationDecision(by_spans[central], votes, votes / len(marked), len(holders[central]) / votes))
    return sorted(decided, key=lambda decision: (-decision.votes, _key(decision.relation)))


def _groups(by_spans: dict[SpansKey, Relation], holders: dict[SpansKey, set[int]]) -> Iterable[list[SpansKey]]:
    """Relations that may be one, no two of one annotator; the most similar are joined first."""
    group_of = {key: [key] for key in by_spans}
    near = [
        (-similarity(by_spans[one], by_spans[other]), one, other)
        for one, other in combinations(sorted(by_spans), 2)
        if _meet(one, other)
    ]
    for _, one, other in sorted(near):
        left, right = group_of[one], group_of[other]
        if left is right or any(holders[a] & holders[b] or not _meet(a, b) for a, b in product(left, right)):
            continue
        left += right
        for key in right:
            group_of[key] = left
    return {id(group): group for group in group_of.values()}.values()


def _closeness(
    key: SpansKey, group: Sequence[SpansKey], by_spans: dict[SpansKey, Relation], holders: dict[SpansKey, set[int]]
) -> float:
    """How similar the relations of a group are to one of them, summed over annotators, to twelve digits."""
    return round(sum(len(holders[own]) * similarity(by_spans[key], by_spans[own]) for own in sorted(group)), 12)


def _matches(one: MarkedSpans, other: MarkedSpans) -> list[Match]:
    return [match(kind, one, other) for kind in KINDS]


def _meet(one: SpansKey, other: SpansKey) -> bool:
    return overlap(one[0], other[0]) and overlap(one[1], other[1])


def _key(relation: MarkedSpans) -> SpansKey:
    return relation.cause, relation.effect, tuple(sorted(relation.signals))


def _first(key: SpansKey) -> tuple[int, ...]:
    """So that of two relations the greater is the one that comes first in the sentence."""
    return tuple(-offset for span in (key[0], key[1], *key[2]) for offset in span)


def _shared(one: Sequence[Span], other: Sequence[Span]) -> float:
    """F1 of the characters that spans share; 1 where there are none on either side."""
    sizes = sum(end - start for start, end in (*one, *other))
    both = sum(max(0, min(left[1], right[1]) - max(left[0], right[0])) for left, right in product(one, other))
    return 2 * both / sizes if sizes else 1.0
