"""Progress reports of long calls, records of a build's stages, and a way to stop a call."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

Advance = Callable[[float], object]
"""A function to call with the number of steps done since the last call. The number may be a fraction if a step takes
several model passes."""


class Progress(Protocol):
    """Shows how far a call has come."""

    def start(self, stage: str, total: int) -> Advance:
        """Start a stage of ``total`` steps; returns the function to call as steps are done."""


class NoProgress:
    """A :class:`Progress` that shows nothing."""

    def start(self, stage: str, total: int) -> Advance:  # noqa: ARG002
        """Return a function that does nothing."""
        return lambda steps: None  # noqa: ARG005


class Stages:
    """Reports the stages of a build and records their durations and counts.

    Args:
        progress: receives the reports.

    Attributes:
        counts: numbers of things, such as articles, by name.
        seconds: wall-clock time by the stage's name, summed over languages.
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress or NoProgress()
        self.counts: dict[str, int] = defaultdict(int)
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def stage(self, name: str, language: str, total: int = 0) -> Iterator[Advance]:
        """Report and time a stage of ``total`` steps; yields the function to call as steps are done."""
        started = time.perf_counter()
        yield self._progress.start(f"{name} ({language})", total)
        self.seconds[name] += time.perf_counter() - started


class Stopped(BaseException):
    """Raised when work stops because the caller asked for it; nothing failed."""


_ASKED: ContextVar[Callable[[], bool]] = ContextVar("asked", default=lambda: False)


@contextmanager
def stopping_when(asked: Callable[[], bool]) -> Iterator[None]:
    """Let the caller stop the models that are called inside the block; they stop between two texts.

    Args:
        asked: returns whether to stop; it is called often.

    Raises:
        Stopped: ``asked`` returned true.
    """
    token = _ASKED.set(asked)
    try:
        yield
    finally:
        _ASKED.reset(token)


def stop_if_asked() -> None:
    """Raise :class:`Stopped` if the current work is asked to stop."""
    if _ASKED.get()():
        raise Stopped


def share_of(advance: Advance | None, share: float) -> Advance | None:
    """Return the ``advance`` for a part of the work that is this share (0 to 1) of the whole."""
    return advance and (lambda steps: advance(share * steps))
