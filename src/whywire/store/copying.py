"""Backups: a store is copied into a file of SQLite, and from there into an empty store on either database.

A backup is itself a store, so one command checks it, and a store can move from SQLite to PostgreSQL and back.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import func, insert, select

from whywire.errors import InputError, OutputError
from whywire.store.database import Database
from whywire.store.schema import arrivals, articles, campaigns, events, head, metadata, rejected
from whywire.store.schema_versions import prepare

ROWS_AT_ONCE = 1000


def backup(source: Database, path: Path) -> None:
    """Copy a store into a new file of SQLite, which gets its name when it is complete."""
    if path.exists():
        raise InputError("a file of this name is there", where=str(path), hint="name another, or remove it")
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        if source.is_sqlite:
            _copy_file(source, partial)
            source.ensure_unchanged()
        else:
            target = Database(partial)
            try:
                prepare(target, create=True)
                _copy_rows(source, target)
            finally:
                target.close()
        os.link(partial, path)  # unlike a rename, it never replaces a file
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputError(f"cannot be written: {reason}", where=str(path)) from error
    finally:
        for name in (partial, partial.with_name(f"{partial.name}-wal"), partial.with_name(f"{partial.name}-shm")):
            with suppress(OSError):
                name.unlink(missing_ok=True)


def restore(path: Path, target: Database) -> None:
    """Copy a store of SQLite into an empty one, in one transaction."""
    source = Database(path, read_only=True)
    try:
        prepare(source, create=False)
        _copy_rows(source, target)
    finally:
        source.close()


def _copy_file(source: Database, target: Path) -> None:
    """Copy a database of SQLite that may be in use."""
    try:
        with closing(source.open_reader()) as reader, closing(sqlite3.connect(target)) as copy:
            reader.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, wherever it is moved
    except sqlite3.Error as error:
        raise OutputError(f"the copy failed: {error}", where=str(target)) from error


def _copy_rows(source: Database, target: Database) -> None:
    """Copy the rows of all tables, in the order of their foreign keys."""
    with source.reading() as reader, target.writing() as writer:
        for table in (articles, events, arrivals, campaigns):
            if writer.execute(select(func.count()).select_from(table)).scalar():
                raise InputError("the store is not empty", where=target.name, hint="restore into a new one")
        writer.execute(head.delete())
        for table in metadata.sorted_tables:
            rows = reader.execute(select(table).execution_options(yield_per=ROWS_AT_ONCE))
            for part in rows.mappings().partitions():
                writer.execute(insert(table), [dict(row) for row in part])
        if writer.dialect.name == "postgresql":  # otherwise it would number new rows from 1
            for table in (arrivals, rejected):
                following = select(func.coalesce(func.max(table.c.id), 0) + 1).scalar_subquery()
                sequence = func.pg_get_serial_sequence(table.name, "id")
                writer.execute(select(func.setval(sequence, following, False)))
