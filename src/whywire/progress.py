"""How far long work has come: what is told to whoever waits, and what it took."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """Is told how far long work has come."""

    def start(self, stage: str, total: int) -> Callable[[float], object]:
        """A stage begins that has ``total`` steps; returns what is to be called with the steps just done."""


class NoProgress:
    """Progress for those who do not want to hear of it."""

    def start(self, stage: str, total: int) -> Callable[[float], object]:  # noqa: ARG002
        """Ignore everything."""
        return lambda steps: None  # noqa: ARG005


class Stages:
    """The stages of a build: reports each, and adds up its time and its counts.

    Args:
        progress: who is told.

    Attributes:
        counts: how many of what.
        seconds: wall-clock time a stage.
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress or NoProgress()
        self.counts: dict[str, int] = defaultdict(int)
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def stage(self, name: str, language: str, total: int = 0) -> Iterator[Callable[[float], object]]:
        """Report a stage of ``total`` steps and time it; yields what is to be called with the steps just done."""
        started = time.perf_counter()
        yield self._progress.start(f"{name} ({language})", total)
        self.seconds[name] += time.perf_counter() - started
