"""How long a client is waited for, and how much is held in memory for those that have not read it yet."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")

PACE = 16 * 1024
"""Bytes that make up for a second of waiting: who is quicker is waited for without end, who drips is not."""

MAX_UNREAD = 256 * 2**20
"""Bytes of all large answers that clients read at a time."""


class Patience:
    """Waits for a client: for a while altogether, and longer as far as it sends or takes bytes.

    Args:
        seconds: how long at first, and at most at a time.
    """

    def __init__(self, seconds: float) -> None:
        self._most = self._left = seconds

    async def wait(self, for_: Awaitable[T]) -> T:
        """Wait as long as is left.

        Raises:
            TimeoutError: that was too short.
        """
        begun = time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._left)):
                return await for_
        finally:
            self._left -= time.monotonic() - begun

    def earn(self, size: int) -> None:
        """Wait longer, for so many bytes came or were taken."""
        self._left = min(self._most, self._left + size / PACE)


class UnreadAnswers:
    """Counts the bytes of answers that are being read; an answer that several clients read is one.

    Args:
        most: bytes. A single answer may be larger.
    """

    def __init__(self, most: int = MAX_UNREAD) -> None:
        self._most = most
        self.size = 0
        self._readers: dict[int, int] = {}

    def enter(self, body: bytes) -> bool:
        """Count one more reader of an answer, unless there is no room for another answer; return whether there is."""
        if id(body) not in self._readers:
            if self._readers and self.size + len(body) > self._most:
                return False
            self._readers[id(body)] = 0
            self.size += len(body)
        self._readers[id(body)] += 1
        return True

    def leave(self, body: bytes) -> None:
        """Forget a reader that was counted."""
        self._readers[id(body)] -= 1
        if not self._readers[id(body)]:
            del self._readers[id(body)]
            self.size -= len(body)
