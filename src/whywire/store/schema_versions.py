"""Versions of the schema: a store of an older version is migrated, a store of an unknown version is refused.

The revisions are in ``migrations/versions``. A new one is written by hand, or made by
``alembic revision --autogenerate`` and read line by line; a test compares the tables that revisions make with
:mod:`whywire.store.schema`. Stores of versions in development, before ``v4``, are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, insert, inspect, text

from whywire.errors import InputError
from whywire.store.database import Database
from whywire.store.schema import head, metadata

if TYPE_CHECKING:
    from alembic.config import Config

LATEST = "v4"
"""The last revision."""

MIGRATIONS = Path(__file__).parent / "migrations"

_VERSION_TABLE = "alembic_version"
_PREPARING = 0x7768797769726500
"""Key of the advisory lock of PostgreSQL that lets one process at a time prepare a database."""


def prepare(database: Database, *, create: bool) -> None:
    """Bring the tables of a database to this version.

    Args:
        create: make a store if there is none.

    Raises:
        InputError: there is no store and none may be made, the database has other tables, or the store is of an
            unknown version.
    """
    with database.reading() as connection:
        revision = current_revision(connection)
        if revision == LATEST:
            return
    if database.read_only:
        if revision is None:
            raise _no_store(database)
        _check_known(revision, database.name)
        raise InputError(
            f"the store is of schema {revision}, not {LATEST}",
            where=database.name,
            hint="`whywire update` brings it to this version",
        )
    from alembic import command

    with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _PREPARING})
        revision = current_revision(connection)
        if revision is None:
            _check_empty(database, connection, create)
        else:
            _check_known(revision, database.name)
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, LATEST)
        if revision is None:
            connection.execute(insert(head), [{"id": 1, "last_change": 0}])


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a store; ``None`` if the database is no store."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    revision = connection.execute(text(f"SELECT version_num FROM {_VERSION_TABLE}")).scalar()  # noqa: S608
    return None if revision is None else str(revision)


def _check_known(revision: str, where: str) -> None:
    """Raise ``InputError`` for a revision that is not in ``migrations/versions``."""
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    try:
        ScriptDirectory.from_config(_config()).get_revision(revision)
    except CommandError as error:
        raise InputError(
            f"the store is of another version (schema {revision}, this Whywire knows {LATEST})",
            where=where,
            hint="use the Whywire that wrote it, or build a new store from the same news",
        ) from error


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _check_empty(database: Database, connection: Connection, create: bool) -> None:
    """Raise ``InputError`` if no store may be made, or the database has tables of another program."""
    tables = {*inspect(connection).get_table_names()} - {_VERSION_TABLE}
    if not create:
        raise _no_store(database)
    taken = tables if database.is_sqlite else tables & metadata.tables.keys()
    if taken:
        named = ", ".join(sorted(taken)[:5])
        raise InputError(
            f"the database holds other tables: {named}", where=database.name, hint="name another database"
        )


def _no_store(database: Database) -> InputError:
    return InputError("there is no store", where=database.name, hint="`whywire update` makes one")
