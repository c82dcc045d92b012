from __future__ import annotations

import pytest
from hypothesis import given
from made_up_news import graphs, linked

from whywire.graph.attribution import attributed_causes
from whywire.graph.causal_graph import CausalGraph


def test_the_share_that_a_stronger_cause_mediates_is_taken_off() -> None:
    graph = linked(("a", "b", 50), ("a", "c", 40), ("b", "c", 80), times="abc")
    nearer, farther = attributed_causes(graph, "c")
    assert (nearer.link.source, nearer.attribution, nearer.mediator) == ("b", 80, None)
    assert (farther.link.source, farther.mediator) == ("a", "b")
    assert farther.attribution == pytest.approx(40 * (1 - 0.5 * 0.8))


def test_only_the_strongest_mediator_counts_and_a_weaker_cause_is_none() -> None:
    weaker = linked(("a", "b", 90), ("a", "c", 80), ("b", "c", 40), times="abc")
    assert [(cause.attribution, cause.mediator) for cause in attributed_causes(weaker, "c")] == [
        (80, None),
        (40, None),
    ]
    two = linked(("a", "b", 50), ("a", "c", 90), ("a", "d", 30), ("b", "d", 80), ("c", "d", 70), times="abcd")
    assert [cause.mediator for cause in attributed_causes(two, "d")] == [None, None, "c"]


@given(graphs())
def test_attribution_is_at_most_the_strength_and_the_strongest_cause_keeps_all(graph: CausalGraph) -> None:
    for event in graph.events:
        causes = attributed_causes(graph, event.id)
        assert tuple(cause.link for cause in causes) == graph.causes_of(event.id)
        assert all(0 <= cause.attribution <= cause.link.strength for cause in causes)
        assert all(cause.mediator is None for cause in causes[:1])
        assert all((cause.mediator is None) == (cause.attribution == cause.link.strength) for cause in causes)
