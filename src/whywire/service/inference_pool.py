"""Work that keeps a processor busy, off the event loop: so much at a time, in turn, and only so much waits.

Each client has one question in work and few that wait: who asks much waits for itself, and others wait for one of its
questions at most.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

from whywire.progress import Stopped, stopping_when
from whywire.service.problems import ProblemError
from whywire.service.telemetry import Metrics

T = TypeVar("T")

RETRY_SECONDS = 2
"""When a client that was refused should ask again."""

CLIENT_SHARE = 1 / 4
"""The share of the questions that may wait that one client may have there."""


class Passes:
    """Threads with a queue that is never long.

    Args:
        at_once: calls done at a time, each of another client.
        waiting: calls that may wait.
    """

    def __init__(self, at_once: int, waiting: int, metrics: Metrics) -> None:
        self._at_once, self._waiting, self._metrics = at_once, waiting, metrics
        self._threads = anyio.CapacityLimiter(at_once)
        self._turns: dict[str, asyncio.Lock] = {}
        self._held: Counter[str] = Counter()
        self._end = float("inf")

    async def run(self, client: str, question: str, call: Callable[[], T]) -> T:
        """Call a function in a thread when it is the client's turn.

        Args:
            client: who asks.
            question: its name in the metrics.

        Raises:
            ProblemError: too many wait already, or the service stops (503).
        """
        if self._held[client] > CLIENT_SHARE * self._waiting or self._held.total() >= self._at_once + self._waiting:
            raise _busy("too many questions wait")
        self._held[client] += 1
        self._metrics.waiting_passes.inc()
        turn = self._turns.setdefault(client, asyncio.Lock())
        try:
            async with turn:
                return await anyio.to_thread.run_sync(self._timed, question, call, limiter=self._threads)
        finally:
            self._metrics.waiting_passes.dec()
            self._held[client] -= 1
            if not self._held[client]:
                del self._held[client], self._turns[client]

    def stop(self, seconds: float) -> None:
        """Begin no question that waits, and leave those in work between two texts of a model after so long."""
        self._end = time.monotonic() + seconds

    def _timed(self, question: str, call: Callable[[], T]) -> T:
        if self._end < float("inf"):
            raise _busy("the service stops")
        begun = time.perf_counter()
        try:
            with stopping_when(lambda: time.monotonic() > self._end):
                return call()
        except Stopped:
            raise _busy("the service stops") from None
        finally:
            self._metrics.passes.labels(question).observe(time.perf_counter() - begun)


def _busy(reason: str) -> ProblemError:
    return ProblemError(503, reason, headers={"retry-after": str(RETRY_SECONDS)})
