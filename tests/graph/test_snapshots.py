from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_news import DATED, article, claim, event, graphs
from made_up_week import REFUTED, link_between

from whywire.elements import ClaimEvidence, HeadlineEvidence, Link, LinkKind, Order
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.merging import merge
from whywire.graph.snapshots import as_of
from whywire.links.order import order_of_events
from whywire.news.article import Published

instants = st.integers(0, 20).map(lambda quarter: datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=6 * quarter))


def at(words: str) -> datetime:
    return datetime.fromisoformat(words).replace(tzinfo=UTC)


def test_a_link_refuted_later_is_open_and_one_refuted_by_then_is_closed(graph: CausalGraph) -> None:
    before = as_of(graph, at("2026-03-05T09:59"))
    after = as_of(graph, at("2026-03-05T10:00"))
    assert before.links[link_between(before, REFUTED, "Security doubled")].closed_by is None
    assert after.links[link_between(after, REFUTED, "Security doubled")].closed_by == "e15"
    with pytest.raises(LookupError):
        link_between(before, REFUTED, "Investigators")


def test_an_event_has_only_articles_and_titles_of_the_time(graph: CausalGraph) -> None:
    known = as_of(graph, at("2026-03-03T06:00")).event("e2")
    assert known.articles == ("e2-1", "e2-2")
    assert known.last_seen == graph.articles["e2-2"].published
    first, second = (article(number, Published(at(f"2026-03-0{number + 1}"))) for number in range(2))
    grown = event([first, second])
    assert grown.title == second.title
    whole = CausalGraph({first.id: first, second.id: second}, (grown,))
    assert as_of(whole, at("2026-03-01")).events[0].title == first.title


def test_a_story_has_only_events_of_the_time(graph: CausalGraph) -> None:
    flood, port = as_of(graph, at("2026-03-03T11:30")).stories()
    assert (flood.id, [event.id for event in flood.events]) == ("e1", ["e1", "e2", "e3", "e4"])
    assert port.id == "e13"
    assert as_of(graph, at("2026-03-02T20:00")).single_events()[0].id == "e1"


def test_an_article_with_a_date_counts_from_the_end_of_the_day_and_one_without_a_time_never() -> None:
    day, never = article(0, Published(at("2026-03-01"), day_only=True)), article(1, None)
    graph = CausalGraph({"a0": day, "a1": never}, (event([day]), event([never])))
    assert not as_of(graph, at("2026-03-01T12:00")).events
    assert [known.id for known in as_of(graph, at("2026-03-02")).events] == ["e-a0"]
    assert [known.id for known in as_of(graph, at("2030-01-01")).events] == ["e-a0"]


def test_a_link_is_weighed_by_the_evidence_of_the_time() -> None:
    cause, effect, echo = (article(number, Published(at(f"2026-03-0{number + 1}"))) for number in range(3))
    events = event([cause]), event([effect, echo])
    claims = claim(effect, events[1].id), claim(echo, events[1].id)
    evidence = (
        HeadlineEvidence(cause.id, effect.id, 0.7),
        *(ClaimEvidence(one.id, 0.6) for one in claims),
    )
    link = Link(events[0].id, events[1].id, LinkKind.CAUSES, 0.84, 85.0, Order.FORWARD, evidence)
    graph = CausalGraph({one.id: one for one in (cause, effect, echo)}, events, (link,), claims)
    (then,) = as_of(graph, at("2026-03-02")).links
    assert then.evidence == evidence[:2]
    assert 0.7 < then.probability < 0.84
    assert then.strength == 85
    assert as_of(graph, at("2026-03-03")).links == (link,)


def test_a_merged_link_is_as_strong_as_the_surer_of_the_two() -> None:
    cause, first, second = (article(number, Published(at(f"2026-03-0{number + 1}"))) for number in range(3))
    events = event([cause]), event([first, second])
    claims = claim(first, events[1].id), claim(second, events[1].id)
    graphs = [
        CausalGraph(
            {one.id: one for one in (cause, first, second)},
            events,
            (
                Link(
                    events[0].id,
                    events[1].id,
                    LinkKind.CAUSES,
                    probability,
                    strength,
                    Order.FORWARD,
                    (ClaimEvidence(said.id, probability),),
                ),
            ),
            claims,
        )
        for said, probability, strength in ((claims[0], 0.9, 20.0), (claims[1], 0.6, 80.0))
    ]
    for order in (graphs, graphs[::-1]):
        (merged,) = merge(*order).links
        assert (merged.probability, merged.strength) == (0.9, 20)
        (then,) = as_of(merge(*order), at("2026-03-02")).links
        assert then.evidence == (ClaimEvidence(claims[0].id, 0.9),)
        assert then.strength == 20


def test_a_link_without_enough_evidence_at_the_time_is_left_out() -> None:
    cause, effect, echo = (article(number, Published(at(f"2026-03-0{number + 1}"))) for number in range(3))
    events = event([cause]), event([effect, echo])
    said = claim(effect, events[1].id)
    evidence = (HeadlineEvidence(cause.id, echo.id, 0.9), ClaimEvidence(said.id, 0.2))
    link = Link(events[0].id, events[1].id, LinkKind.CAUSES, 0.92, 85.0, Order.FORWARD, evidence)
    graph = CausalGraph({one.id: one for one in (cause, effect, echo)}, events, (link,), (said,))
    assert as_of(graph, at("2026-03-02")).links == ()


@given(graphs(DATED))
def test_a_snapshot_after_all_articles_is_the_graph(graph: CausalGraph) -> None:
    assert as_of(graph, at("2026-04-01")) == graph
    assert as_of(graph, at("2026-02-01")) == CausalGraph()


@settings(max_examples=50)
@given(graphs(), instants, instants)
def test_later_snapshots_contain_earlier_ones_and_nothing_of_later(
    graph: CausalGraph, one: datetime, other: datetime
) -> None:
    early, late = (as_of(graph, when) for when in sorted((one, other)))
    assert all(known.published and known.published.latest <= max(one, other) for known in late.articles.values())
    assert early.articles.keys() <= late.articles.keys() <= graph.articles.keys()
    assert all(known.when is None or known.when.article in known.articles for known in (*early.events, *late.events))
    for known in early.events:
        assert set(known.articles) <= set(late.event(known.id).articles)
    for link in late.links:
        ends = late.event(link.source), late.event(link.target)
        assert link.order is Order.SAID or order_of_events(*ends, link.kind)
        assert 0.5 <= link.probability <= 1
        assert 0 <= link.strength <= 100
