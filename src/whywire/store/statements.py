"""Statements that both databases understand: bulk upserts, and sets of ids in parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, Select, Table, bindparam, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import Executable

from whywire.graph.codec import Row

LARGEST_SET = 2000
"""The most values in one ``IN`` list: the databases allow some ten thousand."""


def upsert(connection: Connection, table: Table, rows: Sequence[Row], *, key: Column[Any] | None = None) -> None:
    """Insert rows; a row replaces the one with its key.

    Args:
        key: a unique column; the primary key by default.
    """
    if rows:
        keys = tuple(table.primary_key) if key is None else (key,)
        connection.execute(_upsert(table, connection.dialect.name, keys), rows)


def insert_missing(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert the rows whose primary key is not in the table."""
    if rows:
        connection.execute(_upsert(table, connection.dialect.name, tuple(table.primary_key), replaces=False), rows)


def among(column: Column[Any], values: Collection[Any]) -> Iterator[Any]:
    """Yield conditions that a column has one of these values, each on a part of the values."""
    return (column.in_(part) for part in in_parts(values))


def rows_among(
    connection: Connection, statement: Select[Any], column: Column[Any], values: Collection[Any]
) -> Iterator[Any]:
    """Yield the rows of a statement whose column has one of these values."""
    for part in among(column, values):
        yield from connection.execute(statement.where(part)).all()  # row by row is slower


def delete_among(connection: Connection, column: Column[Any], values: Collection[Any]) -> None:
    """Delete the rows of the column's table in which it has one of these values."""
    for part in among(column, values):
        connection.execute(delete(column.table).where(part))


def in_parts(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield the values in lists of at most ``LARGEST_SET``."""
    listed = list(values)
    return (listed[start : start + LARGEST_SET] for start in range(0, len(listed), LARGEST_SET))


def replace_rows(
    connection: Connection, table: Table, owner: Column[Any], owners: Collection[str], rows: list[Row]
) -> None:
    """Replace all rows of some owners; rows that stay the same are not rewritten.

    Args:
        owner: the column with the owner of a row.
        rows: with a hashable value for each column.
    """
    names, keys = [column.name for column in table.columns], [column.name for column in table.primary_key]
    there = {tuple(row) for row in rows_among(connection, select(table), owner, owners)}
    wanted = {tuple(row[name] for name in names): row for row in rows}
    kept_keys = {tuple(row[name] for name in keys) for row in rows}
    places = [names.index(name) for name in keys]
    gone = {key for row in there - wanted.keys() if (key := tuple(row[place] for place in places)) not in kept_keys}
    if gone:
        connection.execute(_delete(table), [dict(zip(_key_names(table), key, strict=True)) for key in sorted(gone)])
    upsert(connection, table, [row for values, row in wanted.items() if values not in there])


@cache
def _upsert(table: Table, dialect: str, keys: tuple[Column[Any], ...], *, replaces: bool = True) -> Executable:
    insert = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(table)
    fixed = {*table.primary_key, *keys}
    values = {column.name: insert.excluded[column.name] for column in table.columns if column not in fixed}
    if replaces and values:
        return insert.on_conflict_do_update(index_elements=keys, set_=values)
    return insert.on_conflict_do_nothing(index_elements=keys)


@cache
def _delete(table: Table) -> Executable:
    statement = delete(table)
    for column, name in zip(table.primary_key, _key_names(table), strict=True):
        statement = statement.where(column == bindparam(name))
    return statement


def _key_names(table: Table) -> list[str]:
    return [f"key_{column.name}" for column in table.primary_key]
