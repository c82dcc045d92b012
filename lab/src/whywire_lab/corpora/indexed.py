"""Submissions with one answer a line, each with the index of its row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from whywire.errors import InputError

Row = Mapping[str, Any]


def indexed(rows: Iterable[tuple[str, Row]], size: int, *, of: str, path: Path) -> Iterator[tuple[str, int, Row]]:
    """Each row with its place and its ``index``, which counts from zero; each index comes exactly once, in any order.

    Args:
        rows: with their places.
        size: how many indices there are.
        of: what is indexed, for people: *sentences*.
        path: the file, for people.

    Raises:
        InputError: an index is out of range, comes twice, or is missing at the end.
    """
    seen: set[int] = set()
    for place, row in rows:
        index = row.get("index")
        if type(index) is not int or not 0 <= index < size or index in seen:
            raise InputError(f"the index must be one of 0 to {size - 1}, each once, not {index!r}", where=place)
        seen.add(index)
        yield place, index, row
    missing = [index for index in range(size) if index not in seen]
    if missing:
        raise InputError(
            f"{len(missing)} of {size} {of} have no line, the first of them {missing[0]}", where=str(path)
        )
