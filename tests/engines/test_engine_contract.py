"""What every engine does alike."""

from __future__ import annotations

import json

import pytest
from tests.fake_models import FakeLanguageModels
from tests.local_server import serving
from tests.second_opinions.chat_servers import adviser_at
from tests.second_opinions.test_second_reader import erratic

import whywire
from whywire.building import build
from whywire.engines import LocalEngine, PredictionCache
from whywire.news import Article, Language
from whywire.pipeline import Undecided, find_stories
from whywire.progress import Stages, Stopped, stopping_when
from whywire.store import Store, Worker
from whywire.updating import State, renew, update


@pytest.fixture(scope="module")
def articles(example):
    return example[:48]


def written(built, folder):
    """The files of a build that say nothing of its run."""
    built.write(folder)
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "run.json"}


def decided_in(decision):
    decided = decision.decided
    return sorted(decided.events, key=repr), sorted(decided.links, key=repr), decided.claims


def test_a_build_is_the_same_to_the_byte(engine, articles, fake_models, tmp_path):
    expected = build(articles, models=LocalEngine(fake_models))
    built = build(articles, models=engine)
    assert written(built, tmp_path / "engine") == written(expected, tmp_path / "expected")
    assert built.counts == expected.counts
    assert built.graph.links


def test_what_was_predicted_is_not_asked_again(engine, articles):
    readings, lost = engine.read(articles, Stages())
    assert not lost
    assert readings.keys() == LocalEngine(FakeLanguageModels()).read(articles, Stages())[0].keys()
    stories = find_stories(articles, readings, Stages())
    work = Undecided(articles, stories, readings)
    first = engine.decide(work, Stages())
    assert first.new.relations
    assert first.new.strengths
    again = engine.decide(work, Stages(), known=first.new)
    assert decided_in(again) == decided_in(first)
    assert again.new == PredictionCache()


def test_updates_end_where_a_build_does(engine, articles):
    state = State()
    for start in range(0, len(articles), 20):
        state.apply(update(state, articles[start : start + 20], models=engine))
    expected = build(articles, models=LocalEngine(FakeLanguageModels())).graph
    assert {link.evidence for link in state.graph.links} == {link.evidence for link in expected.links}
    assert {event.mentions for event in state.graph.events} == {event.mentions for event in expected.events}
    state.apply(update(state, [], withdrawn=[articles[0].id], models=engine))
    without = build(articles[1:], models=LocalEngine(FakeLanguageModels())).graph
    assert {event.mentions for event in state.graph.events} == {event.mentions for event in without.events}


def test_a_worker_takes_in_what_waits(engine, articles, fake_models, tmp_path):
    with (
        Store.open(tmp_path / "news.db", models="rules") as store,
        Store.open(tmp_path / "2.db", models="rules") as two,
    ):
        for one, models in ((store, engine), (two, fake_models)):
            one.accept(articles)
            Worker(one, models).work_all()
        assert store.check() == []
        assert store.graph() == two.graph()
        assert store.set_aside() == []


def test_corrections_reach_the_stories_that_they_are_about(engine, articles, fake_models, tmp_path):
    with whywire.open_store(tmp_path / "news.db") as store:
        built = whywire.build(articles, store=store, models=fake_models)
        link = built.graph.links[0]
        with whywire.corrections(store, models=fake_models) as corrections:
            corrections.hide_link(link.source, link.target, by="desk")
            made = [one.correction for one in corrections.list()]
        corrected = whywire.build(articles, corrections=made, models=engine).graph
    assert corrected == whywire.build(articles, corrections=made, models=fake_models).graph
    assert len(corrected.links) < len(built.graph.links)


def test_a_second_reader_is_asked_once_and_decides_alike(engine, articles, fake_models, tmp_path):
    """Answers look random, so whatever is asked otherwise shows in the graph."""
    with serving(erratic) as server:
        expected = build(articles, models=LocalEngine(fake_models), adviser=adviser_at(server))
        requests = sorted(json.dumps(asked.body) for asked in server.asked)
    with serving(erratic) as server:
        built = build(articles, models=engine, adviser=adviser_at(server))
        assert sorted(json.dumps(asked.body) for asked in server.asked) == requests
    assert written(built, tmp_path / "engine") == written(expected, tmp_path / "expected")
    assert built.counts == expected.counts
    assert built.counts["merges asked about"] > 10
    assert any(event.checked_by for event in built.graph.events)
    assert any(link.checked_by for link in built.graph.links)


def test_nothing_and_other_languages_need_no_models(engine):
    assert build([], models=engine).graph.events == ()
    other = Article("a1", "المصنع أغلق", language=Language.OTHER)
    (event,) = build([other], models=engine).graph.events
    assert event.articles == ("a1",)


def test_it_stops_when_asked_and_works_again(engine, articles):
    with pytest.raises(Stopped), stopping_when(lambda: True):
        engine.read(articles, Stages())
    assert engine.read(articles[:2], Stages())[0].keys() == {article.id for article in articles[:2]}


def test_everything_is_decided_again_alike(engine, articles, fake_models):
    state = State()
    state.apply(update(state, articles, models=fake_models))
    again = State(predictions=state.predictions)
    again.hold(articles, state.events.values(), state.links.values(), state.claims.values())
    assert not renew(again, models=engine).history
