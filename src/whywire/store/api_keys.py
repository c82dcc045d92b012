"""Keys of the service, kept in a store."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from whywire.graph.codec import Row
from whywire.store.records import ApiKey
from whywire.store.rows import micros, moment
from whywire.store.schema import api_keys


def add(connection: Connection, key: ApiKey) -> None:
    """Add a key."""
    connection.execute(api_keys.insert(), [_row(key)])


def all_keys(connection: Connection) -> list[ApiKey]:
    """All keys, the oldest first."""
    rows = connection.execute(select(api_keys).order_by(api_keys.c.made, api_keys.c.id))
    return [*map(_key, rows)]


def find(connection: Connection, prefix: str) -> ApiKey | None:
    """The key with this prefix; ``None`` if there is none."""
    row = connection.execute(select(api_keys).where(api_keys.c.prefix == prefix)).first()
    return None if row is None else _key(row)


def revoke(connection: Connection, id: str, at: datetime) -> bool:  # noqa: A002
    """Revoke a key; return whether it was in force."""
    in_force = update(api_keys).where(api_keys.c.id == id, api_keys.c.revoked.is_(None))
    return bool(connection.execute(in_force.values(revoked=micros(at))).rowcount)


def use(connection: Connection, id: str, at: datetime) -> None:  # noqa: A002
    """Record that a key was used at a time."""
    connection.execute(update(api_keys).where(api_keys.c.id == id).values(last_used=micros(at)))


def _row(key: ApiKey) -> Row:
    return {
        "id": key.id,
        "name": key.name,
        "prefix": key.prefix,
        "hash": key.hash,
        "scopes": key.scopes,
        "made": micros(key.made),
        "revoked": key.revoked and micros(key.revoked),
        "last_used": key.last_used and micros(key.last_used),
    }


def _key(row: Any) -> ApiKey:
    revoked, last_used = (None if at is None else moment(at) for at in (row.revoked, row.last_used))
    return ApiKey(row.id, row.name, row.prefix, row.hash, tuple(row.scopes), moment(row.made), revoked, last_used)
