"""Opening of a database: addresses, connections and transactions; what goes wrong becomes an error for people."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from whywire.errors import InputError, MissingExtraError, OutputError, WhywireError
from whywire.store.records import StoreAwayError

BUSY_SECONDS = 30
"""How long a writer waits for another one on SQLite."""

CONNECT_SECONDS = 10
"""How long PostgreSQL may take to answer."""

CHECKPOINT_PAGES = 16_384
"""Pages of 4 kB that SQLite's log may hold before whoever commits must copy them into the file, which takes a second
or so. :meth:`Database.tidy` does it sooner, at a quiet moment."""

SQLITE, POSTGRESQL = "sqlite", "postgresql"

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # what was accepted survives a loss of power, not only the death of a process
    "PRAGMA foreign_keys = ON",
    f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}",
    "PRAGMA cache_size = -65536",
    "PRAGMA temp_store = MEMORY",
    f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}",
)


class Database:
    """A database with its transactions.

    Args:
        url: a path of a SQLite file, ``sqlite:///…`` or ``postgresql://…``.
        create: make the file of SQLite where it is missing.

    Raises:
        InputError: the url is of no kind that is known, or there is no such file.
        MissingExtraError: psycopg is not installed.
    """

    def __init__(self, url: str | Path, *, create: bool = True) -> None:
        self.url = _parsed(url)
        self.name = self.url.render_as_string(hide_password=True)
        self.is_sqlite = self.url.get_backend_name() == SQLITE
        if self.is_sqlite:
            self._check_file(create)
        self.engine = self._engine()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads one snapshot."""
        with self._errors(), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes; on SQLite there is one at a time."""
        with self._errors(), self._writers.begin() as connection:
            yield connection

    def tidy(self) -> None:
        """Copy the log of SQLite into its file, as far as nobody reads an older state; nothing waits for it."""
        if self.is_sqlite:
            with self._errors(), closing(self.engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")  # not inside a transaction

    def _engine(self) -> Engine:
        options: dict[str, Any] = {
            "json_serializer": _json,
            "connect_args": {"timeout": BUSY_SECONDS} if self.is_sqlite else {"connect_timeout": CONNECT_SECONDS},
        }
        try:
            engine = create_engine(self.url, **options)
        except ModuleNotFoundError as missing:
            raise MissingExtraError("psycopg", "postgres") from missing
        if self.is_sqlite:
            event.listen(engine, "connect", _prepare)
            event.listen(engine, "begin", _begin)
            self._readers, self._writers = engine, engine.execution_options(writes=True)
        else:
            self._readers = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            self._writers = engine.execution_options(isolation_level="READ COMMITTED")
        return engine

    def _check_file(self, create: bool) -> None:
        if self.url.database in (None, "", ":memory:"):
            raise InputError("a store needs a file", where=self.name, hint="such as sqlite:///news.db")
        path = self.path
        if path.is_dir():
            raise InputError("a folder, not a database file", where=str(path), hint=f"such as {path / 'news.db'}")
        if not path.exists():
            if not create:
                raise InputError("there is no store", where=str(path), hint="`whywire update` makes one")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise OutputError(f"cannot be written: {reason}", where=str(path.parent)) from error

    @property
    def path(self) -> Path:
        """The file of SQLite."""
        return Path(self.url.database or "")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._error(error) from error

    def _error(self, error: DBAPIError) -> WhywireError | DBAPIError:
        """The error for people in place of one of the database's driver; the same one where there is none."""
        reason = " ".join(str(error.orig).split())
        if self.is_sqlite:
            return self._sqlite_error(error, reason)
        if error.connection_invalidated or error.statement is None:
            return StoreAwayError(
                f"the database cannot be reached: {reason}",
                where=self.name,
                hint="is the server running, and are name, user and password right?",
            )
        state = getattr(error.orig, "sqlstate", None) or ""
        if state.startswith("53"):  # insufficient resources: disk full, out of memory, too many connections
            return OutputError(
                f"the database has no room left: {reason}", where=self.name, hint="nothing was changed"
            )
        if state in ("42501", "25006"):  # insufficient privilege, read-only transaction
            return OutputError(f"cannot be written: {reason}", where=self.name, hint="grant the user what it needs")
        return error

    def _sqlite_error(self, error: DBAPIError, reason: str) -> WhywireError | DBAPIError:
        code = getattr(error.orig, "sqlite_errorcode", None)
        where = str(self.path)
        match None if code is None else code & 0xFF:
            case sqlite3.SQLITE_NOTADB:
                return InputError("not a store", where=where, hint="name a file that `whywire update` made")
            case sqlite3.SQLITE_CORRUPT:
                return InputError(f"the store is damaged: {reason}", where=where, hint="restore a backup")
            case sqlite3.SQLITE_FULL:
                return OutputError("no space is left on the disk", where=where, hint="nothing was changed")
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
                return OutputError(f"cannot be opened for writing: {reason}", where=where, hint="check who owns it")
            case sqlite3.SQLITE_BUSY:
                hint = "another process writes for long; try again"
                return OutputError(f"locked for more than {BUSY_SECONDS} seconds", where=where, hint=hint)
            case sqlite3.SQLITE_IOERR:
                return OutputError(f"the disk failed: {reason}", where=where, hint="look at the disk")
        return error


def _parsed(url: str | Path) -> URL:
    if isinstance(url, Path) or "://" not in url:
        if not str(url).strip():
            raise InputError("the address of the store is empty", hint="such as news.db or postgresql://host/news")
        return URL.create(SQLITE, database=str(url))
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise _unknown(url) from error
    if backend == SQLITE:
        return parsed
    if backend in (POSTGRESQL, "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    raise _unknown(url)


def _unknown(url: str) -> InputError:
    kind = url.split("://", 1)[0]  # the rest may hold a password
    return InputError(
        f"not an address of a store: {kind}://…", hint="such as news.db, sqlite:///news.db or postgresql://host/news"
    )


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair becomes its escape


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions are begun below
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
