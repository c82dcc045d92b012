"""Stores that were migrated have the tables of new ones, and stores of other versions are refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from sqlalchemy import create_engine, insert, inspect, text

from whywire.errors import InputError
from whywire.news import Article
from whywire.store import Outcome, Store, schema_versions
from whywire.store.database import Database
from whywire.store.rows import article_json, article_row
from whywire.store.schema import articles, head, metadata


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
    scripts = sorted((schema_versions.MIGRATIONS / "versions").glob("[0-9]*.py"))
    assert scripts[-1].name.startswith(f"{schema_versions.LATEST}_")
    chain = [re.search(r'^down_revision = (?:"(\w+)"|None)$', path.read_text(), re.MULTILINE)[1] for path in scripts]
    assert chain == [None, *(path.name.split("_")[0] for path in scripts[:-1])]


def test_a_store_of_the_first_version_is_migrated(url):
    database = Database(url)
    with database.writing() as connection:
        schema_versions.upgrade(connection, "0001", where=url)
        connection.execute(insert(metadata.tables["head"]), [{"id": 1, "last_change": 0}])
        connection.execute(
            text(
                "INSERT INTO articles (id, published, day_only, language, text_key, number, title, text, links, also,"
                " changed) VALUES ('a', 0, false, 'en', 'k', 1, 'Dam gives way', '', '[]', '[]', 0)"
            )
        )
    database.close()
    with Store.open(url) as store:
        [article] = store.articles().items
    assert (article.title, article.published.utc_offset) == ("Dam gives way", None)


def test_what_an_older_store_knew_and_accepted_is_known_by_urls_that_count_clicks_otherwise(url):
    known, waiting = (
        Article(name, f"Fire at {name}", url=f"http://post.example/{name}?utm_source=rss")
        for name in ("mill", "port")
    )
    older = Database(url)
    with older.writing() as connection:
        schema_versions.upgrade(connection, "0002", where=url)
        connection.execute(head.insert(), [{"id": 1, "last_change": 0}])
        connection.execute(articles.insert(), [article_row(known, 1, 0) | {"url_hash": "of the whole url"}])
        row = {"article": waiting.id, "url_hash": "of the whole url", "content": json.dumps(article_json(waiting))}
        columns = "article, url_hash, content, accepted, leased_until, abandoned, failures, set_aside"
        values = ":article, :url_hash, :content, 0, 0, 0, 0, false"
        connection.execute(text(f"INSERT INTO arrivals ({columns}) VALUES ({values})"), row)
    older.close()
    with Store.open(url, models="rules") as store:
        again = [replace(one, id="again", url=f"https://post.example/{one.id}") for one in (known, waiting)]
        assert [one.outcome for one in store.accept(again[:1])] == [Outcome.COPY]
        assert [one.outcome for one in store.accept([replace(again[1], title="Another")])] == [Outcome.CONFLICT]
        assert [one.id for one in store.lease("one").articles] == ["port", "again"]


def test_opening_a_store_again_changes_no_table(open_store, url):
    open_store()
    before = Database(url)
    seen = tables(before)
    open_store()
    assert tables(before) == seen
    before.close()


def test_a_store_of_a_newer_version_is_refused_and_left_alone(open_store, url):
    open_store()
    database = Database(url)
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match=r"newer version \(schema 9999.*install"):
        Store.open(url)
    with database.reading() as connection:
        assert schema_versions.current_revision(connection) == "9999"
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
