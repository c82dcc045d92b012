"""An updated graph is the graph of a build, whatever the order; ids stay, and the history says what changed."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.agreement import pairs_score
from tests.conftest import articles
from tests.fake_models import FakeEncoder

from whywire import GrowingGraph, Language, LanguageModels, build
from whywire.engines.predictions import CachedModels, PredictionCache
from whywire.sentences.reader import SentenceReader
from whywire.updating import ChangeKind, Changes, State, link_key, renew, update


def grown(news, models, *, seed=1, each=9, **options):
    """A state to which the news came in some order, some of it twice; and the changes."""
    order = random.Random(seed)
    waiting = order.sample(news, len(news)) + order.sample(news, min(5, len(news)))
    state, changes = State(), []
    while waiting:
        size = order.randint(1, each)
        changes.append(update(state, waiting[:size], models=models, **options))
        state.apply(changes[-1])
        waiting = waiting[size:]
    return state, changes


@pytest.fixture(scope="module")
def whole(example, fake_models):
    """A state with the example, which tests only read, and the changes."""
    return grown(example, fake_models)


@pytest.fixture(scope="module")
def part(example, fake_models):
    """A state with a part of the example, which tests only read."""
    return grown(example[:60], fake_models)[0]


def events_by_mentions(graph):
    return {frozenset(event.mentions): event for event in graph.events}


def links_by_mentions(graph):
    mentions = {event.id: frozenset(event.mentions) for event in graph.events}
    return {(mentions[link.source], mentions[link.target], link.kind): link for link in graph.links}


def assert_same(graph, at_once):
    """Two graphs are the same but for the names of events and stories."""
    ours, theirs = events_by_mentions(graph), events_by_mentions(at_once)
    assert ours.keys() == theirs.keys()
    for mentions, event in ours.items():
        assert replace(event, id="", story=None) == replace(theirs[mentions], id="", story=None)
    stories = pairs_score(*([graph[one].story or one for one in ours] for graph in (ours, theirs)))
    assert stories.precision == stories.recall == 1.0
    left, right = links_by_mentions(graph), links_by_mentions(at_once)
    assert left.keys() == right.keys()
    for key, link in left.items():
        assert (link.probability, link.strength, link.evidence) == (
            right[key].probability,
            right[key].strength,
            right[key].evidence,
        )
        assert (link.closed_by is None) == (right[key].closed_by is None)
    assert {claim.id for claim in graph.claims} == {claim.id for claim in at_once.claims}


@pytest.mark.parametrize("seed", [1, 2])
def test_in_any_order_and_cut_the_graph_is_that_of_a_build(example, fake_models, seed):
    news = example[::3]
    state, _ = grown(news, fake_models, seed=seed)
    assert_same(state.graph, build(news, models=fake_models).graph)


@pytest.mark.model
@pytest.mark.slow
def test_with_the_embedded_models_too(example):
    news = example[::4]
    state, _ = grown(news, LanguageModels(), each=30)
    assert_same(state.graph, build(news).graph)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(some=st.lists(articles, min_size=1, max_size=5))
def test_one_by_one_is_all_at_once(fake_models, some):
    growing = GrowingGraph(fake_models)
    for article in some:
        growing.add([article])
    at_once = build(some, models=fake_models)
    if not at_once.problems:  # of two articles with one url, the first that came is kept
        assert_same(growing.graph, at_once.graph)


def test_an_update_asks_the_models_it_is_given(fake_models):
    cached = CachedModels(fake_models, PredictionCache())
    assert cached.documents() is fake_models.documents()
    for language in (Language.ENGLISH, Language.RUSSIAN):
        assert cached.sentences(language) is fake_models.sentences(language)


def test_an_update_touches_nothing(example, part, fake_models):
    state = part
    graph, length = state.graph, {language: len(index) for language, index in state.indices.items()}
    first = update(state, example[60:70], models=fake_models)
    assert first
    assert state.graph == graph
    assert {language: len(index) for language, index in state.indices.items()} == length
    assert update(state, example[60:70], models=fake_models).history == first.history


def test_what_came_before_changes_nothing(example, part, fake_models):
    assert not update(part, example[10:30], models=fake_models)


def test_no_article_is_read_twice_and_no_pair_compared_twice(example, whole, fake_models, monkeypatch):
    state, _ = whole

    def asked(*_args, **_options):
        raise AssertionError("a model was asked again")

    monkeypatch.setattr(FakeEncoder, "_forward", asked)
    update(state, example[:3], models=fake_models)


def test_an_article_with_known_words_is_not_read_again_and_has_claims_of_its_own(example, fake_models, monkeypatch):
    state, _ = grown(example[:60], fake_models)
    claim = next(iter(state.claims.values()))
    reprint = replace(
        state.articles[claim.article], id="reprint", url="https://elsewhere.example/1", source="Elsewhere"
    )
    monkeypatch.setattr(SentenceReader, "read", lambda *_args, **_options: pytest.fail("a text was read again"))
    changes = update(state, [reprint], models=fake_models)
    state.apply(changes)
    own = {one.quote for one in state.claims.values() if one.article == "reprint"}
    assert own == {one.quote for one in state.claims.values() if one.article == claim.article}
    assert state.graph  # its references are checked


def test_the_history_tells_every_change_and_ids_stay(example, fake_models):
    news = random.Random(3).sample(example, len(example))  # both languages in each batch
    state = State()
    state.apply(update(state, news[:80], models=fake_models))
    for start in range(80, len(news), 9):
        before_events, before_links = dict(state.events), dict(state.links)
        changes = update(state, news[start : start + 7], models=fake_models)
        for changed in (changes.events, changes.claims):
            assert len(changed) == len({one.id for one in changed})
        assert len(changes.links) == len({*map(link_key, changes.links)})
        state.apply(changes)
        told = {(change.kind, change.subject, change.object) for change in changes.history}
        for name in state.events.keys() - before_events.keys():
            assert (ChangeKind.EVENT_ADDED, name, None) in told
        for name in before_events.keys() - state.events.keys():
            into = changes.ended[name]
            assert (ChangeKind.EVENT_MERGED if len(into) == 1 else ChangeKind.EVENT_SPLIT, name, None) in told
            assert all(one in state.events for one in into)
            mentions = {one for new in into for one in state.events[new].mentions}
            assert {*before_events[name].mentions} <= mentions
        for name in state.events.keys() & before_events.keys():
            changed = state.events[name] != before_events[name]
            assert changed == ((ChangeKind.EVENT_CHANGED, name, None) in told)
            assert {*state.events[name].mentions} & {*before_events[name].mentions}
        for key in state.links.keys() - before_links.keys():
            assert (ChangeKind.LINK_ADDED, *key[:2]) in told
        for key in before_links.keys() - state.links.keys():
            assert (ChangeKind.LINK_DROPPED, *key[:2]) in told
        assert state.graph  # every id resolves, and every mention is in one event


def test_ids_of_ended_events_are_not_given_again(whole):
    state, changes = whole
    ended = {name for one in changes for name in one.ended}
    assert ended
    assert not ended & state.events.keys()


def test_everything_decided_anew_is_the_same(example, whole, fake_models):
    state, _ = whole
    again = State(predictions=state.predictions)
    again.hold(state.articles.values(), state.events.values(), state.links.values(), state.claims.values())
    changes = renew(again, models=fake_models)
    assert not changes.history
    assert not changes.events
    again.apply(changes)
    assert update(again, example[:1], models=fake_models).history == ()
    assert {name for index in again.indices.values() for name in state.articles if name in index}


def test_articles_that_other_ones_contradict_are_problems(example, fake_models):
    state = State()
    state.apply(update(state, example[:5], models=fake_models))
    other = replace(example[0], title="Something else entirely")
    changes = update(state, [other], models=fake_models)
    assert not changes
    assert [problem.row["title"] for problem in changes.problems] == ["Something else entirely"]


def test_copies_are_listed(example, fake_models):
    state = State()
    state.apply(update(state, example[:5], models=fake_models))
    kept = replace(example[0], url="https://one.example/a")
    copy = replace(kept, id="copy")
    state = State()
    state.apply(update(state, [kept], models=fake_models))
    changes = update(state, [copy], models=fake_models)
    state.apply(changes)
    assert [change.kind for change in changes.history] == [ChangeKind.ARTICLE_COPIED]
    assert state.articles[kept.id].also == ("copy",)
    assert not update(state, [copy], models=fake_models)


def test_nothing_is_no_change(fake_models):
    assert not update(State(), [], models=fake_models)
    assert not Changes()
