"""Workers take articles in, together."""

from tests.store.killed_workers import comparable

from whywire import build
from whywire.store import Worker


def test_two_workers_take_turns_and_end_with_the_same_state(store, open_store, example, fake_models):
    workers = [Worker(one, fake_models, name=name) for one, name in ((store, "one"), (open_store(), "two"))]
    news = example[::2]
    for start in range(0, len(news), 16):
        store.accept(news[start : start + 16])
        assert workers[start // 16 % 2].work(limit=16) is not None
    while any(worker.work() for worker in workers):
        pass
    assert not store.check()
    assert comparable(store.graph()) == comparable(build(news, models=fake_models).graph)
