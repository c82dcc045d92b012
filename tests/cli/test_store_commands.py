"""Commands that keep a store, and those that take one in place of a folder."""

from __future__ import annotations

import json

import pytest
import typer
from tests.cli.commands import rows, run
from tests.conftest import ROOT

import whywire
from whywire.elements import round_strength
from whywire.errors import InputError
from whywire.news import Article
from whywire.store import Store


@pytest.fixture(scope="module")
def fire_store(tmp_path_factory, refinery_news):
    """The fire in a store, in two updates."""
    place = tmp_path_factory.mktemp("store")
    for name, lines in (("first", refinery_news[:8]), ("second", [*refinery_news, '{"title": 7}'])):
        (place / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
        shown = run("update", place / f"{name}.jsonl", "--store", place / "news.db")
    assert f"{len(refinery_news) - 8} new articles" in shown
    assert "8 were known" in shown
    assert "title must be a string" in shown
    return place / "news.db"


@pytest.fixture(scope="module")
def built_store(tmp_path_factory, refinery_news):
    """The fire in a store, at once."""
    place = tmp_path_factory.mktemp("store")
    (place / "news.jsonl").write_text("\n".join(refinery_news), encoding="utf-8")
    run("build", place / "news.jsonl", "--store", place / "news.db")
    return place / "news.db"


def test_updates_end_where_a_build_does_but_for_ids(fire_store, refinery):
    stored, built = whywire.open_graph(fire_store), whywire.open_graph(refinery)
    assert {frozenset(event.mentions) for event in stored.events} == {
        frozenset(event.mentions) for event in built.events
    }
    assert [round_strength(link.strength) for link in stored.links] == [
        round_strength(link.strength) for link in built.links
    ]


def test_the_same_news_again_changes_nothing(fire_store, refinery_news, tmp_path):
    (tmp_path / "again.jsonl").write_text("\n".join(refinery_news), encoding="utf-8")
    before = run("export", fire_store, "--to", "json")
    assert "0 new articles" in run("update", tmp_path / "again.jsonl", "--store", fire_store)
    assert "0 new articles" in run("update", "--store", fire_store)
    assert run("export", fire_store, "--to", "json") == before


def test_a_backfill_ends_where_a_build_does_and_says_what_is_wrong(refinery, refinery_news, tmp_path):
    (tmp_path / "news.jsonl").write_text("\n".join([*reversed(refinery_news), '{"title": 7}']), encoding="utf-8")
    asked = [
        "backfill",
        tmp_path / "news.jsonl",
        "--store",
        tmp_path / "news.db",
        "--partitions",
        tmp_path / "months",
    ]
    shown = run(*asked, "--rejected", tmp_path / "rejected.jsonl")
    assert f"{len(refinery_news)} articles taken in" in shown
    assert "parts written, from 2026-03 to " in shown
    [bad] = [json.loads(line) for line in (tmp_path / "rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert bad["place"].endswith(f"news.jsonl:{len(refinery_news) + 1}")
    assert "title must be a string" in bad["reason"]
    stored, built = whywire.open_graph(tmp_path / "news.db"), whywire.open_graph(refinery)
    assert {frozenset(one.mentions) for one in stored.events} == {frozenset(one.mentions) for one in built.events}
    assert whywire.open_graph(tmp_path / "months" / "2026-03").events
    again = run(*asked)
    assert "0 articles taken in" in again
    assert "1 problems with rows: --rejected FILE lists them" in again
    assert "parts written" not in again


@pytest.mark.parametrize(
    "command",
    [
        ["why", "petrol shortage", "--json", "--news"],
        ["timeline", "--json"],
        ["export", "--to", "csv", "--out", "tables"],
    ],
)
def test_a_store_stands_where_a_folder_may(command, built_store, refinery, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(*command, built_store) == run(*command, refinery)


def test_a_store_and_a_folder_of_one_graph_do_not_differ(built_store, refinery):
    assert rows("diff", refinery, built_store, "--json") == []
    assert rows("diff", refinery, f"sqlite:///{built_store}", "--json") == []


def test_export_of_any_time(built_store, refinery):
    for time in ("2026-03-03T12:00Z", "2026-03-04"):
        stored, built = (
            json.loads(run("export", one, "--to", "json", "--as-of", time)) for one in (built_store, refinery)
        )
        assert stored == built


def test_build_refuses_a_store_that_has_articles(built_store):
    message = run("build", ROOT / "examples" / "news.jsonl", "--store", built_store, fails=InputError)
    assert "`whywire update` adds to them" in message


def test_build_needs_somewhere_to_write():
    with pytest.raises((typer.BadParameter, AssertionError), match=r"--out|2"):
        run("build", ROOT / "examples" / "news.jsonl")


def test_doctor_backup_and_restore(fire_store, tmp_path):
    assert "all is well" in run("doctor", fire_store)
    assert "backup.db" in run("backup", fire_store, tmp_path / "backup.db")
    run("restore", tmp_path / "backup.db", tmp_path / "again.db")
    assert run("export", tmp_path / "again.db", "--to", "json") == run("export", fire_store, "--to", "json")
    assert "is there" in run("backup", fire_store, tmp_path / "backup.db", fails=InputError)


def test_the_doctor_names_what_is_set_aside_and_why_and_writes_nothing(tmp_path):
    with Store.open(tmp_path / "news.db") as store:
        store.accept([Article("a-1", "Fire")])
        store.fail(store.lease("one"), "a-1", "it is too much", for_good=True)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run("doctor", tmp_path / "news.db").splitlines() == ["set aside: a-1: it is too much", "all is well"]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_doctor_says_what_is_wrong_and_fails(fire_store, tmp_path):
    whywire.backup(fire_store, tmp_path / "broken.db")
    with whywire.open_store(tmp_path / "broken.db") as store, store._database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM stories")
    with pytest.raises(AssertionError, match="a story without a summary"):
        run("doctor", tmp_path / "broken.db")


def test_functions_mirror_the_commands(fire_store, refinery_news, tmp_path):
    done = whywire.update([json.loads(line) for line in refinery_news], tmp_path / "news.db")
    assert done.outcomes == {"new": len(refinery_news)}
    assert done.changes["article added"] == len(refinery_news)
    assert not (done.problems)
    assert not (done.set_aside)
    assert whywire.doctor(tmp_path / "news.db") == []
    with whywire.open_store(tmp_path / "news.db") as store:
        expected = whywire.open_graph(fire_store)
        assert [round_strength(link.strength) for link in store.graph().links] == [
            round_strength(link.strength) for link in expected.links
        ]
        again = whywire.update([json.loads(line) for line in refinery_news], store)
        assert again.outcomes == {"known": len(refinery_news)}


@pytest.mark.model
def test_a_correction_answers_why_once_it_replaces_the_article_and_can_be_withdrawn(tmp_path):
    url, store = "https://post.example/refinery", tmp_path / "news.db"
    for name, cause in (("wrong", "lightning"), ("right", "a cigarette")):
        text = f"The fire was caused by {cause}, the operator said."
        row = {"url": f"{url}?utm_source={name}", "title": "Fire shuts Marrow Point refinery", "text": text}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row))
    run("update", tmp_path / "wrong.jsonl", "--store", store)
    shown = run("update", tmp_path / "right.jsonl", "--store", store)
    assert "--replace" in shown
    assert "lightning" in run("why", "What caused the fire?", "--news", store)
    shown = run("update", tmp_path / "right.jsonl", "--store", store, "--replace")
    assert "0 new articles, 1 new versions" in shown
    answers = run("why", "What caused the fire?", "--news", store)
    assert ("cigarette" in answers, "lightning" in answers) == (True, False)
    again = whywire.update(tmp_path / "right.jsonl", store, replace=True)
    assert (again.outcomes, again.changes) == ({"known": 1}, {})
    assert "the store has no article none" in run("withdraw", url, "none", "--store", store, fails=InputError)
    assert whywire.open_graph(store).events == ()
    assert whywire.withdraw([url], store).outcomes == {"unknown": 1}
    assert whywire.doctor(store) == []


def test_of_versions_in_one_file_the_last_is_taken_in_as_by_a_build(tmp_path):
    rows = [{"id": "a", "title": "Fire at the mill", "text": text} for text in ("Lightning.", "A spark.")]
    done = whywire.update(rows, tmp_path / "news.db")
    assert done.outcomes == {"new": 1}
    assert "a later version has its id" in done.problems[0].reason
    with whywire.open_store(tmp_path / "news.db") as store:
        assert store.article("a").text == "A spark."


@pytest.mark.parametrize("command", [["doctor"], ["export", "--to", "json"], ["timeline"]])
def test_a_store_that_is_not_there_is_an_error_and_is_not_made(command, tmp_path):
    url = f"sqlite:///{tmp_path / 'none.db'}"
    assert "there is no store" in run(command[0], url, *command[1:], fails=InputError)
    assert not (tmp_path / "none.db").exists()
