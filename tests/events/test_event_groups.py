"""The events of articles are read, kept apart inside an article, and grouped across articles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.fake_models import FakeDocuments, FakeLanguageModels, mean_vector

from whywire.elements import ClaimKind, MentionKind
from whywire.events.article_readings import ArticleReading, read_articles
from whywire.events.event_groups import ArticleEvents, EventTable, event_table
from whywire.news import Article, Language
from whywire.progress import Advance, Stages
from whywire.reading.drawing import DrawnGraph, ReadEvent, ReadLink, ReadMention, Status

TITLE = "Storm floods Tarn"
TEXT = "A storm struck Tarn. The storm flooded the town. No dam burst because of the storm."


class Drawn(FakeDocuments):
    """Draws the same graph of every article.

    Args:
        events: the words of each event, with what the article says of it.
        links: pairs of events.
    """

    def __init__(self, events: Sequence[tuple[Status, Sequence[str]]], links: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__()
        self.drawn, self.pairs = events, links

    def read(self, articles: Sequence[Article], advance: Advance | None = None) -> list[DrawnGraph]:
        return [self._graph(article) for article in articles]

    def _graph(self, article: Article) -> DrawnGraph:
        mentions: list[ReadMention] = []
        events: list[ReadEvent] = []
        for status, named in self.drawn:
            first = len(mentions)
            for words in named:
                field = "title" if words in article.title else "text"
                start = getattr(article, field).index(words)
                sentence = 0 if field == "title" else 1 + article.text[:start].count(".")
                mentions.append(
                    ReadMention(field, (start, start + len(words)), sentence, 0.9, status, 0.9, mean_vector(words))
                )
            events.append(ReadEvent(tuple(range(first, len(mentions))), 0.9))
        links = [
            ReadLink(cause, effect, events[cause].mentions[0], events[effect].mentions[0], 0.8, 0.9, 70)
            for cause, effect in self.pairs
        ]
        return DrawnGraph(tuple(mentions), tuple(events), tuple(links))


@pytest.fixture
def told():
    """Articles as they are read if the document reader draws some events and links."""

    def read(documents: Drawn, *articles: Article) -> tuple[list[ArticleReading], FakeLanguageModels]:
        models = FakeLanguageModels()
        models.documents = lambda: documents
        return read_articles(articles, Language.ENGLISH, models, Stages()), models

    return read


def article(name: str = "a", title: str = TITLE, text: str = TEXT) -> Article:
    return Article(name, title, text, Language.ENGLISH)


def table(articles: Sequence[Article], readings: list[ArticleReading]) -> EventTable:
    stories = [[*range(len(articles))]]
    found = ArticleEvents.of(articles, stories, readings)
    groups = found.groups([[number] for number in range(len(articles))])
    return event_table(found, groups, stories, Language.ENGLISH, Stages())


def words(reading: ArticleReading) -> list[list[str]]:
    return [[reading.mentions[at].words for at in event] for event in reading.events]


FACTS = [(Status.FACT, ["A storm", "The storm"]), (Status.FACT, ["floods Tarn", "flooded the town"])]


def test_the_event_of_the_headline_comes_first_and_links_follow_it(told) -> None:
    (reading,), _ = told(Drawn(FACTS, [(0, 1)]), article())
    assert words(reading) == [[TITLE, "flooded the town"], ["A storm", "The storm"]]
    (link,) = reading.links
    assert (link.cause, link.effect) == (1, 0)
    assert reading.mentions[link.cause_mention].words == "A storm"
    assert reading.mentions[link.effect_mention].is_headline
    assert sorted(at for event in reading.events for at in event) == [*range(len(reading.mentions))]


def test_a_headline_that_names_no_event_is_one_alone(told) -> None:
    (reading,), _ = told(Drawn([(Status.FACT, ["A storm"])]), article())
    assert words(reading) == [[TITLE], ["A storm"]]
    (nothing,), _ = told(Drawn([]), article())
    assert words(nothing) == [[TITLE]]
    assert len(table([article()], [nothing]).events) == 1


def test_what_only_did_not_happen_is_neither_event_nor_mention(told) -> None:
    drawn = Drawn([*FACTS, (Status.DENIED, ["No dam burst"])], [(0, 1), (0, 2)])
    (reading,), _ = told(drawn, article())
    assert words(reading) == [[TITLE, "flooded the town"], ["A storm", "The storm"]]
    assert [(link.cause, link.effect) for link in reading.links] == [(1, 0)]
    denials = [claim for claim in reading.claims if claim.kind is ClaimKind.DENIAL or claim.ends]
    assert all(claim.ends is None for claim in denials)
    assert len(table([article()], [reading]).mentions) == len(reading.mentions)


def test_a_denial_of_an_event_that_did_not_happen_is_a_claim_without_ends(told) -> None:
    text = "The dam did not burst because of the storm."
    drawn = Drawn([(Status.FACT, ["the storm"]), (Status.DENIED, ["The dam did not burst"])], [(0, 1)])
    (reading,), _ = told(drawn, article(text=text))
    (claim,) = reading.claims
    assert (claim.kind, claim.ends) == (ClaimKind.DENIAL, None)
    assert words(reading) == [[TITLE], ["the storm"]]
    assert reading.links == ()
    assert table([article(text=text)], [reading]).claims[0].ends is None


def test_a_headline_that_denies_is_an_event_without_links(told) -> None:
    (reading,), _ = told(Drawn([(Status.DENIED, ["Storm floods Tarn"]), FACTS[0]], [(1, 0)]), article())
    assert words(reading) == [[TITLE], ["A storm", "The storm"]]
    assert reading.links == ()


def test_what_is_planned_happened_less_than_it_is_planned(told) -> None:
    (reading,), _ = told(Drawn([(Status.PLAN, ["A storm"]), (Status.CLAIMED, ["flooded the town"])]), article())
    _, plan, claimed = (reading.mentions[event[0]].reading for event in reading.events)
    assert plan.planned > 0 == plan.actual
    assert claimed.actual > 0 == claimed.planned


def test_a_reading_is_that_of_any_article_with_its_words(told) -> None:
    other = article("b")
    (one, two), _ = told(Drawn(FACTS, [(0, 1)]), article(), other)
    bound = one.bound_to(other)
    assert (bound.events, bound.links, bound.claims) == (two.events, two.links, two.claims)
    assert [mention.mention for mention in bound.mentions] == [mention.mention for mention in two.mentions]


def test_two_events_of_an_article_are_never_one_and_those_of_two_articles_may_be(told) -> None:
    again = [(Status.FACT, ["A storm"]), (Status.FACT, ["The storm"]), (Status.FACT, ["flooded the town"])]
    articles = [article("a"), article("b")]
    readings, _ = told(Drawn(again, [(0, 2)]), *articles)
    events = table(articles, readings)
    for event in events.events:
        for reading in readings:
            inside = [
                group for group in reading.events if any(reading.mentions[at] in event.mentions for at in group)
            ]
            assert len(inside) <= 1
    (flooded,) = (event for event in events.events if any(one.words == "flooded the town" for one in event.mentions))
    assert {one.article.id for one in flooded.mentions} == {"a", "b"}
    assert [len(group) for group in events.headlines if group] == [1, 1]
    assert sorted(map(events.event_of.__getitem__, events.mentions)) == sorted(
        number for number, event in enumerate(events.events) for _ in event.mentions
    )
    assert len(events.links) == 2
    assert len({events.event_of[told.cause] for told in events.links}) == 1


def test_a_group_has_all_mentions_of_its_events_and_they_match_its_title(told) -> None:
    articles = [article("a"), article("b")]
    readings, _ = told(Drawn(FACTS), *articles)
    events = table(articles, readings)
    for reading in readings:
        for group in reading.events:
            assert len({events.event_of[reading.mentions[at]] for at in group}) == 1
    for event in events.events:
        namer = event.event.mentions[event.event.named_by]
        matches = dict(zip((one.mention for one in event.mentions), event.title_match, strict=True))
        assert matches[namer] == 1
        assert all(0 < match <= 1 for match in event.title_match)
    assert np.isclose(sum(len(event.mentions) for event in events.events), len(events.mentions))
    assert {one.mention.kind for one in events.mentions} == {MentionKind.HEADLINE, MentionKind.STATEMENT}
