"""Workers take articles in, together, and decide everything again at a quiet moment."""

from whywire.news import Language
from whywire.store import Worker
from whywire.updating import is_time_to_settle, update


def test_two_workers_take_turns_and_end_with_the_same_state(store, open_store, example, fake_models):
    workers = [Worker(one, fake_models, name=name) for one, name in ((store, "one"), (open_store(), "two"))]
    for start in range(0, len(example), 16):
        store.accept(example[start : start + 16])
        assert workers[start // 16 % 2].work(limit=16) is not None
    while any(worker.work() for worker in workers):
        pass
    assert not store.check()
    states = [worker._current_state() for worker in workers]
    assert states[0].graph == states[1].graph == store.graph()


def test_everything_is_decided_again_when_there_is_nothing_to_take_in(store, example, fake_models):
    worker, news = Worker(store, fake_models), [one for one in example if one.language is Language.ENGLISH]
    store.accept(news[:50])
    worker.work_all()
    for article in news[50:60]:
        store.accept([article])
        worker.work()
    state = store.state()
    assert is_time_to_settle(state)
    settled = worker.work()
    assert settled is not None
    assert worker.work() is None
    assert not update(store.state(), [], models=fake_models, settle=True)
    assert not store.check()
