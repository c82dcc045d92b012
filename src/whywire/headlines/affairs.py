"""Groups articles into affairs: an event with all that was written on it.

How wide an affair is depends on the news: among a dozen affairs everything on one of them belongs together, in a
pandemic's stream most of what is alike does not. So the articles are joined by average linkage of what their words
mean, and the cut is taken at which the affairs are nearest in themselves and farthest from each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.errors import InputError
from whywire.headlines.candidates import Times
from whywire.headlines.grouping import components, joins

CUTS = tuple(np.arange(0.2, 0.9, 0.025).tolist())
"""Mean cosines down to which affairs may be joined."""

LEAD_WORDS, LEAD_WEIGHT = 25, 0.5
"""How many words of a text stand beside its title, and what they count against it."""

MOST = 10_000
"""Articles that can be compared all with all in some three gigabytes."""

ROWS_AT_ONCE = 1024


def group_affairs(vectors: NDArray[np.float32], clock: Times | None = None) -> list[list[int]]:
    """Partition items by average linkage, at the cut that divides them best.

    Takes time and memory that grow with the square of the items.

    Args:
        vectors: (items, size), unit length.
        clock: the items' times; those further apart than the window are not alike.

    Returns:
        Groups in the order of their first members; members in order.

    Raises:
        InputError: there are more than ``MOST``.
    """
    if len(vectors) > MOST:
        raise InputError(
            f"{len(vectors):,} articles are more than can be compared all with all ({MOST:,})",
            hint="group them in parts, or into single happenings with --narrow (narrow=True)",
        )
    everything = np.arange(len(vectors))
    likeness = (vectors @ vectors.T).astype(np.float64)
    if clock:
        likeness[clock.outside(everything, everything)] = 0.0
    found = joins(likeness, CUTS[0])
    partitions = [components(len(vectors), found, cut) for cut in CUTS]
    return max(partitions, key=lambda groups: separation(vectors, groups))


def separation(vectors: NDArray[np.float32], groups: Sequence[Sequence[int]]) -> float:
    """The mean silhouette of the groups, each counted by the root of its size, -1 to 1.

    Counted by its size, a single large group that falls apart well would decide for all the others.
    """
    if len(groups) < 2:
        return 0.0
    found = silhouettes(vectors, groups)
    return float(np.average([found[list(group)].mean() for group in groups], weights=[len(g) ** 0.5 for g in groups]))


def silhouettes(vectors: NDArray[np.float32], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """How much nearer each item is to its own group than to the next (Rousseeuw 1987), by cosine, -1 to 1.

    An item alone in its group counts zero, so neither everything apart nor everything together scores.

    Args:
        vectors: (items, size), unit length.
        groups: two or more.
    """
    own = np.empty(len(vectors), dtype=np.int64)
    for number, group in enumerate(groups):
        own[list(group)] = number
    sizes = np.array([len(group) for group in groups])
    sums = np.zeros((len(groups), vectors.shape[1]), dtype=vectors.dtype)
    np.add.at(sums, own, vectors)
    result = np.zeros(len(vectors))
    for start in range(0, len(vectors), ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, len(vectors)))
        rows = rows[sizes[own[rows]] > 1]
        likeness = vectors[rows] @ sums.T
        inside = (likeness[np.arange(len(rows)), own[rows]] - 1) / (sizes[own[rows]] - 1)
        likeness /= sizes
        likeness[np.arange(len(rows)), own[rows]] = -np.inf
        nearest = likeness.max(axis=1)
        result[rows] = (inside - nearest) / np.maximum(1 - np.minimum(inside, nearest), 1e-6)
    return result
