"""Processes, nodes and clusters that are lost in the middle of work change no graph."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.engines.conftest import NODE
from tests.engines.dangerous_models import BrokenModels, DangerousModels, RefusingModels

from whywire.building import build
from whywire.engines import LocalEngine
from whywire.engines.cluster import offline
from whywire.errors import ModelError, WhywireError
from whywire.news import Article, Language
from whywire.store import Store, Worker

pytestmark = pytest.mark.slow

SECONDS = 0.15
"""How long an article takes to read, so that there is a middle of the work."""


@pytest.fixture(scope="module")
def articles(example):
    return example[:40]


@pytest.fixture(scope="module")
def expected(articles, fake_models):
    return build(articles, models=LocalEngine(fake_models)).graph


@contextmanager
def meanwhile(folder: Path, act):
    """Call a function with the ids of the processes that load models, once two have done so."""

    def watch():
        while len(pids := [int(file.name) for file in folder.iterdir()]) < 2 and not done.wait(0.01):
            pass
        done.wait(3 * SECONDS)
        act(pids)

    done = threading.Event()
    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_all_processes_that_are_killed_are_replaced(engine_with, articles, expected, tmp_path):
    engine = engine_with(partial(DangerousModels, str(tmp_path), SECONDS))

    def kill(pids):
        for pid in pids:
            os.kill(pid, signal.SIGKILL)

    with meanwhile(tmp_path, kill):
        built = build(articles, models=engine)
    assert len([*tmp_path.iterdir()]) > 2
    assert built.problems == []
    assert built.graph == expected


def test_a_node_that_is_killed_is_done_without(cluster, engine_with, articles, expected, tmp_path):
    node = cluster.add_node(**NODE)
    engine = engine_with(partial(DangerousModels, str(tmp_path), SECONDS))
    assert engine.processes >= 3  # a node that was killed before may still be counted
    with meanwhile(tmp_path, lambda _: cluster.remove_node(node, allow_graceful=False)):
        built = build(articles, models=engine)
    assert built.problems == []
    assert built.graph == expected


DEADLY = Article("a0", "A poison cloud", language=Language.ENGLISH)
DEADLY_PAIR = [
    Article(f"v{n}", f"Snake venom stolen from museum in Dunmore{end}", language=Language.ENGLISH)
    for n, end in enumerate(("", " overnight"))
]


def test_an_article_and_a_story_that_kill_are_left_out_and_named(engine_with, articles, expected):
    engine = engine_with(DangerousModels)
    pair = [replace(DEADLY_PAIR[0], place="news.jsonl:7"), DEADLY_PAIR[1]]
    built = build([*articles[:20], DEADLY, *pair, *articles[20:]], models=engine)
    assert {problem.place for problem in built.problems} == {"a0", "news.jsonl:7", "v1"}
    assert all("3 processes died of it" in problem.reason and problem.row for problem in built.problems)
    assert built.graph == expected


def test_a_worker_sets_aside_what_kills_and_takes_in_the_rest(engine_with, articles, tmp_path):
    engine = engine_with(DangerousModels)
    with Store.open(tmp_path / "news.db", models="rules") as store:
        store.accept([DEADLY_PAIR[0], *articles[:4]])
        Worker(store, engine).work_all()
        assert (store.set_aside(), store.counts().articles) == ([], 5)
        store.accept([DEADLY_PAIR[1], DEADLY, *articles[4:8]])
        Worker(store, engine).work_all()
        aside = {one.article.id: one.reason for one in store.set_aside()}
        assert {*aside} == {"v1", "a0"}
        assert all("3 processes died of it" in reason for reason in aside.values())
        assert (store.waiting(), store.counts().articles) == (0, 9)
        assert store.check() == []


def test_an_error_of_a_model_is_the_same_error(engine_with, articles):
    with pytest.raises(ModelError, match=r"documents: it is broken"):
        build(articles, models=engine_with(BrokenModels))


def test_processes_that_never_start_are_an_error(engine_with, articles, monkeypatch):
    from whywire.engines import actors

    monkeypatch.setattr(actors, "FAILED_STARTS", 3)
    engine = engine_with(RefusingModels)
    with pytest.raises(WhywireError, match=r"3 processes in a row did not start.*the weights are missing.*installed"):
        build(articles, models=engine)


def test_a_node_that_is_short_of_memory_is_done_without(cluster, engine_with, articles, expected, tmp_path):
    short = {"RAY_memory_usage_threshold": "0.001", "RAY_memory_monitor_refresh_ms": "100"}
    node = cluster.add_node(**NODE, env_vars=short)
    engine = engine_with(partial(DangerousModels, str(tmp_path), SECONDS))
    try:
        processes = engine.processes
        assert processes >= 3  # a node that was killed before may still be counted
        built = build(articles, models=engine)
        assert engine.processes < processes  # Ray's monitor killed the third for its memory
    finally:
        cluster.remove_node(node)
    assert built.problems == []
    assert built.graph == expected


WORK = """
from functools import partial

import whywire
from tests.engines.dangerous_models import DangerousModels
from whywire.engines import actors
from whywire.store import model_answers
from whywire.store import store as stores

actors.LOST_SECONDS = 2
stores.model_answers.models_version = lambda: "rules"
with whywire.RayEngine({address!r}, load=partial(DangerousModels, None, {seconds})) as engine:
    whywire.work({store!r}, models=engine)
"""


@contextmanager
def head(port: int):
    """The head of a cluster of its own, as an operator starts it."""
    program = Path(sys.executable).with_name("ray")
    options = ["--num-cpus=1", "--include-dashboard=false", f"--object-store-memory={NODE['object_store_memory']}"]
    command = [program, "start", "--head", "--block", "--node-ip-address=127.0.0.1", f"--port={port}", *options]
    with offline():
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
    try:
        yield
    finally:
        while pids := session(process.pid):  # a node without power: nothing of it answers any more
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
        process.wait()


def session(leader: int) -> list[int]:
    """The ids of the processes of a session that live."""
    pids = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            state, _, _, its_leader, *_ = file.read_text().rpartition(")")[2].split()
            if int(its_leader) == leader and state != "Z":
                pids.append(int(file.parent.name))
    return pids


def worker_of(port: int, store: str, seconds: float = 0.0):
    """A process that takes in the articles of a store with the cluster at a port, until it is told to stop."""
    script = WORK.format(address=f"127.0.0.1:{port}", store=store, seconds=seconds)
    return subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.DEVNULL)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_until(found, seconds=180.0):
    deadline = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return value


def test_work_goes_on_when_the_head_is_back(articles, expected, tmp_path):
    port, url = free_port(), str(tmp_path / "news.db")
    with Store.open(url, models="rules") as store:
        store.accept(articles[:10])
        with head(port):
            worker = worker_of(port, url)
            wait_until(lambda: store.counts().articles == 10)
        store.accept(articles[10:])
        try:
            with head(port):
                wait_until(lambda: store.counts().articles == len(articles) or worker.poll() is not None)
                worker.send_signal(signal.SIGTERM)
                assert worker.wait(30) == 0
        finally:
            worker.kill()
            worker.wait()
        check_store(store, expected)


def test_a_worker_whose_node_dies_under_its_work_loses_nothing(articles, expected, tmp_path):
    port, url = free_port(), str(tmp_path / "news.db")
    workers = []

    def all_taken_in():
        if workers[-1].poll() is not None:  # Ray ended it, and its supervisor starts another
            workers.append(worker_of(port, url))
        assert len(workers) < 5
        return store.counts().articles == len(articles)

    with Store.open(url, models="rules") as store:
        try:
            with head(port):
                workers.append(worker_of(port, url, SECONDS))
                store.accept(articles)
                wait_until(lambda: store.counts().models)  # some are read, and others are being read
            with head(port):
                wait_until(all_taken_in)
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
        check_store(store, expected)


def check_store(store: Store, expected) -> None:
    assert store.waiting() == 0
    assert store.check() == []
    assert {event.mentions for event in store.graph().events} == {event.mentions for event in expected.events}
