"""A graph that grows ends where the build of everything at once ends."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import articles
from tests.pipeline.test_build import files_of

from whywire import GrowingGraph, build


@pytest.mark.parametrize("seed", [1, 2])
def test_the_example_grows_to_the_same_graph_in_any_order_and_in_any_cut(example, seed, tmp_path):
    order = random.Random(seed)
    waiting = order.sample(example, len(example))
    waiting += order.sample(example, 5)  # and some come twice
    graph = GrowingGraph()
    while waiting:
        size = order.randint(1, 12)
        grown, waiting = graph.add(waiting[:size]), waiting[size:]
    assert files_of(grown, tmp_path / "grown") == files_of(build(example), tmp_path / "at once")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(articles, min_size=1, max_size=5))
def test_one_by_one_is_all_at_once(some):
    graph = GrowingGraph()
    for article in some:
        grown = graph.add([article])
    at_once = build(some)
    assert grown.graph == at_once.graph
    assert {problem.reason for problem in grown.problems} == {problem.reason for problem in at_once.problems}


def test_nothing_is_asked_twice(example, monkeypatch):
    graph = GrowingGraph()
    graph.add(example)

    def asked(*_args, **_options):
        raise AssertionError("a model was asked again")

    monkeypatch.setattr("whywire.models.encoder.OnnxModel._forward", asked)
    graph.add(example[:3])
