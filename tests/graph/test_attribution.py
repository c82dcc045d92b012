from __future__ import annotations

import pytest
from hypothesis import given
from made_up_news import graphs, linked

from whywire.graph.attribution import attributed_causes
from whywire.graph.causal_graph import CausalGraph


def test_what_went_by_way_of_a_nearer_and_stronger_cause_is_that_ones_credit() -> None:
    graph = linked(("a", "b", 50), ("a", "c", 40), ("b", "c", 80), times="abc")
    nearer, farther = attributed_causes(graph, "c")
    assert (nearer.link.source, nearer.attribution, nearer.mediator) == ("b", 80, None)
    assert (farther.link.source, farther.mediator) == ("a", "b")
    assert farther.attribution == pytest.approx(40 * (1 - 0.5 * 0.8))


def test_a_weaker_mediator_takes_nothing_and_of_several_the_one_that_mediates_most() -> None:
    weaker = linked(("a", "b", 90), ("a", "c", 80), ("b", "c", 40), times="abc")
    assert [(cause.attribution, cause.mediator) for cause in attributed_causes(weaker, "c")] == [
        (80, None),
        (40, None),
    ]
    two = linked(("a", "b", 50), ("a", "c", 90), ("a", "d", 30), ("b", "d", 80), ("c", "d", 70), times="abcd")
    assert [cause.mediator for cause in attributed_causes(two, "d")] == [None, None, "c"]


@given(graphs())
def test_credit_is_never_more_than_strength_and_the_strongest_keeps_all(graph: CausalGraph) -> None:
    for event in graph.events:
        causes = attributed_causes(graph, event.id)
        assert tuple(cause.link for cause in causes) == graph.causes_of(event.id)
        assert all(0 <= cause.attribution <= cause.link.strength for cause in causes)
        assert all(cause.mediator is None for cause in causes[:1])
        assert all((cause.mediator is None) == (cause.attribution == cause.link.strength) for cause in causes)
