"""Workers that are killed at random times leave a store that fits together, and nothing is lost or done twice.

``python -m tests.store.killed_workers 200`` kills more of them, in some minutes.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import ROOT
from tests.fake_models import FakeLanguageModels
from tests.store.killed_workers import Lives, comparable, news, survive

from whywire.news import Article, Language
from whywire.pairs.model import PairModel
from whywire.store import Store, Worker
from whywire.store.processes import CAN_TRY
from whywire.updating import ChangeKind


@pytest.fixture(scope="module")
def lives():
    with ExitStack() as stack:
        started = Lives(stack)
        stack.callback(started.close)
        yield started


@pytest.fixture(params=["sqlite", "postgresql"])
def make_url(request, tmp_path):
    if request.param == "postgresql":
        return request.getfixturevalue("postgresql").make_database
    numbers = iter(range(1000))
    return lambda: str(tmp_path / f"{next(numbers)}.db")


@pytest.mark.parametrize(("kills", "count"), [(3, 15), pytest.param(16, 40, marks=pytest.mark.slow)])
def test_a_store_survives_workers_that_are_killed(kills, count, lives, make_url, tmp_path):
    survive(lives, make_url, tmp_path, kills, count)


def in_danger(url):
    """Let a process take in what waits, and return its exit status: negative where a signal ended it."""
    command = f"from tests.store.killed_workers import work_in_danger; work_in_danger({url!r})"
    return subprocess.run([sys.executable, "-c", command], cwd=ROOT, check=False).returncode


@pytest.mark.skipif(not CAN_TRY, reason="only Linux forks a process that has threads")
def test_an_article_costs_one_death_and_what_came_with_it_is_read(make_url):
    url = make_url()
    articles = [Article(f"a{n}", f"Report {n}", language=Language.ENGLISH) for n in range(7)]
    articles[2] = replace(articles[2], text="The mill burned because a poison cloud came.")
    articles[5] = replace(articles[5], title="Над городом яд", language=Language.RUSSIAN)
    with Store.open(url, models="rules") as store:
        store.accept(articles[:6])
        assert in_danger(url) == -signal.SIGKILL
        assert (store.waiting(), store.set_aside()) == (6, [])
        store.accept(articles[6:])
        assert in_danger(url) == 0
        assert store.waiting() == 0
        aside = {one.article.id: one.reason for one in store.set_aside()}
        assert {*aside} == {"a2", "a5"}
        assert all("SIGKILL" in reason for reason in aside.values())
        added = [
            one.change.subject for one in store.changes(limit=1_000) if one.change.kind is ChangeKind.ARTICLE_ADDED
        ]
        assert added[0] == "a6"  # what waits behind them does not wait for them
        assert sorted(added) == ["a0", "a1", "a3", "a4", "a6"]
        assert store.check() == []


class CountingModels(FakeLanguageModels):
    """Models that count the headlines they embed."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded = Counter()

    def _pairs(self, language):
        return CountingPairModel(super()._pairs(language), self.embedded)


class CountingPairModel(PairModel):
    def __init__(self, model, embedded) -> None:
        self.__dict__ |= model.__dict__
        self._embedded = embedded

    def embed(self, reports, advance=None):
        self._embedded.update(reports)
        return np.asarray(super().embed(reports, advance))


@pytest.mark.slow
def test_two_workers_at_once_read_each_article_once_and_end_where_one_does(open_store, tmp_path):
    articles = news(30)
    alone, both = CountingModels(), CountingModels()
    with Store.open(tmp_path / "alone.db", models="rules") as store:
        store.accept(articles)
        while Worker(store, alone).work(limit=6):
            pass
        expected = comparable(store.graph())
    stores = [open_store(), open_store()]
    stores[0].accept(articles)
    errors = []

    def work(store):
        try:
            worker = Worker(store, both)
            while worker.work(limit=6) is not None:
                pass
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=[store]) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert stores[0].waiting() == 0
    assert stores[0].check() == []
    assert both.embedded == alone.embedded
    assert comparable(stores[0].graph()) == expected


def test_what_was_read_before_a_crash_is_not_read_again(store, tmp_path):
    from whywire.engines import PredictionCache, text_key
    from whywire.pipeline import read
    from whywire.progress import Stages

    articles = news(20)
    models = CountingModels()
    store.accept(articles)
    store.lease("host:0:dead:1", seconds=-1)
    readings = read(articles[:15], models, Stages())
    store.keep_answers(
        PredictionCache({text_key(one): readings[one.id] for one in articles[:15] if one.id in readings})
    )
    before = Counter(models.embedded)
    Worker(store, models).work_all()
    again = models.embedded - before
    assert store.counts().articles == 20
    assert not {one.title for one in articles[:15]} & {*again}
