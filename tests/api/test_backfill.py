"""A backfill gives the graph of a build, in a store and in partitions, however often it is killed."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections import Counter
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.api.killed_backfills import Backfills
from tests.store.killed_workers import comparable

from whywire import Article, backfill, build
from whywire.graph.build_folder import read_graph
from whywire.news import read_news, to_row
from whywire.store import Store

BAD = ['{"text": "no title"}', "{broken", "[1, 2]"]


@pytest.fixture(scope="module")
def archive(example, tmp_path_factory):
    """A folder with a third of the example in two files, out of order, some without a time, and bad rows among them."""
    folder = tmp_path_factory.mktemp("archive")
    chosen = random.Random(3).sample(example, 48)
    lines = [json.dumps(to_row(article)) for article in chosen]
    with gzip.open(folder / "a.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join([*lines[:20], *BAD, *lines[20:24], lines[3]]) + "\n")
    (folder / "b.json").write_text(f"[{', '.join([*lines[24:], '3'])}]", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def built(archive, fake_models):
    return comparable(
        build([one for one in read_news(archive) if isinstance(one, Article)], models=fake_models).graph
    )


@pytest.fixture(scope="module")
def backfills():
    with ExitStack() as stack:
        yield Backfills(stack)


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


@pytest.fixture(scope="module")
def undisturbed(archive, backfills, tmp_path_factory):
    """What a backfill writes that nobody kills, and the number of its points."""
    folder = tmp_path_factory.mktemp("undisturbed")
    ended, points = backfills.run(news=archive, store=folder / "news.db", partitions=folder / "parts", by="day")
    assert ended == "ended 0"
    return folder, points


def test_it_gives_the_graph_of_a_build(undisturbed, built, archive):
    folder, _ = undisturbed
    assert comparable(graph_of(folder / "news.db")) == built
    problems = rejected(folder / "news.db")
    assert sorted(place for place, _, _ in problems) == [
        *(f"{archive / 'a.jsonl.gz'}:{line}" for line in (21, 22, 23)),
        f"{archive / 'b.json'}:1",
    ]
    assert set(problems.values()) == {1}


def test_partitions_together_have_all_that_the_store_has(undisturbed):
    folder, _ = undisturbed
    graph = graph_of(folder / "news.db")
    parts = [read_graph(part) for part in sorted((folder / "parts").iterdir())]
    assert {event.id: event.title for part in parts for event in part.events} == {
        event.id: event.title for event in graph.events
    }
    links = {(link.source, link.target, link.kind) for part in parts for link in part.links}
    assert links == {(link.source, link.target, link.kind) for link in graph.links}
    assert {claim.id for part in parts for claim in part.claims} == {claim.id for claim in graph.claims}
    days = {
        "undated" if not one.published else one.published.at.date().isoformat() for one in graph.articles.values()
    }
    assert {part.name for part in (folder / "parts").iterdir()} == days
    assert "undated" in days


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(points=st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_killed_anywhere_and_run_again_it_gives_the_same(points, undisturbed, archive, backfills, tmp_path_factory):
    folder, last = undisturbed
    here = tmp_path_factory.mktemp("killed")
    options = {"news": archive, "store": here / "news.db", "partitions": here / "parts", "by": "day"}
    for point in points:
        ended, _ = backfills.run(1 + int(point * last), **options)
        assert ended in ("killed", "ended 0")
        if (here / "parts").exists():
            told_in(here / "parts")  # each of them can be read
    assert backfills.run(**options)[0] == "ended 0"
    assert comparable(graph_of(here / "news.db")) == comparable(graph_of(folder / "news.db"))
    assert told_in(here / "parts") == told_in(folder / "parts")
    assert rejected(here / "news.db") == rejected(folder / "news.db")
    shutil.rmtree(here)


def test_again_it_reads_and_writes_nothing(undisturbed, archive, fake_models, tmp_path):
    shutil.copytree(undisturbed[0], tmp_path, dirs_exist_ok=True)
    before = (tmp_path / "parts" / "undated" / "run.json").stat().st_mtime_ns
    with Store.open(tmp_path / "news.db") as store:  # of other models, in name
        store.models = _models_of(tmp_path / "news.db")
        store.name = str(undisturbed[0])
        assert backfill(archive, store, models=fake_models).outcomes == {}
    assert (tmp_path / "parts" / "undated" / "run.json").stat().st_mtime_ns == before
