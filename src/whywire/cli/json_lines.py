"""JSON lines in, the same rows with answers out, in the same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from whywire.cli.options import STANDARD_OUTPUT
from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.row_files import SourceRow, read_json_lines
from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import LONGEST_LINE, decode, open_bytes
from whywire.output import json_text, open_output

BATCH = 20_000
"""Rows held at a time."""

SLOW_BATCH = 16
"""Rows held at a time where each takes seconds."""

Fields = dict[str, Any]
"""A row as it was read."""

Answers = list[Fields | str]
"""For each row the fields to add, or why the row cannot be used."""


def answer_rows(
    rows: Iterator[SourceRow | Problem],
    answer: Callable[[list[Fields]], Answers],
    out: Path | None,
    strict: bool,
    *,
    batch: int | None = BATCH,
) -> None:
    """Write every row with the fields that answer it, or with an ``error`` that says what is wrong with it.

    Args:
        rows: as :func:`read_rows` gives them.
        answer: answers a batch of rows.
        out: a file; standard output where it is ``None``.
        strict: raise at the first row that cannot be used.
        batch: rows read before the first of them is answered; ``None`` reads all.

    Raises:
        InputError: with ``strict``, a row cannot be used.
    """
    with open_out(out) as target:
        while read := list(islice(rows, batch)):
            _answer_batch(read, answer, target, strict)
            target.flush()


@dataclass(frozen=True, slots=True)
class _Object:
    """A row that is an object with fields."""

    place: str
    value: Fields


def _answer_batch(
    rows: Sequence[SourceRow | Problem], answer: Callable[[list[Fields]], Answers], target: TextIO, strict: bool
) -> None:
    read = [row if isinstance(row, Problem) else _object(row) for row in rows]
    answers = iter(answer([row.value for row in read if isinstance(row, _Object)]))
    for row in read:
        fields: Fields = row.value if isinstance(row, _Object) else {"row": row.row}
        added = next(answers) if isinstance(row, _Object) else row.reason
        if isinstance(added, str):
            if strict:
                raise InputError(added, where=row.place, hint="without --strict the other rows are answered")
            added = {"error": f"{row.place}: {added}"}
        target.write(json_text({**fields, **added}) + "\n")


def _object(row: SourceRow) -> _Object | Problem:
    if isinstance(row.value, dict):
        return _Object(row.place, row.value)
    return Problem(row.place, "a row must be a JSON object", row=row.value)


def read_rows(
    file: str, plain: str | None = None, max_characters: int = LONGEST_LINE
) -> Iterator[SourceRow | Problem]:
    """The rows of a file, or of standard input, with their places; blank lines are skipped.

    Args:
        plain: the field for a line that is not a JSON object; ``None`` where that is an error.
        max_characters: of a line.
    """
    if file != STANDARD_INPUT and not Path(file).exists():
        raise InputError("no such file", where=file)
    if file != STANDARD_INPUT and Path(file).is_dir():
        raise InputError("a folder, not a file of JSON lines", where=file)
    name = "standard input" if file == STANDARD_INPUT else file
    stream = sys.stdin.buffer if file == STANDARD_INPUT else open_bytes(Path(file))
    with stream:
        lines: Iterable[str] = decode(stream, max_characters)
        if plain:
            lines = map(partial(_json_line, plain), lines)  # unlike a generator it goes on after a line too long
        yield from read_json_lines(lines, name)


def _json_line(field: str, line: str) -> str:
    """The line, or an object with it in a field where it is none."""
    words = line.strip()
    return line if not words or words.startswith("{") else json.dumps({field: words}, ensure_ascii=False)


def write_rows(rows: Iterable[Mapping[str, object]], target: TextIO | None = None) -> None:
    """Write JSON lines, to standard output where no other target is named."""
    (target or sys.stdout).writelines(f"{json_text(row)}\n" for row in rows)


@contextmanager
def open_out(out: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that takes its name only when all of it is written."""
    if out is None or str(out) == STANDARD_OUTPUT:
        yield sys.stdout
        return
    with open_output(out) as target:
        yield target
