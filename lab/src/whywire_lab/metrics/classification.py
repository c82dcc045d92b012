"""Metrics over arrays and spans, from 0 to 1 (Matthews' correlation from -1); higher is better, except errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from whywire.news.article import Span


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Zero where both are zero."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def score(hits: float, predicted: float, true: float) -> Score:
    """Precision and recall from counts; zero if nothing was predicted, or nothing is true."""
    return Score(hits / predicted if predicted else 0.0, hits / true if true else 0.0)


def binary_score(predicted: ArrayLike, truth: ArrayLike) -> Score:
    """The score of the positive class, from two arrays of booleans."""
    estimate, real = np.asarray(predicted, dtype=bool), np.asarray(truth, dtype=bool)
    return score(float((estimate & real).sum()), float(estimate.sum()), float(real.sum()))


def accuracy(predicted: Sequence[Hashable], truth: Sequence[Hashable]) -> float:
    """The share of items whose label is right; zero where there are none."""
    same = [estimate == real for estimate, real in zip(predicted, truth, strict=True)]
    return float(np.mean(same)) if same else 0.0


def matthews(predicted: ArrayLike, truth: ArrayLike) -> float:
    """Matthews' correlation of two arrays of booleans: -1 to 1, and 0 where one of them is all the same."""
    estimate, real = np.asarray(predicted, dtype=float), np.asarray(truth, dtype=float)
    if not estimate.size:
        return 0.0
    spread = float(estimate.std() * real.std())
    return float(np.mean((estimate - estimate.mean()) * (real - real.mean()))) / spread if spread else 0.0


def macro_f1(predicted: Sequence[Hashable], truth: Sequence[Hashable]) -> float:
    """The mean F1 of the classes that are true or predicted at least once; ``None``, no answer, is no class."""
    classes = (set(predicted) | set(truth)) - {None}
    scores = [
        binary_score([estimate == name for estimate in predicted], [real == name for real in truth]).f1
        for name in classes
    ]
    return float(np.mean(scores)) if scores else 0.0


def roc_auc(probabilities: ArrayLike, truth: ArrayLike) -> float:
    """The probability that a random positive ranks above a random negative; ties count half (Mann-Whitney).

    Raises:
        ValueError: one of the two classes is empty.
    """
    values, real = np.asarray(probabilities, dtype=float), np.asarray(truth, dtype=bool)
    positive, negative = int(real.sum()), int((~real).sum())
    if not positive or not negative:
        raise ValueError("the area under the curve needs both positives and negatives")
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return float((ranks[real].sum() - positive * (positive + 1) / 2) / (positive * negative))


def calibration_error(
    probabilities: ArrayLike, truth: ArrayLike, *, bins: int = 10, weights: ArrayLike | None = None
) -> float:
    """Expected calibration error: the mean gap of probability and frequency over equal-width bins (Guo et al. 2017).

    Args:
        weights: of the rows; equal by default.
    """
    values, real = np.asarray(probabilities, dtype=float), np.asarray(truth, dtype=float)
    counts = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=float)
    place = np.minimum((values * bins).astype(int), bins - 1)
    gaps = np.bincount(place, counts * (values - real))
    return float(np.abs(gaps).sum() / counts.sum()) if len(values) else 0.0


def calibration_error_by_chance(
    probabilities: ArrayLike, *, bins: int = 10, weights: ArrayLike | None = None, draws: int = 200
) -> float:
    """The calibration error of these rows if every probability were right: the mean over truths drawn from these.

    Gaps that chance makes do not cancel out, so on few rows the error is above zero even if nothing is wrong
    (consistency resampling, Bröcker and Smith 2007).

    Args:
        weights: of the rows; equal by default.
        draws: of the truths; the same rows give the same mean.
    """
    values, rng = np.asarray(probabilities, dtype=float), np.random.default_rng(0)
    truths = rng.random((draws, len(values))) < values
    return float(np.mean([calibration_error(values, truth, bins=bins, weights=weights) for truth in truths]))


def pairwise_score(predicted: Sequence[Hashable], truth: Sequence[Hashable]) -> Score:
    """The score of pairs that are in one group, from two groupings of the same items."""
    both = _pairs_inside(list(zip(predicted, truth, strict=True)))
    return score(both, _pairs_inside(predicted), _pairs_inside(truth))


def _pairs_inside(groups: Sequence[Hashable]) -> int:
    return sum(size * (size - 1) // 2 for size in Counter(groups).values())


def overlap(predicted: Span | None, truth: Span | None) -> float:
    """F1 of the characters two spans share; 1 for two missing spans."""
    if predicted is None or truth is None:
        return float(predicted is truth)
    shared = max(0, min(predicted[1], truth[1]) - max(predicted[0], truth[0]))
    return 2 * shared / (predicted[1] - predicted[0] + truth[1] - truth[0])
