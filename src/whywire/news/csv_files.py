"""Rows of CSV and TSV: a header row with the fields' names, then a row an article."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain

from whywire.news.article_rows import FIELDS, SourceRow
from whywire.news.problems import Problem
from whywire.news.text_files import BoundedText, LineTooLongError, printable, undecodable

_DELIMITERS = ",;\t|"


def read_csv(stream: BoundedText, name: str) -> Iterator[SourceRow | Problem]:
    """Read a table with a header row; rows have a place by the line they begin on.

    The delimiter is the one of comma, semicolon, tab and bar that is in the header most often. Names of
    columns may be in any case; columns that are no field of an article are ignored. A cell
    may be as long as a line.
    """
    try:
        header = stream.readline()
    except LineTooLongError as error:
        yield Problem(f"{name}:1", error.message, row=error.begin)
        return
    delimiter = max(_DELIMITERS, key=header.count)
    reader = csv.reader(chain([header], stream), delimiter=delimiter, strict=True)
    columns: list[str] = []
    skipped = 0
    while True:
        place = f"{name}:{reader.line_num + skipped + 1}"
        try:
            cells = _next_row(reader, stream.longest)
        except StopIteration:
            return
        except LineTooLongError as error:
            skipped += 1
            yield Problem(f"{name}:{reader.line_num + skipped}", error.message, row=error.begin)
            continue
        except csv.Error as error:
            yield Problem(place, f"broken CSV: {error}")
            continue
        if not any(cells):
            continue
        if not columns:
            columns = [cell.strip().lower() for cell in cells]
            if "title" not in columns:
                yield Problem(place, f"the header row names no column 'title', only {', '.join(columns)[:200]}")
                return
        elif problem := _unusable(cells, len(columns)):
            yield Problem(place, problem, row=[printable(cell) for cell in cells])
        else:
            yield SourceRow(
                place, {column: cell for column, cell in zip(columns, cells, strict=True) if column in FIELDS}
            )


def _next_row(reader: Iterator[list[str]], longest: int) -> list[str]:
    """The next row, with a limit to its cells that other readers of the process do not get."""
    before = csv.field_size_limit(longest)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)


def _unusable(cells: list[str], columns: int) -> str | None:
    if bad := undecodable("\n".join(cells)):
        return bad
    return None if len(cells) == columns else f"{len(cells)} cells in a row, {columns} in the header row"
