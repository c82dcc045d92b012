"""Agreement of annotators on relations and their spans (RECESS, appendix A.3; Krippendorff 1995, 2004, 2011)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from whywire.news.article import Span, overlap
from whywire.sentences.reading import CausalRelation

CAUSE, EFFECT, SIGNAL = KINDS = ("cause", "effect", "signal")
ALL = "all"

RelationPair = tuple[CausalRelation | None, CausalRelation | None]
Agreed = tuple[bool, ...]

OUTSIDE = ""
"""The label of a word that an annotator left unmarked."""


@dataclass(frozen=True, slots=True)
class Match:
    """Shares of paired relations, 0 to 1, in which two annotators agree on a kind of span.

    Args:
        exact: both marked the very same span.
        one_side: a start or an end is the same.
        overlap: a word is the same.
    """

    exact: float
    one_side: float
    overlap: float


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """Agreement of two annotators, by ``cause``, ``effect``, ``signal`` and ``all`` (all three at once).

    Args:
        relations: pairs of relations compared; a relation that only one annotator marked is paired with none.
        same_number: the share of sentences in which both marked as many relations.
        alpha: Krippendorff's alpha; see :func:`span_agreement`. ``nan`` where nothing was marked at all.
    """

    relations: int
    same_number: float
    matches: Mapping[str, Match]
    alpha: Mapping[str, float]


def span_agreement(
    texts: Sequence[str], one: Sequence[Sequence[CausalRelation]], other: Sequence[Sequence[CausalRelation]]
) -> SpanAgreement:
    """Compare two annotators' relations in the same sentences, paired in each sentence as they agree best.

    If both left a kind unmarked (a signal, say) they agree on it; if only one did, they do not. A signal of several
    parts is exact where all parts are, and agrees otherwise where some part does.

    Alpha: each pair of relations gives its sentence's words, laid end to end; a word carries one label from each
    annotator: for a kind, whether it lies in such a span; for ``all``, which kinds it lies in. Stretches of words
    with the same two labels are Krippendorff's units, weighted by their length in words, so that a long disagreement
    counts more than a short one; the difference of two labels is nominal. That is nominal alpha over words, over all
    pairs at once: of Krippendorff's coefficients for spans it is the one where gaps between spans count as a label
    of their own.

    Args:
        texts: whose words are set apart by spaces.
        one: the relations of each sentence by the first annotator, ``other`` by the second.
    """
    pairs: list[tuple[str, CausalRelation | None, CausalRelation | None]] = []
    for text, first, second in zip(texts, one, other, strict=True):
        pairs += [(text, *pair) for pair in _best_pairs(first, second)]
    found = {kind: [_agree(kind, left, right) for _, left, right in pairs] for kind in KINDS}
    found[ALL] = [tuple(map(all, zip(*kinds, strict=True))) for kinds in zip(*found.values(), strict=True)]
    same = [len(first) == len(second) for first, second in zip(one, other, strict=True)]
    return SpanAgreement(
        relations=len(pairs),
        same_number=float(np.mean(same)) if same else 1.0,
        matches={kind: _shares(rows) for kind, rows in found.items()},
        alpha={kind: _span_alpha(pairs, KINDS if kind == ALL else (kind,)) for kind in (*KINDS, ALL)},
    )


def krippendorff_alpha(
    ratings: Sequence[Sequence[Hashable | None]],
    metric: Literal["nominal", "interval"] = "nominal",
    weights: Sequence[float] | None = None,
) -> float:
    """Krippendorff's alpha: one minus observed over expected disagreement (Krippendorff 2011).

    Args:
        ratings: a row for each observer, a column for each unit; ``None`` where an observer said nothing. Units with
            fewer than two values do not count.
        metric: ``nominal``: values are the same or not. ``interval``: they are numbers, by squared difference.
        weights: how many times a unit counts; once by default.

    Returns:
        1 for perfect agreement, 0 for agreement by chance, below 0 for less; ``nan`` where no two values can be
        paired or all are the same, so that there is nothing to agree about.

    Raises:
        ValueError: the rows differ in length.
    """
    units = list(zip(*ratings, strict=True))
    values = sorted({value for unit in units for value in unit if value is not None}, key=repr)
    place = {value: number for number, value in enumerate(values)}
    coincidences = np.zeros((len(values), len(values)))
    for unit, weight in zip(units, weights or [1.0] * len(units), strict=True):
        said = [place[value] for value in unit if value is not None]
        for left, right in permutations(said, 2):
            coincidences[left, right] += weight / (len(said) - 1)
    totals = coincidences.sum(axis=0)
    size = float(totals.sum())
    apart = _distances(values, metric)
    expected = float(totals @ apart @ totals)
    if size <= 1 or not expected:
        return float("nan")
    return 1 - (size - 1) * float((coincidences * apart).sum()) / expected


def _distances(values: Sequence[Hashable], metric: str) -> NDArray[np.float64]:
    if metric == "nominal":
        return np.ones((len(values), len(values))) - np.eye(len(values))
    numbers = np.array(values, dtype=np.float64)
    result: NDArray[np.float64] = np.square(numbers[:, None] - numbers[None, :])
    return result


def _shares(rows: Sequence[Agreed]) -> Match:
    """The shares of agreement; where nothing was marked, nothing is disagreed on."""
    return Match(*np.mean(rows, axis=0).tolist()) if rows else Match(1.0, 1.0, 1.0)


def _best_pairs(one: Sequence[CausalRelation], other: Sequence[CausalRelation]) -> list[RelationPair]:
    """Every relation with one of the other annotator, or with none: the pairing with most agreements of any kind."""
    size = max(len(one), len(other))
    left = [*one, *[None] * (size - len(one))]
    right = [*other, *[None] * (size - len(other))]
    worth = [[sum(sum(_agree(kind, first, second)) for kind in KINDS) for second in right] for first in left]
    orders = permutations(range(size))
    best = max(orders, key=lambda order: sum(worth[row][column] for row, column in enumerate(order)))
    return [(left[row], right[column]) for row, column in enumerate(best)]


def _agree(kind: str, one: CausalRelation | None, other: CausalRelation | None) -> Agreed:
    """Whether two relations agree on a kind: exactly, on one side, on a word."""
    left, right = _spans(kind, one), _spans(kind, other)
    if one is None or other is None or not left or not right:
        return (one is not None and other is not None and left == right,) * 3
    couples = [(first, second) for first in left for second in right]
    return (
        left == right,
        any(first[0] == second[0] or first[1] == second[1] for first, second in couples),
        any(overlap(first, second) for first, second in couples),
    )


def _spans(kind: str, relation: CausalRelation | None) -> tuple[Span, ...]:
    if relation is None:
        return ()
    return {CAUSE: (relation.cause,), EFFECT: (relation.effect,), SIGNAL: relation.signals}[kind]


def _span_alpha(
    pairs: Sequence[tuple[str, CausalRelation | None, CausalRelation | None]], kinds: Sequence[str]
) -> float:
    """Alpha over the stretches of words in which neither annotator's label changes."""
    rows: tuple[list[Hashable], list[Hashable]] = ([], [])
    lengths: list[float] = []
    for text, one, other in pairs:
        before = None
        for labels in zip(_labels(text, one, kinds), _labels(text, other, kinds), strict=True):
            if labels == before:
                lengths[-1] += 1
                continue
            before = labels
            for row, label in zip(rows, labels, strict=True):
                row.append(label)
            lengths.append(1)
    return krippendorff_alpha(rows, weights=lengths)


def _labels(text: str, relation: CausalRelation | None, kinds: Sequence[str]) -> list[str]:
    """For each word the kinds of span it lies in."""
    labels, start = [], 0
    for word in text.split(" "):
        end = start + len(word)
        inside = [kind for kind in kinds if any(span[0] < end and start < span[1] for span in _spans(kind, relation))]
        labels.append("+".join(inside) or OUTSIDE)
        start = end + 1
    return labels
