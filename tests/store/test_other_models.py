"""Models that change: what a store holds is read and decided again, its ids stay, and nothing of the old is left."""

from __future__ import annotations

import pytest
from tests.fake_models import FORWARD, FakeLanguageModels, FakeSentences
from tests.store.killed_workers import comparable, news

from whywire.errors import InputError
from whywire.store import Worker
from whywire.updating import State, update


class OtherSentences(FakeSentences):
    """Finds no claims where the first ones did, and so other mentions."""

    def answers(self, encoding):
        found = super().answers(encoding)
        if any(token.lower() in FORWARD for token in encoding.tokens):
            found["sentence"] = found["sentence"] * 0 - 6
        return found


class OtherModels(FakeLanguageModels):
    def _sentence_rules(self, name):
        return OtherSentences(name)


@pytest.fixture
def upgraded(open_store, fake_models):
    """A store with news taken in by some models, then opened with others, and the ids of its events before."""
    articles = news(40)
    with open_store() as store:
        store.accept(articles)
        Worker(store, fake_models).work_all()
        before = {event.id: event for event in store.graph().events}
    return open_store(models="others"), OtherModels(), articles, before


def test_the_first_update_decides_everything_by_the_new_models(upgraded):
    store, models, articles, before = upgraded
    late, earlier = articles[0], articles[1:]
    again = store.accept([late])
    assert again[0].outcome == "known"
    Worker(store, models).work_all()
    assert store.is_of_other_models()  # nothing waited
    store.accept([type(late)("new", "Fire at the harbour of Castra", language=late.language)])
    Worker(store, models).work_all()
    assert not store.is_of_other_models()
    assert store.check() == []
    state = State()
    state.apply(update(state, [*earlier, late], models=models))
    state.apply(update(state, store.articles(limit=1000).items, models=models))
    assert comparable(store.graph()) == comparable(state.graph)
    now = {event.id for event in store.graph().events}
    assert len(now & before.keys()) > len(before) / 2
    for name in before.keys() - now:
        assert all(one in now for one in store.resolve(name))
        assert store.resolve(name)


def test_a_program_with_the_old_models_is_stopped(upgraded, open_store, fake_models):
    store, models, articles, _ = upgraded
    old = open_store()
    worker = Worker(old, fake_models)
    first, second = (
        type(articles[0])(f"x{n}", f"Flood number {n} in Castra", language=articles[0].language) for n in (1, 2)
    )
    store.accept([first])
    worker.work_all()
    store.accept([second])
    Worker(store, models).work_all()
    store.accept([type(first)("x3", "Another flood in Castra", language=first.language)])
    with pytest.raises(InputError, match="other models"):
        worker.work_all()
    assert store.waiting() == 1
    assert store.check() == []
