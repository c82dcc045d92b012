"""What a refutation closes."""

import pytest

from whywire.elements import Contradiction, Event, HeadlineEvidence, Link, LinkKind, Order
from whywire.links.retractions import close_if_retracted, retracted_events
from whywire.news import Language

TITLES = {
    "rumour": "Ellery dam is failing",
    "panic": "Town flees",
    "denial": "Engineers deny that Ellery dam is failing",
    "negation": "Ellery dam is not failing, engineers say",
    "plea": "Suspect denies that Ellery dam is failing",
    "Russian plea": "Подсудимый отрицает, что дамба рушится",
    "update": "Ellery dam repairs put off",
}
EVENTS = {name: Event(name, title, Language.ENGLISH, None, None, (name,)) for name, title in TITLES.items()}


def link(source: str, target: str, kind: LinkKind, contradicts: Contradiction | None = None) -> Link:
    piece = HeadlineEvidence(source, target, 0.9, contradicts)
    return Link(source, target, kind, 0.9, 80, Order.UNKNOWN, (piece,))


@pytest.mark.parametrize(
    ("target", "contradicts", "closes"),
    [
        ("denial", Contradiction.POLARITY, True),
        ("negation", Contradiction.POLARITY, True),
        ("plea", Contradiction.POLARITY, False),
        ("Russian plea", Contradiction.POLARITY, False),
        ("denial", Contradiction.NUMBER, False),
        ("denial", Contradiction.ATTRIBUTION, False),
        ("update", Contradiction.POLARITY, False),
        ("update", Contradiction.NUMBER, False),
    ],
)
def test_only_a_denial_of_what_was_reported_closes_its_causal_links(
    target: str, contradicts: Contradiction, closes: bool
) -> None:
    denied = retracted_events([link("rumour", target, LinkKind.REFUTES, contradicts)], EVENTS.__getitem__)
    cause = close_if_retracted(link("rumour", "panic", LinkKind.CAUSES), denied)
    assert cause.closed_by == (target if closes else None)
    assert close_if_retracted(link("rumour", target, LinkKind.CAUSES), denied).closed_by is None
