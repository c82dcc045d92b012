"""Which pairs are worth the pair model's time: neighbours by embedding inside a window of time.

The pair model is asked about a bounded number of neighbours of each item, so its work grows with the number of
items and not with its square. Items without a time may be near anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from whywire.news.article import Published

WINDOW = timedelta(days=4)
"""Reports of one event, and of what it led to, lie within four days of each other (HLGD, section 3.5)."""

BLOCK = 1024
"""Items compared at a time, which bounds memory."""

LONGEST_SECONDS = 86_400
"""How long a single item's time may be: a day, where no time of day is known."""

Indices = NDArray[np.int64]


class Times:
    """The times of items as arrays of seconds, for comparing many at once.

    Args:
        times: one an item; an item without a time is no distance away from any other.
    """

    def __init__(self, times: Sequence[Published | None]) -> None:
        self.starts = np.array([time.at.timestamp() if time else -np.inf for time in times])
        self.ends = np.array([time.until.timestamp() if time else np.inf for time in times])

    def outside(self, rows: Indices, columns: Indices, window: timedelta = WINDOW) -> NDArray[np.bool_]:
        """Which pairs lie further apart than the window, however their times are read: (rows, columns)."""
        apart = np.maximum(
            self.starts[columns][None, :] - self.ends[rows][:, None],
            self.starts[rows][:, None] - self.ends[columns][None, :],
        )
        result: NDArray[np.bool_] = apart > window.total_seconds()
        return result

    def near(self, rows: Indices, order: Indices, window: timedelta = WINDOW) -> Indices:
        """The part of ``order`` (all items by start) that may hold something inside the window of any row."""
        if not np.isfinite(self.starts[rows]).all():
            return order
        starts = self.starts[order]
        timeless = int(np.searchsorted(starts, -np.inf, side="right"))
        reach = window.total_seconds()
        low = np.searchsorted(starts, self.starts[rows].min() - reach - LONGEST_SECONDS)
        high = np.searchsorted(starts, self.ends[rows].max() + reach, side="right")
        return np.concatenate([order[:timeless], order[max(timeless, int(low)) : int(high)]])


def candidate_pairs(
    vectors: NDArray[np.float32],
    times: Sequence[Published | None],
    *,
    neighbours: int,
    floor: float,
    window: timedelta = WINDOW,
) -> list[tuple[int, int]]:
    """Pairs (i, j), i < j, in which one is among the nearest ``neighbours`` of the other inside the window.

    Args:
        vectors: (items, size), unit length.
        floor: cosine under which no pair is a candidate.
    """
    clock = Times(times)
    order = np.argsort(clock.starts, kind="stable")
    pairs: set[tuple[int, int]] = set()
    for first in range(0, len(order), BLOCK):
        rows = order[first : first + BLOCK]
        columns = clock.near(rows, order, window)
        similarity = vectors[rows] @ vectors[columns].T
        similarity[clock.outside(rows, columns, window) | (rows[:, None] == columns[None, :])] = -np.inf
        keep = min(neighbours, len(columns))
        nearest = np.argpartition(-similarity, keep - 1, axis=1)[:, :keep]
        for row, places in enumerate(nearest):
            for place in places[similarity[row, places] >= floor]:
                i, j = int(rows[row]), int(columns[place])
                pairs.add((min(i, j), max(i, j)))
    return sorted(pairs)
