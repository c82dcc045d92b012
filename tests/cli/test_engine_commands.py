"""``--engine`` and ``whywire work`` as a person runs them."""

import json

import pytest
from tests.cli.test_commands import news_file, run

from whywire.news import Article, Language
from whywire.store import Store


@pytest.mark.slow
def test_a_build_by_ray_writes_the_same_files(tmp_path):
    pytest.importorskip("ray")
    news = news_file(tmp_path)
    for engine in ("local", "ray"):
        done = run("build", news, "--out", tmp_path / engine, "--engine", engine)
        assert done.returncode == 0, done.stderr
    files = {file.name for file in (tmp_path / "local").iterdir()}
    assert files == {file.name for file in (tmp_path / "ray").iterdir()}
    for name in files - {"run.json"}:
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()
    counts = [json.loads((tmp_path / name / "run.json").read_text())["counts"] for name in ("local", "ray")]
    assert counts[0] == counts[1]


@pytest.mark.slow
def test_an_update_by_ray_makes_the_same_store(tmp_path):
    pytest.importorskip("ray")
    news = news_file(tmp_path)
    for engine in ("local", "ray"):
        done = run("update", news, "--store", tmp_path / f"{engine}.db", "--engine", engine)
        assert done.returncode == 0, done.stderr
    graphs = []
    for engine in ("local", "ray"):
        with Store.open(tmp_path / f"{engine}.db", read_only=True) as store:
            graphs.append(store.graph())
    assert graphs[0].events
    assert graphs[0] == graphs[1]


@pytest.mark.parametrize("command", [("build", "--out"), ("update", "--store")])
def test_a_cluster_that_is_not_there_is_an_error(tmp_path, command):
    pytest.importorskip("ray")
    name, into = command
    done = run(name, news_file(tmp_path), into, tmp_path / "graph", "--engine", "ray", "--address", "127.0.0.1:9")
    assert done.returncode == 1
    assert "127.0.0.1:9: nothing answers at this address of a cluster" in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_an_address_is_that_of_a_cluster(tmp_path):
    done = run("work", "--store", tmp_path / "news.db", "--once", "--address", "127.0.0.1:9")
    assert done.returncode == 2
    assert "--engine ray" in done.stderr.decode()


def test_work_once_takes_in_what_waits(tmp_path):
    with Store.open(tmp_path / "news.db") as store:
        store.accept([Article("a1", "Storm shuts the harbour", language=Language.ENGLISH)])
        done = run("work", "--store", tmp_path / "news.db", "--once")
        assert done.returncode == 0, done.stderr
        assert "1 × article added" in done.stdout.decode()
        assert (store.waiting(), store.counts().articles) == (0, 1)
