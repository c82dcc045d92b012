"""A backfill gives the graph of a build, in a store and in partitions, however often it is killed."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.api.killed_backfills import Backfills
from tests.store.killed_workers import comparable

from whywire import Article, InputError, Language, Published, backfill, build, update
from whywire.graph.build_folder import read_graph
from whywire.news import read_news, to_row
from whywire.store import Store

BAD = ['{"text": "no title"}', "{broken", "[1, 2]"]
APRIL = datetime(2024, 4, 1, 10, tzinfo=UTC)


@pytest.fixture(scope="module")
def archive(example, tmp_path_factory):
    """A folder with a part of the example in two files, out of order, with news without a time and bad rows."""
    folder = tmp_path_factory.mktemp("archive")
    chosen = random.Random(3).sample(example, 36)
    lines = [json.dumps(to_row(article)) for article in chosen]
    with gzip.open(folder / "a.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join([*lines[:15], *BAD, *lines[15:18], lines[3]]) + "\n")
    (folder / "b.json").write_text(f"[{', '.join([*lines[18:], '3'])}]", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def built(archive, fake_models):
    articles = [item for item in read_news(archive) if isinstance(item, Article)]
    return comparable(build(articles, models=fake_models).graph)


@pytest.fixture(scope="module")
def backfills():
    with ExitStack() as stack:
        yield Backfills(stack)


@pytest.fixture(scope="module")
def undisturbed(archive, backfills, tmp_path_factory):
    """The folder of a store and its partitions that nobody disturbed, and the number of points where one might."""
    folder = tmp_path_factory.mktemp("undisturbed")
    ended, points = backfills.run(news=archive, store=folder / "news.db", partitions=folder / "parts", by="day")
    assert ended == "ended 0"
    return folder, points


def told_in(partitions):
    """The graph of each partition, but for ids of events."""
    return {folder.name: comparable(read_graph(folder)) for folder in partitions.iterdir()}


def rejected(url):
    with Store.open(url, read_only=True) as store:
        assert store.check() == []
        return Counter((problem.place, problem.reason, problem.kept) for problem in store.rejected())


def graph_of(url):
    with Store.open(url, read_only=True) as store:
        assert (store.waiting(), store.set_aside()) == (0, [])
        return store.graph()


def made_up(number, **fields):
    """An article of its own story."""
    title = f"Council{number} opens{number} harbour{number}"
    return Article(f"a{number}", title, f"{title} because traffic{number} grew{number}.", Language.ENGLISH, **fields)


def write(path, articles):
    path.write_text("".join(json.dumps(to_row(one)) + "\n" for one in articles), encoding="utf-8")
    return path


@pytest.mark.slow
def test_it_gives_the_graph_of_a_build(undisturbed, built, archive):
    folder, _ = undisturbed
    assert comparable(graph_of(folder / "news.db")) == built
    problems = rejected(folder / "news.db")
    assert sorted(place for place, _, _ in problems) == [
        *(f"{archive / 'a.jsonl.gz'}:{line}" for line in (16, 17, 18)),
        f"{archive / 'b.json'}:1",
    ]
    assert set(problems.values()) == {1}


@pytest.mark.slow
def test_partitions_together_have_all_that_the_store_has(undisturbed):
    folder, _ = undisturbed
    graph = graph_of(folder / "news.db")
    parts = [read_graph(part) for part in sorted((folder / "parts").iterdir())]
    titles = {event.id: event.title for part in parts for event in part.events}
    assert titles == {event.id: event.title for event in graph.events}
    links = {(link.source, link.target, link.kind) for part in parts for link in part.links}
    assert links == {(link.source, link.target, link.kind) for link in graph.links}
    assert {claim.id for part in parts for claim in part.claims} == {claim.id for claim in graph.claims}
    times = [one.published for one in graph.articles.values()]
    days = {time.at.date().isoformat() if time else "undated" for time in times}
    assert {part.name for part in (folder / "parts").iterdir()} == days
    assert "undated" in days


@pytest.mark.slow
@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(points=st.lists(st.floats(0, 1), min_size=1, max_size=3))
def test_killed_anywhere_and_run_again_it_gives_the_same(points, undisturbed, archive, backfills, tmp_path_factory):
    folder, last = undisturbed
    here = tmp_path_factory.mktemp("killed")
    options = {"news": archive, "store": here / "news.db", "partitions": here / "parts", "by": "day"}
    for point in points:
        ended, _ = backfills.run(1 + int(point * (last - 1)), **options)
        assert ended in ("killed", "ended 0")
        if (here / "parts").exists():
            complete = [one for one in (here / "parts").iterdir() if (one / "run.json").exists()]
            assert all(read_graph(one).articles for one in complete)
    assert backfills.run(**options)[0] == "ended 0"
    assert comparable(graph_of(here / "news.db")) == comparable(graph_of(folder / "news.db"))
    assert told_in(here / "parts") == told_in(folder / "parts")
    assert rejected(here / "news.db") == rejected(folder / "news.db")
    shutil.rmtree(here)


@pytest.mark.slow
def test_a_file_that_was_killed_while_it_was_read_and_changed_is_read_again_and_said(backfills, tmp_path):
    path = write(tmp_path / "news.jsonl", [made_up(number) for number in range(40)])
    options = {"news": path, "store": tmp_path / "news.db"}
    _, points = backfills.run(news=path, store=tmp_path / "other.db")
    with Store.open(options["store"]):
        pass
    for share in range(1, 20):  # until some of its rows are accepted, and not all
        backfills.run(int(points * share / 40), **options)
        with Store.open(tmp_path / "news.db", read_only=True) as store:
            if store.unfinished_inputs() and store.waiting():
                break
    assert store.unfinished_inputs() == [str(path)]
    write(path, [made_up(number) for number in range(3, 45)])
    assert backfills.run(**options)[0] == "ended 0"
    assert len(graph_of(tmp_path / "news.db").articles) == 45
    [(place, reason, kept)] = rejected(tmp_path / "news.db")
    assert (place, kept) == (str(path), True)
    assert "the file changed after" in reason
    assert "rows of it were read" in reason


def test_again_it_reads_and_writes_nothing_unless_a_file_changed(fake_models, tmp_path):
    path = write(tmp_path / "news.jsonl", [made_up(1, published=Published(APRIL))])
    options = {"store": tmp_path / "news.db", "partitions": tmp_path / "parts", "models": fake_models}
    assert backfill(path, **options).partitions == [tmp_path / "parts" / "2024-04"]
    again = backfill(path, **options)
    assert (again.outcomes, again.partitions, again.rejected) == ({}, [], 0)
    write(path, [made_up(1, published=Published(APRIL)), made_up(2, published=Published(APRIL))])
    changed = backfill(path, **options)
    assert changed.outcomes == {"known": 1, "new": 1}
    assert len(read_graph(tmp_path / "parts" / "2024-04").articles) == 2


def test_a_partition_is_written_once_unless_late_news_changes_it(fake_models, tmp_path):
    months = [Published(APRIL + timedelta(days=31 * number)) for number in range(4)]
    path = write(tmp_path / "news.jsonl", [made_up(number, published=time) for number, time in enumerate(months)])
    options = {"store": tmp_path / "news.db", "partitions": tmp_path / "parts", "models": fake_models}
    written = backfill(path, **options).partitions
    assert [folder.name for folder in written] == ["2024-04", "2024-05", "2024-06", "2024-07"]
    undated = replace(made_up(10), title="Orchestra plays", text="")
    late = write(tmp_path / "late.jsonl", [made_up(9, published=months[1]), undated])
    assert [folder.name for folder in backfill(late, **options).partitions] == ["2024-05", "undated"]
    assert {*read_graph(tmp_path / "parts" / "2024-05").articles} == {"a1", "a9"}
    with Store.open(tmp_path / "news.db") as store:
        store.withdraw(["a1"])
    assert [folder.name for folder in backfill([], **options).partitions] == ["2024-05"]
    assert {*read_graph(tmp_path / "parts" / "2024-05").articles} == {"a9"}


def test_of_versions_the_latest_stays_and_the_others_are_listed(fake_models, tmp_path, monkeypatch):
    monkeypatch.setattr("whywire.api.backfill.READ_ROWS", 1)
    old, new = (made_up(1, published=Published(APRIL + timedelta(hours=hour))) for hour in (1, 2))
    versions = [old, replace(new, text="A correction."), replace(old, text="An earlier one.")]
    write(tmp_path / "news.jsonl", versions)
    done = backfill(tmp_path / "news.jsonl", tmp_path / "news.db", models=fake_models)
    assert done.outcomes == {"new": 1, "replaced": 1, "conflict": 1}
    assert graph_of(tmp_path / "news.db").articles["a1"].text == "A correction."
    with Store.open(tmp_path / "news.db") as store:
        assert [problem.row["text"] for problem in store.rejected()] == [old.text, "An earlier one."]


def test_a_folder_of_other_partitions_is_left_alone(fake_models, tmp_path):
    path = write(tmp_path / "news.jsonl", [made_up(1, published=Published(APRIL))])
    options = {"partitions": tmp_path / "parts", "models": fake_models}
    backfill(path, tmp_path / "news.db", **options)
    with pytest.raises(InputError, match="partitions by month of"):
        backfill(path, tmp_path / "news.db", by="day", **options)
    with pytest.raises(InputError, match="partitions by month of"):
        backfill(path, tmp_path / "other.db", **options)


def test_what_update_has_begun_a_backfill_goes_on_with(fake_models, tmp_path):
    path = write(tmp_path / "news.jsonl", [made_up(number, published=Published(APRIL)) for number in range(4)])
    update(made_up(2, published=Published(APRIL)), tmp_path / "news.db", models=fake_models)
    assert backfill(path, tmp_path / "news.db", models=fake_models).outcomes == {"known": 1, "new": 3}
    assert len(graph_of(tmp_path / "news.db").articles) == 4
