"""Typed reading of the fields of a JSON row; a field of another type raises ``ValueError`` with its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from whywire.news.article import Span
from whywire.news.article_rows import MAX_TEXT_CHARS

Row = dict[str, Any]
T = TypeVar("T")


def as_row(value: object) -> Row:
    """Return a value that must be a JSON object."""
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def text(row: Mapping[str, object], name: str) -> str:
    """Return a string."""
    return _typed(row, name, str, "string")


def rows(row: Mapping[str, object], name: str) -> list[Row]:
    """Return a list of objects."""
    return [as_row(one) for one in _typed(row, name, list, "list")]


def texts(row: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Return a list of strings."""
    values = _typed(row, name, list, "list")
    if not all(isinstance(one, str) for one in values):
        raise ValueError(f"{name!r} is not a list of strings")
    return tuple(values)


def number(row: Mapping[str, object], name: str, highest: int) -> float:
    """Return a number from 0 to ``highest``."""
    value = row.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= highest:
        raise ValueError(f"{name!r} is no number from 0 to {highest}")
    return float(value)


def index(row: Mapping[str, object], name: str) -> int:
    """Return an index into a list; 0 if the field is missing."""
    value = row.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name!r} is not an index of a list: {value!r}")
    return value


def span(row: Mapping[str, object], name: str) -> Span:
    """Return a pair of half-open character offsets."""
    return _as_span(row.get(name), name)


def spans(row: Mapping[str, object], name: str) -> tuple[Span, ...]:
    """Return a list of pairs of half-open character offsets."""
    return tuple(_as_span(value, name) for value in _typed(row, name, list, "list"))


def optional(read: Callable[[Mapping[str, object], str], T], row: Mapping[str, object], name: str) -> T | None:
    """Return what ``read`` returns for a field, or ``None`` if the field is missing or null."""
    return None if row.get(name) is None else read(row, name)


def _typed(row: Mapping[str, object], name: str, kind: type[T], kind_name: str) -> T:
    if name not in row:
        raise ValueError(f"there is no {name!r}")
    value = row[name]
    if not isinstance(value, kind):
        raise ValueError(f"{name!r} is not a {kind_name}")
    return value


def _as_span(value: object, name: str) -> Span:
    match value:
        case [int(start), int(end)] if bool not in (type(start), type(end)) and 0 <= start <= end <= MAX_TEXT_CHARS:
            return start, end
    raise ValueError(f"{name!r} is no range of characters within an article: {value!r}")
