"""The doctor finds what is wrong, and a backup brings everything back."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.store.conftest import commit_all

from whywire.errors import InputError, OutputError, WhywireError
from whywire.news import Article, Language
from whywire.store import Store


def test_a_store_after_updates_is_well(example_store):
    assert example_store.check() == []


def test_an_empty_store_is_well(store):
    assert store.check() == []


def test_a_store_with_work_in_progress_is_well(filled):
    filled.accept([Article(f"x{number}", f"New {number}") for number in range(3)])
    filled.lease("one", limit=1)
    lease = filled.lease("two", limit=1)
    filled.fail(lease, lease.articles[0].id, "for a reason")
    assert filled.check() == []


DAMAGES = {
    "the head is behind": ("UPDATE head SET last_change = 3", "after the last"),
    "a mention is in an ended event": (
        "UPDATE mentions SET event = (SELECT id FROM events WHERE ended IS NOT NULL LIMIT 1) "
        "WHERE article = (SELECT min(article) FROM mentions) AND kind = 'headline'",
        "ended events that still have mentions",
    ),
    "an event lost its mentions": (
        "DELETE FROM mentions WHERE event = (SELECT min(event) FROM mentions)",
        "events without mentions",
    ),
    "a mention is nowhere": ("UPDATE mentions SET \"end\" = 9999999 WHERE field = 'text'", "beyond the end"),
    "a link has no evidence": ("UPDATE links SET evidence = '[]'", "the link has no evidence"),
    "a link joins an ended event": (
        "UPDATE links SET closed_by = (SELECT id FROM events WHERE ended IS NOT NULL LIMIT 1) WHERE ended IS NULL",
        "is not in the graph",
    ),
    "an ended event leads nowhere": ("DELETE FROM successors", "lead nowhere"),
    "a claim quotes what is not there": ("UPDATE claims SET quote = 'Nobody said so.'", "quote"),
    "evidence of another event": (
        'UPDATE links SET evidence = \'[{"source_article": "x", "target_article": "x", "probability": 0.5}]\'',
        "is not one of event",
    ),
    "a reading is damaged": ("UPDATE readings SET reading = substr(reading, 1, 40)", "cannot be read"),
    "a reading is lost": ("DELETE FROM readings", "no reading"),
    "words were changed": ("UPDATE articles SET text = text || '!'", "not those of its words"),
    "a story was summed up wrongly": ("UPDATE stories SET articles = articles + 1", "summary of a story"),
    "a story was forgotten": ("DELETE FROM stories", "without a summary"),
    "an ended event kept its place": (
        "INSERT INTO event_places (place, event) SELECT 'US', min(id) FROM events WHERE ended IS NOT NULL",
        "places of events that have ended",
    ),
    "the queue was not cleared": (
        "INSERT INTO arrivals (article, content, accepted, rank, leased_until, abandoned, failures, set_aside) "
        "SELECT min(id), '{}', 0, 0, 0, 0, 0, false FROM articles",
        "wait though an update took them in",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_doctor_finds(damage, filled):
    statement, found = DAMAGES[damage]
    with filled._database.writing() as connection:
        connection.execute(text(statement))
    wrong = filled.check()
    assert wrong
    assert any(found in one for one in wrong), wrong


def test_ended_events_that_lead_to_each_other_are_found(filled):
    with filled._database.writing() as connection:
        first, second = connection.execute(text("SELECT id FROM events ORDER BY ended IS NULL, id LIMIT 2")).scalars()
        connection.execute(
            text("UPDATE events SET ended = (SELECT max(ended) FROM events) WHERE id IN (:a, :b)"),
            {"a": first, "b": second},
        )
        for table in ("mentions", "terms"):
            connection.execute(text(f"DELETE FROM {table} WHERE event IN (:a, :b)"), {"a": first, "b": second})
        connection.execute(text("DELETE FROM successors"))
        for event, into in ((first, second), (second, first)):
            connection.execute(
                text('INSERT INTO successors (event, position, "into") VALUES (:event, 0, :into)'),
                {"event": event, "into": into},
            )
        connection.execute(
            text("UPDATE events SET ended = NULL WHERE ended IS NOT NULL AND id NOT IN (:a, :b)"),
            {"a": first, "b": second},
        )
    wrong = filled.check()
    assert any("without mentions" in one or "circle" in one for one in wrong), wrong


# Backup and restore.


def test_a_backup_is_a_store_with_everything(filled, tmp_path, final):
    filled.accept([Article("late", "A late report")])
    filled.backup(tmp_path / "backup.db")
    assert [path.name for path in tmp_path.glob("backup*")] == ["backup.db"]
    with Store.open(tmp_path / "backup.db", create=False, models="rules") as copy:
        assert copy.check() == []
        assert copy.graph() == final.graph
        assert copy.changes(limit=100_000) == filled.changes(limit=100_000)
        assert copy.waiting() == 1


def test_a_backup_is_restored_into_an_empty_store_and_work_goes_on(example_store, tmp_path, open_store, final):
    example_store.backup(tmp_path / "backup.db")
    store = open_store()
    store.restore(tmp_path / "backup.db")
    assert store.check() == []
    assert store.graph() == final.graph
    assert len(store.index().indices[Language.ENGLISH]) == len(final.indices[Language.ENGLISH])
    assert store.accept([Article("next", "The next report")])[0].outcome == "new"
    assert store.lease("one").articles[0].id == "next"


def test_a_backup_replaces_no_file(store, tmp_path):
    (tmp_path / "backup.db").write_text("precious")
    with pytest.raises(InputError, match="is there"):
        store.backup(tmp_path / "backup.db")
    assert (tmp_path / "backup.db").read_text() == "precious"


def test_nothing_is_restored_into_a_store_that_is_not_empty(filled, tmp_path, final):
    filled.backup(tmp_path / "backup.db")
    with pytest.raises(InputError, match="not empty"):
        filled.restore(tmp_path / "backup.db")
    assert filled.graph() == final.graph


def test_a_backup_can_be_made_while_others_write(filled, updates, tmp_path, open_store):
    lease_holder = open_store()
    with lease_holder._database.writing():
        if filled.name.startswith("sqlite"):
            filled.backup(tmp_path / "backup.db")
    assert filled.check() == []


def test_dumps_of_postgresql_bring_everything_back(postgresql, updates, final, tmp_path):
    url = postgresql.make_database()
    with Store.open(url, models="rules") as store:
        commit_all(store, updates)
    folder = str(postgresql.folder)
    dump = f"{folder}/news.dump"
    name = url.split("/")[3].split("?")[0]
    postgresql.run("pg_dump", "-h", folder, "-U", "postgres", "-Fc", "-f", dump, name)
    restored = postgresql.make_database()
    other = restored.split("/")[3].split("?")[0]
    postgresql.run("pg_restore", "-h", folder, "-U", "postgres", "-d", other, dump)
    with Store.open(restored, create=False, models="rules") as store:
        assert store.check() == []
        assert store.graph() == final.graph


# Bad databases.


def test_what_is_no_database_is_refused(tmp_path):
    path = tmp_path / "news.db"
    path.write_text("title\nFire\n" * 1000)
    with pytest.raises(InputError, match=r"news\.db: not a store"):
        Store.open(path)


def test_a_damaged_file_is_an_error_that_says_so(tmp_path, updates):
    path = tmp_path / "news.db"
    with Store.open(path, models="rules") as store:
        commit_all(store, updates)
    shutil.copy(path, tmp_path / "whole.db")
    content = bytearray(path.read_bytes())
    for place in range(4096 * 3, len(content) - 4096, 4096):
        content[place : place + 200] = b"\xff" * 200
    path.write_bytes(content)
    with pytest.raises(WhywireError, match=r"damaged|not a store"), Store.open(path, models="rules") as store:
        store.graph()
    with Store.open(tmp_path / "whole.db", models="rules") as store:
        assert store.check() == []


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("mysql://localhost/news", "not an address of a store: mysql:"),
        ("nonsense://secret@x", "not an address of a store: nonsense:"),
        ("sqlite://", "needs a file"),
        ("", "is empty"),
        ("postgresql://nobody:secret@localhost:1/news", "cannot be reached"),
        ("postgresql://host:port/news", "not an address"),
    ],
)
def test_a_wrong_address_is_an_error_without_a_password(url, reason):
    with pytest.raises(InputError, match=reason) as raised:
        Store.open(url)
    assert "secret" not in str(raised.value)


def test_a_folder_is_no_store(tmp_path):
    with pytest.raises(InputError, match="a folder, not a database"):
        Store.open(tmp_path)


def test_a_full_disk_is_an_error_and_nothing_is_lost(tmp_path, updates, final):
    path = tmp_path / "news.db"
    (batch, changes), (more, later), *_ = updates
    with Store.open(path, models="rules") as store:
        store.accept(batch)
        last = store.commit(changes, store.lease("one"), decided_at=0)
        store.accept(more)
        with store._database.reading() as connection:
            pages = connection.execute(text("PRAGMA page_count")).scalar()
    with Store.open(path, models="rules") as store:
        lease = store.lease("one")
        with store._database.reading() as connection:
            connection.execute(text(f"PRAGMA max_page_count = {pages + 4}"))
        with pytest.raises(OutputError, match="no space is left"):
            store.commit(later, lease, decided_at=last)
    with Store.open(path, models="rules") as store:
        assert store.check() == []
        assert store.last_change() == last
        store.commit(later, lease, decided_at=last)
        assert store.check() == []


def test_a_folder_that_may_not_be_written_is_an_error():
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    others = os.geteuid() == 0
    if others:
        os.seteuid(65534)
    try:
        with pytest.raises(OutputError, match=r"news\.db: cannot be opened for writing"):
            Store.open(folder / "news.db")
        with pytest.raises(OutputError, match="deeper: cannot be written"):
            Store.open(folder / "deeper" / "news.db")
    finally:
        if others:
            os.seteuid(0)
        folder.rmdir()
