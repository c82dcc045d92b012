"""Cursors: where the next page of a list begins.

They hold a place in the order of the list, not a number, so pages do not shift while news arrives.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

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
    """A cursor of the values of the last item."""
    return base64.urlsafe_b64encode(json.dumps(values, separators=(",", ":")).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, size: int) -> list[Any]:
    """The values of a cursor.

    Raises:
        InputError: it is not one of this list.
    """
    try:
        values = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError) as error:
        raise _unknown(cursor) from error
    if not isinstance(values, list) or len(values) != size:
        raise _unknown(cursor)
    if not all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in values):
        raise _unknown(cursor)
    return values


def page_of(
    connection: Connection,
    found: Select[Any],
    keys: Sequence[Key],
    *,
    after: str | None,
    limit: int,
    make: Callable[[list[Any]], list[T]],
) -> Page[T]:
    """A page of a list.

    Args:
        found: what the list is made of; its rows have a column for each key.
        keys: what it is sorted by; together they are unique.
        after: the cursor of the page before.
        make: the items of rows, one each.
    """
    size = max(1, min(limit, MAX_PAGE))
    if after is not None:
        found = found.where(_beyond(keys, decode_cursor(after, len(keys)), after))
    found = found.order_by(*(column.desc() if falls else column for column, falls in keys)).limit(size + 1)
    rows = list(connection.execute(found))
    more = rows[size - 1] if len(rows) > size else None
    cursor = None if more is None else encode_cursor([getattr(more, str(column.key)) for column, _ in keys])
    return Page(make(rows[:size]), cursor)


def latest_page(
    connection: Connection,
    found: Select[Any],
    time: Column[Any],
    name: Column[Any],
    *,
    earlier: Column[Any] | None = None,
    until: int,
    after: str | None,
    limit: int,
    make: Callable[[list[Any]], list[T]],
) -> Page[T]:
    """A page of a list of what has a time, latest first; a time to come is a mistake, and puts nothing at its head.

    An item with such a time stands where its earlier time puts it; without one, among those whose time is unknown.
    Few are expected: only they are sorted, the index on the time serves all others.

    Args:
        found: what the list is made of.
        time: what it is sorted by, ``NO_TIME`` where that is unknown.
        name: what tells items of one time apart.
        earlier: another time of each item, not after the first.
        until: the latest time that is believed.
        after, limit, make: as for :func:`page_of`.
    """
    unknown = literal(NO_TIME, BigInteger)
    instead = unknown if earlier is None else case((earlier <= until, earlier), else_=unknown)
    size = max(1, min(limit, MAX_PAGE))
    parts = []
    for part, at in ((found.where(time <= until), time), (found.where(time > until), instead)):
        if after is not None:
            part = part.where(_beyond([(at, True), (name, True)], decode_cursor(after, 2), after))
        part = part.add_columns(at.label("place")).order_by(at.desc(), name.desc()).limit(size + 1)
        parts.append(select(part.subquery()))
    both = union_all(*parts).subquery()
    in_order = select(both).order_by(both.c.place.desc(), both.c[name.key].desc()).limit(size + 1)
    rows = list(connection.execute(in_order))
    more = rows[size - 1] if len(rows) > size else None
    cursor = None if more is None else encode_cursor([more.place, getattr(more, str(name.key))])
    return Page(make(rows[:size]), cursor)


def _beyond(keys: Sequence[Key], values: Sequence[Any], cursor: str) -> ColumnElement[bool]:
    """That a row comes after these values: on the first column with an index range, then exactly."""
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
