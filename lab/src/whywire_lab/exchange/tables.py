"""Rows with names, from CSV, TSV and JSON; a row that cannot be read is a problem, and the others are read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.row_files import SourceRow, read_json
from whywire.news.text_files import decode, open_bytes, place_of, undecodable
from whywire_lab.corpora.table_formats import is_blank

DELIMITERS = {".csv": ",", ".tsv": "\t"}

Row = dict[str, Any]

_LONGEST_CELL = 2**24


def files_of(path: Path, *endings: str) -> list[Path]:
    """The file itself, or all files of a folder, at any depth, that end so; hidden ones are left out.

    Raises:
        InputError: there is no such file or folder, or none in it.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError("no such file or folder", where=place_of(path))
    found = [
        file
        for file in sorted(path.rglob("*"))
        if file.name.lower().endswith(endings) and not file.name.startswith(".") and file.is_file()
    ]
    if not found:
        raise InputError(f"there is no file ending in {' or '.join(endings)}", where=place_of(path))
    return found


def read_rows(path: Path) -> Iterator[tuple[str, Row] | Problem]:
    """Each row with its place, ``file:line``: of CSV or TSV by the ending, else of a JSON list or an object a line.

    Raises:
        InputError: the file cannot be opened.
    """
    name = place_of(path)
    with open_bytes(path) as stream, decode(stream) as text:
        delimiter = DELIMITERS.get(path.suffix.lower())
        for row in _read_table(text, name, delimiter) if delimiter else read_json(text, name):
            if isinstance(row, Problem):
                yield row
            elif isinstance(row.value, dict):
                yield row.place, row.value
            else:
                yield Problem(row.place, "a row must be an object with names", row=row.value)


def name_of(place: str) -> str:
    """A name for a row that has none: its file and line, without the folder."""
    return Path(place).name


def given(row: Mapping[str, Any], *names: str) -> Any:
    """The value under the first of the names that has one; ``None`` if none has."""
    return next((row[name] for name in names if not is_blank(row.get(name))), None)


def given_text(row: Mapping[str, Any], *names: str) -> str:
    """The text under the first of the names that has one.

    Raises:
        InputError: none has.
    """
    found = given(row, *names)
    if found is None:
        raise InputError(f"there is no {' or '.join(names)}")
    return str(found)


def table_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], delimiter: str = ",") -> str:
    """A table with a header; missing values are blank. All cells are quoted, since texts may hold anything."""
    target = io.StringIO()
    table = csv.DictWriter(
        target, columns, restval="", delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n"
    )
    table.writeheader()
    table.writerows(rows)
    return target.getvalue()


def _read_table(text: Iterable[str], name: str, delimiter: str) -> Iterator[SourceRow | Problem]:
    table = csv.reader(text, delimiter=delimiter, strict=True)
    columns: list[str] = []
    while True:
        place = f"{name}:{table.line_num + 1}"
        before = csv.field_size_limit(_LONGEST_CELL)
        try:
            cells = next(table, None)
        except (csv.Error, InputError) as error:
            yield Problem(place, f"broken table: {error}")
            continue
        finally:
            csv.field_size_limit(before)
        if cells is None:
            return
        if not any(cells):
            continue
        if not columns:
            columns = [cell.strip() for cell in cells]
            continue
        if bad := undecodable("\n".join(cells)):
            yield Problem(place, bad)
        elif len(cells) != len(columns):
            yield Problem(place, f"{len(cells)} cells in a row, {len(columns)} in the header row", row=cells)
        else:
            yield SourceRow(place, dict(zip(columns, cells, strict=True)))
