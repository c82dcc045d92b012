"""Problems of the input: what is wrong, and where. Reading continues, and nothing is silently lost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with the input.

    Args:
        place: ``file:line`` (in a Parquet file the row, from 1), a file, or an article's id.
        reason: what is wrong, without a full stop.
        kept: the article was kept, only something about it was mended or dropped.
        row: what was read and rejected, as far as it could be read; ``None`` when it was kept.
    """

    place: str
    reason: str
    kept: bool = False
    row: object = None

    def __str__(self) -> str:
        """Render as ``place: reason``."""
        return f"{self.place}: {self.reason}"
