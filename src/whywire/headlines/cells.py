"""A candidate index: near neighbours among unit vectors that come and go, without comparing all with all.

Every vector lives in the cells of the few pivots nearest to it, and a search looks into the cells nearest to what is
sought (an inverted file, as in Jégou et al. 2011). There are as many pivots as keep a cell at one size, so a search
looks at a bounded number of vectors however many there are; it may miss one. Pivots are drawn anew from the living
vectors whenever as many have come as there were, so they follow the news.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

EXACT = 1024
"""Up to so many vectors all of them are compared."""

PER_CELL = 24
"""Living vectors to a pivot."""

HOMES, PROBES = 2, 16
"""In how many cells a vector lives, and into how many a search looks."""

Vector = NDArray[np.float32]


class Cells:
    """An index over unit vectors of one size.

    Args:
        size: of a vector.
    """

    def __init__(self, size: int) -> None:
        self._vectors = np.zeros((EXACT, size), dtype=np.float32)
        self._alive = np.zeros(EXACT, dtype=bool)
        self._free = list(range(EXACT - 1, -1, -1))
        self._pivots = np.zeros((0, size), dtype=np.float32)
        self._cells: list[list[int]] = []
        self._homes: dict[int, list[int]] = {}
        self._until_drawn = EXACT

    def __len__(self) -> int:
        return len(self._alive) - len(self._free)

    def add(self, vector: Vector) -> int:
        """Put a vector in; returns the number it goes by until it is removed."""
        if not self._free:
            self._grow()
        slot = self._free.pop()
        self._vectors[slot] = vector
        self._alive[slot] = True
        self._until_drawn -= 1
        if self._until_drawn <= 0:
            self._draw()
        elif self._cells:
            self._settle(slot, self._pivots @ vector)
        return slot

    def remove(self, slot: int) -> None:
        """Take a vector out; its number may be given to another."""
        for cell in self._homes.pop(slot, ()):
            self._cells[cell].remove(slot)
        self._vectors[slot] = 0
        self._alive[slot] = False
        self._free.append(slot)

    def near(self, vector: Vector, floor: float) -> tuple[NDArray[np.int64], Vector]:
        """Numbers and cosines of vectors at least as near as ``floor``, in no order."""
        if self._cells:
            cells = _largest(self._pivots @ vector, PROBES)
            slots = np.array(sorted({slot for cell in cells for slot in self._cells[cell]}), dtype=np.int64)
        else:
            slots = np.flatnonzero(self._alive)
        cosines = self._vectors[slots] @ vector
        kept = cosines >= floor
        return slots[kept], cosines[kept]

    def _grow(self) -> None:
        more = len(self._alive)
        self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        self._alive = np.concatenate([self._alive, np.zeros(more, dtype=bool)])
        self._free = list(range(2 * more - 1, more - 1, -1))

    def _draw(self) -> None:
        """Choose pivots evenly among the living and settle all of them anew; none are needed for few."""
        living = np.flatnonzero(self._alive)
        self._homes, self._cells = {}, []
        self._until_drawn = max(EXACT, len(living))
        if len(living) <= EXACT:
            return
        chosen = living[np.linspace(0, len(living) - 1, len(living) // PER_CELL).astype(np.int64)]
        self._pivots = self._vectors[chosen]
        self._cells = [[] for _ in chosen]
        for slot in living.tolist():
            self._settle(slot, self._pivots @ self._vectors[slot])

    def _settle(self, slot: int, likeness: Vector) -> None:
        self._homes[slot] = _largest(likeness, HOMES)
        for cell in self._homes[slot]:
            self._cells[cell].append(slot)


def _largest(values: Vector, count: int) -> list[int]:
    """Places of the largest values, in no order."""
    if len(values) <= count:
        return list(range(len(values)))
    found: list[int] = np.argpartition(values, -count)[-count:].tolist()
    return found
