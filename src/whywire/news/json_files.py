"""Rows of JSON: one value a line (JSON Lines), or a file that holds one list."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Never

from whywire.errors import InputError
from whywire.news.article_rows import SourceRow
from whywire.news.problems import Problem
from whywire.news.text_files import BoundedText, LineTooLongError, printable, undecodable

_EXCERPT_CHARS = 1000
"""How much of a broken value is shown where its end cannot be known."""

_READ_AT_ONCE = 2**20
"""Characters of a list that are read at a time."""

DEEPEST = 100
"""How deep lists and objects may lie in one another: far deeper than any row, and shallow enough for every writer."""

_VALUE_BEGIN = re.compile(r"[^\s,]")


def read_json_lines(stream: Iterable[str], name: str) -> Iterator[SourceRow | Problem]:
    """Read one JSON value a line; blank lines are skipped, and a broken line spoils only itself."""
    for number, line in enumerate(_lines(stream), 1):
        if isinstance(line, LineTooLongError):
            yield Problem(f"{name}:{number}", line.message, row=line.begin)
            continue
        if not (text := line.strip()):
            continue
        try:
            value, end = _value_at(text, 0, name, number)
            if end < len(text):
                raise InputError(f"broken JSON: more after the value, at column {end + 1}")
        except InputError as error:
            yield Problem(f"{name}:{number}", error.message, row=printable(text))
        else:
            yield SourceRow(f"{name}:{number}", value)


def _lines(stream: Iterable[str]) -> Iterator[str | LineTooLongError]:
    """The lines, and in the place of one that is too long what is wrong with it."""
    lines = iter(stream)
    while True:
        try:
            yield next(lines)
        except StopIteration:
            return
        except LineTooLongError as error:
            yield error


def read_json(stream: BoundedText, name: str) -> Iterator[SourceRow | Problem]:
    """Read a file that holds one list of JSON values, one value, or a value a line after all.

    Values of a list are read one after the other, each as long as a line may be. Nothing is read after damage inside
    a list, since where its next value begins cannot be known.
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
    """The values of a list that has begun.

    Args:
        text: what was read of the stream so far.
        at: where in it the list's first value is looked for.
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
        if problem or end == len(text):  # what is read may end inside of a value, of a number as well
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
        raise InputError(_TOO_DEEP, where=where) from error
    if bad := undecodable(text[at:end]):
        raise InputError(bad, where=where)
    if text.count("[", at, end) + text.count("{", at, end) > DEEPEST and _is_deep(value):
        raise InputError(_TOO_DEEP, where=where)
    return value, end


def _is_deep(value: object) -> bool:
    """Whether lists and objects lie deeper in one another than ``DEEPEST``."""
    level: list[object] = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for one in level for inner in _parts(one)]
    return bool(level)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:40]} is too large for a number")
    return number


def _refuse_constant(constant: str) -> Never:
    raise ValueError(f"{constant} is no JSON number")


_TOO_DEEP = "JSON nested too deeply"
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
