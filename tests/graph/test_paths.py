from __future__ import annotations

from itertools import combinations, islice, permutations

import pytest
from hypothesis import given, settings
from made_up_news import graphs, linked

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.paths import paths, paths_between, root_causes
from whywire.links.order import order_of_events


def ways(graph: CausalGraph, cause: str, effect: str) -> list[str]:
    return ["".join(path.events) for path in paths(graph, cause, effect)]


def test_paths_are_sorted_by_strength_then_length() -> None:
    graph = linked(("a", "b", 90), ("b", "d", 60), ("a", "c", 70), ("c", "d", 70), ("a", "d", 60), times="abcd")
    assert ways(graph, "a", "d") == ["acd", "ad", "abd"]
    assert [path.strength for path in paths(graph, "a", "d")] == [70, 60, 60]
    assert ways(graph, "d", "a") == ways(graph, "a", "a") == []
    assert ways(graph.with_min_strength(65), "a", "d") == ["acd"]
    with pytest.raises(KeyError):
        ways(graph, "a", "nothing")


def test_paths_between_sets_start_and_end_at_the_only_members_they_contain() -> None:
    graph = linked(("a", "b", 90), ("b", "d", 60), ("a", "c", 70), ("c", "d", 70), ("d", "e", 80), times="abcde")
    found = ["".join(path.events) for path in paths_between(graph, {"a", "b"}, {"d", "e"})]
    assert found == ["acd", "bd"]
    assert ["".join(path.events) for path in paths_between(graph, {"a", "d"}, {"d", "e"})] == ["de", "acd", "abd"]
    assert ["".join(path.events) for path in root_causes(graph, "c", "e")] == ["ac"]
    with pytest.raises(KeyError):
        list(paths_between(graph, {"a"}, {"d", "nothing"}))


def test_an_event_without_a_time_does_not_let_a_path_run_backward() -> None:
    assert ways(linked(("b", "x", 90), ("x", "a", 90), times="ab"), "b", "a") == []
    assert ways(linked(("a", "x", 90), ("x", "b", 90), times="ab"), "a", "b") == ["axb"]


def test_a_closed_link_is_on_no_path(graph: CausalGraph) -> None:
    assert [path.events for path in paths(graph, "e1", "e10")] == [("e1", "e2", "e10")]
    assert not list(paths(graph, "e1", "e12"))


def test_a_path_visits_no_event_of_a_cycle_twice() -> None:
    graph = linked(("a", "b", 90), ("b", "a", 90), ("b", "c", 90), ("c", "a", 90))
    assert ways(graph, "a", "c") == ["abc"]


def test_root_causes_have_no_cause_themselves() -> None:
    graph = linked(("a", "b", 90), ("b", "d", 60), ("c", "d", 80), ("a", "d", 30), ("d", "e", 99), times="abcde")
    assert [path.events for path in root_causes(graph, "d")] == [("c", "d"), ("a", "b", "d")]
    assert root_causes(graph, "a") == ()


def test_each_event_of_a_cycle_without_causes_is_a_root() -> None:
    graph = linked(("a", "b", 90), ("b", "a", 90), ("b", "c", 90), ("c", "d", 90))
    assert {path.events[0] for path in root_causes(graph, "d")} == {"a", "b"}
    upstream = linked(("z", "a", 80), ("a", "b", 90), ("b", "a", 90), ("b", "c", 90))
    assert {path.events[0] for path in root_causes(upstream, "c")} == {"z"}


@settings(max_examples=50)
@given(graphs())
def test_paths_respect_time_and_come_in_order(graph: CausalGraph) -> None:
    for cause, effect in islice(permutations([event.id for event in graph.events], 2), 8):
        found = list(islice(paths(graph, cause, effect), 20))
        assert [(-path.weight, len(path.links)) for path in found] == sorted(
            (-path.weight, len(path.links)) for path in found
        )
        for path in found:
            assert (path.events[0], path.events[-1]) == (cause, effect)
            assert len(set(path.events)) == len(path.events)
            assert not any(link.closed_by for link in path.links)
            for earlier, later in combinations(path.events, 2):
                assert order_of_events(graph.event(earlier), graph.event(later))


@settings(max_examples=50)
@given(graphs())
def test_an_event_with_causes_has_roots_and_they_lead_to_it(graph: CausalGraph) -> None:
    for event in graph.events:
        roots = root_causes(graph, event.id)
        assert bool(roots) == bool(graph.causes_of(event.id))
        assert all(path.events[-1] == event.id for path in roots)
        assert len({path.events[0] for path in roots}) == len(roots)
