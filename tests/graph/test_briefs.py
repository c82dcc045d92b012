"""A story in short, and its main events."""

from __future__ import annotations

from hypothesis import given
from tests.graph.made_up_news import graphs
from tests.graph.made_up_week import made_up_graph

from whywire.elements import LinkKind
from whywire.graph.briefs import FEW, brief_of
from whywire.graph.main_events import MOST, importance, main_events

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
        if causal:
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
        assert [*brief.planned] == [event for event in brief.main if event.planned]


@given(graphs())
def test_main_events_are_few_in_order_and_hold_the_lead(graph):
    for story in graph.stories():
        main = main_events(story)
        assert story.lead in main
        assert len(main) == min(MOST, len(story.events))
        assert [event for event in story.events if event in main] == [*main]


def test_an_event_that_more_articles_tell_in_titles_is_more_important():
    (lead, *others) = sorted(PORT.events, key=lambda event: -len(event.articles))
    assert all(importance(lead, ()) >= importance(other, ()) for other in others)
    assert importance(lead, PORT.links) > importance(lead, ())
