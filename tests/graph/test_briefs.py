"""A story in short, and its main events."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from tests.graph.made_up_news import graphs
from tests.graph.made_up_week import made_up_graph

from whywire.elements import Event, HeadlineEvidence, Link, LinkKind, Order
from whywire.graph.briefs import FEW, LEAST, brief_of
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.main_events import MOST, importance, main_events
from whywire.news import Article, Language

WEEK = made_up_graph()
FLOOD, PORT = (next(one for one in WEEK.stories() if words in one.title) for words in ("Embankment", "Port Sollis"))


def titles(links, end):
    """The beginnings of the titles at one end of links."""
    return [WEEK.event(getattr(link, end)).title.split()[0] for link in links]


def test_a_brief_says_what_led_to_the_lead_and_what_followed():
    brief = brief_of(WEEK, FLOOD)
    lead = FLOOD.lead.id
    assert brief.causes == WEEK.causes_of(lead)[:FEW]
    assert brief.effects == WEEK.effects_of(lead)[:FEW]
    assert all(link.target == lead for link in brief.causes)
    assert len(brief.effects) == FEW


def test_where_the_lead_has_no_cause_other_links_fill_up():
    for story in WEEK.stories():
        brief = brief_of(WEEK, story)
        causal = [link for link in story.links if link.kind is LinkKind.CAUSES and not link.closed_by]
        if any(link.probability >= LEAST for link in causal):
            assert brief.causes or brief.effects or brief.elsewhere, story.title
        assert not {*brief.elsewhere} & {*brief.causes, *brief.effects}


def test_what_is_refuted_closed_or_denied_is_disputed():
    brief = brief_of(WEEK, PORT)
    assert {link.kind for link in brief.disputed} >= {LinkKind.REFUTES}
    assert all(link.kind is LinkKind.REFUTES or link.closed_by or link.denied_by for link in brief.disputed)
    assert not any(link.closed_by for link in (*brief.causes, *brief.effects, *brief.elsewhere))


def test_the_planned_among_the_main_events_are_to_come():
    for story in WEEK.stories():
        brief = brief_of(WEEK, story)
        assert [*brief.planned] == [event for event in brief.main if event.planned][:FEW]


@given(graphs())
def test_main_events_are_few_in_order_and_hold_the_lead(graph):
    for story in graph.stories():
        main = main_events(story)
        assert story.lead in main
        assert len(main) == min(MOST, len(story.events))
        assert [event for event in story.events if event in main] == [*main]


def test_what_restates_another_event_comes_last_and_explains_nothing():
    names = [
        "amber",
        "birch",
        "cedar",
        "drift",
        "ember",
        "frost",
        "grain",
        "haven",
        "inlet",
        "jetty",
        "knoll",
        "lodge",
    ]
    titles = ["Dam of Orlen fails", "Orlen fails", *(name.title() * 2 for name in names)]
    articles = {f"a{number}": Article(f"a{number}", title) for number, title in enumerate(titles)}
    events = tuple(
        Event(f"e{number}", title, Language.ENGLISH, None, None, (f"a{number}",), "e0", (), 0)
        for number, title in enumerate(titles)
    )
    evidence = (HeadlineEvidence("a1", "a0", 0.9),)
    link = Link("e1", "e0", LinkKind.CAUSES, 0.9, 90, Order.UNKNOWN, evidence)
    more = [replace(link, source=f"e{n}", evidence=(replace(evidence[0], source_article=f"a{n}"),)) for n in (2, 3)]
    graph = CausalGraph(articles, events, (link, *more))
    (story,) = graph.stories()
    assert story.lead.id == "e0"
    assert "e1" not in {event.id for event in main_events(story)}
    assert [one.source for one in brief_of(graph, story).causes] == ["e2", "e3"]


def test_an_event_that_more_articles_tell_in_titles_is_more_important():
    (lead, *others) = sorted(PORT.events, key=lambda event: -len(event.articles))
    assert all(importance(lead, ()) >= importance(other, ()) for other in others)
    assert importance(lead, PORT.links) > importance(lead, ())
