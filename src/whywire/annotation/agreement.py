"""Agreement of annotators above chance: Krippendorff's alpha (1995, 2004, 2011) of labels, scores and spans."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from whywire.annotation.span_votes import KINDS, MarkedSpans, Match, match, pair_relations, spans_of

ALL = "all"

Metric = Literal["nominal", "ordinal", "interval"]
"""How far two values are apart. *nominal*: they are the same or not. *ordinal*: by how many values lie between them.
*interval*: by the square of their difference."""

RelationPair = tuple[str, MarkedSpans | None, MarkedSpans | None]
"""A sentence, and a relation of each annotator in it."""

OUTSIDE = ""
"""The label of a word that an annotator left unmarked."""


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """Agreement of two annotators, by ``cause``, ``effect``, ``signal`` and ``all`` (all three at once).

    Args:
        relations: pairs of relations compared; a relation that only one annotator marked is paired with none.
        same_number: the share of sentences in which both marked as many relations.
        matches: shares of the pairs; 1 where nothing was marked at all.
        alpha: Krippendorff's alpha; see :func:`span_agreement`. ``nan`` where nothing was marked at all.
    """

    relations: int
    same_number: float
    matches: Mapping[str, Match]
    alpha: Mapping[str, float]


def krippendorff_alpha(
    ratings: Sequence[Sequence[Any]],
    metric: Metric = "nominal",
    weights: Sequence[float] | None = None,
) -> float:
    """Krippendorff's alpha: one minus observed over expected disagreement (Krippendorff 2011).

    Args:
        ratings: a row for each observer, a column for each unit; ``None`` where an observer said nothing. Units with
            fewer than two values do not count. Values are hashable, and numbers but for the nominal metric.
        metric: how far two values are apart.
        weights: how many times a unit counts; once by default.

    Returns:
        1 for perfect agreement, 0 for agreement by chance, below 0 for less; ``nan`` where no two values can be
        paired or all are the same, so that there is nothing to agree about.

    Raises:
        ValueError: the rows differ in length.
    """
    units = list(zip(*ratings, strict=True))
    given = {value for unit in units for value in unit if value is not None}
    values = sorted(given, key=repr if metric == "nominal" else None)
    place = {value: number for number, value in enumerate(values)}
    coincidences = np.zeros((len(values), len(values)))
    for unit, weight in zip(units, weights or [1.0] * len(units), strict=True):
        said = [place[value] for value in unit if value is not None]
        for left, right in permutations(said, 2):
            coincidences[left, right] += weight / (len(said) - 1)
    totals = coincidences.sum(axis=0)
    size = float(totals.sum())
    apart = _distances(values, totals, metric)
    expected = float(totals @ apart @ totals)
    if size <= 1 or not expected:
        return float("nan")
    return 1 - (size - 1) * float((coincidences * apart).sum()) / expected


def span_agreement(
    texts: Sequence[str], one: Sequence[Sequence[MarkedSpans]], other: Sequence[Sequence[MarkedSpans]]
) -> SpanAgreement:
    """Compare two annotators' relations in the same sentences, paired in each sentence as they agree best.

    Alpha: each pair of relations gives its sentence's words, laid end to end; a word carries one label from each
    annotator: for a kind, whether it lies in such a span; for ``all``, which kinds it lies in. Stretches of words
    with the same two labels are Krippendorff's units, weighted by their length in words, so that a long disagreement
    counts more than a short one; the difference of two labels is nominal. That is nominal alpha over words, over all
    pairs at once: of Krippendorff's coefficients for spans it is the one where gaps between spans count as a label
    of their own.

    Args:
        texts: whose words are set apart by spaces.
        one: the relations of each sentence by the first annotator, ``other`` by the second.

    Raises:
        ValueError: sentences and relations differ in number.
    """
    pairs: list[RelationPair] = []
    for text, first, second in zip(texts, one, other, strict=True):
        pairs += [(text, *pair) for pair in pair_relations(first, second)]
    found = {kind: [match(kind, left, right) for _, left, right in pairs] for kind in KINDS}
    same = [len(first) == len(second) for first, second in zip(one, other, strict=True)]
    return SpanAgreement(
        relations=len(pairs),
        same_number=float(np.mean(same)) if same else 1.0,
        matches={
            **{kind: _mean(rows) for kind, rows in found.items()},
            ALL: _mean(list(map(_weakest, *found.values()))),
        },
        alpha={kind: _span_alpha(pairs, KINDS if kind == ALL else (kind,)) for kind in (*KINDS, ALL)},
    )


def _distances(values: Sequence[Any], totals: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    """How far each two values are apart (values, values)."""
    if metric == "nominal":
        return np.ones((len(values), len(values))) - np.eye(len(values))
    middle_ranks = np.cumsum(totals) - totals / 2
    numbers = middle_ranks if metric == "ordinal" else np.array(values, dtype=np.float64)
    result: NDArray[np.float64] = np.square(numbers[:, None] - numbers[None, :])
    return result


def _weakest(*found: Match) -> Match:
    """Agreement on all kinds at once."""
    return Match(
        min(own.exact for own in found), min(own.one_side for own in found), min(own.overlap for own in found)
    )


def _mean(rows: Sequence[Match]) -> Match:
    """The shares of agreement; where nothing was marked, nothing is disagreed on."""
    if not rows:
        return Match(1.0, 1.0, 1.0)
    return Match(*np.mean([(row.exact, row.one_side, row.overlap) for row in rows], axis=0).tolist())


def _span_alpha(pairs: Sequence[RelationPair], kinds: Sequence[str]) -> float:
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


def _labels(text: str, relation: MarkedSpans | None, kinds: Sequence[str]) -> list[str]:
    """For each word the kinds of span it lies in."""
    labels, start = [], 0
    for word in text.split(" "):
        end = start + len(word)
        inside = [
            kind for kind in kinds if any(span[0] < end and start < span[1] for span in spans_of(kind, relation))
        ]
        labels.append("+".join(inside) or OUTSIDE)
        start = end + 1
    return labels
