"""``whywire work``: a worker as a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from tests.conftest import ROOT
from tests.store.killed_workers import news

from whywire.store import Store

WORK = """
import whywire
from tests.engines.dangerous_models import DangerousModels
from whywire.service.telemetry import log_to
from whywire.store import store

store.model_answers.models_version = lambda: "rules"
log_to()
done = whywire.work({store!r}, once={once}, models=DangerousModels(seconds={seconds}))
print(done and done.changes)
"""


@contextmanager
def working(store, *, once=False, seconds=0.0):
    script = WORK.format(store=str(store), once=once, seconds=seconds)
    process = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def url(tmp_path):
    return tmp_path / "news.db"


def wait_until(found, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_it_takes_in_what_comes_until_it_is_stopped(url):
    with Store.open(url, models="rules") as store, working(url) as worker:
        for articles in (news(6)[:3], news(6)[3:]):
            store.accept(articles)
            wait_until(lambda: not store.waiting())
        worker.send_signal(signal.SIGTERM)
        _, log = worker.communicate(timeout=30)
        assert worker.returncode == 0
        rows = [json.loads(line) for line in log.splitlines()]
        assert sum(row["articles"] for row in rows if row["message"] == "update") == 6
        assert any(row["message"] == "progress" and row["done"] == row["total"] for row in rows)


def test_once_it_ends_when_nothing_waits(url):
    with Store.open(url, models="rules") as store:
        store.accept(news(6))
        with working(url, once=True) as worker:
            out, _ = worker.communicate(timeout=60)
        assert worker.returncode == 0
        assert "'article added': 6" in out
        assert store.waiting() == 0


@pytest.mark.parametrize("once", [False, True])
def test_what_it_was_reading_when_it_was_stopped_waits_for_the_next(url, once):
    with Store.open(url, models="rules") as store:
        store.accept(news(40))
        with working(url, once=once, seconds=0.5) as worker:
            wait_until(store.leased)
            worker.send_signal(signal.SIGTERM)
            out, _ = worker.communicate(timeout=30)
        assert worker.returncode == 0
        assert out == "None\n"
        assert (store.waiting(), store.leased(), store.counts().articles) == (40, 0, 0)
