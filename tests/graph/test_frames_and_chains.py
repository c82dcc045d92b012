from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_news import graphs, linked

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.chains import ChainKind, chains
from whywire.graph.frames import Frame, frame_of, frames


@pytest.mark.parametrize(
    ("strengths", "frame"),
    [
        ([], Frame.NONE),
        ([50, 20, 0], Frame.NONE),
        ([81, 50, 3], Frame.STRONG_DIRECT),
        ([80, 50], Frame.DIRECT),
        ([95, 81, 20], Frame.STRONG_CONTRIBUTORY),
        ([51, 80, 30], Frame.CONTRIBUTORY),
        ([51, 95], Frame.MIXED),
        ([99, 60, 40, 5], Frame.MIXED),
    ],
)
def test_frames_of_strengths(strengths: list[float], frame: Frame) -> None:
    assert frame_of(strengths) is frame


@given(st.lists(st.floats(0, 100)), st.randoms())
def test_neither_order_nor_weak_links_change_a_frame(strengths: list[float], rng: object) -> None:
    shuffled = sorted(strengths, key=lambda _: rng.random())  # type: ignore[attr-defined]
    assert frame_of(shuffled) is frame_of(strengths) is frame_of([*strengths, 12, 50])


def test_every_event_has_a_frame_and_closed_links_do_not_count(graph: CausalGraph) -> None:
    found = frames(graph)
    assert set(found) == {event.id for event in graph.events}
    assert found["e2"] is Frame.STRONG_DIRECT
    assert found["e7"] is Frame.DIRECT
    assert found["e12"] is Frame.NONE  # its only cause was refuted
    assert frames(graph.with_min_strength(90))["e4"] is Frame.NONE


def test_the_three_kinds_of_chains() -> None:
    graph = linked(("a", "b", 90), ("b", "c", 80), ("a", "c", 40), ("d", "c", 70), times="adbc")
    found = {(chain.kind, "".join(chain.events), len(chain.across)) for chain in chains(graph)}
    assert found == {
        (ChainKind.MEDIATION, "abc", 1),
        (ChainKind.CONFOUNDING, "bac", 1),
        (ChainKind.COLLIDER, "acd", 0),
        (ChainKind.COLLIDER, "bcd", 0),
    }


def test_a_mediation_runs_forward_in_time_even_if_the_mediator_has_no_time() -> None:
    assert not list(chains(linked(("b", "x", 90), ("x", "a", 90), times="ab")))
    assert len(list(chains(linked(("a", "x", 90), ("x", "b", 90), times="ab")))) == 1


@given(graphs())
def test_chains_consist_of_two_open_links_of_the_middle_event(graph: CausalGraph) -> None:
    for chain in chains(graph):
        first, middle, last = chain.events
        assert len({first, middle, last}) == 3
        assert all(link in graph.causes_of(link.target) for link in (*chain.links, *chain.across))
        assert {link.source for link in chain.across} | {link.target for link in chain.across} <= {first, last}
        ends = {
            ChainKind.MEDIATION: [(first, middle), (middle, last)],
            ChainKind.CONFOUNDING: [(middle, first), (middle, last)],
            ChainKind.COLLIDER: [(first, middle), (last, middle)],
        }[chain.kind]
        assert [(link.source, link.target) for link in chain.links] == ends
        assert not (chain.kind is ChainKind.COLLIDER and chain.across)
