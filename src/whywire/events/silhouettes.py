"""How well groups of articles are separated, by silhouettes (Rousseeuw 1987): what a cut is chosen by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SIZE_EXPONENT = 0.75
"""The power of its size by which a group counts. By its size alone, one large group that separates well would decide
for all the others."""

SINGLETON_SILHOUETTE = 0.1
"""The silhouette of a group of one article: in a stream most articles share no story with another, and with 0 they
would be forced together."""

UNRELATED_SIMILARITY = 0.1
"""How similar two reports of different stories are: what a single group of all articles is compared with."""

BLOCK_ROWS = 1024
"""Articles compared with all others at a time, which bounds memory."""


def group_silhouettes(similarity: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """The silhouettes of groups and their weights, (2, groups)."""
    found = silhouettes(similarity, groups)
    means = [found[list(group)].mean() if len(group) > 1 else SINGLETON_SILHOUETTE for group in groups]
    return np.array([means, [len(group) ** SIZE_EXPONENT for group in groups]])


def mean_silhouette(weighted: NDArray[np.float64]) -> float:
    """The weighted mean of silhouettes and weights, (2, groups)."""
    return float(np.average(weighted[0], weights=weighted[1]))


def silhouettes(similarity: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """The silhouette of each article (articles,), -1 to 1: how much nearer it is to its own group than to the next.

    An article alone in its group has 0. Where there is one group only, the next is taken to have the similarity
    ``UNRELATED_SIMILARITY``.

    Args:
        similarity: (articles, articles), one on the diagonal.
        groups: one or more; each article is in one.
    """
    sizes = np.array([len(group) for group in groups])
    own = np.empty(len(similarity), dtype=np.int64)
    own[np.concatenate(groups)] = np.repeat(np.arange(len(groups)), sizes)
    by_group = np.argsort(own, kind="stable")
    starts = np.concatenate([[0], sizes.cumsum()[:-1]])
    result = np.zeros(len(similarity))
    for start in range(0, len(similarity), BLOCK_ROWS):
        rows = np.arange(start, min(start + BLOCK_ROWS, len(similarity)))
        rows = rows[sizes[own[rows]] > 1]
        sums = np.add.reduceat(similarity[rows][:, by_group], starts, axis=1)
        inside = (sums[np.arange(len(rows)), own[rows]] - 1) / (sizes[own[rows]] - 1)
        sums /= sizes
        sums[np.arange(len(rows)), own[rows]] = -np.inf if len(groups) > 1 else UNRELATED_SIMILARITY
        nearest = sums.max(axis=1)
        result[rows] = (inside - nearest) / np.maximum(1 - np.minimum(inside, nearest), 1e-6)
    return result
