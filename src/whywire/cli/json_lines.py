"""JSON lines in, the same rows with answers out, in the same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from whywire.api.reading_rows import answer_usable
from whywire.cli.options import STANDARD_OUTPUT
from whywire.errors import InputError
from whywire.news import Problem
from whywire.news.row_files import read_json_lines
from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import LONGEST_LINE, decode, open_bytes
from whywire.output import json_text, open_output

if TYPE_CHECKING:
    from whywire.graph.codec import Row

BATCH = 20_000
"""Rows answered at a time."""

SLOW_BATCH = 16
"""Rows answered at a time if each takes seconds."""

T = TypeVar("T")


def answer_file(
    file: str,
    parse: Callable[[Row], T],
    answer: Callable[[list[T]], Sequence[Row | str]],
    out: Path | None,
    *,
    strict: bool,
    batch: int | None = BATCH,
    plain: str | None = None,
    longest_line: int = LONGEST_LINE,
) -> None:
    """Write every row of a file with the fields that answer it, or with an ``error`` that says what is wrong with it.

    Args:
        file: a file of JSON lines; ``-`` is standard input.
        parse: reads the question in a row; raises ``InputError`` if the row cannot be used.
        answer: returns for each question the fields to add, or why there is no answer.
        out: a file to write; ``None`` for standard output.
        strict: raise at the first row that cannot be used.
        batch: rows answered at a time; ``None`` for all.
        plain: the field that gets a line that is not a JSON object; ``None`` if such a line is an error.
        longest_line: the most characters that a line may have.

    Raises:
        InputError: there is no such file, or, with ``strict``, a row cannot be used.
    """
    rows = _read_rows(file, plain, longest_line)
    with open_out(out) as target:
        while read := list(islice(rows, batch)):
            usable = [row[1] for row in read if not isinstance(row, Problem)]
            answers = iter(answer_usable(usable, parse, answer))
            for row in read:
                added: Row | str
                if isinstance(row, Problem):
                    place, fields, added = row.place, {"row": row.row}, row.reason
                else:
                    (place, fields), added = row, next(answers)
                if isinstance(added, str):
                    if strict:
                        raise InputError(added, where=place, hint="without --strict the other rows are answered")
                    added = {"error": f"{place}: {added}"}
                target.write(json_text({**fields, **added}) + "\n")
            target.flush()


def _read_rows(file: str, plain: str | None, longest_line: int) -> Iterator[tuple[str, Row] | Problem]:
    """The places and objects of a file's rows; a row that is not an object is a problem; blank lines are skipped."""
    if file != STANDARD_INPUT and not Path(file).exists():
        raise InputError("no such file", where=file)
    if file != STANDARD_INPUT and Path(file).is_dir():
        raise InputError("a folder, not a file of JSON lines", where=file)
    name = "standard input" if file == STANDARD_INPUT else file
    with sys.stdin.buffer if file == STANDARD_INPUT else open_bytes(Path(file)) as stream:
        lines: Iterable[str] = decode(stream, longest_line)
        if plain:
            lines = map(partial(_json_line, plain), lines)  # unlike a generator, map goes on after an error
        for row in read_json_lines(lines, name):
            if isinstance(row, Problem):
                yield row
            elif isinstance(row.value, dict):
                yield row.place, row.value
            else:
                yield Problem(row.place, "a row must be a JSON object", row=row.value)


def _json_line(field: str, line: str) -> str:
    """A blank line or an object as it is; any other line as an object that has it in the field."""
    words = line.strip()
    return line if not words or words.startswith("{") else json.dumps({field: words}, ensure_ascii=False)


def write_rows(rows: Iterable[Mapping[str, object]], target: TextIO | None = None) -> None:
    """Write JSON lines, by default to standard output."""
    (target or sys.stdout).writelines(f"{json_text(row)}\n" for row in rows)


@contextmanager
def open_out(out: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that gets its name when it is complete."""
    if out is None or str(out) == STANDARD_OUTPUT:
        yield sys.stdout
        return
    with open_output(out) as target:
        yield target
