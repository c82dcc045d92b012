from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_week import REFUTED, link_between

from whywire.elements import (
    CLASS_BOUNDS,
    ClaimEvidence,
    Event,
    HeadlineEvidence,
    Link,
    LinkKind,
    Order,
    StrengthClass,
    strength_class,
)
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports.networkx_formats import to_networkx
from whywire.news.article import Article
from whywire.news.language import Language


def small_graph(links: list[tuple[int, int, float]], stories: list[str | None]) -> CausalGraph:
    """Events with one article and these stories, and these links of (source, target, strength)."""
    events = len(stories)
    articles = {f"a{n}": Article(f"a{n}", f"Title {n}") for n in range(events)}
    return CausalGraph(
        articles,
        tuple(
            Event(f"e{n}", f"Title {n}", Language.ENGLISH, None, None, (f"a{n}",), story=stories[n])
            for n in range(events)
        ),
        tuple(
            Link(
                f"e{source}",
                f"e{target}",
                LinkKind.CAUSES,
                0.5,
                strength,
                Order.UNKNOWN,
                (HeadlineEvidence(f"a{source}", f"a{target}", 0.5),),
            )
            for source, target, strength in links
        ),
    )


link_lists = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.floats(0, 100)).filter(lambda link: link[0] != link[1]),
    unique_by=lambda link: link[:2],
    max_size=20,
)

story_lists = st.lists(st.sampled_from([None, "e0", "e1", "gone"]), min_size=8, max_size=8)


def test_an_empty_graph_has_nothing_in_it() -> None:
    graph = CausalGraph()
    assert graph.stories() == ()
    assert graph.single_events() == ()
    assert graph.with_min_strength(0) == graph


def test_lookups(graph: CausalGraph) -> None:
    assert graph.event("e2").title.startswith("Embankment")
    assert graph.claim("c1").event == "e2"
    assert {link.target for link in graph.links_of("e2") if link.source == "e2"} == {
        "e3",
        "e4",
        "e6",
        "e7",
        "e10",
    }
    assert [claim.id for claim in graph.claims_of("e2")] == ["c1", "c2"]
    assert graph.links_of("e26") == ()
    with pytest.raises(KeyError):
        graph.event("e999")


def test_stories_have_their_events_links_and_a_title(graph: CausalGraph) -> None:
    stories = graph.stories()
    assert [len(story.events) for story in stories] == [12, 8, 5]
    assert stories[0].title == "Embankment above Lower Orlen gives way"
    assert sum(len(story.links) for story in stories) == len(graph.links)
    assert len(graph.single_events()) == 4


def test_the_events_of_a_story_are_sorted_by_time_and_unknown_times_come_last(graph: CausalGraph) -> None:
    for story in graph.stories():
        times = [event.first_seen.at for event in story.events if event.first_seen]
        assert times == sorted(times)
        assert all(event.first_seen is None for event in story.events[len(times) :])


def test_a_minimum_strength_removes_weaker_links(graph: CausalGraph) -> None:
    strong = graph.with_min_strength(80)
    assert strong.events == graph.events
    assert {link.strength for link in graph.links} - {link.strength for link in strong.links} == {
        link.strength for link in graph.links if link.strength < 80
    }
    assert any(link.strength == 80 for link in strong.links)


@settings(deadline=None)
@given(link_lists, story_lists)
def test_each_event_is_in_one_story_or_single(links: list[tuple[int, int, float]], stories: list[str | None]) -> None:
    graph = small_graph(links, stories)
    told = [event for story in graph.stories() for event in story.events] + list(graph.single_events())
    assert sorted(event.id for event in told) == sorted(event.id for event in graph.events)
    for story in graph.stories():
        assert len(story.events) > 1
        assert {event.story for event in story.events} == {story.id}
        assert set(story.links) == {
            link for link in graph.links if {graph.event(link.source), graph.event(link.target)} <= set(story.events)
        }


def test_what_a_report_refutes_gives_no_story_its_title() -> None:
    graph = small_graph([(0, 1, 50), (0, 2, 50), (3, 2, 50)], ["s"] * 4)
    assert graph.stories()[0].title == "Title 0"
    of_refuted = Link("e0", "e3", LinkKind.REFUTES, 1.0, 50, Order.FORWARD, (HeadlineEvidence("a0", "a3", 1.0),))
    assert replace(graph, links=(*graph.links, of_refuted)).stories()[0].title == "Title 2"
    others = [
        replace(of_refuted, source=name, target="e0", evidence=(HeadlineEvidence(f"a{name[1]}", "a0", 1.0),))
        for name in ("e1", "e2", "e3")
    ]
    everything_refuted = replace(graph, links=(*graph.links, of_refuted, *others))
    assert everything_refuted.stories()[0].title == "Title 0"


@settings(deadline=None)
@given(link_lists, story_lists, st.randoms(use_true_random=False))
def test_the_order_of_links_does_not_change_the_stories(
    links: list[tuple[int, int, float]], stories: list[str | None], random: object
) -> None:
    shuffled = sorted(links, key=lambda _: random.random())  # type: ignore[attr-defined]
    before, after = small_graph(links, stories).stories(), small_graph(shuffled, stories).stories()
    assert {(story.lead, story.events) for story in before} == {(story.lead, story.events) for story in after}
    assert [len(story.events) for story in before] == [len(story.events) for story in after]


@settings(deadline=None)
@given(link_lists, st.floats(0, 100), st.floats(0, 100))
def test_a_higher_threshold_keeps_fewer_links(
    links: list[tuple[int, int, float]], lower: float, higher: float
) -> None:
    lower, higher = sorted((lower, higher))
    graph = small_graph(links, [None] * 8)
    assert set(graph.with_min_strength(higher).links) <= set(graph.with_min_strength(lower).links) <= set(graph.links)
    assert graph.with_min_strength(lower).with_min_strength(higher) == graph.with_min_strength(higher)


def test_networkx_gets_events_and_links_with_their_attributes(graph: CausalGraph) -> None:
    shape = to_networkx(graph)
    assert (shape.number_of_nodes(), shape.number_of_edges()) == (len(graph.events), len(graph.links))
    assert shape.nodes["e2"]["first_seen"] == "2026-03-03T04:10:00Z"
    assert shape.edges["e1", "e2", "causes"]["strength"] == 92
    assert "closed_by" not in shape.edges["e1", "e2", "causes"]
    assert "first_seen" not in shape.nodes["e24"]


def broken(graph: CausalGraph, what: str) -> dict[str, Any]:
    """The graph's parts with one thing wrong."""
    event, link, claim = graph.events[1], graph.links[0], graph.claims[0]
    stray = HeadlineEvidence("e5-1", f"{link.target}-1", 0.5)
    wrong: dict[str, dict[str, Any]] = {
        "article missing": {"articles": {key: value for key, value in graph.articles.items() if key != "e2-3"}},
        "event twice": {"events": (*graph.events, event)},
        "event without articles": {"events": (*graph.events, replace(event, id="new", articles=()))},
        "article in two events": {"events": (*graph.events, replace(event, id="new"))},
        "claim twice": {"claims": (*graph.claims, claim)},
        "claim of no event": {"claims": (replace(claim, event="gone"),)},
        "claim of another event": {"claims": (replace(claim, event="e5"),)},
        "claim in no field": {"claims": (replace(claim, field="summary"),)},
        "quote elsewhere": {"claims": (replace(claim, sentence=(claim.sentence[0] + 1, claim.sentence[1] + 1)),)},
        "link twice": {"links": (*graph.links, link)},
        "link to nowhere": {"links": (replace(link, target="gone"),)},
        "link to itself": {"links": (replace(link, target=link.source),)},
        "link closed by nothing": {"links": (replace(link, closed_by="gone"),)},
        "link without evidence": {"links": (replace(link, evidence=()),)},
        "evidence of no claim": {"links": (replace(link, evidence=(ClaimEvidence("gone", 0.5),)),)},
        "evidence of another event": {"links": (replace(link, evidence=(stray,)),)},
    }
    return wrong[what]


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("article missing", "e2: the event's article 'e2-3' is not in the graph"),
        ("event twice", "e2: two events have this id"),
        ("event without articles", "new: the event has no articles"),
        ("article in two events", "the mention at 0:38 of title is in two events, 'e2' and 'new'"),
        ("claim twice", "c1: two claims have this id"),
        ("claim of no event", "c1: the claim's event 'gone' is not in the graph"),
        ("claim of another event", "c1: the claim's article 'e2-1' is not one of event 'e5'"),
        ("claim in no field", "c1: 'summary' is no part of an article a claim can be in"),
        ("quote elsewhere", "c1: the claim's quote is not the text at 29:105 of its article"),
        ("link twice", "e1 -> e2: two links of kind 'causes' join these events"),
        ("link to nowhere", "e1 -> gone: the link's event 'gone' is not in the graph"),
        ("link to itself", "e1 -> e1: the link joins an event to itself"),
        ("link closed by nothing", "e1 -> e2: the link's event 'gone' is not in the graph"),
        ("link without evidence", "e1 -> e2: the link has no evidence"),
        ("evidence of no claim", "e1 -> e2: the evidence 'gone' is not in the graph"),
        ("evidence of another event", "e1 -> e2: the evidence's article 'e5-1' is not one of event 'e1'"),
    ],
)
def test_an_inconsistent_graph_is_refused(graph: CausalGraph, what: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        replace(graph, **broken(graph, what))
    assert message in str(raised.value)


def test_a_cause_and_a_refutation_may_join_the_same_events(graph: CausalGraph) -> None:
    link = graph.links[link_between(graph, REFUTED, "Investigators")]
    both = replace(graph, links=(link, replace(link, kind=LinkKind.CAUSES)))
    assert to_networkx(both).number_of_edges() == 2


@pytest.mark.parametrize(
    ("strength", "name"),
    [(0, "none"), (20, "none"), (20.1, "low"), (50, "low"), (80, "medium"), (80.5, "high")],
)
def test_strength_has_the_four_classes_of_crab(strength: float, name: str) -> None:
    assert strength_class(strength) == name
    assert [name for name, _ in CLASS_BOUNDS] == list(StrengthClass)
