"""The inputs that public functions accept as corrections: a file of rows, rows, or corrections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from whywire.corrections import Correction
from whywire.errors import InputError
from whywire.graph.codec import correction_from_row
from whywire.news import Problem
from whywire.news.row_files import read_json_lines
from whywire.news.text_files import decode, open_bytes, place_of

CorrectionsInput: TypeAlias = str | Path | Iterable[Correction | Mapping[str, Any]]
"""A file of rows as a service lists them (docs/formats.md), such rows, or corrections."""


def load_corrections(given: CorrectionsInput) -> list[Correction]:
    """Read the corrections that hold; those that were taken back are left out.

    Raises:
        InputError: the file cannot be read, or a row is not a correction; the error names its place.
    """
    rows = _rows_of(Path(given)) if isinstance(given, str | Path) else enumerate(given, start=1)
    corrections = [row if isinstance(row, Correction) else _correction(place, row) for place, row in rows]
    return [correction for correction in corrections if correction.taken_back is None]


def _rows_of(path: Path) -> Iterator[tuple[str, Any]]:
    with open_bytes(path) as stream:
        for row in read_json_lines(decode(stream), place_of(path)):
            if isinstance(row, Problem):
                raise InputError(row.reason, where=row.place)
            yield row.place, row.value


def _correction(place: str | int, row: Any) -> Correction:
    try:
        return correction_from_row(row)
    except ValueError as error:
        where = f"correction {place}" if isinstance(place, int) else place
        raise InputError(f"not a correction: {error}", where=where) from error
