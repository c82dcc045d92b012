"""New versions and withdrawals: the graph ends where a build of what is left ends, and the history says what was."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.updating.test_update import assert_same

from whywire import build
from whywire.elements import ClaimEvidence
from whywire.news import Article, Language, read_row
from whywire.updating import ChangeKind, State, link_key, update


def corrected(article, other):
    """A new version of an article: with the words of another."""
    return replace(other, id=article.id, url=article.url, source=article.source, published=article.published)


def arrive(state, models, articles=(), replacing=(), withdrawn=()):
    """Apply an update, and check what always holds."""
    before = (state.articles.copy(), state.events.copy(), state.links.copy(), state.claims.copy())
    options = {"replacing": {one.id for one in replacing}, "withdrawn": withdrawn}
    changes = update(state, [*articles, *replacing], models=models, **options)
    assert before == (state.articles, state.events, state.links, state.claims)
    state.apply(changes)
    assert_told(before, state, changes)
    return changes


def assert_told(before, state, changes):
    """The history names everything that is another now, and the state holds together."""
    articles, events, links, _ = before
    told = {(one.kind, one.subject, one.object) for one in changes.history}
    kinds = {(one.kind, one.subject) for one in changes.history}
    for name in articles.keys() - state.articles.keys():
        assert (ChangeKind.ARTICLE_WITHDRAWN, name) in kinds
    for name in events.keys() - state.events.keys():
        into = changes.ended[name]
        kind = (ChangeKind.EVENT_ENDED, ChangeKind.EVENT_MERGED, ChangeKind.EVENT_SPLIT)[min(len(into), 2)]
        assert (kind, name, None) in told
        left = {one for new in into for one in state.events[new].mentions}
        assert {one for one in events[name].mentions if one.article not in changes.gone} <= left
    for name in state.events.keys() - events.keys():
        assert (ChangeKind.EVENT_ADDED, name, None) in told
    for key in links.keys() - state.links.keys():
        assert (ChangeKind.LINK_DROPPED, *key[:2]) in told
    for key in state.links.keys() - links.keys():
        assert (ChangeKind.LINK_ADDED, *key[:2]) in told
    assert state.graph  # its references are checked


@pytest.mark.slow
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6))
def test_whatever_comes_is_replaced_or_withdrawn_the_graph_is_that_of_a_build_of_what_is_left(
    example, fake_models, seed
):
    chance = random.Random(seed)
    news = chance.sample(example, 60)
    state, now = State(), {}
    first = news[:40]
    arrive(state, fake_models, first)
    now |= {one.id: one for one in first}
    waiting = news[40:56]
    for _ in range(4):
        coming, waiting = waiting[:4], waiting[4:]
        names = chance.sample(sorted(now), 4)
        withdrawn, versions = names[:2], [corrected(now[name], chance.choice(news)) for name in names[2:]]
        arrive(state, fake_models, coming, versions, withdrawn)
        for name in withdrawn:
            del now[name]
        now |= {one.id: one for one in (*coming, *versions)}
        assert state.articles.keys() == now.keys()
        assert_same(state.graph, build(now.values(), models=fake_models).graph)


def test_what_only_a_withdrawn_article_said_ends_and_the_rest_keeps_its_ids(example, fake_models):
    state = State()
    state.apply(update(state, example, models=fake_models))
    link = next(
        one
        for one in state.links.values()
        if all(isinstance(piece, ClaimEvidence) for piece in one.evidence)
        and len({state.claims[piece.claim].article for piece in one.evidence}) == 1
    )
    name = state.claims[link.evidence[0].claim].article
    elsewhere = {one.id for one in state.events.values() if name not in one.articles}
    alone = {one.id for one in state.events.values() if one.articles == (name,)}
    changes = arrive(state, fake_models, withdrawn=[name])
    assert link_key(link) not in state.links
    assert alone.isdisjoint(state.events)
    assert name not in {claim.article for claim in state.claims.values()}
    reasons = {(one.kind, one.subject): one.details.get("reason") for one in changes.history}
    assert reasons[ChangeKind.LINK_DROPPED, link.source] == "withdrawn"
    assert {reasons[ChangeKind.EVENT_ENDED, one] for one in alone} <= {"withdrawn"}
    assert len(elsewhere & state.events.keys()) > 0.95 * len(elsewhere)
    told = next(one for one in changes.history if one.kind is ChangeKind.ARTICLE_WITHDRAWN)
    assert (told.subject, read_row(told.details["before"])[0].text) == (
        name,
        next(one.text for one in example if one.id == name),
    )


TEXTS = [
    ("en", "Fire shuts the refinery", "The fire was caused by lightning.", "The fire was caused by a spark."),
    ("ru", "Пожар остановил завод", "Пожар вызвала молния.", "Пожар вызвала искра."),
]


@pytest.mark.parametrize(("language", "title", "wrong", "right"), TEXTS)
def test_a_new_version_takes_the_place_of_the_old_one(example, fake_models, language, title, wrong, right):
    state = State()
    state.apply(update(state, example[:60], models=fake_models))
    row = {"url": "https://post.example/fire?utm_source=rss", "title": title, "language": language}
    old = read_row({**row, "text": wrong})[0]
    new = read_row({**row, "url": "https://post.example/fire", "id": "desk-7", "text": right})[0]
    arrive(state, fake_models, [old])
    changes = arrive(state, fake_models, replacing=[new])
    assert state.articles[old.id] == replace(new, id=old.id, also=("desk-7",))
    assert {one.quote for one in state.claims.values() if one.article == old.id} <= {right, title}
    told = next(one for one in changes.history if one.kind is ChangeKind.ARTICLE_REPLACED)
    assert told.details["before"]["text"] == wrong
    assert old.id in state.events[told.object].articles
    assert not arrive(state, fake_models, replacing=[new])
    (problem,) = update(state, [replace(old, title="Another")], models=fake_models).problems
    assert "another article has its url" in problem.reason


def test_an_article_may_change_its_language_and_be_the_only_one(fake_models):
    state = State()
    old = Article("a", "Fire shuts the refinery", "Lightning caused it.", Language.ENGLISH)
    for version in (
        replace(old, title="Пожар на заводе", text="Его вызвала молния.", language=Language.RUSSIAN),
        replace(old, title="Brand in Raffinerie", text="", language=Language.OTHER),
        old,
    ):
        arrive(state, fake_models, replacing=[version])
        assert_same(state.graph, build([version], models=fake_models).graph)
    arrive(state, fake_models, withdrawn=["a", "never seen"])
    assert [*state.articles, *state.events, *state.links, *state.claims] == []


def test_a_version_with_the_url_of_another_article_is_left_out(example, fake_models):
    urls = ["https://post.example/1", "https://post.example/2"]
    one, other = (replace(article, url=url) for article, url in zip(example[:2], urls, strict=True))
    state = State()
    arrive(state, fake_models, [one, other])
    changes = arrive(state, fake_models, replacing=[replace(one, url=urls[1])])
    assert not changes
    assert "another article has its url" in changes.problems[0].reason
