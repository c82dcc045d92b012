"""Reads the history: all of it in order, or what happened to one event."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, select

from whywire.store import schema
from whywire.store.records import RecordedChange
from whywire.store.rows import change_of, micros
from whywire.store.statements import among
from whywire.updating import ChangeKind

_OF_ARTICLES = tuple(kind for kind in ChangeKind if kind.value.startswith("article "))
_ENDS = (ChangeKind.EVENT_MERGED, ChangeKind.EVENT_SPLIT)


def change_list(
    connection: Connection, *, after: int, limit: int, since: datetime | None, event: str | None
) -> list[RecordedChange]:
    """Changes in the order in which they were recorded: all, or those of an event."""
    table = schema.changes
    begin = table.c.id > after
    if since is not None:  # times never fall, so the first change since then says where to begin
        late = select(table.c.id).where(table.c.at >= micros(since)).order_by(table.c.at, table.c.id).limit(1)
        first = connection.execute(late).scalar()
        if first is None:
            return []
        begin = and_(begin, table.c.id >= first)
    if event is None:
        return list(map(change_of, connection.execute(select(table).where(begin).order_by(table.c.id).limit(limit))))
    rows = _of_event(connection, event, begin, table.c.id, limit)
    return [change_of(rows[number]) for number in sorted(rows)[:limit]]


def history_of(connection: Connection, event: str, *, limit: int) -> list[RecordedChange]:
    """The latest changes of an event, the last first."""
    rows = _of_event(connection, event, None, schema.changes.c.id.desc(), limit)
    return [change_of(rows[number]) for number in sorted(rows, reverse=True)[:limit]]


def _of_event(
    connection: Connection, event: str, begin: ColumnElement[bool] | None, order: Any, limit: int
) -> dict[int, Any]:
    """Rows of changes of an event by their numbers; of each way in which it may be named, so many as are asked for.

    Each way is a statement of its own, which one index answers.
    """
    table = schema.changes
    found = select(table).order_by(order).limit(limit)
    if begin is not None:
        found = found.where(begin)
    return {row.id: row for named in _named(connection, event) for row in connection.execute(found.where(named))}


def _named(connection: Connection, event: str) -> Iterator[ColumnElement[bool]]:
    """The ways in which a change may name an event.

    What happened to it, its links, articles it lost, and what was merged into it.
    """
    table, ended = schema.changes, schema.successors
    yield and_(table.c.subject == event, table.c.kind.not_in(_OF_ARTICLES))
    yield table.c.object == event
    gone = connection.execute(select(ended.c.event).where(ended.c.into == event)).scalars().all()
    for part in among(table.c.subject, gone):
        yield and_(part, table.c.kind.in_(_ENDS))
