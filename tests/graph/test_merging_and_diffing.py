from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from made_up_news import article, claim, event, graphs, linked, moment
from made_up_week import REFUTED, link_between

from whywire.elements import Contradiction, Event, HeadlineEvidence, Link, LinkKind, Order
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.diffing import diff
from whywire.graph.merging import merge
from whywire.news.article import Article
from whywire.news.language import Language


def content(graph: CausalGraph) -> tuple[object, ...]:
    """All that is in a graph, whatever its order."""
    return graph.articles, set(graph.events), set(graph.links), set(graph.claims)


@settings(max_examples=60)
@given(graphs())
def test_merging_a_graph_with_itself_or_with_nothing_changes_nothing(graph: CausalGraph) -> None:
    assert content(merge(graph, graph)) == content(merge(graph, CausalGraph())) == content(graph)


@settings(max_examples=60)
@given(graphs(), graphs())
def test_merging_is_commutative_and_keeps_all_evidence(one: CausalGraph, other: CausalGraph) -> None:
    both = merge(one, other)
    assert content(both) == content(merge(other, one))
    assert both.articles == one.articles | other.articles
    assert {claim.id for claim in both.claims} == {claim.id for claim in (*one.claims, *other.claims)}
    home = {name: event.id for event in both.events for name in event.articles}
    for graph in (one, other):
        for told in graph.events:
            assert len({home[name] for name in told.articles}) == 1
        for link in graph.links:
            ends = home[graph.event(link.source).articles[0]], home[graph.event(link.target).articles[0]]
            found = [it for it in both.links_of(ends[0]) if (it.source, it.target, it.kind) == (*ends, link.kind)]
            assert all(set(graph_pieces(link)) <= set(graph_pieces(it)) for it in found)
            surest = (link.probability, link.strength)
            assert all((it.probability, it.strength) >= surest for it in found)


def graph_pieces(link: Link) -> list[object]:
    return [replace(piece, probability=0) for piece in link.evidence]


@settings(max_examples=60)
@given(graphs(), graphs())
def test_a_diff_with_itself_is_empty_and_swapping_the_graphs_swaps_new_and_gone(
    one: CausalGraph, other: CausalGraph
) -> None:
    assert not diff(one, one)
    assert not diff(one, merge(one, one))
    forth, back = diff(one, other), diff(other, one)
    for there, here in ((forth.events, back.events), (forth.links, back.links)):
        assert there.new == here.gone
        assert {pair[::-1] for pair in there.changed} == set(here.changed)
    assert bool(forth) == (content(one)[1:3] != content(other)[1:3])


def test_a_diff_lists_new_gone_and_changed() -> None:
    before = linked(("a", "b", 90), ("b", "c", 60), times="abc")
    after = linked(("a", "b", 70), ("b", "d", 60), times="abd")
    found = diff(before, after)
    assert [event.id for event in found.events.new] == ["d"]
    assert [event.id for event in found.events.gone] == ["c"]
    assert [(link.source, link.target) for link in found.links.new] == [("b", "d")]
    assert [(was.strength, now.strength) for was, now in found.links.changed] == [(90, 70)]
    assert found
    assert not found.events.changed


def test_events_that_share_an_article_become_the_one_first_reported() -> None:
    news = [article(number, moment(number + 6)) for number in range(4)]
    one = CausalGraph({one.id: one for one in news[:2]}, (event(news[:2]),), (), (claim(news[1], "e-a0"),))
    other = CausalGraph({one.id: one for one in news[1:]}, (event(news[1:]),))
    (both,) = merge(one, other).events
    assert (both.id, both.title, both.articles) == ("e-a0", news[3].title, ("a0", "a1", "a2", "a3"))
    assert (both.first_seen, both.last_seen) == (news[0].published, news[3].published)


def test_stories_that_share_an_event_become_one_and_keep_the_name_of_the_first() -> None:
    news = [article(number, moment(number + 6)) for number in range(6)]

    def of(*stories: list[int]) -> CausalGraph:
        events = [
            replace(event([news[number]]), story=f"e-a{story[0]}" if len(story) > 1 else None)
            for story in stories
            for number in story
        ]
        names = {name for one in events for name in one.articles}
        return CausalGraph({one.id: one for one in news if one.id in names}, tuple(events))

    both = merge(of([1, 2], [3, 4], [5]), of([0, 1], [2, 3]))
    assert {event.articles[0]: event.story for event in both.events} == {
        **dict.fromkeys(("a0", "a1", "a2", "a3", "a4"), "e-a0"),
        "a5": None,
    }
    wider = CausalGraph({one.id: one for one in news[:2]}, (event(news[:2]),))
    renamed = merge(of([1, 2]), wider)
    assert {one.id: one.story for one in renamed.events} == {"e-a0": "e-a0", "e-a2": "e-a0"}


@settings(max_examples=60)
@given(graphs(), graphs())
def test_merging_keeps_the_events_of_a_story_together(one: CausalGraph, other: CausalGraph) -> None:
    both = merge(one, other)
    home = {name: event for event in both.events for name in event.articles}
    for graph in (one, other):
        for story in graph.stories():
            names = {home[name].story for event in story.events for name in event.articles}
            assert len(names) == 1
            assert None not in names
    for told in both.events:
        assert told.story is None or told.story in {event.id for event in both.events if event.story == told.story}


def test_a_refutation_in_one_graph_closes_links_of_the_other() -> None:
    def news(*titles: str) -> tuple[dict[str, Article], tuple[Event, ...]]:
        return (
            {title: Article(title, title) for title in titles},
            tuple(Event(f"e {title}", title, Language.ENGLISH, None, None, (title,)) for title in titles),
        )

    def link(source: str, target: str, kind: LinkKind) -> Link:
        contradicts = Contradiction.POLARITY if kind is LinkKind.REFUTES else None
        piece = HeadlineEvidence(source, target, 0.9, contradicts)
        return Link(f"e {source}", f"e {target}", kind, 0.9, 80, Order.UNKNOWN, (piece,))

    rumour, panic, denial = "Dam is failing", "Town flees", "Engineers deny that the dam is failing"
    yesterday = CausalGraph(*news(rumour, panic), (link(rumour, panic, LinkKind.CAUSES),))
    today = CausalGraph(*news(rumour, denial), (link(rumour, denial, LinkKind.REFUTES),))
    for both in (merge(yesterday, today), merge(today, yesterday)):
        assert not both.causes_of(f"e {panic}")
        assert [link.closed_by for link in both.links_of(f"e {panic}")] == [f"e {denial}"]


def test_closed_links_stay_closed_when_merged(graph: CausalGraph) -> None:
    both = merge(graph, graph)
    assert not diff(graph, both)
    assert both.links[link_between(both, REFUTED, "Security doubled")].closed_by == "e15"


def test_partly_known_texts_are_combined_and_different_ones_refused() -> None:
    def of(text: str) -> CausalGraph:
        return CausalGraph({"a": Article("a", "Dam breaks", text)})

    assert merge(of("It rained.         "), of("           It broke.")).articles["a"].text == "It rained. It broke."
    with pytest.raises(InputError, match="a: the two graphs hold different articles"):
        merge(of("It rained."), of("It shone. "))
    with pytest.raises(InputError, match="different articles"):
        merge(of(""), CausalGraph({"a": Article("a", "Another headline")}))
