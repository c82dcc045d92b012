"""CSV files with a header."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from whywire.errors import InputError


def csv_table(path: Path, columns: Iterable[str]) -> Iterator[dict[str, str]]:
    """The rows of a UTF-8 file, with or without a byte order mark.

    Args:
        columns: the columns that must be there.

    Raises:
        InputError: the file or a column is missing, or a row is shorter than the header.
    """
    if not path.is_file():
        raise InputError("no such file", where=str(path))
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        found = reader.fieldnames or []
        missing = [name for name in columns if name not in found]
        if missing:
            raise InputError(
                f"there is no column {', '.join(missing)}",
                where=str(path),
                hint=f"its columns are {', '.join(found) or 'none'}",
            )
        for row in reader:
            if None in row.values():
                raise InputError("the row is shorter than the header", where=f"{path}:{reader.line_num}")
            yield row
