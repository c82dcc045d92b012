"""Files of rows: JSON lines in, the same rows with answers out, in the same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.json_rows import read_json_lines
from whywire.news.rows import Row
from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import LONGEST_LINE, decode, open_bytes
from whywire.output import json_text, open_output

CHUNK = 20_000
"""Rows held at a time where each is answered on its own."""

FILE = Annotated[str, typer.Argument(help="A file of JSON lines, or `-` for standard input.")]


def file_path(value: str) -> Path:
    """The path of a file to write; `-` is standard output."""
    if not value:
        raise typer.BadParameter("the name is empty; name a file, or - for standard output")
    return Path(value)


def folder_path(value: str) -> Path:
    """The path of a folder to write."""
    if value in ("", STANDARD_OUTPUT):
        raise typer.BadParameter(f"{value!r} is no folder; name one, such as out (or . for the current one)")
    return Path(value)


STANDARD_OUTPUT = STANDARD_INPUT

OUT = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", parser=file_path, metavar="FILE", help="Write here instead of to standard output (`-`)."
    ),
]
FOLDER = Annotated[
    Path,
    typer.Option(
        "--out", "-o", parser=folder_path, metavar="FOLDER", help="The folder to write, made where it is missing."
    ),
]
LONGEST = Annotated[
    float,
    typer.Option(
        "--max-line",
        min=0.001,
        metavar="MB",
        help="The longest line taken, in millions of characters; a longer one is no row.",
    ),
]
LONGEST_MB = LONGEST_LINE / 10**6
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


def rows(file: str, plain: str | None = None, longest: int = LONGEST_LINE) -> Iterator[Row | Problem]:
    """The rows of a file, or of standard input, with their places; blank lines are skipped.

    Args:
        longest: characters a line may have.
        plain: the field that a line holds which is not a JSON object; ``None`` where that is an error.
    """
    if file != STANDARD_INPUT and not Path(file).exists():
        raise InputError("no such file", where=file)
    if file != STANDARD_INPUT and Path(file).is_dir():
        raise InputError("a folder, not a file of JSON lines", where=file)
    name = "standard input" if file == STANDARD_INPUT else file
    stream = sys.stdin.buffer if file == STANDARD_INPUT else open_bytes(Path(file))
    with stream:
        lines: Iterable[str] = decode(stream, longest)
        if plain:
            lines = map(partial(_json_line, plain), lines)  # unlike a generator it goes on after a line too long
        yield from read_json_lines(lines, name)


def _json_line(field: str, line: str) -> str:
    """The line, or an object with it in a field where it is none."""
    words = line.strip()
    return line if not words or words.startswith("{") else json.dumps({field: words}, ensure_ascii=False)


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
    if out is None or str(out) == STANDARD_OUTPUT:
        yield sys.stdout
        return
    with open_output(out) as target:
        yield target


def characters(megabytes: float) -> int:
    """The characters in so many millions."""
    return round(megabytes * 10**6)
