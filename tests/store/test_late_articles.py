"""A worker keeps where the articles of the last days lie, and decides as one that knows them all."""

import random
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.store.killed_workers import comparable

from whywire import build
from whywire.store import Store, Worker


@pytest.fixture(scope="module")
def news(example):
    """Half of the example, in the order of time."""
    return sorted((one for one in example if one.published), key=lambda one: one.published.at)[::2]


@pytest.fixture(autouse=True)
def _few_days_in_memory(monkeypatch):
    """Only the days that an article is compared with are in memory, nine of the example's three weeks."""
    monkeypatch.setattr("whywire.store.worker.KEPT", timedelta(days=0.25))


@pytest.fixture(scope="module")
def fed_file(news, fake_models, tmp_path_factory):
    """A store with all but the last of the news."""
    path = tmp_path_factory.mktemp("fed") / "news.db"
    with Store.open(path, models="rules") as store:
        feed(store, news[:-12], fake_models)
    return path


@pytest.fixture
def fed(fed_file, tmp_path):
    """A store with all but the last of the news, which a test may change."""
    with Store.open(shutil.copy(fed_file, tmp_path / "news.db"), models="rules") as store:
        yield store


def feed(store, news, models, *, first=20, batch=8):
    """Take news in: the first of them at once, the others in batches, with quiet moments."""
    worker = Worker(store, models)
    for start in (0, *range(first, len(news), batch)):
        store.accept(news[start : start + batch] if start else news[:first])
        worker.work_all()
    return worker


def held(worker):
    return sum(map(len, worker._index.indices.values()))


@pytest.mark.parametrize("days", [2, 5, 9, 14, 40])
def test_an_index_holds_what_is_late_and_whole_stories(example_store, days):
    since = example_store.newest() - timedelta(days=days)
    everything, index = example_store.index(), example_store.index(since=since)
    for article in example_store.graph().articles.values():
        own = index.indices.get(article.language)
        if own is None:
            continue
        whole = everything.indices[article.language]
        if article.published is None or article.published.at >= since:
            assert article.id in own
        if article.id in own:
            assert own.position_of(article.id) == whole.position_of(article.id)
            assert own.story_of(article.id) == whole.story_of(article.id)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["by time", "late", "shuffled"])
def test_whatever_is_in_memory_the_graph_is_that_of_a_build(news, fake_models, tmp_path, order):
    late = {"by time": [], "late": [5, 17, 30], "shuffled": random.Random(1).sample(range(len(news)), len(news))}[
        order
    ]
    given = [one for at, one in enumerate(news) if at not in late] + [news[at] for at in late]
    with Store.open(tmp_path / "news.db", models="rules") as store:
        feed(store, given[:-1], fake_models)
        store.accept(given[-1:])
        worker = Worker(store, fake_models)
        assert worker.work()
        if order == "by time":
            assert held(worker) < 0.7 * len(news)
        assert not store.check()
        assert comparable(store.graph()) == comparable(build(news, models=fake_models).graph)


def test_a_copy_of_an_article_that_is_not_in_memory_is_listed_there(fed, news, fake_models):
    worker = Worker(fed, fake_models)
    fed.accept(news[-12:-11])
    worker.work()
    original = next(one for one in news if all(one.id not in index for index in worker._index.indices.values()))
    before = fed.graph()
    fed.accept([replace(original, id="copied", published=original.published)])
    changes = worker.work()
    assert [change.kind for change in changes.history] == ["article copied"]
    assert fed.article(original.id).also == ("copied",)
    assert fed.graph().events == before.events
    assert not fed.check()


def test_two_workers_see_what_the_other_did(fed, news, fake_models):
    workers = [Worker(fed, fake_models, name=name) for name in ("one", "two")]
    for number, article in enumerate(news[-12:]):
        fed.accept([article])
        assert workers[number % 2].work() is not None
    while any(worker.work() for worker in workers):
        pass
    assert not fed.check()
    assert comparable(fed.graph()) == comparable(build(news, models=fake_models).graph)


def test_an_article_without_a_time_or_with_a_wrong_one_is_taken_in(fed, news, fake_models):
    worker = Worker(fed, fake_models)

    def of_year(article, year):
        return replace(article.published, at=article.published.at.replace(year=year))

    odd = [
        replace(news[-1], id="undated", url=None, title=news[-1].title + " again", published=None),
        replace(news[-2], published=of_year(news[-2], 1900)),
        replace(news[-3], published=of_year(news[-3], 2200)),
    ]
    fed.accept(odd)
    while worker.work():
        pass
    fed.accept(news[-12:-4])
    worker.work_all()
    assert fed.counts().articles == len(news) - 1
    assert not fed.check()
    graph = fed.graph()
    assert comparable(graph) == comparable(build(graph.articles.values(), models=fake_models).graph)
