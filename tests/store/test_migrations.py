"""Stores that were migrated have the tables of new ones, and stores of other versions are refused."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import create_engine, inspect, text

from whywire.errors import InputError
from whywire.store import Store, schema_versions
from whywire.store.database import Database
from whywire.store.schema import metadata


def tables(database: Database) -> dict[str, object]:
    """Everything that the database says of its tables, in an order of its own."""
    with database.reading() as connection:
        found = inspect(connection)
        return {
            name: {
                "columns": [
                    {key: str(value) for key, value in column.items()}
                    for column in sorted(found.get_columns(name), key=lambda one: one["name"])
                ],
                "key": found.get_pk_constraint(name),
                "foreign": sorted(found.get_foreign_keys(name), key=str),
                "unique": sorted(found.get_unique_constraints(name), key=str),
                "indexes": sorted(map(_index, found.get_indexes(name))),
                "rowid": _without_rowid(connection, name),
            }
            for name in found.get_table_names()
            if name != "alembic_version"
        }


def _index(index):
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return str(index | {"dialect_options": options})


def _without_rowid(connection, name):
    if connection.dialect.name != "sqlite":
        return None
    made = connection.execute(text("SELECT sql FROM sqlite_master WHERE name = :name"), {"name": name}).scalar()
    return "WITHOUT ROWID" in made


def test_a_migrated_store_has_the_tables_of_a_fresh_one(url, tmp_path, request):
    migrated = Database(url)
    schema_versions.prepare(migrated, create=True)
    is_sqlite = url.startswith("sqlite")
    fresh = Database(tmp_path / "fresh.db" if is_sqlite else request.getfixturevalue("postgresql").make_database())
    with fresh.writing() as connection:
        metadata.create_all(connection)
    assert tables(migrated) == tables(fresh)
    assert len(tables(fresh)) == len(metadata.tables)
    migrated.close()
    fresh.close()


def test_the_latest_revision_is_the_last_script():
    scripts = sorted(
        (schema_versions.MIGRATIONS / "versions").glob("v[0-9]*.py"),
        key=lambda path: int(path.name[1:].split("_")[0]),
    )
    assert scripts[-1].name.startswith(f"{schema_versions.LATEST}_")
    chain = [re.search(r'^down_revision = (?:"(\w+)"|None)$', path.read_text(), re.MULTILINE)[1] for path in scripts]
    assert chain == [None, *(path.name.split("_")[0] for path in scripts[:-1])]


def test_opening_a_store_again_changes_no_table(open_store, url):
    open_store()
    before = Database(url)
    seen = tables(before)
    open_store()
    assert tables(before) == seen
    before.close()


@pytest.mark.parametrize("revision", ["0004", "v9999"])  # of a version in development, of a later one
@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_of_an_unknown_version_is_refused_and_left_alone(open_store, url, revision, read_only):
    open_store()
    database = Database(url)
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    with pytest.raises(InputError, match=rf"another version \(schema {revision}.*build a new store"):
        Store.open(url, read_only=read_only)
    with database.reading() as connection:
        assert schema_versions.current_revision(connection) == revision
    database.close()


def test_a_database_of_something_else_is_refused(url):
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE articles (id INTEGER)"))
    engine.dispose()
    with pytest.raises(InputError, match="other tables: articles"):
        Store.open(url)


def test_a_store_that_is_not_there_is_not_made_where_none_is_wanted(url):
    with pytest.raises(InputError, match="there is no store"):
        Store.open(url, create=False)
