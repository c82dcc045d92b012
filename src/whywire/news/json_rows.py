"""Rows of JSON: one value a line (JSON Lines), or a file that holds one list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Never, TextIO

from whywire.errors import InputError
from whywire.news.problems import Problem
from whywire.news.rows import Row
from whywire.news.text_files import printable, undecodable

_EXCERPT_CHARS = 1000
"""How much of a broken value is shown where its end cannot be known."""

_VALUE_BEGIN = re.compile(r"[^\s,]")


def read_json_lines(stream: Iterable[str], name: str) -> Iterator[Row | Problem]:
    """Read one JSON value a line; blank lines are skipped, and a broken line spoils only itself."""
    for number, line in enumerate(stream, 1):
        if not (text := line.strip()):
            continue
        try:
            value, end = _value_at(text, 0, name, number)
            if end < len(text):
                raise InputError(f"broken JSON: more after the value, at column {end + 1}")
        except InputError as error:
            yield Problem(f"{name}:{number}", error.message, row=printable(text))
        else:
            yield Row(f"{name}:{number}", value)


def read_json(stream: TextIO, name: str) -> Iterator[Row | Problem]:
    """Read a file that holds one list of JSON values, one value, or a value a line after all.

    Nothing is read after damage inside a list, since where its next value begins cannot be known.
    """
    text = stream.read()
    at = _next_value(text, 0)
    if text.startswith("[", at):
        yield from _values_of_list(text, at + 1, name)
        return
    try:
        value, end = _value_at(text, at, name, 1)
    except InputError:
        end = at
    if at < end == len(text.rstrip()):
        yield Row(f"{name}:1", value)
    else:
        yield from read_json_lines(StringIO(text), name)


def _values_of_list(text: str, at: int, name: str) -> Iterator[Row | Problem]:
    counted, line = 0, 1
    while (at := _next_value(text, at)) < len(text) and text[at] != "]":
        line, counted = line + text.count("\n", counted, at), at
        try:
            value, at = _value_at(text, at, name, line)
        except InputError as error:
            excerpt = printable(text[at : at + _EXCERPT_CHARS])
            yield Problem(error.where or name, f"{error.message} (the rest of the list is not read)", row=excerpt)
            return
        yield Row(f"{name}:{line}", value)
    if at == len(text):
        yield Problem(f"{name}:{line}", "the list has no closing bracket: the file seems to be cut short")
    elif text[at + 1 :].strip():
        yield Problem(f"{name}:{line}", "what follows the list was not read")


def _next_value(text: str, at: int) -> int:
    """Skip whitespace and commas."""
    found = _VALUE_BEGIN.search(text, at)
    return found.start() if found else len(text)


def _value_at(text: str, at: int, name: str, line: int) -> tuple[object, int]:
    """Read the JSON value at an offset, on a line; return it and where it ends."""
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
        raise InputError("JSON nested too deeply", where=where) from error
    if bad := undecodable(text[at:end]):
        raise InputError(bad, where=where)
    return value, end


def _refuse_constant(constant: str) -> Never:
    raise ValueError(f"{constant} is no JSON number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
