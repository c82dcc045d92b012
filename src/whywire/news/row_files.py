"""Readers of rows from JSON Lines, lists of JSON values, CSV, TSV and Parquet (needs the extra ``parquet``).

Each reader yields unchecked rows, and problems with their places; a broken row does not affect others. Memory is
bounded by the longest line or value allowed.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Never

from whywire.errors import InputError, MissingExtraError
from whywire.news.article import Problem
from whywire.news.article_rows import FIELDS
from whywire.news.text_files import BoundedText, LineTooLongError, place_of, printable, undecodable

DEEPEST = 100
"""The deepest nesting of lists and objects that is read: far deeper than any row, and shallow enough for every
writer."""

_EXCERPT_CHARS = 1000
"""The number of characters that are shown of a broken value whose end is unknown."""

_READ_AT_ONCE = 2**20
"""Characters of a list read at a time."""

_BATCH_ROWS = 256
"""The number of rows of Parquet held in memory: a megabyte of common articles."""

_READ_BYTES = 2**20
"""Bytes of a column of Parquet read at a time: a group of rows may be as large as its file."""

_SMALL_COLUMN = 32 * 2**20
"""Bytes of a column in a group of rows up to which a text that its rows share is held once. In a larger column this
would hold all its texts."""

_VALUE_BEGIN = re.compile(r"[^\s,]")
_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class SourceRow:
    """An unchecked value from a source, and its place there (``file:line``)."""

    place: str
    value: object


# JSON


def read_json_lines(stream: Iterable[str], name: str) -> Iterator[SourceRow | Problem]:
    """Read one JSON value a line; blank lines are skipped."""
    for number, line in enumerate(_lines(stream), 1):
        place = f"{name}:{number}"
        if isinstance(line, LineTooLongError):
            yield Problem(place, line.message, row=line.begin)
        elif text := line.strip():
            try:
                value, end = _value_at(text, 0, name, number)
                if end < len(text):
                    raise InputError(f"broken JSON: more after the value, at column {end + 1}")
            except InputError as error:
                yield Problem(place, error.message, row=printable(text))
            else:
                yield SourceRow(place, value)


def _lines(stream: Iterable[str]) -> Iterator[str | LineTooLongError]:
    """Yield the lines, with an error in place of a line that is too long."""
    lines = iter(stream)
    while True:
        try:
            yield next(lines)
        except StopIteration:
            return
        except LineTooLongError as error:
            yield error


def read_json(stream: BoundedText, name: str) -> Iterator[SourceRow | Problem]:
    """Read a file that holds a list of JSON values, a single value, or one value a line.

    The values of a list are read one by one, each at most as long as a line. After damage inside a list nothing more
    is read, since the start of the next value is unknown.
    """
    text = stream.read(_READ_AT_ONCE)
    at = _next_value(text, 0)
    if text.startswith("[", at):
        yield from _values_of_list(stream, text, at + 1, name)
        return
    text += stream.read(stream.longest)
    try:
        value, end = _value_at(text, at, name, 1)
    except InputError:
        end = at
    if at < end == len(text.rstrip()):
        yield SourceRow(f"{name}:1", value)
    else:
        stream.seek(0)
        yield from read_json_lines(stream, name)


def _values_of_list(stream: BoundedText, text: str, at: int, name: str) -> Iterator[SourceRow | Problem]:
    """Read the values of a list.

    Args:
        text: what was read of the stream so far.
        at: the offset in ``text`` after the opening bracket.
    """
    line, counted = 1, 0
    while True:
        at = _next_value(text, at)
        line, counted = line + text.count("\n", counted, at), at
        value, end, problem = None, at, None
        if text.startswith("]", at):
            break
        if at < len(text):
            try:
                value, end = _value_at(text, at, name, line)
            except InputError as error:
                problem = error
        if problem or end == len(text):  # the text read so far may end within a value, even within a number
            more = stream.read(max(_READ_AT_ONCE, len(text) - at)) if len(text) - at <= stream.longest else ""
            if more:
                text, at, counted = text[at:] + more, 0, 0
                continue
        if problem:
            excerpt = printable(text[at : at + _EXCERPT_CHARS])
            reason = f"{problem.message} (the rest of the list is not read)"
            yield Problem(problem.where or name, reason, row=excerpt)
            return
        if end == at:
            yield Problem(f"{name}:{line}", "the list has no closing bracket: the file seems to be cut short")
            return
        yield SourceRow(f"{name}:{line}", value)
        at = end
        if at >= _READ_AT_ONCE:
            line, text, at, counted = line + text.count("\n", counted, at), text[at:], 0, 0
    if text[at + 1 :].strip() or stream.read(_READ_AT_ONCE).strip():
        yield Problem(f"{name}:{line}", "what follows the list was not read")


def _next_value(text: str, at: int) -> int:
    """Skip whitespace and commas."""
    begin = _VALUE_BEGIN.search(text, at)
    return begin.start() if begin else len(text)


def _value_at(text: str, at: int, name: str, line: int) -> tuple[object, int]:
    """Read the JSON value at an offset; return it and its end.

    Raises:
        InputError: the value is broken. The place in the message is counted from ``line``, the line of the offset.
    """
    where = f"{name}:{line}"
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        where = f"{name}:{line + text.count(chr(10), at, error.pos)}"
        reason = undecodable(text[at : error.pos + 1]) or f"broken JSON: {error.msg} at column {error.colno}"
        raise InputError(reason, where=where) from error
    except ValueError as error:
        raise InputError(f"broken JSON: {error}", where=where) from error
    except RecursionError as error:
        raise InputError(_TOO_DEEP, where=where) from error
    if bad := undecodable(text[at:end]):
        raise InputError(bad, where=where)
    if text.count("[", at, end) + text.count("{", at, end) > DEEPEST and _is_deep(value):
        raise InputError(_TOO_DEEP, where=where)
    return value, end


def _is_deep(value: object) -> bool:
    """Return whether a value has lists and objects nested deeper than ``DEEPEST``."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            part
            for whole in level
            for part in (whole.values() if isinstance(whole, dict) else whole if isinstance(whole, list) else ())
        ]
    return bool(level)


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:40]} is too large for a number")
    return number


def _refuse_constant(constant: str) -> Never:
    raise ValueError(f"{constant} is no JSON number")


_TOO_DEEP = "JSON nested too deeply"
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


# tables


def read_csv(
    stream: BoundedText, name: str, *, needed: str = "title", known: Collection[str] = FIELDS
) -> Iterator[SourceRow | Problem]:
    """Read a table with a header row; a row's place is the line on which it begins.

    The delimiter is whichever of comma, semicolon, tab and bar is most frequent in the header. Column names may be in
    any case. A cell may be as long as a line.

    Args:
        needed: the column without which the table cannot be used.
        known: other columns are ignored; by default those that are no fields of articles.
    """
    try:
        header = stream.readline()
    except LineTooLongError as error:
        yield Problem(f"{name}:1", error.message, row=error.begin)
        return
    reader = csv.reader(chain([header], stream), delimiter=max(_DELIMITERS, key=header.count), strict=True)
    columns: list[str] = []
    skipped = 0
    while True:
        place = f"{name}:{reader.line_num + skipped + 1}"
        try:
            cells = _next_cells(reader, stream.longest)
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
            if needed not in columns:
                yield Problem(place, f"the header row names no column {needed!r}, only {', '.join(columns)[:200]}")
                return
            continue
        reason = undecodable("\n".join(cells))
        if reason is None and len(cells) != len(columns):
            reason = f"{len(cells)} cells in a row, {len(columns)} in the header row"
        if reason:
            yield Problem(place, reason, row=[printable(cell) for cell in cells])
        else:
            named = zip(columns, cells, strict=True)
            yield SourceRow(place, {column: cell for column, cell in named if column in known})


def _next_cells(reader: Iterator[list[str]], longest: int) -> list[str]:
    """Return the next row. The limit on the length of cells is set for this call only, not for the whole process."""
    before = csv.field_size_limit(longest)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)


def read_parquet(path: Path) -> Iterator[SourceRow | Problem]:
    """Read a Parquet file; the place of a row is its number, from 1.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    try:
        from pyarrow import ArrowException, large_string, string
        from pyarrow.parquet import ParquetFile, read_metadata
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error

    number = 0
    try:
        metadata = read_metadata(path)
        schema = metadata.schema.to_arrow_schema()
        columns = [column for column in schema.names if column in FIELDS]
        if "title" not in columns:
            yield Problem(place_of(path), f"no column 'title', only {', '.join(schema.names)[:200]}")
            return
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
        large = {chunk.path_in_schema for chunk in chunks if chunk.total_uncompressed_size > _SMALL_COLUMN}
        texts = [column for column in columns if schema.field(column).type in (string(), large_string())]
        shared = [column for column in texts if column not in large]
        with ParquetFile(path, read_dictionary=shared, buffer_size=_READ_BYTES, pre_buffer=False) as file:
            for batch in file.iter_batches(_BATCH_ROWS, columns=columns):
                for index in range(batch.num_rows):
                    number += 1
                    place = f"{place_of(path)}:{number}"
                    try:
                        value = {column: batch.column(column)[index].as_py() for column in columns}
                    except (KeyError, ValueError, OverflowError) as error:
                        yield Problem(place, f"a value that cannot be read: {error}")
                    else:
                        yield SourceRow(place, value)
    except (ArrowException, OSError) as error:
        yield Problem(f"{place_of(path)}:{number + 1}", f"damaged from here on: {str(error)[:200]}")
