"""Cursors: where the next page of a list begins.

A cursor holds the sort key of the last item, not a count, so pages do not shift while news arrives.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    literal,
    or_,
    select,
    union_all,
)

from whywire.errors import InputError
from whywire.store.records import Page
from whywire.store.schema import NO_TIME

T = TypeVar("T")

MAX_PAGE = 1000
"""The most items of a page."""

Key = tuple[ColumnElement[Any], bool]
"""A column that a list is sorted by, and whether in descending order."""


def encode_cursor(values: Sequence[object]) -> str:
    """Return a cursor of the values that the last item of a page is sorted by."""
    return base64.urlsafe_b64encode(msgspec.json.encode(values)).decode().rstrip("=")


def decode_cursor(cursor: str, size: int) -> list[Any]:
    """Return the values of a cursor.

    Raises:
        InputError: it is not a cursor of this list.
    """
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        values = msgspec.json.decode(text, type=list[str | int | float])
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise _unknown(cursor) from error
    if len(values) != size:
        raise _unknown(cursor)
    return values


def page_of(
    connection: Connection,
    statement: Select[Any],
    keys: Sequence[Key],
    *,
    after: str | None,
    limit: int,
    make: Callable[[list[Any]], list[T]],
) -> Page[T]:
    """Return a page of a list.

    Args:
        statement: selects the rows of the list; they have a column for each key.
        keys: what the list is sorted by; together they are unique.
        after: the cursor of the page before.
        make: turns rows into items.
    """
    size = max(1, min(limit, MAX_PAGE))
    if after is not None:
        statement = statement.where(_after(keys, decode_cursor(after, len(keys)), after))
    statement = statement.order_by(*(column.desc() if falls else column for column, falls in keys)).limit(size + 1)
    return _page(connection, statement, [str(column.key) for column, _ in keys], size, make)


def latest_page(
    connection: Connection,
    statement: Select[Any],
    time: Column[Any],
    name: Column[Any],
    *,
    earlier: Column[Any] | None = None,
    until: int,
    after: str | None,
    limit: int,
    make: Callable[[list[Any]], list[T]],
) -> Page[T]:
    """Return a page of a list that is sorted by time, latest first.

    A time in the future is a mistake and must not put an item at the head of the list. Such an item is placed by its
    earlier time or, without one, among the items without a time. These few items are sorted; the others come in the
    order of the index.

    Args:
        statement: selects the rows of the list.
        time: what the list is sorted by, ``NO_TIME`` where it is unknown.
        name: the second key, which is unique.
        earlier: another time of each item, not after ``time``.
        until: the latest plausible time, in microseconds since 1970.
        after, limit, make: as for :func:`page_of`.
    """
    unknown = literal(NO_TIME, BigInteger)
    instead = unknown if earlier is None else case((earlier <= until, earlier), else_=unknown)
    size = max(1, min(limit, MAX_PAGE))
    parts = []
    for part, at in ((statement.where(time <= until), time), (statement.where(time > until), instead)):
        if after is not None:
            part = part.where(_after([(at, True), (name, True)], decode_cursor(after, 2), after))
        part = part.add_columns(at.label("place")).order_by(at.desc(), name.desc()).limit(size + 1)
        parts.append(select(part.subquery()))
    both = union_all(*parts).subquery()
    in_order = select(both).order_by(both.c.place.desc(), both.c[name.key].desc()).limit(size + 1)
    return _page(connection, in_order, ["place", str(name.key)], size, make)


def _page(
    connection: Connection, statement: Select[Any], names: list[str], size: int, make: Callable[[list[Any]], list[T]]
) -> Page[T]:
    """Return the first ``size`` rows, and, if there are more, a cursor of the columns of these names."""
    rows = list(connection.execute(statement))
    cursor = encode_cursor([getattr(rows[size - 1], name) for name in names]) if len(rows) > size else None
    return Page(make(rows[:size]), cursor)


def _after(keys: Sequence[Key], values: Sequence[Any], cursor: str) -> ColumnElement[bool]:
    """The condition that a row comes after these values: a range of the first column's index, then exactly."""
    for (column, _), value in zip(keys, values, strict=True):
        if isinstance(value, str) != (column.type.python_type is str):
            raise _unknown(cursor)
    first, falls = keys[0]
    in_range = first <= values[0] if falls else first >= values[0]
    exactly = or_(
        *(
            and_(
                *(column == value for (column, _), value in zip(keys[:place], values[:place], strict=True)),
                keys[place][0] < values[place] if keys[place][1] else keys[place][0] > values[place],
            )
            for place in range(len(keys))
        )
    )
    return and_(in_range, exactly)


def _unknown(cursor: str) -> InputError:
    return InputError(f"not a cursor of this list: {cursor[:40]!r}", hint="take `next` of the page before")
