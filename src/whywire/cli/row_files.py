"""Files of rows: JSON lines in, the same rows with answers out, in the same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.json_rows import read_json_lines
from whywire.news.rows import Row
from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import decode, open_bytes
from whywire.output import OutputFolder, json_text

CHUNK = 20_000
"""Rows held at a time where each is answered on its own."""

FILE = Annotated[str, typer.Argument(help="A file of JSON lines, or `-` for standard input.")]
OUT = Annotated[Path | None, typer.Option("--out", "-o", help="Write here instead of to standard output.")]
STRICT = Annotated[bool, typer.Option("--strict", help="Stop at the first row that cannot be used.")]


Fields = dict[str, Any]
"""A row as it was read."""

Answers = list[Fields | str]
"""What is added to each row, or why the row cannot be used."""


def answer(
    found: Sequence[Row | Problem], answerer: Callable[[list[Fields]], Answers], target: TextIO, strict: bool
) -> None:
    """Write every row with its answer, or with an ``error`` that says what is wrong with it."""
    read = [item if isinstance(item, Problem) else _object(item) for item in found]
    answers = iter(answerer([row.value for row in read if isinstance(row, _Object)]))
    for row in read:
        fields: Fields = row.value if isinstance(row, _Object) else {"row": row.row}
        added = next(answers) if isinstance(row, _Object) else row.reason
        if isinstance(added, str):
            if strict:
                raise InputError(added, where=row.place, hint="without --strict the other rows are answered")
            added = {"error": f"{row.place}: {added}"}
        target.write(json_text({**fields, **added}) + "\n")


@dataclass(frozen=True, slots=True)
class _Object:
    """A row that is an object with fields."""

    place: str
    value: Fields


def _object(row: Row) -> _Object | Problem:
    if isinstance(row.value, dict):
        return _Object(row.place, row.value)
    return Problem(row.place, "a row must be a JSON object", row=row.value)


def rows(file: str, plain: str | None = None) -> Iterator[Row | Problem]:
    """The rows of a file, or of standard input, with their places; blank lines are skipped.

    Args:
        plain: the field that a line holds which is not a JSON object; ``None`` where that is an error.
    """
    if file != STANDARD_INPUT and not Path(file).is_file():
        raise InputError("no such file", where=file)
    name = "standard input" if file == STANDARD_INPUT else file
    stream = sys.stdin.buffer if file == STANDARD_INPUT else open_bytes(Path(file))
    with stream:
        lines: Iterable[str] = decode(stream)
        if plain:
            lines = (line if line.lstrip().startswith("{") else _as_json(plain, line) for line in lines)
        yield from read_json_lines(lines, name)


def _as_json(field: str, line: str) -> str:
    return json.dumps({field: line.strip()}, ensure_ascii=False) if line.strip() else ""


def chunks(found: Iterator[Row | Problem], size: int = CHUNK) -> Iterator[list[Row | Problem]]:
    """The rows, so many at a time."""
    while chunk := list(islice(found, size)):
        yield chunk


def write_rows(answers: Iterable[Mapping[str, object]], target: TextIO | None = None) -> None:
    """Write JSON lines, to standard output where no other target is named."""
    (target or sys.stdout).writelines(f"{json_text(row)}\n" for row in answers)


@contextmanager
def output(out: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that takes its name only when all of it is written."""
    if out is None:
        yield sys.stdout
        return
    with OutputFolder(out.absolute().parent) as folder, folder.open(out.name) as target:
        yield target
