"""Workers of one PostgreSQL database take turns: one decides while others read, and nothing is decided in vain."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

from tests.fake_models import FakeLanguageModels
from tests.store.killed_workers import comparable, news

from whywire.engines import LocalEngine
from whywire.store import Store, Worker


class WatchedEngine(LocalEngine):
    """Notes when it decides, which takes a while."""

    def __init__(self, spans):
        super().__init__(FakeLanguageModels())
        self._spans = spans

    def decide(self, *args, **options):
        begun = time.monotonic()
        decision = super().decide(*args, **options)
        time.sleep(0.2)
        self._spans.append((begun, time.monotonic()))
        return decision


def test_one_decides_at_a_time_and_none_in_vain(postgresql, tmp_path):
    url, articles = postgresql.make_database(), news(24)
    spans, updates, errors = [], [], []

    def work(number):
        try:
            with Store.open(url, models="rules") as store:
                worker = Worker(store, WatchedEngine(spans), name=f"worker {number}")
                while changes := worker.work(limit=4):
                    updates.append(changes)
        except Exception as error:
            errors.append(error)

    with Store.open(url, models="rules") as store:
        store.accept(articles)
        threads = [threading.Thread(target=work, args=[number]) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert store.waiting() == 0
        assert store.check() == []
        both = comparable(store.graph())
    assert len(spans) == len(updates) == 6
    ordered = sorted(spans)
    assert all(end <= begun for (_, end), (begun, _) in pairwise(ordered))
    with Store.open(tmp_path / "alone.db", models="rules") as store:
        store.accept(articles)
        Worker(store, FakeLanguageModels()).work_all()
        assert comparable(store.graph()) == both


def test_a_lease_lasts_while_a_worker_waits_for_its_turn(postgresql):
    url = postgresql.make_database()
    with Store.open(url, models="rules") as store, Store.open(url, models="rules") as other:
        store.accept(news(4))
        worker = Worker(store, FakeLanguageModels(), lease_seconds=0.8)
        thread = threading.Thread(target=worker.work)
        with other.turn(lambda: None):
            thread.start()
            time.sleep(2.5)
            assert other.lease("other") is None
            assert store.counts().articles == 0
        thread.join()
        assert store.counts().articles == 4
