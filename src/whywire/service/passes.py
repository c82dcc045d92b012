"""Work that keeps a processor busy, off the event loop: so much at a time, and only so much waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from whywire.service.metrics import Metrics
from whywire.service.problems import ProblemError

T = TypeVar("T")

RETRY_SECONDS = 2
"""When a client that was refused should ask again."""


class Passes:
    """A pool of threads with a queue that is never long.

    Args:
        at_once: calls done at a time.
        waiting: calls that may wait.
    """

    def __init__(self, at_once: int, waiting: int, metrics: Metrics) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="pass")
        self._most = at_once + waiting
        self._held = 0
        self._metrics = metrics

    async def run(self, question: str, call: Callable[[], T]) -> T:
        """Call a function in a thread.

        Args:
            question: its name in the metrics.

        Raises:
            ProblemError: too many wait already (503).
        """
        if self._held >= self._most:
            raise ProblemError(
                503, "too many questions wait for the models", headers={"retry-after": str(RETRY_SECONDS)}
            )
        self._held += 1
        self._metrics.waiting_passes.inc()
        future = asyncio.get_running_loop().run_in_executor(self._threads, self._timed, question, call)
        future.add_done_callback(self._let_go)  # also where the client went away: the thread works on
        return await asyncio.shield(future)

    def close(self) -> None:
        """Wait for what runs."""
        self._threads.shutdown(cancel_futures=True)

    def _let_go(self, future: asyncio.Future[T]) -> None:
        if not future.cancelled():
            future.exception()  # somebody looked at it, even if the client did not wait
        self._held -= 1
        self._metrics.waiting_passes.dec()

    def _timed(self, question: str, call: Callable[[], T]) -> T:
        begun = time.perf_counter()
        try:
            return call()
        finally:
            self._metrics.passes.labels(question).observe(time.perf_counter() - begun)
