"""A story in short, and its main events."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from networkx import DiGraph, is_directed_acyclic_graph
from tests.graph.made_up_news import graphs
from tests.graph.made_up_week import made_up_graph

from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Contradiction,
    Event,
    HeadlineEvidence,
    Link,
    LinkKind,
    Mention,
    MentionKind,
    Order,
)
from whywire.graph.briefs import FEW, LEAST_SAID, brief_of
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.main_events import MOST, importance, main_events
from whywire.graph.restating import restates, tells_the_same
from whywire.news import Article, Language

WEEK = made_up_graph()
FLOOD, PORT = (next(one for one in WEEK.stories() if words in one.title) for words in ("Embankment", "Port Sollis"))


def all_lines(brief):
    return (*brief.causes, *brief.effects, *brief.elsewhere)


def test_a_brief_says_what_led_to_the_lead_and_what_followed():
    brief = brief_of(WEEK, FLOOD)
    told = {line.link for line in (*brief.causes, *brief.effects)}
    lead = FLOOD.lead.id
    assert told & {*WEEK.causes_of(lead), *WEEK.effects_of(lead)}
    assert all(line.link.probability >= LEAST_SAID for line in all_lines(brief))
    assert len(brief.causes) <= FEW
    assert len(brief.effects) <= FEW


@pytest.mark.parametrize("story", WEEK.stories(), ids=lambda story: story.id)
def test_nothing_is_told_twice_and_nothing_closed_as_true(story):
    brief = brief_of(WEEK, story)
    texts = [text for line in (*all_lines(brief), *brief.planned) for text in line.texts]
    assert len(set(texts)) == len(texts)
    assert story.title not in texts
    assert not any(line.link.closed_by for line in all_lines(brief))
    assert all(line.event.planned for line in brief.planned)
    refuted = {link.source for link in story.links if link.kind is LinkKind.REFUTES}
    assert not any(refuted & {line.link.source, line.link.target} - {story.lead.id} for line in all_lines(brief))


def test_what_is_refuted_closed_or_denied_is_disputed():
    disputed = [line.link for line in brief_of(WEEK, PORT).disputed]
    assert {link.kind for link in disputed} >= {LinkKind.REFUTES}
    assert all(link.kind is LinkKind.REFUTES or link.closed_by or link.denied_by for link in disputed)


@pytest.mark.parametrize(
    ("contradicts", "stands"),
    [(Contradiction.POLARITY, False), (None, False), (Contradiction.NUMBER, True)],
)
@pytest.mark.parametrize("refuted", ["e0", "e1"])
def test_what_is_refuted_neither_led_to_anything_nor_followed(refuted, contradicts, stands):
    titles = ("Dam of Orlen fails", "Power is cut in Tarn", "Mayor of Orlen speaks of a mistake")
    articles = {f"a{number}": Article(f"a{number}", title) for number, title in enumerate(titles)}
    events = tuple(
        Event(f"e{number}", title, Language.ENGLISH, None, None, (f"a{number}",), "e0")
        for number, title in enumerate(titles)
    )
    number = refuted[1:]
    led = Link("e0", "e1", LinkKind.CAUSES, 0.9, 90, Order.UNKNOWN, (HeadlineEvidence("a0", "a1", 0.9),))
    denial = (HeadlineEvidence(f"a{number}", "a2", 0.9, contradicts),)
    graph = CausalGraph(
        articles, events, (led, Link(refuted, "e2", LinkKind.REFUTES, 0.9, 90, Order.UNKNOWN, denial))
    )
    (story,) = graph.stories()
    brief = brief_of(graph, story)
    assert [line.link.kind for line in brief.disputed] == [LinkKind.REFUTES]
    assert bool(all_lines(brief)) is (stands and refuted == story.lead.id)


def story_of(titles, links, planned=(), lead="e0"):
    """A story of headlines, the first its lead if no other is named, with links between them."""
    articles = {f"a{number}": Article(f"a{number}", title) for number, title in enumerate(titles)}
    events = tuple(
        Event(*(f"e{number}", title, Language.ENGLISH, None, None, (f"a{number}",), "e0"), planned=number in planned)
        for number, title in enumerate(titles)
    )
    drawn = tuple(
        Link(
            *(f"e{source}", f"e{target}", kind, 0.9, 90, Order.UNKNOWN),
            (
                HeadlineEvidence(
                    f"a{source}", f"a{target}", 0.9, Contradiction.POLARITY if kind == "refutes" else None
                ),
            ),
        )
        for source, target, kind in links
    )
    graph = CausalGraph(articles, events, drawn)
    (story,) = graph.stories()
    assert story.lead.id == lead
    return brief_of(graph, story)


def titles_of(lines):
    return [line.event.title for line in lines]


def test_what_the_headline_says_itself_did_not_follow_it():
    titles = ["Dairy of Tarn is shut, sixty staff sent home", "staff sent home", "Milk is poured away at farms"]
    assert titles_of(story_of(titles, [(0, 1, LinkKind.CAUSES), (0, 2, LinkKind.CAUSES)]).effects) == titles[2:]


def test_the_denial_of_a_headline_leads_and_is_no_other_report_of_it():
    titles = [
        "Sabotage of Orlen dam suspected",
        "No sabotage of Orlen dam, inquiry finds",
        "Rust had eaten a gate",
        "Guards are hired",
    ]
    causes = [(2, 1, LinkKind.CAUSES), (0, 3, LinkKind.CAUSES)]
    assert titles_of(story_of(titles, causes).causes) == [titles[2]]
    denied = story_of(titles, [*causes, (0, 1, LinkKind.REFUTES)], lead="e1")
    assert (titles_of(denied.causes), titles_of(denied.effects)) == ([titles[2]], [])


def test_a_plan_that_was_denied_is_not_to_come():
    titles = [
        "Ferries of Tarn stand still for a third day",
        "Ferry strike called off",
        "Ferry union denies it",
        "Ferry strike is called off, crews return on Monday",
        "Mayor opens a quay in May",
    ]
    follows, denied = (0, 4, LinkKind.CAUSES), (1, 2, LinkKind.REFUTES)
    assert titles_of(story_of(titles, [follows], planned={3}).planned) == [titles[3]]
    assert titles_of(story_of(titles, [follows, denied], planned={3}).planned) == []


def test_a_question_tells_nothing():
    titles = ["Dam of Orlen fails", "Did rain wear out its core?", "Valley is under water"]
    brief = story_of(titles, [(1, 0, LinkKind.CAUSES), (0, 2, LinkKind.CAUSES)])
    assert (titles_of(brief.causes), titles_of(brief.effects)) == ([], titles[2:])


@given(graphs())
def test_a_line_is_whole_sentences_of_an_article(graph):
    for story in graph.stories():
        for line in all_lines(brief_of(graph, story)):
            texts = [part for article in graph.articles.values() for part in (article.title, article.text)]
            assert line.texts
            assert all(any(text in part for part in texts) for text in line.texts)


@given(graphs())
def test_main_events_are_few_in_order_and_hold_the_lead(graph):
    for story in graph.stories():
        main = main_events(story)
        assert story.lead in main
        assert len(main) == min(MOST, len(story.events))
        place = {event.id: number for number, event in enumerate(main)}
        told = {
            link
            for link in story.links
            if link.kind is LinkKind.CAUSES and {link.source, link.target} <= place.keys()
        }
        acyclic = is_directed_acyclic_graph(DiGraph((link.source, link.target) for link in told))
        assert not acyclic or all(place[link.source] < place[link.target] for link in told)
        if not told:
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
    assert [line.link.source for line in brief_of(graph, story).causes] == ["e2", "e3"]


def test_an_event_that_more_articles_tell_in_titles_is_more_important():
    (lead, *others) = sorted(PORT.events, key=lambda event: -len(event.articles))
    assert all(importance(lead, ()) >= importance(other, ()) for other in others)
    assert importance(lead, PORT.links) > importance(lead, ())


def said(sentence: str, cause: str, effect: str, probability: float) -> CausalGraph:
    """A story of a headline and one sentence, which says that another event led to that of the headline."""
    article = Article("a", "Council of Tarn closes the Orlen bridge", sentence)
    spans = [(sentence.index(words), sentence.index(words) + len(words)) for words in (cause, effect)]
    headline = Mention("a", "title", (0, len(article.title)), MentionKind.HEADLINE)
    told = [Mention("a", "text", span, MentionKind.STATEMENT) for span in spans]
    events = (
        Event("e0", article.title, Language.ENGLISH, None, None, ("a",), "e0", (headline, told[1])),
        Event("e1", cause, Language.ENGLISH, None, None, ("a",), "e0", (told[0],)),
    )
    claim = Claim(
        "c", ClaimKind.CAUSAL, "a", "e0", "text", (0, len(sentence)), sentence, 0.9, cause=spans[0], effect=spans[1]
    )
    link = Link("e1", "e0", LinkKind.CAUSES, probability, 90, Order.UNKNOWN, (ClaimEvidence("c", probability),))
    return CausalGraph({"a": article}, events, (link,), (claim,))


CLOSED = "The council closed the crossing"


@pytest.mark.parametrize(
    ("cause", "joined", "probability", "aim"),
    [
        ("two cables had frayed", " because ", 0.8, False),
        ("to repair its cables", " ", 0.8, True),
        ("two cables had frayed", " because ", 0.3, None),
        ("undisclosed reasons", " for ", 0.8, None),
    ],
)
def test_a_cause_is_told_by_its_whole_sentence_if_it_is_sure_and_an_aim_as_an_aim(cause, joined, probability, aim):
    sentence = f"{CLOSED}{joined}{cause}."
    graph = said(sentence, cause, CLOSED, probability)
    lines = brief_of(graph, graph.stories()[0]).causes
    assert [(line.texts, line.aim) for line in lines] == ([] if aim is None else [((sentence,), aim)])


@pytest.mark.parametrize(
    ("one", "other", "language", "same"),
    [
        ("Orlen signs striker Marr", "Striker Marr joins Orlen", Language.ENGLISH, True),
        ("Орлен подписал нападающего Маренко", "Нападающий Маренко перешёл в «Орлен»", Language.RUSSIAN, True),
        ("Orlen signs striker Marr", "Orlen sells its stadium to the town", Language.ENGLISH, False),
        ("Орлен подписал нападающего Маренко", "Орлен продал свой стадион городу", Language.RUSSIAN, False),
    ],
)
def test_two_titles_with_the_same_rare_words_tell_one_event(one, other, language, same):
    assert tells_the_same(one, other, language) is same
    assert restates(one, other, language) is same


def test_an_aim_whose_sentence_is_the_headline_again_is_no_cause():
    sentence = "Council of Tarn closes the Orlen bridge to repair cables."
    graph = said(sentence, "to repair cables", "Council of Tarn closes the Orlen bridge", 0.8)
    assert brief_of(graph, graph.stories()[0]).causes == ()


def test_a_cause_is_told_only_by_a_sentence_that_names_whom_it_is_about():
    for sentence, told in (
        ("It closed the bridge because two cables frayed.", 0),
        (f"{CLOSED} because it frayed.", 1),
    ):
        cause, effect = sentence.rstrip(".").split(" because ")[::-1]
        graph = said(sentence, cause, effect, 0.8)
        assert len(brief_of(graph, graph.stories()[0]).causes) == told


def test_the_main_events_of_a_brief_are_one_for_each_sentence():
    sentence = f"{CLOSED} because two cables had frayed."
    graph = said(sentence, "two cables had frayed", CLOSED, 0.8)
    (story,) = graph.stories()
    article = graph.articles["a"]
    start = sentence.index("crossing")
    mention = Mention("a", "text", (start, start + 8), MentionKind.STATEMENT)
    third = Event("e2", "crossing", Language.ENGLISH, None, None, ("a",), "e0", (mention,))
    more = CausalGraph({"a": article}, (*graph.events, third), graph.links, (graph.claim("c"),))
    (story,) = more.stories()
    assert {event.id for event in main_events(story)} == {"e0", "e1", "e2"}
    assert len(brief_of(more, story).main) == 2


def test_plans_with_a_date_come_first_and_hopes_do_not_come():
    titles = [
        "Ferries of Tarn stand still for a third day",
        "Mayor will open a quay soon",
        "Harbour board is to vote on 9 June",
        "Guards hope for better pay",
    ]
    brief = story_of(titles, [(0, 1, LinkKind.CAUSES)], planned={1, 2, 3})
    assert titles_of(brief.planned) == [titles[2]]
    assert titles_of(story_of(titles, [], planned={1, 2, 3}).planned) == [titles[2], titles[1]]
