"""A worker keeps the stories of the last days in memory, and decides nearly as one that keeps everything."""

import random
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.agreement import pairs_score

from whywire.elements import LinkKind
from whywire.store import Store, Worker
from whywire.updating import link_key

DAYS = 0.25
"""With the days that an article is compared with, five to six days of the example's three weeks are in memory."""


@pytest.fixture(scope="module")
def news(example):
    """Half of the example, in the order of time."""
    return sorted((one for one in example if one.published), key=lambda one: one.published.at)[::2]


@pytest.fixture(scope="module")
def fed_file(news, fake_models, tmp_path_factory):
    """A store with all but the last of the news, taken in by a worker with few days in memory."""
    path = tmp_path_factory.mktemp("fed") / "news.db"
    with Store.open(path, models="rules") as store:
        feed(store, news[:-12], fake_models)
    return path


@pytest.fixture
def fed(fed_file, tmp_path):
    """A store with all but the last of the news, which a test may change."""
    with Store.open(shutil.copy(fed_file, tmp_path / "news.db"), models="rules") as store:
        yield store


def feed(store, news, models, *, first=20, batch=8, open_days=DAYS):
    """Take news in: the first of them at once, the others in batches, with quiet moments."""
    worker = Worker(store, models, open_days=open_days)
    for start in (0, *range(first, len(news), batch)):
        store.accept(news[start : start + batch] if start else news[:first])
        worker.work_all()
    return worker


def partition(graph):
    return {mention: event.id for event in graph.events for mention in event.mentions}


def evidence(graph):
    return {(repr(one), link.kind) for link in graph.links for one in link.evidence}


@pytest.mark.parametrize("days", [2, 5, 9, 14, 40])
def test_a_part_holds_whole_stories_and_all_their_links(example_store, days):
    newest = example_store.newest()
    since = newest - timedelta(days=days)
    part, graph = example_store.state(since=since), example_store.graph()
    open_events = {event.id for event in part.open_events}
    reported = {event.id for event in graph.events if event.last_seen and event.last_seen.at >= since}
    assert reported <= open_events
    stories = {graph.event(name).story for name in open_events} - {None}
    assert {event.id for event in graph.events if event.story in stories} <= open_events
    assert all(part.events[name] == graph.event(name) for name in part.events)
    links = {link_key(link): link for link in graph.links}
    wanted = {key for key in links if not open_events.isdisjoint(key[:2])}
    denials = {key for key in links if key[2] is LinkKind.REFUTES and key[0] in part.events}
    assert {key: links[key] for key in wanted | denials} == part.links
    assert all(part.event(end) == graph.event(end) for key in part.links for end in key[:2])
    assert {article for event in part.events.values() for article in event.articles} <= part.articles.keys()
    counts = {language: part.count(language) for language in part.news}
    assert counts == {
        language: sum(one.language is language for one in graph.articles.values()) for language in counts
    }
    assert part.since is None or not part.finished or len(part.articles) < len(graph.articles)


@pytest.mark.parametrize("order", ["by time", "some late"])
def test_with_a_few_days_in_memory_the_graph_is_nearly_the_same(tmp_path, news, fake_models, order):
    given = news
    if order == "some late":
        late = random.Random(5).sample(range(len(news) - 20), 8)
        given = [one for at, one in enumerate(news) if at not in late] + [news[at] for at in late]
    graphs = []
    for days in (DAYS, 1000):
        with Store.open(tmp_path / f"{days}.db", models="rules") as store:
            worker = feed(store, given, fake_models, open_days=days)
            assert not store.check()
            if days == DAYS and order == "by time":
                assert len(worker._current_state().open_articles) < 0.6 * len(news)
            graphs.append(store.graph())
    ours, theirs = map(partition, graphs)
    assert ours.keys() == theirs.keys()
    assert (
        pairs_score([ours[one] for one in ours], [theirs[one] for one in ours]).f1 > 0.85
    )  # of few articles the cut
    left, right = map(evidence, graphs)
    assert len(left & right) > 0.85 * len(left | right)


def test_what_is_in_memory_is_what_the_store_has(fed, news, fake_models):
    worker = Worker(fed, fake_models, open_days=DAYS)
    for article in news[-12:]:
        fed.accept([article])
        worker.work()
        kept = worker._current_state()
        assert kept.since is not None
        loaded = fed.state(since=kept.since)
        assert {event.id for event in loaded.open_events} <= {event.id for event in kept.open_events}
        for event in loaded.open_events:
            assert kept.events[event.id] == event
            assert kept.links_of.get(event.id, {}) == loaded.links_of.get(event.id, {})
        for language in loaded.news:
            assert loaded.count(language) == kept.count(language)


def test_deciding_again_leaves_what_is_finished(filled, fake_models):
    worker = Worker(filled, fake_models, open_days=4)  # so few that links lead out of what is in memory
    state, before = worker._current_state(), filled.graph()
    finished = {event.id: event for event in before.events} | {event.id: None for event in state.open_events}
    finished = {name: event for name, event in finished.items() if event}
    links = {link_key(link): link for link in before.links}
    among = {key: link for key, link in links.items() if key[0] in finished and key[1] in finished}
    crossing = {key for key in links if (key[0] in finished) != (key[1] in finished)}
    assert finished
    assert among
    assert crossing
    state.settled.clear()  # so that it is time
    worker.work()
    after = filled.graph()
    assert all(after.event(name) == event for name, event in finished.items())
    now = {link_key(link): link for link in after.links}
    assert all(now[key] == link for key, link in among.items())
    for source, target, kind in crossing:  # an event that is not finished may have been merged into another
        (source,), (target,) = filled.resolve(source), filled.resolve(target)
        assert (source, target, kind) in now
    assert not filled.check()


def test_a_copy_of_an_article_that_is_not_in_memory_is_listed_there(fed, news, fake_models):
    worker = Worker(fed, fake_models, open_days=DAYS)
    fed.accept(news[-12:-11])
    worker.work()
    original = next(one for one in news if one.id not in worker._current_state().articles)
    before = fed.graph()
    fed.accept([replace(original, id="copied", published=original.published)])
    worker._current_state = lambda *_, state=worker._state: state  # the article's own days are not loaded
    changes = worker.work()
    assert [change.kind for change in changes.history] == ["article copied"]
    assert fed.article(original.id).also == ("copied",)
    assert fed.graph().events == before.events
    assert not fed.check()


def test_two_workers_with_parts_of_the_news_see_what_the_other_did(fed, news, fake_models):
    workers = [Worker(fed, fake_models, name=name, open_days=DAYS * days) for name, days in (("one", 1), ("two", 9))]
    for number, article in enumerate(news[-12:]):
        fed.accept([article])
        assert workers[number % 2].work() is not None
    while any(worker.work() for worker in workers):
        pass
    assert not fed.check()


def test_an_article_without_a_time_or_with_a_wrong_one_is_taken_in(fed, news, fake_models):
    worker = Worker(fed, fake_models, open_days=DAYS)

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
