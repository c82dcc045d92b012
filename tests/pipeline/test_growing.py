"""A graph that grows ends where the build of everything at once ends."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import articles
from tests.fake_models import FakeEncoder
from tests.pipeline.test_build import files_of

from whywire import GrowingGraph, LanguageModels, build


@pytest.mark.parametrize("seed", [1, 2])
def test_the_example_grows_to_the_same_graph_in_any_order_and_in_any_cut(example, fake_models, seed, tmp_path):
    grown, at_once = grown_and_at_once(example[::3], fake_models, random.Random(seed))
    assert files_of(grown, tmp_path / "grown") == files_of(at_once, tmp_path / "at once")


@pytest.mark.model
@pytest.mark.slow
def test_the_embedded_models_let_it_grow_to_the_same_graph(example, tmp_path):
    grown, at_once = grown_and_at_once(example, LanguageModels(), random.Random(1))
    assert files_of(grown, tmp_path / "grown") == files_of(at_once, tmp_path / "at once")


def grown_and_at_once(news, models, order):
    """The graph of articles that come in some order and cut, and of all of them at once."""
    waiting = order.sample(news, len(news))
    waiting += order.sample(news, 5)  # and some come twice
    graph = GrowingGraph(models)
    while waiting:
        size = order.randint(1, 12)
        grown, waiting = graph.add(waiting[:size]), waiting[size:]
    return grown, build(news, models=models)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some=st.lists(articles, min_size=1, max_size=5))
def test_one_by_one_is_all_at_once(fake_models, some):
    graph = GrowingGraph(fake_models)
    for article in some:
        grown = graph.add([article])
    at_once = build(some, models=fake_models)
    assert grown.graph == at_once.graph
    assert {problem.reason for problem in grown.problems} == {problem.reason for problem in at_once.problems}


def test_nothing_is_asked_twice(example, fake_models, monkeypatch):
    graph = GrowingGraph(fake_models)
    graph.add(example)

    def asked(*_args, **_options):
        raise AssertionError("a model was asked again")

    monkeypatch.setattr(FakeEncoder, "_forward", asked)
    graph.add(example[:3])
