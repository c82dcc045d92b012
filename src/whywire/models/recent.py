"""What models gave for the texts that were asked about last: wires and updated reports repeat each other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A bounded cache that forgets what was used longest ago; threads may share it.

    Args:
        limit: the most that is kept, by the sum of sizes.
        size: of a key with its value; 1 for each by default.
    """

    def __init__(self, limit: float, size: Callable[[K, V], float] = lambda *_: 1) -> None:
        self._limit, self._size, self._used = limit, size, 0.0
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def found(self, keys: Iterable[K]) -> dict[K, V]:
        """What is kept of these keys."""
        with self._lock:
            return {key: self._kept[key] for key in keys if key in self._kept}

    def keep(self, values: Mapping[K, V]) -> None:
        """Keep values as those used last."""
        with self._lock:
            for key, value in values.items():
                self._forget(key)
                self._kept[key] = value
                self._used += self._size(key, value)
            while self._used > self._limit:
                self._forget(next(iter(self._kept)))

    def _forget(self, key: K) -> None:
        if key in self._kept:
            self._used -= self._size(key, self._kept.pop(key))
