"""Corrections by persons: whatever comes and goes, the graph is that of a build with the corrections in force."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.updating.test_update import assert_same
from tests.updating.test_update_corrections import arrive, corrected

from whywire.building import build
from whywire.correction import CorrectionKind
from whywire.elements import LinkKind
from whywire.graph.correcting import hide_link, tell_apart
from whywire.news import Article, Language
from whywire.updating import ChangeKind, State, renew, update

NOW = datetime(2026, 3, 4, tzinfo=UTC)

FIRE = Article(
    "fire", "Fire shuts the refinery", "Fuel ran short because the fire shut the refinery.", Language.ENGLISH
)
REPORTS = [
    FIRE,
    replace(FIRE, id="again", title="Fire shuts the refinery at Calder"),
    replace(FIRE, id="third", title="Refinery fire shuts the refinery", text="The fire shut the refinery."),
]


def state_of(articles, models):
    state = State()
    state.apply(update(state, articles, models=models))
    return state


def correct(state, models, *corrections):
    """Apply corrections; returns the history."""
    changes = update(state, [], corrections=corrections, models=models)
    state.apply(changes)
    return changes.history


def undone(correction):
    return replace(correction, taken_back=NOW, taken_back_by="desk")


def hidden(graph, link, at=NOW):
    return hide_link(graph, link.source, link.target, link.kind, by="desk", at=at)


def some_correction(graph, chance):
    """A correction of something that the graph shows, made at some time."""
    at = NOW + timedelta(microseconds=chance.randrange(10**12))
    shared = [event for event in graph.events if len(event.articles) > 1]
    if shared and (not graph.links or chance.random() < 0.5):
        event = chance.choice(shared)
        some = chance.sample(event.articles, chance.randint(1, len(event.articles) - 1))
        return tell_apart(graph, event.id, some, by="desk", at=at)
    return hidden(graph, chance.choice(graph.links), at)


def kinds(history):
    return [change.kind for change in history]


@pytest.mark.slow
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6))
def test_whatever_comes_and_is_corrected_the_graph_is_that_of_a_build_with_the_corrections(
    example, fake_models, seed
):
    chance = random.Random(seed)
    news = chance.sample(example, 60)
    state, now, made = State(), {one.id: one for one in news[:40]}, {}
    arrive(state, fake_models, news[:40])
    for start in range(40, 60, 5):
        new = [some_correction(state.graph, chance) for _ in range(3)]
        back = [
            undone(one) for one in chance.sample(sorted(made.values(), key=lambda one: one.id), min(1, len(made)))
        ]
        names = chance.sample(sorted(now), 4)
        withdrawn, versions = names[:2], [corrected(now[name], chance.choice(news)) for name in names[2:]]
        coming = news[start : start + 5]
        steps = [{"corrections": [*new, *back]}, {"coming": coming, "versions": versions, "withdrawn": withdrawn}]
        if chance.random() < 0.5:
            steps = [steps[0] | steps[1]]  # all at once
        for step in steps:
            arriving = [*step.get("coming", ()), *step.get("versions", ())]
            options = {"replacing": {one.id for one in step.get("versions", ())}}
            options |= {name: step.get(name, ()) for name in ("withdrawn", "corrections")}
            state.apply(update(state, arriving, models=fake_models, **options))
        for name in withdrawn:
            del now[name]
        now |= {one.id: one for one in (*coming, *versions)}
        made |= {one.id: one for one in new}
        for one in back:
            del made[one.id]
        assert state.corrections == made
        assert_same(state.graph, build(now.values(), corrections=made.values(), models=fake_models).graph)


def test_a_hidden_link_stays_hidden_however_many_reports_tell_it_until_it_is_taken_back(fake_models):
    state = state_of(REPORTS, fake_models)
    (link,) = state.graph.links
    hiding = hidden(state.graph, link)
    history = correct(state, fake_models, hiding)
    assert kinds(history) == [ChangeKind.CORRECTION_MADE, ChangeKind.LINK_DROPPED]
    told = history[0]
    assert (told.subject, told.object, told.link_kind) == (link.source, link.target, LinkKind.CAUSES)
    assert told.details["by"] == "desk"
    assert not state.graph.links
    more = [replace(FIRE, id=f"more {number}", source=f"Post {number}") for number in range(3)]
    for report in more:
        state.apply(update(state, [replace(report, text=f"{report.id}. {FIRE.text}")], models=fake_models))
    assert not state.graph.links
    state.apply(update(state, [], withdrawn=["fire"], models=fake_models))
    assert not state.graph.links
    history = correct(state, fake_models, undone(hiding))
    assert kinds(history)[0] is ChangeKind.CORRECTION_TAKEN_BACK
    assert ChangeKind.LINK_ADDED in kinds(history)
    assert len(state.graph.links) == 1


def test_reports_told_apart_stay_apart_and_each_report_that_comes_joins_one_of_them(fake_models):
    state = state_of(REPORTS, fake_models)
    (event,) = (one for one in state.graph.events if len(one.articles) == 3 and one.mentions[0].field == "title")
    told = tell_apart(state.graph, event.id, ["third"], by="desk", at=NOW)
    assert told.kind is CorrectionKind.APART
    history = correct(state, fake_models, told)
    assert kinds(history)[0] is ChangeKind.CORRECTION_MADE
    assert {history[0].subject, history[0].object} == {event_of(state, "fire").id, event_of(state, "third").id}
    for number in range(4):
        state.apply(update(state, [replace(FIRE, id=f"more {number}", text=f"{number}.")], models=fake_models))
        assert event_of(state, "fire") == event_of(state, "again")
        assert event_of(state, "third") != event_of(state, "fire")
        joined = event_of(state, f"more {number}")
        assert joined in (event_of(state, "fire"), event_of(state, "third"))
    again = State(predictions=state.predictions)
    again.hold(state.articles.values(), state.events.values(), state.links.values(), state.claims.values())
    again.corrections = state.corrections
    assert not renew(again, models=fake_models).history
    assert event_of(state, "third") != event_of(state, "fire")
    correct(state, fake_models, undone(told))
    assert event_of(state, "third") == event_of(state, "fire")


def event_of(state, article):
    """The event of an article's headline."""
    return next(
        event
        for event in state.events_in([article])
        if any(one.article == article and one.kind == "headline" for one in event.mentions)
    )


def test_while_its_words_are_gone_a_correction_rests_and_it_applies_when_they_return(fake_models):
    state = state_of(REPORTS[:1], fake_models)
    (link,) = state.graph.links
    correct(state, fake_models, hidden(state.graph, link))
    other = replace(FIRE, text="Prices rose. Fuel ran short because the fire shut the refinery.")
    state.apply(update(state, [other], replacing={"fire"}, models=fake_models))
    assert len(state.graph.links) == 1
    state.apply(update(state, [], withdrawn={"fire"}, models=fake_models))
    assert not state.graph.events
    state.apply(update(state, [FIRE], models=fake_models))
    assert state.graph.events
    assert not state.graph.links


def test_a_correction_of_articles_that_are_gone_is_made_and_taken_back_without_harm(fake_models):
    state = state_of(REPORTS[:1], fake_models)
    (link,) = state.graph.links
    hiding = hidden(state.graph, link)
    state.apply(update(state, [], withdrawn={"fire"}, models=fake_models))
    for one in (hiding, undone(hiding)):
        (change,) = correct(state, fake_models, one)
        assert (change.subject, change.object) == (hiding.id, None)
    assert not state.corrections
