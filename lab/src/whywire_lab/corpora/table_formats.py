"""Reads tables whose format (CSV or JSON) and column names differ between releases; their values are checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from whywire.errors import InputError
from whywire_lab.corpora.csv_tables import csv_table

SUFFIXES = frozenset({".csv", ".json", ".jsonl"})

Row = Mapping[str, Any]
"""A row: values by the letters and digits of the columns' names, in lower case."""


def table_rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Each row of CSV, a JSON list, an object a line, or a JSON object of columns (as pandas writes it).

    Returns:
        Rows with their places; they are counted from 1, whatever the form of the file.

    Raises:
        InputError: the file is missing or broken, or a row has no names.
    """
    if not path.is_file():
        raise InputError("no such file", where=str(path))
    try:
        rows: Iterable[Any] = csv_table(path, ()) if path.suffix.lower() == ".csv" else _json_rows(path)
        for number, row in enumerate(rows, 1):
            place = f"{path}, row {number}"
            if not isinstance(row, dict):
                raise InputError(f"a row must be an object with names, not {str(row)[:40]!r}", where=place)
            yield place, by_letters(row)
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", where=str(path)) from error


def by_letters(row: Mapping[Any, Any]) -> Row:
    """A row with the values by the letters and digits of their names, in lower case."""
    return {_letters(str(name)): value for name, value in row.items()}


def value_of(row: Row, names: Iterable[str], sides: Sequence[str] = ("",)) -> Any:
    """The first value under one of the names that is not blank, or ``None``.

    Args:
        names: with the words separated: ``event_id``.
        sides: what must stand before, between or after the words: for ``a`` the name above becomes ``a_event_id``,
            ``event_a_id`` or ``event_id_a``.
    """
    for name in names:
        words = name.split("_")
        for side in sides:
            for place in range(len(words) + 1):
                value = row.get("".join([*words[:place], side, *words[place:]]))
                if not is_blank(value):
                    return value
    return None


def is_blank(value: Any) -> bool:
    """Whether a value stands for a missing one: ``None``, white space, or not-a-number."""
    return value is None or value != value or (isinstance(value, str) and not value.strip())


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def _json_rows(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8-sig").strip()
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        if text.startswith("["):
            raise _broken(path, error, error.lineno) from error
        return list(_lines(path, text))
    if isinstance(whole, dict) and all(isinstance(column, dict) for column in whole.values()):
        places = dict.fromkeys(place for column in whole.values() for place in column)
        return [{name: column.get(place) for name, column in whole.items()} for place in places]
    return whole if isinstance(whole, list) else [whole]


def _lines(path: Path, text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise _broken(path, error, number) from error


def _broken(path: Path, error: json.JSONDecodeError, line: int) -> InputError:
    return InputError(f"broken JSON: {error.msg} at column {error.colno}", where=f"{path}:{line}")
