"""Databases: addresses, connections and transactions; errors of the driver become errors for people."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from whywire.errors import InputError, MissingExtraError, OutputError, WhywireError
from whywire.store.records import StoreAwayError

BUSY_SECONDS = 30
"""How long a writer of SQLite waits for another writer."""

CONNECT_SECONDS = 10
"""How long PostgreSQL may take to accept a connection."""

CHECKPOINT_PAGES = 16_384
"""A commit copies SQLite's log into the file if the log has this many pages of 4 kB; this takes about a second.
:meth:`Database.tidy` copies the log earlier, at a quiet moment."""

SQLITE, POSTGRESQL = "sqlite", "postgresql"

_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}",
    "PRAGMA cache_size = -65536",
    "PRAGMA temp_store = MEMORY",
)
_WRITERS_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # what was accepted survives a loss of power, not only the death of a process
    f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}",
)

_NOT_DONE = "this step changed nothing; make room, and do it again"

_UNWRITABLE = "check who owns it and its folder; commands that only read need not write there"

_LOGS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database in use, or after its process died."""


class Database:
    """A database with its transactions.

    A file of SQLite that is opened for reading is not changed, so it may be on a read-only disk. If no other process
    uses the file, it is read without locks, and it is an error if it changes meanwhile.

    Args:
        url: a path of a SQLite file, ``sqlite:///…`` or ``postgresql://…``.
        create: make the file of SQLite where it is missing.
        read_only: only :meth:`reading` is used; no file is made.

    Raises:
        InputError: the url is of an unknown kind, or there is no such file.
        MissingExtraError: psycopg is not installed.
    """

    def __init__(self, url: str | Path, *, create: bool = True, read_only: bool = False) -> None:
        self.url = _parsed(url)
        self.name = self.url.render_as_string(hide_password=True)
        self.is_sqlite = self.url.get_backend_name() == SQLITE
        self.read_only = read_only
        self._create = create and not read_only
        self._file: tuple[int, int] | None = None
        self._untouched: tuple[int, int] | None = None
        self._damage = ""
        if self.is_sqlite:
            self._check_file()
        self.engine = self._engine()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads; it sees one snapshot."""
        with self._errors(), self._readers.begin() as connection:
            yield connection
        self.ensure_unchanged()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes; on SQLite there is one at a time.

        Raises:
            StoreAwayError: the file of the database is no longer at its path, or is damaged, so that what is written
                could be lost.
        """
        self.ensure_sound()
        with self._errors(), self._writers.begin() as connection:
            yield connection
        self.ensure_sound()  # otherwise a write to a removed file would seem to succeed

    @contextmanager
    def turn(self, key: int, wait: Callable[[], object]) -> Iterator[None]:
        """Hold an advisory lock of PostgreSQL, which ends with its connection; SQLite has none.

        Args:
            wait: called until the lock is free; an exception that it raises ends the waiting.
        """
        if self.is_sqlite:
            yield
            return
        with self._errors(), self.engine.connect() as connection:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            taking = text("SELECT pg_try_advisory_lock(:key)").bindparams(key=key)
            while not connection.execute(taking).scalar():
                wait()
            try:
                yield
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:key)").bindparams(key=key))

    def ensure_sound(self) -> None:
        """Check that a file of SQLite is still the one that was opened, and that no damage was found in it.

        Raises:
            StoreAwayError: the file was removed or replaced, or is damaged.
        """
        if self._damage:
            raise StoreAwayError(f"the store is damaged: {self._damage}", where=self.name, hint="restore a backup")
        if self._file is None:
            return
        current = _identity(self.path)
        if current != self._file:
            what = "another file is in the place of the store" if current else "the file of the store was removed"
            raise StoreAwayError(what, where=str(self.path), hint="put it back, or start what uses it again")

    def tidy(self) -> None:
        """Copy the log of SQLite into its file, as far as no reader needs an older state, without blocking anyone."""
        if self.is_sqlite:
            with self._errors(), closing(self.engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")  # not inside a transaction

    def _engine(self) -> Engine:
        options: dict[str, Any] = (
            {"creator": self._connect} if self.is_sqlite else {"connect_args": {"connect_timeout": CONNECT_SECONDS}}
        )
        try:
            engine = create_engine(self.url, json_serializer=_json, **options)
        except ModuleNotFoundError as missing:
            raise MissingExtraError("psycopg", "postgres") from missing
        if self.is_sqlite:
            event.listen(engine, "begin", _begin)
            self._readers, self._writers = engine, engine.execution_options(writes=True)
        else:
            self._readers = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            self._writers = engine.execution_options(isolation_level="READ COMMITTED")
        return engine

    def open_reader(self) -> sqlite3.Connection:
        """Open the file of SQLite for reading, outside the connection pool."""
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        if not any(self.path.with_name(self.path.name + end).exists() for end in _LOGS):
            self._untouched = _last_written(self.path)
            address += "&immutable=1"  # otherwise SQLite makes a log beside it, or fails
        return _connected(address)

    def ensure_unchanged(self) -> None:
        """Check that a file that was read without locks was not written meanwhile.

        Raises:
            StoreAwayError: the file was written.
        """
        if self._untouched not in (None, _last_written(self.path)):
            hint = "another process began to use it; run this again"
            raise StoreAwayError("the store was written while it was read", where=str(self.path), hint=hint)

    def _connect(self) -> sqlite3.Connection:
        """Open a connection; only the first may create the file, so that a removed file does not come back empty."""
        self.ensure_sound()
        if self.read_only:
            connection = self.open_reader()
        else:
            mode = "rwc" if self._create and self._file is None else "rw"
            connection = _connected(f"{self.path.absolute().as_uri()}?mode={mode}")
        try:
            connection.isolation_level = None  # transactions are begun below
            for pragma in (*(() if self.read_only else _WRITERS_PRAGMAS), *_PRAGMAS):
                connection.execute(pragma)
        except BaseException:
            connection.close()
            raise
        self._file = self._file or _identity(self.path)
        return connection

    def _check_file(self) -> None:
        if self.url.database in (None, "", ":memory:"):
            raise InputError("a store needs a file", where=self.name, hint="such as sqlite:///news.db")
        path = self.path
        if path.is_dir():
            raise InputError("a folder, not a database file", where=str(path), hint=f"such as {path / 'news.db'}")
        if not path.exists():
            if not self._create:
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
        except sqlite3.Error as error:
            if translated := self._sqlite_error(error):
                raise translated from error
            raise
        except DBAPIError as error:
            raise self._error(error) from error

    def _error(self, error: DBAPIError) -> WhywireError | DBAPIError:
        """The error for people in place of an error of the driver; the driver's error if there is none."""
        if isinstance(error.orig, sqlite3.Error):
            return self._sqlite_error(error.orig) or error
        reason = " ".join(str(error.orig).split())
        if error.connection_invalidated or error.statement is None:
            return StoreAwayError(
                f"the database cannot be reached: {reason}",
                where=self.name,
                hint="is the server running, and are name, user and password right?",
            )
        state = getattr(error.orig, "sqlstate", None) or ""
        if state.startswith("53"):  # insufficient resources: disk full, out of memory, too many connections
            return OutputError(f"the database has no room left: {reason}", where=self.name, hint=_NOT_DONE)
        if state in ("42501", "25006"):  # insufficient privilege, read-only transaction
            return OutputError(
                f"cannot be written: {reason}", where=self.name, hint="grant the user the right to write"
            )
        return error

    def _sqlite_error(self, error: sqlite3.Error) -> WhywireError | None:
        code = getattr(error, "sqlite_errorcode", None)
        reason = " ".join(str(error).split())
        where = str(self.path)
        try:
            self.ensure_unchanged()
        except StoreAwayError as changed:
            return changed
        match None if code is None else code & 0xFF:
            case sqlite3.SQLITE_NOTADB:
                self._damage = reason
                return StoreAwayError("not a store", where=where, hint="name a file that `whywire update` made")
            case sqlite3.SQLITE_CORRUPT:
                self._damage = reason
                return StoreAwayError(f"the store is damaged: {reason}", where=where, hint="restore a backup")
            case sqlite3.SQLITE_FULL:
                return OutputError("no space is left on the disk", where=where, hint=_NOT_DONE)
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM if self.read_only:
                hint = "check who may read it, or copy it, with its -wal file, to a folder that can be written"
                return InputError(f"cannot be opened for reading: {reason}", where=where, hint=hint)
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
                return OutputError(f"cannot be opened for writing: {reason}", where=where, hint=_UNWRITABLE)
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_PROTOCOL:
                hint = "another process is writing; try again"
                return OutputError(f"locked for more than {BUSY_SECONDS} seconds", where=where, hint=hint)
            case sqlite3.SQLITE_IOERR:
                return OutputError(f"the disk failed: {reason}", where=where, hint="look at the disk")
        return None


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, check_same_thread=False, timeout=BUSY_SECONDS)


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of a file; ``None`` if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _last_written(path: Path) -> tuple[int, int] | None:
    """Time of the last write and size of a file; ``None`` if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


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


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
