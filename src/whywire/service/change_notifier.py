"""Tells open streams of changes that the history has grown, whichever process committed the change."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import anyio.to_thread

from whywire.service.problems import ProblemError
from whywire.service.telemetry import logger

POLL_SECONDS = 1.0
"""How often the store is asked for changes by other processes while a stream is open."""

MAX_STREAMS = 200
"""Streams that may be open; each holds one of at most 1,000 connections."""

STREAMS_SHARE = 1 / 10
"""The share of all streams that one client may hold."""


class ChangeNotifier:
    """Knows the number of the last change and wakes the streams that wait for the next change.

    Args:
        last_change: reads the number from the store.
    """

    def __init__(self, last_change: Callable[[], int]) -> None:
        self._last_change = last_change
        self._listeners: Counter[str] = Counter()
        self.stopping = False
        self._head = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self._nudged = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start watching the store; called on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._watch())

    def nudge(self) -> None:
        """Ask the store at once; may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._nudged.set)

    def stop(self) -> None:
        """End all streams; called on the event loop."""
        self.stopping = True
        self._wake()

    async def close(self) -> None:
        """Stop watching."""
        self.stop()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    @property
    def listeners(self) -> int:
        """Number of open streams."""
        return self._listeners.total()

    @contextmanager
    def listening(self, client: str) -> Iterator[None]:
        """Count a stream while the block runs.

        Raises:
            ProblemError: too many streams are open, in all or of this client (503).
        """
        if self.listeners >= MAX_STREAMS or self._listeners[client] >= max(1, STREAMS_SHARE * MAX_STREAMS):
            raise ProblemError(503, "too many streams are open", headers={"retry-after": "30"})
        self._listeners[client] += 1
        try:
            yield
        finally:
            self._listeners[client] -= 1
            if not self._listeners[client]:
                del self._listeners[client]

    async def wait(self, after: int, seconds: float) -> bool:
        """Wait at most this many seconds for a change after this one; return whether there is one."""
        news = self._news
        if self._head <= after and not self.stopping:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await news.wait()
        return self._head > after and not self.stopping

    async def _watch(self) -> None:
        while True:
            if self._listeners:
                try:
                    head = await anyio.to_thread.run_sync(self._last_change)
                except Exception as error:  # the database is away for a while; streams wait
                    logger.warning("the last change cannot be read", exc_info=error)
                else:
                    if head != self._head:
                        self._head = head
                        self._wake()
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._nudged.wait()
            self._nudged.clear()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
