"""Versions of the schema: a new store gets the latest tables, an older one is migrated, a newer one is refused.

The revisions stand in ``migrations/versions``. A new one is written by hand, or made by
``alembic revision --autogenerate`` and read line by line; a test compares what they make with
:mod:`whywire.store.schema`.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, text

from whywire.errors import InputError
from whywire.store.database import Database
from whywire.store.schema import head, metadata

LATEST = "0004"
"""The last revision."""

MIGRATIONS = Path(__file__).parent / "migrations"

_VERSION_TABLE = "alembic_version"
_PREPARING = 0x7768797769726500
"""Key of the lock that lets one process at a time prepare a database, on PostgreSQL."""


def prepare(database: Database, *, create: bool) -> None:
    """Bring the tables of a database to this version.

    Raises:
        InputError: it is no store and none is to be made, it holds other things, or it is of a newer version.
    """
    with database.reading() as connection:
        found = current_revision(connection)
        if found == LATEST:
            return
    if database.read_only:
        if found is None:
            raise _no_store(database)
        hint = "a newer Whywire wrote it, or an older one: then `whywire update` brings it to this version"
        raise InputError(f"the store is of schema {found}, not {LATEST}", where=database.name, hint=hint)
    with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _PREPARING})
        found = current_revision(connection)
        if found is None:
            _check_empty(database, connection, create)
        upgrade(connection, where=database.name)
        if found is None:
            connection.execute(insert(head), [{"id": 1, "last_change": 0}])


def current_revision(connection: Connection) -> str | None:
    """The revision of a store; ``None`` if the database is none."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {_VERSION_TABLE}")).scalar()  # noqa: S608
    return None if found is None else str(found)


def upgrade(connection: Connection, revision: str = LATEST, *, where: str) -> None:
    """Run the migrations up to a revision.

    Raises:
        InputError: the store is of a revision that is not known.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    found = current_revision(connection)
    if found is not None:
        try:
            ScriptDirectory.from_config(config).get_revision(found)
        except CommandError as error:
            raise InputError(
                f"the store is of a newer version (schema {found}, this Whywire knows {LATEST})",
                where=where,
                hint="install the Whywire that wrote it, or a later one",
            ) from error
    command.upgrade(config, revision)


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
