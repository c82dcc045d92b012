"""Versions that replace articles and withdrawals, in the queue, by workers, and between two of them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.store.killed_workers import comparable

from whywire import build
from whywire.errors import InputError
from whywire.news import Article, Language
from whywire.store import LeaseLostError, Outcome, Store, Worker
from whywire.updating import ChangeKind, update

FIRE = Article(
    "fire",
    "Fire shuts the refinery",
    "The fire was caused by lightning. Fuel ran short because of the fire.",
    Language.ENGLISH,
    url="https://post.example/fire",
)
SPARK = replace(FIRE, text="The fire was caused by a spark.")
COPY = replace(FIRE, id="copy", url="https://post.example/fire?utm_source=rss")


def outcomes(accepted):
    return [one.outcome for one in accepted]


def kinds(store, *wanted):
    return [(one.change.kind, one.change.subject) for one in store.changes(limit=10_000) if one.change.kind in wanted]


GONE = ChangeKind.ARTICLE_REPLACED, ChangeKind.ARTICLE_WITHDRAWN


def assert_is_build(store, models):
    """The store holds the graph of a build of its articles, and nothing waits."""
    assert (store.check(), store.waiting(), store.set_aside()) == ([], 0, [])
    graph = store.graph()
    assert comparable(graph) == comparable(build(graph.articles.values(), models=models).graph)


# In the queue.


def test_a_version_replaces_only_where_it_is_said_to(store):
    store.accept([FIRE])
    assert outcomes(store.accept([SPARK])) == [Outcome.CONFLICT]
    accepted = store.accept([replace(SPARK, id="desk-7")], replace=True)
    assert [(one.article_id, one.outcome) for one in accepted] == [("fire", Outcome.REPLACED)]
    assert outcomes(store.accept([SPARK], replace=True)) == [Outcome.KNOWN]
    assert outcomes(store.accept([FIRE])) == [Outcome.CONFLICT]
    assert store.waiting() == 1
    assert store.arrival("fire").article == replace(SPARK, also=("desk-7",))


def test_of_versions_that_wait_only_the_last_is_ever_read(store, fake_models):
    store.accept([FIRE])
    store.accept([SPARK, replace(FIRE, text="Nobody knows what caused the fire.")], replace=True)
    Worker(store, fake_models).work_all()
    assert store.article("fire").text == "Nobody knows what caused the fire."
    assert kinds(store, ChangeKind.ARTICLE_ADDED, *GONE) == [(ChangeKind.ARTICLE_ADDED, "fire")]
    assert store.arrival("fire") is None


@pytest.mark.parametrize("name", ["fire", "copy", COPY.url, "http://post.example/fire#top"])
def test_an_article_that_waits_is_withdrawn_by_each_of_its_names(store, fake_models, name):
    store.accept([FIRE])
    Worker(store, fake_models).work_all()
    store.accept([COPY])
    Worker(store, fake_models).work_all()
    found = store.withdraw([name, name, "none"])
    assert [(one.article_id, one.outcome) for one in found] == [
        ("fire", Outcome.WITHDRAWN),
        ("fire", Outcome.WITHDRAWN),
        ("none", Outcome.UNKNOWN),
    ]
    Worker(store, fake_models).work_all()
    assert kinds(store, *GONE) == [(ChangeKind.ARTICLE_WITHDRAWN, "fire")]
    counts = store.counts()
    assert (counts.articles, counts.events, counts.links, counts.claims) == (0, 0, 0, 0)
    assert_is_build(store, fake_models)
    assert outcomes(store.accept([FIRE])) == [Outcome.NEW]
    Worker(store, fake_models).work_all()
    assert store.article("fire") == FIRE
    assert_is_build(store, fake_models)


def test_an_article_that_waits_and_is_withdrawn_is_never_read(store, fake_models):
    store.accept([FIRE])
    assert outcomes(store.withdraw(["fire"])) == [Outcome.WITHDRAWN]
    assert store.arrival("fire") is None
    Worker(store, fake_models).work_all()
    assert store.changes() == []
    assert_is_build(store, fake_models)


@pytest.mark.parametrize("again", [FIRE, SPARK, COPY])
def test_what_comes_after_a_withdrawal_stays(store, fake_models, again):
    store.accept([FIRE])
    Worker(store, fake_models).work_all()
    store.withdraw(["fire"])
    assert outcomes(store.accept([again])) == [Outcome.NEW]
    Worker(store, fake_models).work_all()
    assert store.article("fire").text == again.text
    assert_is_build(store, fake_models)


@pytest.mark.parametrize(
    "change", [lambda store: store.accept([SPARK], replace=True), lambda s: s.withdraw(["fire"])]
)
def test_what_a_worker_has_while_it_is_replaced_is_not_taken_in(store, fake_models, change):
    store.accept([FIRE, replace(FIRE, id="other", url=None)])
    lease = store.lease("one")
    changes = update(store.state(store.index()), lease.articles, models=fake_models)
    change(store)
    with pytest.raises(LeaseLostError):
        store.commit(changes, lease, decided_at=0)
    store.release(lease)
    Worker(store, fake_models).work_all()
    assert store.article("other") is not None
    assert getattr(store.article("fire"), "text", None) in (SPARK.text, None)
    assert_is_build(store, fake_models)


def test_a_replaced_article_that_was_set_aside_is_tried_again(store, fake_models):
    store.accept([FIRE])
    for _ in range(3):
        store.fail(store.lease("one"), "fire", "the model fails on it")
    assert store.arrival("fire").set_aside
    store.accept([SPARK], replace=True)
    Worker(store, fake_models).work_all()
    assert store.article("fire") == SPARK
    assert_is_build(store, fake_models)


# In the graph.


def test_a_store_with_replacements_and_withdrawals_is_one_of_what_is_left(store, open_store, example, fake_models):
    """Two workers take turns; each catches up with what the other replaced and withdrew."""
    news = [article for article in example if article.language is Language.ENGLISH][:48]
    workers = [Worker(one, fake_models, name=name) for one, name in ((store, "one"), (open_store(), "two"))]
    store.accept(news[:40])
    workers[0].work(limit=40)
    workers[1].work()
    versions = [replace(one, title=f"Correction: {one.title}", text=news[-1].text) for one in news[:12:3]]
    withdrawn = [one.id for one in news[1:12:3]]
    for number in range(4):
        store.accept([news[40 + number]])
        store.accept([versions[number]], replace=True)
        store.withdraw([withdrawn[number]])
        before = store.last_change()
        assert workers[number % 2].work() is not None
        assert store.check() == []
        told = [one for one in store.changes(after=before, limit=10_000) if one.change.kind in GONE]
        assert sorted(one.change.subject for one in told) == sorted([versions[number].id, withdrawn[number]])
        assert all(one in store.changes(event=one.change.object) for one in told)
    left = {one.id: one for one in (*news[:44], *versions) if one.id not in withdrawn}
    assert store.graph().articles == left
    assert_is_build(store, fake_models)
    told = next(one.change for one in store.changes(limit=10_000) if one.change.kind is ChangeKind.ARTICLE_REPLACED)
    assert told.details["before"]["text"] == next(one.text for one in news if one.id == told.subject)


def test_an_old_article_without_a_time_is_replaced_though_it_is_not_in_memory(
    store, example, fake_models, monkeypatch
):
    monkeypatch.setattr("whywire.store.worker.KEPT", timedelta(minutes=1))
    dated = [one for one in example if one.published and one.language is Language.ENGLISH][:40]
    store.accept([FIRE, *dated])
    worker = Worker(store, fake_models)
    worker.work_all()
    store.accept([SPARK], replace=True)
    worker.work_all()
    oldest = min(dated, key=lambda one: one.published.at)
    store.withdraw([oldest.id])
    Worker(store, fake_models).work_all()
    assert store.article("fire") == SPARK
    assert store.article(oldest.id) is None
    assert_is_build(store, fake_models)


def test_models_of_another_version_read_the_versions_that_are_left(store, open_store, fake_models):
    store.accept([FIRE])
    Worker(store, fake_models).work_all()
    store.accept([SPARK], replace=True)
    Worker(store, fake_models).work_all()
    other = open_store(models="others")
    Worker(other, fake_models).work_all()
    other.accept([replace(FIRE, id="b", url=None)])
    Worker(other, fake_models).work_all()
    assert_is_build(other, fake_models)
    with pytest.raises(InputError):
        store.catch_up(store.index())


@pytest.mark.slow
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6))
def test_whatever_comes_in_whatever_order_the_store_is_a_build_of_what_is_left(
    tmp_path_factory, example, fake_models, seed
):
    chance = random.Random(seed)
    news, now = chance.sample(example, 60), {}
    with Store.open(tmp_path_factory.mktemp("store") / "news.db", models="rules") as store:
        workers = [Worker(store, fake_models, name=name) for name in ("one", "two")]
        for start in range(0, 60, 5):
            store.accept(news[start : start + 5])
            now |= {one.id: one for one in news[start : start + 5]}
            for name in chance.sample(sorted(now), 2):
                other = chance.choice(news)
                now[name] = replace(now[name], title=f"Correction: {other.title}", text=other.text)
                store.accept([now[name]], replace=True)
            if start % 2:
                name = chance.choice(sorted(now))
                store.withdraw([name])
                del now[name]
            if chance.random() < 0.7:
                chance.choice(workers).work(limit=chance.randint(1, 12))
        workers[0].work_all()
        assert_is_build(store, fake_models)
        assert {one.id: one for one in store.graph().articles.values()} == now
