"""Versions of the schema: an older store is migrated, and one of an unknown version is refused.

The revisions are in ``migrations/versions``. A new one is written by hand, or made by
``alembic revision --autogenerate`` and read line by line; a test compares what they make with
:mod:`whywire.store.schema`. Stores of versions in development, before ``v1``, are refused.
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

LATEST = "v1"
"""The last revision."""

MIGRATIONS = Path(__file__).parent / "migrations"

_VERSION_TABLE = "alembic_version"
_PREPARING = 0x7768797769726500
"""Key of the lock that lets one process at a time prepare a database, on PostgreSQL."""


def prepare(database: Database, *, create: bool) -> None:
    """Bring the tables of a database to this version.

    Raises:
        InputError: there is no store and none is to be made, the database holds other things, or the store is of a
            version that is not known.
    """
    with database.reading() as connection:
        found = current_revision(connection)
        if found == LATEST:
            return
    if database.read_only:
        if found is None:
            raise _no_store(database)
        _check_known(found, database.name)
        raise InputError(
            f"the store is of schema {found}, not {LATEST}",
            where=database.name,
            hint="`whywire update` brings it to this version",
        )
    from alembic import command

    with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _PREPARING})
        found = current_revision(connection)
        if found is None:
            _check_empty(database, connection, create)
        else:
            _check_known(found, database.name)
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, LATEST)
        if found is None:
            connection.execute(insert(head), [{"id": 1, "last_change": 0}])


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a store; ``None`` if the database is no store."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {_VERSION_TABLE}")).scalar()  # noqa: S608
    return None if found is None else str(found)


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
    """Refuse to make a store where none is wanted, or among the tables of something else."""
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
