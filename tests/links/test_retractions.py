"""What a refutation closes."""

import pytest

from whywire.elements import Contradiction, Event, HeadlineEvidence, Link, LinkKind, Mention, MentionKind, Order
from whywire.links.retractions import Retractions
from whywire.news import Language

TITLES = {
    "rumour": "Ellery dam bursts after quake",
    "twin": "The bursting of the dam",
    "guards": "Border guards on alert",
    "elsewhere": "The bursting of the dam",
    "panic": "Town flees",
    "denial": "Engineers deny that Ellery dam burst",
    "negation": "Ellery dam has not burst, engineers say",
    "retraction": "RETRACTED: Ellery dam bursts after quake",
    "plea": "Suspect denies that Ellery dam burst",
    "Russian plea": "Подсудимый отрицает, что дамба рухнула",
    "update": "Ellery dam repairs put off",
    "quake": "A quake",
    "storm": "A storm",
    "cause": "Quake did not cause burst of Ellery dam, engineers say",
    "named shortly": "Quake ruled out as cause of burst of Ellery dam",
    "big quake": "Severe quake",
    "oil leak": "Oil leak ruled out as cause of burst of Ellery dam",
    "gas leak": "A gas leak",
    "own deed": "Miller Orm denies blowing up Ellery dam",
    "other cause": "Storm, not quake, caused burst of Ellery dam",
}
TOLD_BY = {
    "twin": "rumour",
    "guards": "rumour",
    "quake": "rumour",
    "storm": "rumour",
    "big quake": "rumour",
    "gas leak": "rumour",
}


def event(name: str) -> Event:
    article = TOLD_BY.get(name, name)
    kind = MentionKind.STATEMENT if article != name else MentionKind.HEADLINE
    mention = Mention(article, "title" if kind is MentionKind.HEADLINE else "text", (0, 1), kind)
    return Event(name, TITLES[name], Language.ENGLISH, None, None, (article,), mentions=(mention,))


def link(source: str, target: str, kind: LinkKind, contradicts: Contradiction | None = None) -> Link:
    piece = HeadlineEvidence(source, target, 0.9, contradicts)
    return Link(source, target, kind, 0.9, 80, Order.UNKNOWN, (piece,))


def closed_by(refutation: Link, source: str, target: str, kind: LinkKind = LinkKind.CAUSES) -> str | None:
    return Retractions.of([refutation], event).close(link(source, target, kind)).closed_by


@pytest.mark.parametrize(
    ("target", "contradicts", "closes"),
    [
        ("denial", Contradiction.POLARITY, True),
        ("negation", Contradiction.POLARITY, True),
        ("retraction", Contradiction.POLARITY, True),
        ("plea", Contradiction.POLARITY, False),
        ("Russian plea", Contradiction.POLARITY, False),
        ("own deed", Contradiction.POLARITY, False),
        ("denial", Contradiction.NUMBER, False),
        ("denial", Contradiction.ATTRIBUTION, False),
        ("cause", Contradiction.ATTRIBUTION, False),
        ("update", Contradiction.POLARITY, False),
        ("update", Contradiction.NUMBER, False),
    ],
)
def test_only_a_denial_of_what_was_reported_closes_its_causal_links(
    target: str, contradicts: Contradiction, closes: bool
) -> None:
    refutation = link("rumour", target, LinkKind.REFUTES, contradicts)
    assert closed_by(refutation, "rumour", "panic") == (target if closes else None)
    assert closed_by(refutation, "rumour", target) is None
    assert closed_by(refutation, "rumour", "update", LinkKind.REFUTES) is None


@pytest.mark.parametrize(
    ("told", "closes"), [("twin", True), ("guards", False), ("quake", False), ("elsewhere", False)]
)
def test_what_a_denied_report_tells_again_is_closed_and_nothing_else_of_it(told: str, closes: bool) -> None:
    refutation = link("rumour", "negation", LinkKind.REFUTES, Contradiction.POLARITY)
    assert closed_by(refutation, told, "panic") == ("negation" if closes else None)


@pytest.mark.parametrize(
    ("source", "denial", "closes"),
    [
        ("quake", "cause", True),
        ("storm", "cause", False),
        ("quake", "other cause", True),
        ("big quake", "named shortly", True),
        ("gas leak", "oil leak", False),
        ("storm", "other cause", False),
    ],
)
def test_the_denial_of_a_cause_closes_the_links_from_that_cause_alone(source: str, denial: str, closes: bool) -> None:
    refutation = link("rumour", denial, LinkKind.REFUTES, Contradiction.ATTRIBUTION)
    assert closed_by(refutation, source, "rumour") == (denial if closes else None)
    assert closed_by(refutation, "rumour", "panic") is None
