"""Baselines for *same event?*: similarity of embeddings, days apart, edit distance (HLGD 2021).

Each is a plain function of left titles, right titles and days apart, and returns a score a pair, 0 to 1: the higher,
the more probable that both tell of one event. :func:`best_threshold` learns the threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from rapidfuzz.distance import Levenshtein

DECAY_PER_DAY = float(np.log(2))
"""The rate of decay: a day between two reports halves the score."""

Floats = NDArray[np.float64]
Scorer = Callable[[Sequence[str], Sequence[str], ArrayLike], Floats]


def time_decay(days: ArrayLike, per_day: float = DECAY_PER_DAY) -> Floats:
    """The factor by which days apart lower a score: 1 on the same day, 0 for infinitely many.

    Args:
        days: between the reports of each pair, 0 or more, whichever report came first.
        per_day: the rate of decay.
    """
    result: Floats = np.exp(-per_day * np.abs(np.asarray(days, dtype=np.float64)))
    return result


def by_paraphrase_and_time(
    embed: Callable[[Sequence[str]], NDArray[Any]], *, per_day: float = DECAY_PER_DAY
) -> Scorer:
    """Zero-shot paraphrase with time: cosine of the titles' embeddings, lowered by the days apart.

    Args:
        embed: from titles to vectors, (titles, size), of any length but zero; each title is asked for once. A cosine
            below zero counts as zero, else days apart would raise it.
        per_day: the rate of decay; 0 leaves the cosine alone.
    """

    def score(left: Sequence[str], right: Sequence[str], days: ArrayLike) -> Floats:
        _check(left, right, days)
        if not left:
            return np.zeros(0)
        places = {title: place for place, title in enumerate(dict.fromkeys([*left, *right]))}
        vectors = np.asarray(embed(list(places)), dtype=np.float64)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        one, other = (vectors[[places[title] for title in side]] for side in (left, right))
        cosines: Floats = np.clip((one * other).sum(axis=1), 0, 1)
        return cosines * time_decay(days, per_day)

    return score


def by_time(left: Sequence[str], right: Sequence[str], days: ArrayLike) -> Floats:
    """The score of the days apart alone."""
    _check(left, right, days)
    return time_decay(days)


def by_edit_distance(left: Sequence[str], right: Sequence[str], days: ArrayLike) -> Floats:
    """One minus the normalised Levenshtein distance, ignoring case; days are ignored."""
    _check(left, right, days)
    alike = [
        Levenshtein.normalized_similarity(one.lower(), other.lower()) for one, other in zip(left, right, strict=True)
    ]
    return np.array(alike, dtype=np.float64)


def best_threshold(scores: ArrayLike, same: ArrayLike) -> tuple[float, float]:
    """The threshold with the highest F1 of *same event*, and that F1.

    Args:
        scores: of training pairs, at least one; pairs of one score are taken or left together.
        same: which of them are the same event.

    Raises:
        ValueError: there are no scores, or not as many labels.
    """
    values, truth = np.asarray(scores, dtype=np.float64), np.asarray(same, dtype=np.bool_)
    if not values.size or values.shape != truth.shape:
        raise ValueError(f"Number of labels ({truth.size}) must match number of scores ({values.size}), one or more")
    order = np.argsort(-values, kind="stable")
    ranked = values[order]
    f1 = 2 * np.cumsum(truth[order]) / (np.arange(1, len(ranked) + 1) + truth.sum())
    f1[:-1][ranked[:-1] == ranked[1:]] = -1
    best = int(np.argmax(f1))
    return float(ranked[best]), float(f1[best])


def _check(left: Sequence[str], right: Sequence[str], days: ArrayLike) -> None:
    count = np.asarray(days).size
    if not len(left) == len(right) == count:
        raise ValueError(f"{len(left)} left titles, {len(right)} right ones and {count} distances do not make pairs")
