"""Threads for questions that keep a processor busy: few at a time, with a short queue.

Each client has one question running and a limited share of the queue. A client that asks much waits for itself;
others wait for one of its questions at most.
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

AT_ONCE = 2
"""Questions answered at a time, so that a long one does not hold up all others."""

WAITING = 32
"""Questions that may wait; further ones are refused, with the time after which to ask again."""

WAITING_SHARE = 1 / 4
"""The share of the queue that one client may hold."""

RETRY_SECONDS = 2
"""Seconds after which a refused client should ask again."""


class InferencePool:
    """Threads with a short queue.

    Args:
        at_once: calls that run at a time, each of a different client; ``AT_ONCE`` by default.
        waiting: calls that may wait; ``WAITING`` by default.
    """

    def __init__(self, metrics: Metrics, at_once: int | None = None, waiting: int | None = None) -> None:
        self._at_once = AT_ONCE if at_once is None else at_once
        self._waiting = WAITING if waiting is None else waiting
        self._metrics = metrics
        self._threads = anyio.CapacityLimiter(self._at_once)
        self._turns: dict[str, asyncio.Lock] = {}
        self._held: Counter[str] = Counter()
        self._end = float("inf")

    async def run(self, client: str, question: str, call: Callable[[], T]) -> T:
        """Call a function in a thread when it is the client's turn.

        Args:
            question: the name of the call in the metrics.

        Raises:
            ProblemError: too many calls are waiting, or the service is stopping (503).
        """
        if self._held[client] > WAITING_SHARE * self._waiting or self._held.total() >= self._at_once + self._waiting:
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
        """Start no more questions; after this many seconds, interrupt running ones between two texts of a model."""
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
