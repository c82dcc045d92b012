"""How long a client is waited for: for a while altogether, and longer as far as it sends or takes bytes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")

PACE = 16 * 1024
"""Bytes that make up for a second of waiting: who is quicker is waited for without end, who drips is not."""


class Patience:
    """Waits for a client.

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
