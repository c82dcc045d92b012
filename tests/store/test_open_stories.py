"""A worker keeps the stories of the last days in memory, and decides nearly as one that keeps everything."""

import random
from dataclasses import replace

import pytest
from tests.agreement import pairs_score

from whywire.store import Store, Worker
from whywire.updating import link_key

DAYS = 0.25
"""With the days that an article is compared with, five to six days of the example's three weeks are in memory."""


def by_time(news):
    return sorted((one for one in news if one.published), key=lambda one: one.published.at)


def fed(store, news, models, *, first=30, batch=6, **options):
    """A worker that took news in: the first of them at once, the others in small batches, with quiet moments."""
    worker = Worker(store, models, **options)
    store.accept(news[:first])
    worker.work_all()
    for start in range(first, len(news), batch):
        store.accept(news[start : start + batch])
        worker.work_all()
    return worker


def partition(graph):
    return {mention: event.id for event in graph.events for mention in event.mentions}


def links_by_evidence(graph):
    return {(repr(one), link.kind) for link in graph.links for one in link.evidence}


def assert_agrees(graph, other):
    ours, theirs = partition(graph), partition(other)
    assert ours.keys() == theirs.keys()
    assert pairs_score([ours[one] for one in ours], [theirs[one] for one in ours]).f1 > 0.85
    left, right = links_by_evidence(graph), links_by_evidence(other)
    assert len(left & right) > 0.85 * len(left | right)


@pytest.mark.parametrize("order", ["by time", "some late"])
def test_with_a_few_days_in_memory_the_graph_is_nearly_the_same(open_store, tmp_path, example, fake_models, order):
    news = by_time(example)
    if order == "some late":
        late = random.Random(5).sample(range(len(news) - 40), 12)
        news = [one for at, one in enumerate(news) if at not in late] + [news[at] for at in late]
    store = open_store()
    worker = fed(store, news, fake_models, open_days=DAYS)
    assert not store.check()
    if order == "by time":
        assert len(worker._current_state().open_articles) < 0.6 * len(news)
    with Store.open(tmp_path / "whole.db", models="rules") as whole:
        fed(whole, news, fake_models, open_days=1000)
        assert_agrees(store.graph(), whole.graph())


def test_what_is_in_memory_is_what_the_store_has(store, example, fake_models):
    news = by_time(example)
    worker = fed(store, news[:100], fake_models, open_days=DAYS)
    for article in news[100:]:
        store.accept([article])
        worker.work()
        kept = worker._current_state()
        loaded = store.state(since=kept.since)
        assert {event.id for event in loaded.open_events} <= {event.id for event in kept.open_events}
        assert all(kept.events[event.id] == event for event in loaded.open_events)
        for event in loaded.open_events:
            assert kept.links_of.get(event.id, {}) == loaded.links_of.get(event.id, {})
        assert {language: loaded.count(language) for language in loaded.news} == {
            language: kept.count(language) for language in kept.news
        }


def test_deciding_again_leaves_what_is_finished(store, example, fake_models):
    news = by_time(example)
    worker = fed(store, news, fake_models, open_days=DAYS)
    state = worker._current_state()
    before = store.graph()
    finished = {event.id: event for event in before.events if event.id not in {one.id for one in state.open_events}}
    links = {link_key(link): link for link in before.links if link.source in finished and link.target in finished}
    assert finished
    assert links
    crossing = {link_key(one) for one in before.links if (one.source in finished) != (one.target in finished)}
    state.settled.clear()  # so that it is time
    worker.work()
    after = store.graph()
    assert all(after.event(name) == event for name, event in finished.items())
    now = {link_key(link): link for link in after.links}
    assert all(now[key] == link for key, link in links.items())
    assert crossing <= now.keys()
    assert not store.check()


def test_a_copy_of_an_article_that_is_not_in_memory_is_listed_there(store, example, fake_models):
    news = by_time(example)
    worker = fed(store, news, fake_models, open_days=DAYS)
    original = next(one for one in news if one.id not in worker._current_state().articles)
    before = store.graph()
    store.accept([replace(original, id="copied")])
    changes = worker.work()
    assert [change.kind for change in changes.history] == ["article copied"]
    assert store.article(original.id).also == ("copied",)
    assert store.graph().events == before.events
    assert not store.check()


def test_two_workers_with_parts_of_the_news_see_what_the_other_did(store, open_store, example, fake_models):
    news = by_time(example)
    workers = [
        Worker(store, fake_models, name="one", open_days=DAYS),
        Worker(open_store(), fake_models, name="two", open_days=2 * DAYS),
    ]
    for start in range(0, len(news), 8):
        store.accept(news[start : start + 8])
        assert workers[start // 8 % 2].work(limit=8) is not None
    while any(worker.work() for worker in workers):
        pass
    assert not store.check()


def test_an_article_without_a_time_or_with_a_wrong_one_is_taken_in(store, example, fake_models):
    news = by_time(example)
    worker = fed(store, news[:60], fake_models, open_days=DAYS)
    odd = [
        replace(news[60], id="undated", url=None, title=news[60].title + " again", published=None),
        replace(
            news[61], id="late", published=replace(news[61].published, at=news[61].published.at.replace(year=1900))
        ),
        replace(
            news[62], id="early", published=replace(news[61].published, at=news[61].published.at.replace(year=2200))
        ),
    ]
    store.accept(odd)
    while worker.work():
        pass
    store.accept(news[63:80])
    worker.work_all()
    assert store.counts().articles == 80
    assert not store.check()
