"""Lines of a request body, read while it is being sent and limited in length."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineTooLong:
    """Stands for a line over the limit."""

    longest: int

    @property
    def reason(self) -> str:
        """What is wrong with the line."""
        return f"a row of more than {self.longest:,} bytes"


async def lines_of(body: AsyncIterator[bytes], longest: int) -> AsyncIterator[tuple[int, bytes | LineTooLong]]:
    """Yield the lines of a body that are not blank, with their numbers from 1.

    Args:
        longest: the most bytes of a line.
    """
    number, begun, is_long = 1, bytearray(), False
    async for chunk in body:
        *ended, last = chunk.split(b"\n")
        for piece in ended:
            begun += piece
            if is_long or len(begun) > longest:
                yield number, LineTooLong(longest)
            elif begun.strip():
                yield number, bytes(begun)
            number, is_long = number + 1, False
            begun.clear()
        begun += last
        if len(begun) > longest:
            is_long = True
            begun.clear()
    if is_long:
        yield number, LineTooLong(longest)
    elif begun.strip():
        yield number, bytes(begun)
