"""Chooses the pairs that a model scores: the nearest neighbours of each item by embedding, within a window of time.

The number of pairs per item is bounded, so the work grows linearly with the items. An item without a time is within
the window of every other.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from whywire.news.article import Published

Pair = tuple[int, int]
"""The indices of two items."""

WINDOW = timedelta(days=4)
"""Reports of one event, and of what it led to, lie within four days of each other (HLGD, section 3.5)."""

BLOCK_ROWS, BLOCK_CELLS = 1024, 2**22
"""Most items and most pairs compared at a time, which bounds memory even for a hundred thousand items."""

MAX_DURATION = 86_400
"""Most seconds between the start and the end of an item's time: a day, if the time of day is unknown."""

Indices = NDArray[np.int64]
Vectors = NDArray[np.float32] | NDArray[np.int8]

UNIT = 127
"""The length of vectors of int8."""


def similarities(left: Vectors, right: Vectors, *, paired: bool = False) -> NDArray[np.float32]:
    """The cosines of two sets of vectors, (left, right), or of pairs of vectors, (pairs,).

    int8 cosines are exact whatever the batch, because float32 represents such small integer sums exactly.

    Args:
        left, right: unit vectors, or int8 vectors scaled to length ``UNIT`` and rounded.
        paired: compare only vectors at the same index.
    """
    scale = np.float32(UNIT * UNIT if left.dtype == np.int8 else 1)
    one, other = left.astype(np.float32, copy=False), right.astype(np.float32, copy=False)
    cosines: NDArray[np.float32] = ((one * other).sum(axis=1) if paired else one @ other.T) / scale
    return cosines


class Times:
    """The times of items as arrays of seconds, to compare many at once.

    Args:
        times: of each item; an item without a time has the distance 0 to every other.
    """

    def __init__(self, times: Sequence[Published | None]) -> None:
        self.starts = np.array([time.at.timestamp() if time else -np.inf for time in times])
        self.ends = np.array([time.until.timestamp() if time else np.inf for time in times])

    def __add__(self, others: Times) -> Times:
        """Append the times of other items, in a new object."""
        joined = Times(())
        joined.starts = np.concatenate([self.starts, others.starts])
        joined.ends = np.concatenate([self.ends, others.ends])
        return joined

    def take(self, rows: Sequence[int] | Indices) -> Times:
        """The times of some of the items."""
        taken = Times(())
        taken.starts, taken.ends = self.starts[rows], self.ends[rows]
        return taken

    def overlap(self, others: Times, window: timedelta = WINDOW) -> NDArray[np.bool_]:
        """Which items may be within the window of any of the others, (items,); wider than :meth:`outside`."""
        reach = window.total_seconds()
        first, last = others.starts.min(initial=np.inf) - reach, others.ends.max(initial=-np.inf) + reach
        near: NDArray[np.bool_] = (self.starts <= last) & (self.ends >= first)
        return near

    def outside(self, rows: Indices, columns: Indices, window: timedelta = WINDOW) -> NDArray[np.bool_]:
        """Which pairs of these items are certainly further apart than the window, (rows, columns)."""
        return self.take(rows).apart(self.take(columns), window)

    def apart(self, others: Times, window: timedelta = WINDOW) -> NDArray[np.bool_]:
        """Which items are certainly further apart from which others than the window, (items, others)."""
        reach = window.total_seconds()
        latest, last = (times.starts.max(initial=-np.inf) for times in (self, others))
        earliest, first = (times.ends.min(initial=np.inf) for times in (self, others))
        if max(last - earliest, latest - first) <= reach:  # as in a single article
            return np.zeros((len(self.starts), len(others.starts)), dtype=bool)
        gap = np.maximum(others.starts - self.ends[:, None], self.starts[:, None] - others.ends)
        result: NDArray[np.bool_] = gap > reach
        return result

    def columns_near(self, rows: Indices, order: Indices, window: timedelta = WINDOW) -> Indices:
        """The part of ``order`` (all items by start) that may be within the window of any of the rows."""
        if not np.isfinite(self.starts[rows]).all():
            return order
        starts = self.starts[order]
        without_time = int(np.searchsorted(starts, -np.inf, side="right"))
        reach = window.total_seconds()
        low = np.searchsorted(starts, self.starts[rows].min() - reach - MAX_DURATION)
        high = np.searchsorted(starts, self.ends[rows].max() + reach, side="right")
        return np.concatenate([order[:without_time], order[max(without_time, int(low)) : int(high)]])


def candidate_pairs(
    vectors: Vectors,
    times: Sequence[Published | None],
    *,
    neighbours: int,
    floor: float,
    window: timedelta = WINDOW,
) -> list[Pair]:
    """First-pass pairs (i < j) where either item is among the other's nearest neighbours within the window.

    Args:
        vectors: (items, size), as for :func:`similarities`.
        neighbours: number of nearest neighbours of each item.
        floor: lowest cosine of a candidate pair.

    Returns:
        Sorted pairs.
    """
    clock = Times(times)
    order = np.argsort(clock.starts, kind="stable")
    count = len(order)
    size = min(BLOCK_ROWS, max(1, BLOCK_CELLS // max(1, count)))
    blocks = [np.zeros(0, dtype=np.int64)]
    for first in range(0, count, size):
        rows = order[first : first + size]
        columns = clock.columns_near(rows, order, window)
        similarity = similarities(vectors[rows], vectors[columns])
        similarity[clock.outside(rows, columns, window) | (rows[:, None] == columns[None, :])] = -np.inf
        left, right = np.nonzero(_nearest(similarity, neighbours, floor))
        i, j = rows[left], columns[right]
        blocks.append(np.unique(np.minimum(i, j) * count + np.maximum(i, j)))
    pairs = np.unique(np.concatenate(blocks))  # numbers take a tenth of the memory of a set of tuples
    return list(zip((pairs // max(1, count)).tolist(), (pairs % max(1, count)).tolist(), strict=True))


def _nearest(similarity: NDArray[np.float32], neighbours: int, floor: float) -> NDArray[np.bool_]:
    """Which columns reach the floor and are among the most similar to each row, (rows, columns)."""
    near: NDArray[np.bool_] = similarity >= floor
    crowded = np.flatnonzero(near.sum(axis=1) > neighbours)
    if len(crowded):
        order = np.argpartition(-similarity[crowded], neighbours - 1, axis=1)
        near[crowded[:, None], order[:, neighbours:]] = False
    return near
