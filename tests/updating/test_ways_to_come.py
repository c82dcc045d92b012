"""However an article comes to be there, or not to be, the graph is that of a build of what is left."""

import random
from dataclasses import replace

import pytest
from tests.updating.test_update import assert_same

from whywire import build
from whywire.news import Language
from whywire.updating import State, update

WAYS = {
    "early": lambda one, others: [{"articles": [one]}, {"articles": others}],
    "late": lambda one, others: [{"articles": others}, {"articles": [one]}],
    "twice": lambda one, others: [{"articles": [one, *others]}, {"articles": [one]}],
    "twice at once": lambda one, others: [{"articles": [one, *others, one]}],
    "alone, one by one": lambda one, others: [{"articles": [article]} for article in (one, *others)],
    "replaced by what it says": lambda one, others: [
        {"articles": [replace(one, title=others[0].title, text=others[-1].text), *others]},
        {"articles": [one], "replacing": {one.id}},
    ],
    "replaced before the others come": lambda one, others: [
        {"articles": [replace(one, text=others[-1].text)]},
        {"articles": [one], "replacing": {one.id}},
        {"articles": others},
    ],
    "a replacement that comes first": lambda one, others: [
        {"articles": [one], "replacing": {one.id}},
        {"articles": others},
    ],
    "withdrawn and back": lambda one, others: [
        {"articles": [one, *others]},
        {"articles": [], "withdrawn": [one.id]},
        {"articles": [one]},
    ],
    "withdrawn before it comes": lambda one, others: [
        {"articles": others, "withdrawn": [one.id]},
        {"articles": [one]},
    ],
}
"""What comes, update by update; in the end all articles are there as they are."""

WAYS_OUT = {
    "withdrawn": lambda one, others: [{"articles": [one, *others]}, {"articles": [], "withdrawn": [one.id]}],
    "withdrawn twice": lambda one, others: [
        {"articles": [one, *others]},
        {"articles": [], "withdrawn": [one.id]},
        {"articles": [], "withdrawn": [one.id]},
    ],
    "withdrawn as others come": lambda one, others: [
        {"articles": [one, *others[:4]]},
        {"articles": others[4:], "withdrawn": [one.id]},
    ],
    "replaced, then withdrawn": lambda one, others: [
        {"articles": [one, *others]},
        {"articles": [replace(one, title=others[0].title)], "replacing": {one.id}},
        {"articles": [], "withdrawn": [one.id]},
    ],
}
"""What comes, update by update; in the end one article is not there."""


@pytest.fixture(scope="module", params=[Language.ENGLISH, Language.RUSSIAN])
def fire(request, example):
    """Reports of one story, the first of which is linked, and a few of others."""
    told = [article for article in example if article.language is request.param]
    return [*told[:10], *random.Random(1).sample(told[10:], 4)]


def after(steps, models):
    """The state after the updates."""
    state = State()
    for step in steps:
        state.apply(update(state, **step, models=models))
    return state


@pytest.fixture(scope="module")
def of_all(fire, fake_models):
    """The graph of a build of all reports."""
    return build(fire, models=fake_models).graph


@pytest.mark.parametrize("way", WAYS)
def test_in_whatever_way_an_article_comes_the_graph_is_that_of_a_build(fire, of_all, fake_models, way):
    assert of_all.links
    state = after(WAYS[way](fire[0], fire[1:]), fake_models)
    assert_same(state.graph, of_all)


@pytest.mark.parametrize("way", WAYS_OUT)
def test_in_whatever_way_an_article_goes_the_graph_is_that_of_a_build_without_it(fire, fake_models, way):
    state = after(WAYS_OUT[way](fire[0], fire[1:]), fake_models)
    assert fire[0].id not in state.articles
    assert_same(state.graph, build(fire[1:], models=fake_models).graph)


def test_when_every_article_is_withdrawn_nothing_is_left(fire, fake_models):
    names = [article.id for article in fire]
    state = after([{"articles": fire}, {"articles": [], "withdrawn": names}], fake_models)
    assert [*state.articles, *state.events, *state.links, *state.claims] == []
    assert all(len(index) == 0 for index in state.indices.values())
