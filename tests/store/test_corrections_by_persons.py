"""Corrections by persons in a store: applied by workers, kept through all that comes, taken back."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.store.killed_workers import comparable
from tests.store.test_other_models import OtherModels
from tests.updating.test_persons_corrections import FIRE, REPORTS, hidden, some_correction

from whywire.building import build
from whywire.errors import InputError
from whywire.graph.correcting import tell_apart
from whywire.language_models import LanguageModels
from whywire.store import CorrectionState, Store, Worker
from whywire.updating import ChangeKind

NOW = datetime(2026, 3, 5, tzinfo=UTC)


def assert_is_build(store, models):
    """The store holds the graph of a build of its articles with its corrections, and nothing waits."""
    assert (store.check(), store.waiting(), store.waiting_correction()) == ([], 0, None)
    graph, listed = store.graph(), store.corrections(limit=1000).items
    corrections = [one.correction for one in listed]
    assert comparable(graph) == comparable(
        build(graph.articles.values(), corrections=corrections, models=models).graph
    )


@pytest.fixture
def filled(store, fake_models):
    """A store with three reports of one fire, its worker, and the link that it shows."""
    store.accept(REPORTS)
    worker = Worker(store, fake_models)
    worker.work_all()
    (link,) = store.graph().links
    return store, worker, link


def state_of(store):
    (listed,) = store.corrections().items
    return listed.state


def told(store):
    return [one.change.kind for one in store.changes(limit=1000) if one.change.kind.value.startswith("correction")]


def test_a_link_is_hidden_until_that_is_taken_back_and_the_history_says_so(filled, fake_models):
    store, worker, link = filled
    correction = store.correct(hidden(store.graph(), link))
    assert state_of(store) is CorrectionState.WAITING
    assert store.correct(replace(correction, id="again")) == correction
    assert store.graph().links
    worker.work_all()
    (listed,) = store.corrections(event=link.source).items
    assert (listed.correction, listed.state) == (correction, CorrectionState.IN_FORCE)
    assert listed.events == (link.source, link.target)
    assert listed == store.correction(correction.id)
    assert not store.graph().links
    assert store.changes(event=link.target)[-1].change.kind is ChangeKind.LINK_DROPPED
    assert_is_build(store, fake_models)
    assert store.take_back(correction.id, "desk")
    assert not store.take_back("c-none", "desk")
    assert state_of(store) is CorrectionState.WAITING
    worker.work_all()
    assert store.take_back(correction.id, "another")
    (listed,) = store.corrections().items
    assert listed.correction.taken_back_by == "desk"
    assert listed.state is CorrectionState.TAKEN_BACK
    assert told(store) == [ChangeKind.CORRECTION_MADE, ChangeKind.CORRECTION_TAKEN_BACK]
    assert len(store.graph().links) == 1
    assert_is_build(store, fake_models)
    assert store.correct(replace(correction, id="once more")).id == "once more"


def test_one_that_is_taken_back_before_it_was_applied_changes_nothing(filled):
    store, worker, link = filled
    last = store.last_change()
    correction = store.correct(hidden(store.graph(), link))
    store.take_back(correction.id, "desk")
    worker.work_all()
    assert state_of(store) is CorrectionState.TAKEN_BACK
    assert store.last_change() == last


def test_it_holds_through_merges_withdrawals_and_another_process(filled, open_store, fake_models):
    store, worker, _ = filled
    told = tell_apart(store.graph(), event_of_report(store, "fire").id, ["third"], by="desk", at=NOW)
    correction = store.correct(told)
    worker.work_all()
    other = Worker(open_store(), fake_models, name="other")
    for number in range(3):
        store.accept([replace(FIRE, id=f"more {number}", text=f"{number}.")])
        (worker, other)[number % 2].work_all()
        assert_is_build(store, fake_models)
    store.withdraw(["third"])
    worker.work_all()
    assert state_of(store) is CorrectionState.RESTING
    assert store.corrections().items[0].events == (event_of_report(store, "fire").id, None)
    store.accept([REPORTS[2]])
    other.work_all()
    assert store.corrections().items[0] == store.correction(correction.id)
    assert state_of(store) is CorrectionState.IN_FORCE
    assert_is_build(store, fake_models)


def test_it_holds_when_other_models_decide_everything_again(filled, open_store, tmp_path):
    store, worker, link = filled
    store.hide_link(link.source, link.target, by="desk")
    store.tell_apart(event_of_report(store, "fire").id, ["third"], by="desk")
    worker.work_all()
    models = OtherModels(tmp_path)
    with_others = open_store(models="others")
    with_others.accept([replace(FIRE, id="later", text="")])
    Worker(with_others, models).work_all()
    assert {one.state for one in with_others.corrections().items} == {CorrectionState.IN_FORCE}
    assert event_of_report(with_others, "third") != event_of_report(with_others, "fire")
    assert not with_others.graph().links
    assert_is_build(with_others, models)


def event_of_report(store, article):
    graph = store.graph()
    return next(
        event
        for event in graph.events
        if any(one.article == article and one.kind == "headline" for one in event.mentions)
    )


def test_two_workers_apply_it_once(filled, open_store, fake_models):
    store, worker, link = filled
    store.correct(hidden(store.graph(), link))
    other = Worker(open_store(), fake_models, name="other")
    assert other.work() is not None
    assert worker.work() is None
    assert told(store) == [ChangeKind.CORRECTION_MADE]


class BrokenModels(LanguageModels):
    def _pairs(self, language):
        raise RuntimeError("no models today")


def test_one_that_an_update_fails_on_is_refused_and_may_be_made_again(filled):
    store, worker, link = filled
    correction = store.correct(hidden(store.graph(), link))
    assert Worker(store, BrokenModels()).work_all() == []
    (listed,) = store.corrections().items
    assert (listed.state, listed.reason) == (CorrectionState.REFUSED, "RuntimeError: no models today")
    again = store.correct(replace(correction, id="again"))
    worker.work_all()
    assert store.correction(again.id).state is CorrectionState.IN_FORCE
    assert store.take_back(correction.id, "desk")
    assert store.correction(correction.id).state is CorrectionState.TAKEN_BACK


def test_a_note_that_no_database_can_store_is_refused(filled):
    store, _, link = filled
    with pytest.raises(InputError, match="NUL"):
        store.correct(replace(hidden(store.graph(), link), note="a\x00b"))
    assert not store.corrections().items


def test_they_are_listed_page_by_page_and_kept_in_a_backup(filled, tmp_path):
    store, worker, link = filled
    first = store.correct(hidden(store.graph(), link))
    second = store.correct(tell_apart(store.graph(), event_of_report(store, "fire").id, ["third"], by="b", at=NOW))
    page = store.corrections(limit=1)
    rest = store.corrections(limit=1, after=page.next)
    assert [one.correction for one in (*page.items, *rest.items)] == [second, first]
    assert rest.next is None
    worker.work_all()
    store.backup(tmp_path / "copy.db")
    with Store.open(tmp_path / "copy.db", models="rules") as copy:
        assert copy.corrections() == store.corrections()


@pytest.mark.slow
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6))
def test_whatever_comes_and_is_corrected_the_store_is_a_build_with_its_corrections(
    tmp_path_factory, example, fake_models, seed
):
    chance = random.Random(seed)
    news = chance.sample(example, 50)
    with Store.open(tmp_path_factory.mktemp("store") / "news.db", models="rules") as store:
        workers = [Worker(store, fake_models, name=name) for name in ("one", "two")]
        for start in range(0, 50, 10):
            store.accept(news[start : start + 10])
            there = sorted(store.graph().articles)
            if store.graph().links:
                store.correct(some_correction(store.graph(), chance))
                changed = store.article(chance.choice(there))
                store.accept([replace(changed, text=chance.choice(news).text)], replace=True)
                store.withdraw([chance.choice(there)])
                made = [one.correction.id for one in store.corrections().items]
                if chance.random() < 0.4:
                    store.take_back(chance.choice(made), "desk")
            for _ in range(chance.randint(1, 4)):
                chance.choice(workers).work(limit=chance.randint(1, 12))
            if chance.random() < 0.5:
                workers[0].work_all()
                assert_is_build(store, fake_models)
        workers[1].work_all()
        assert_is_build(store, fake_models)
