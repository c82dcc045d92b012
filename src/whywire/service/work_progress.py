"""How far the worker of this process is with the articles that wait."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from whywire.progress import Advance

READING = "reading articles"
"""The stage in which steps are articles (`whywire.events.article_readings.read_articles`)."""

_STAGES_OF_READING = (
    READING,
    "embedding articles",
    "splitting sentences",
    "reading sentences",
    "turning counterfactuals",
)

NEWEST = 0.5
"""The weight of the last update in the pace; the updates before share the rest."""


class Work(StrEnum):
    """What a worker does."""

    READING = "reading"
    DECIDING = "deciding"
    """Which mentions are one event, and what led to what."""


@dataclass(frozen=True, slots=True)
class Position:
    """How far the articles are that came since nothing waited.

    Args:
        work: what the worker of this process does; ``None`` while it rests or there is none.
        done: articles that are read or in the graph.
        total: these and the waiting ones.
        seconds_left: until nothing waits; ``None`` before the first update.
    """

    work: Work | None
    done: int
    total: int
    seconds_left: float | None


class WorkProgress:
    """Follows a worker (:class:`whywire.progress.Progress`); one thread reports, others ask."""

    def __init__(self) -> None:
        self._work: Work | None = None
        self._taken_in = 0
        self._read = 0.0
        self._pace: float | None = None

    def begin(self) -> None:
        """Record that an update begins; if the one before failed, its articles wait again."""
        self._read = 0.0

    def start(self, stage: str, total: int) -> Advance:  # noqa: ARG002
        """Follow a stage of an update."""
        self._work = Work.READING if stage.startswith(_STAGES_OF_READING) else Work.DECIDING
        return self._advance if stage.startswith(READING) else lambda steps: None  # noqa: ARG005

    def _advance(self, steps: float) -> None:
        self._read += steps

    def took_in(self, articles: int, seconds: float) -> None:
        """Record an update."""
        self._taken_in += articles
        pace = seconds / max(1, articles)
        self._pace = pace if self._pace is None else NEWEST * pace + (1 - NEWEST) * self._pace

    def rest(self) -> None:
        """Record that no article is free."""
        self._work, self._taken_in, self._read = None, 0, 0.0

    def position(self, waiting: int) -> Position:
        """Return how far the worker is.

        Args:
            waiting: articles that no update has taken in, those of the current update included.
        """
        total = self._taken_in + waiting
        done = min(total, self._taken_in + int(self._read))
        pace = None if self._work is None else self._pace
        return Position(self._work, done, total, None if pace is None else pace * (total - done))
