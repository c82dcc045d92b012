"""What sentences say of two events: each claim once, without copies."""

import pytest

from whywire.elements import Claim, ClaimEvidence, ClaimKind, Event, HeadlineEvidence, Link, LinkKind, Order
from whywire.events.event_groups import GroupedClaim
from whywire.links.order import order_of_link
from whywire.links.said import is_copy, said_evidence
from whywire.links.strength import is_sufficient, link_probability
from whywire.news import Language, parse_time

OUTLETS = {"a": "Courier", "b": "Gazette", "c": "Courier"}


def claim(name, article, quote, link_probability, kind=ClaimKind.CAUSAL):
    said = Claim(name, kind, article, "e", "text", (0, len(quote)), quote, 0.9, cause=(0, 1), effect=(2, 3))
    return GroupedClaim(said, link_probability)


FIRE = "Fuel ran short because of the fire."
COPY = "Fuel  ran short — because of the fire!"
OTHER = "The fire left the north without fuel."


def test_copies_count_once_with_the_likelier_claim():
    told = [
        (claim("c1", "a", FIRE, 0.4), 0, 1),
        (claim("c2", "b", COPY, 0.6), 0, 1),
        (claim("c3", "b", OTHER, 0.5), 0, 1),
    ]
    found = said_evidence(told, OUTLETS)
    assert set(found) == {(0, 1)}
    assert found[0, 1].claims == [ClaimEvidence("c2", 0.6), ClaimEvidence("c3", 0.5)]
    assert found[0, 1].outlets == 1


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


def test_outlets_count_where_they_say_it_in_their_own_words():
    told = [(claim("c1", "a", FIRE, 0.4), 0, 1), (claim("c3", "b", OTHER, 0.5), 0, 1)]
    assert said_evidence(told, OUTLETS)[0, 1].outlets == 2


def test_what_is_one_event_is_no_link():
    assert said_evidence([(claim("c1", "a", FIRE, 0.9), 1, 1)], OUTLETS) == {}


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
