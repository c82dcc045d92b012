"""What articles tell of two events: said by a claim or implied, each once, without copies."""

from __future__ import annotations

import numpy as np
import pytest

from whywire.elements import (
    Claim,
    ClaimEvidence,
    ClaimKind,
    Event,
    HeadlineEvidence,
    ImpliedEvidence,
    Link,
    LinkKind,
    Mention,
    MentionKind,
    Order,
)
from whywire.events.event_groups import EventTable, GroupedClaim, GroupedEvent, GroupedLink
from whywire.events.mentions import MentionCandidate, MentionReading
from whywire.links.order import order_of_link
from whywire.links.strength import is_sufficient, link_probability
from whywire.links.told import is_copy, told_evidence
from whywire.news import Article, Language, parse_time
from whywire.reading.drawing import ReadLink

OUTLETS = {"a": "Courier", "b": "Gazette", "c": "Courier"}
VECTOR = np.ones(1, dtype=np.float32)


class Told:
    """Articles "a", "b" and "c" that tell of a fire (event 0), a shortage (event 1) and a strike (event 2)."""

    def __init__(self) -> None:
        self.articles = [Article(name, "News") for name in OUTLETS]
        self.mentions: list[list[MentionCandidate]] = [[], [], []]
        self.match: list[list[float]] = [[], [], []]
        self.links: list[GroupedLink] = []
        self.claims: list[GroupedClaim] = []

    def mention(self, event: int, article: str, words: str, match: float = 1.0) -> MentionCandidate:
        at = sum(map(len, self.mentions))
        span = (10 * at, 10 * at + 5)
        home = self.articles["abc".index(article)]
        one = MentionCandidate(
            home,
            Mention(article, "text", span, MentionKind.STATEMENT),
            1,
            words,
            MentionReading(VECTOR, 0.9, 0.9),
            span,
            span,
        )
        self.mentions[event].append(one)
        self.match[event].append(match)
        return one

    def link(
        self,
        article: str,
        probability: float,
        cause: tuple[int, str] = (0, "a fire at the refinery"),
        effect: tuple[int, str] = (1, "fuel ran short"),
        strength: float = 50.0,
        match: float = 1.0,
    ) -> GroupedLink:
        source, target = self.mention(cause[0], article, cause[1], match), self.mention(effect[0], article, effect[1])
        told = GroupedLink(ReadLink(0, 1, 0, 1, probability, 0.5, strength), source, target)
        self.links.append(told)
        return told

    def claim(self, name: str, told: GroupedLink, probability: float, kind: ClaimKind = ClaimKind.CAUSAL) -> None:
        claim = Claim(name, kind, told.cause.article.id, "e", "text", (0, 9), "", probability)
        self.claims.append(GroupedClaim(claim, (told.cause, told.effect)))

    def evidence(self):
        events = [
            GroupedEvent(Event(str(number), "", Language.ENGLISH, None, None, ("a",)), mentions, match)
            for number, (mentions, match) in enumerate(zip(self.mentions, self.match, strict=True))
        ]
        mentions = [one for event in events for one in event.mentions]
        return told_evidence(
            EventTable(self.articles, [[0, 1, 2]], mentions, events, self.claims, self.links), OUTLETS
        )


def test_what_a_claim_of_its_article_says_is_said_and_anything_else_is_implied():
    told = Told()
    said, implied = told.link("a", 0.6), told.link("b", 0.4, effect=(1, "the north has no fuel left to sell"))
    told.claim("c1", said, 0.7)
    told.claim("c2", said, 0.9)
    told.claim("c3", implied, 0.9, ClaimKind.DENIAL)
    found = told.evidence()
    assert set(found) == {(0, 1)}
    assert found[0, 1].pieces == [
        ClaimEvidence("c2", 0.6),
        ImpliedEvidence(implied.cause.mention, implied.effect.mention, 0.4),
    ]
    assert found[0, 1].outlets == ["Courier", "Gazette"]


def test_a_claim_of_another_article_or_of_the_other_direction_says_nothing():
    told = Told()
    link, back = told.link("a", 0.6), told.link("a", 0.1, (1, "shortage"), (0, "blaze"))
    other = told.link("b", 0.3, (2, "a strike"))
    told.claim("c1", back, 0.9)
    told.claim("c2", other, 0.9)
    found = told.evidence()
    assert found[0, 1].pieces == [ImpliedEvidence(link.cause.mention, link.effect.mention, 0.6)]
    assert found[1, 0].pieces == [ClaimEvidence("c1", 0.1)]
    assert found[2, 1].pieces == [ClaimEvidence("c2", 0.3)]


def test_copies_count_once_as_the_likelier_of_them_tells_it():
    told = Told()
    told.link("b", 0.4, strength=20)
    likelier = told.link("a", 0.6, strength=80)
    other = told.link("c", 0.5, (0, "the blaze"), (1, "pumps ran dry"))
    (found,) = told.evidence().values()
    assert [piece.probability for piece in found.pieces] == [0.6, 0.5]
    assert found.pieces[0] == ImpliedEvidence(likelier.cause.mention, likelier.effect.mention, 0.6)
    assert found.pieces[1] == ImpliedEvidence(other.cause.mention, other.effect.mention, 0.5)
    assert found.outlets == ["Courier", "Courier"], "the Gazette copied"
    assert found.strengths == [80, 50]


def test_mentions_that_may_not_be_of_the_titles_event_make_a_link_less_probable():
    told = Told()
    told.link("a", 0.8, match=0.5)
    told.link("b", 0.6, (0, "the blaze"), (1, "pumps ran dry"))
    (found,) = told.evidence().values()
    assert [piece.probability for piece in found.pieces] == [0.6, 0.4]


def test_what_is_one_event_is_no_link():
    told = Told()
    told.link("a", 0.9, (1, "the shortage"), (1, "fuel ran short"))
    assert told.evidence() == {}
    assert Told().evidence() == {}


FIRE = "Fuel ran short because of the fire."
COPY = "Fuel  ran short — because of the fire!"
OTHER = "The fire left the north without fuel."


@pytest.mark.parametrize(
    ("sentence", "other", "copied"),
    [
        (FIRE, COPY, True),
        (FIRE, OTHER, False),
        (
            "The mayor said on Friday that the bridge was closed because its piers had cracked.",
            "The mayor of Orlen said the bridge was closed because its piers had cracked, Valley Gazette reports.",
            True,
        ),
        (
            "Cracked piers forced the mayor to close the bridge.",
            "The bridge was closed because its piers cracked.",
            False,
        ),
        ("Мост закрыли из-за трещин в опорах, сообщил мэр.", "Мэр: мост закрыли из-за трещин в опорах", True),
        ("Rain.", "Rain!", True),
    ],
)
def test_an_edited_copy_is_a_copy_and_other_words_are_not(sentence, other, copied):
    assert is_copy(sentence, other) is is_copy(other, sentence) is copied


def test_another_claim_makes_a_link_surer_and_none_leaves_it_as_probable_as_it_is():
    one, two = ClaimEvidence("c1", 0.5), ClaimEvidence("c2", 0.4)
    assert link_probability([one]) == pytest.approx(0.5)
    assert 0.5 < link_probability([one, two]) < 0.9
    shown = [HeadlineEvidence("a", "b", 0.9), HeadlineEvidence("a", "c", 0.7)]
    assert link_probability(shown) == pytest.approx(0.8)
    assert link_probability([*shown, one]) > 0.8


def test_each_kind_of_evidence_has_to_be_enough_by_itself():
    assert is_sufficient([ClaimEvidence("c1", 0.21)])
    assert is_sufficient([HeadlineEvidence("a", "b", 0.21)])
    assert not is_sufficient([HeadlineEvidence("a", "b", 0.19)])
    assert not is_sufficient([HeadlineEvidence("a", "b", 0.19), ClaimEvidence("c1", 0.19)])
    assert not is_sufficient([])


def test_a_sentence_orders_what_it_links_where_the_reports_would_not():
    early, late = (
        Event(day, day, Language.ENGLISH, parse_time(day), parse_time(day), (day,))
        for day in ("2026-03-01", "2026-03-03")
    )

    def link(evidence):
        return Link("x", "y", LinkKind.CAUSES, 0.9, 50, Order.UNKNOWN, (evidence,))

    said, shown = link(ClaimEvidence("c", 0.9)), link(HeadlineEvidence("a", "b", 0.9))
    assert order_of_link(said, early, late) is order_of_link(shown, early, late) is Order.FORWARD
    assert order_of_link(said, late, early) is Order.SAID
    assert order_of_link(shown, late, early) is None
