"""Which links a denial denies: those of its story whose events its words name."""

import numpy as np
import pytest

from whywire.elements import Claim, ClaimEvidence, ClaimKind, Event, Link, LinkKind, Mention, MentionKind, Order
from whywire.events.event_groups import EventTable, GroupedClaim, GroupedEvent
from whywire.events.mentions import MentionCandidate, MentionReading
from whywire.links.denied import with_denials
from whywire.news import Article, Language


def table(events: dict[str, str], denial: str, cause: str, effect: str, *, one_story: bool = True) -> EventTable:
    """Events with one mention each, told by article "a"; article "b" denies something."""
    articles = [Article("a", "News"), Article("b", denial)]
    reading = MentionReading(np.ones(1, dtype=np.float32), 0.9, 0.9)
    grouped = []
    for number, (name, words) in enumerate({**events, "d": denial}.items()):
        article, kind = (articles[1], MentionKind.HEADLINE) if name == "d" else (articles[0], MentionKind.STATEMENT)
        mention = Mention(article.id, "title" if name == "d" else "text", (number, number + 1), kind)
        event = Event(name, words, Language.ENGLISH, None, None, (article.id,), mentions=(mention,))
        told = MentionCandidate(article, mention, 1, words, reading, (0, 1), (0, 1))
        grouped.append(GroupedEvent(event, [told], [1.0]))
    spans = [(denial.index(words), denial.index(words) + len(words)) for words in (cause, effect)]
    claim = Claim(
        "c", ClaimKind.DENIAL, "b", "d", "title", (0, len(denial)), denial, 0.9, cause=spans[0], effect=spans[1]
    )
    mentions = [one.mentions[0] for one in grouped]
    return EventTable(articles, [[0, 1]] if one_story else [[0], [1]], mentions, grouped, [GroupedClaim(claim)], [])


def denied_by(events: EventTable, kind: LinkKind = LinkKind.CAUSES) -> tuple[ClaimEvidence, ...]:
    source, target, *_ = (one.event.id for one in events.events)
    evidence = (ClaimEvidence("c1", 0.9),)
    (link,) = with_denials([Link(source, target, kind, 0.9, 80, Order.UNKNOWN, evidence)], events)
    return link.denied_by


@pytest.mark.parametrize(
    ("source", "target", "denied"),
    [
        ("A gas leak at the works", "a blast in Tarn", True),
        ("The leak", "An explosion tore through Tarn", True),
        ("leak", "the blast", True),
        ("Sabotage", "a blast in Tarn", False),
        ("A gas leak", "Forty families fled", False),
        ("a blast in Tarn", "A gas leak", False),
    ],
)
def test_a_denial_is_of_the_link_whose_events_it_names(source: str, target: str, denied: bool) -> None:
    told = table({"s": source, "t": target}, "Gas leak did not cause Tarn blast", "Gas leak", "Tarn blast")
    assert denied_by(told) == ((ClaimEvidence("c", 0.9),) if denied else ())
    assert denied_by(told, LinkKind.REFUTES) == ()


def test_another_story_is_not_denied() -> None:
    events = {"s": "A gas leak", "t": "a blast in Tarn"}
    told = table(events, "Gas leak did not cause Tarn blast", "Gas leak", "Tarn blast", one_story=False)
    assert denied_by(told) == ()


def test_an_effect_that_is_a_pronoun_may_be_any_of_the_story() -> None:
    denial = "It was caused by rotten food, not unpaid wages"
    mutiny = {"s": "Unpaid wages", "t": "a mutiny on the Norwick"}
    assert denied_by(table(mutiny, denial, "unpaid wages", "It"))
    assert not denied_by(table(mutiny, denial, "rotten food", "It"))


@pytest.mark.parametrize(
    ("source", "target", "denial", "cause", "effect"),
    [
        (
            "The drought",
            "Drought will not stop Tarn farms, says Ilse Marr",
            "Drought will not stop Tarn farms",
            "Drought",
            "farms",
        ),
        ("засуха", "Засуха не остановит хозяйства Тарны", "Засуха не остановит хозяйства", "Засуха", "хозяйства"),
        (
            "The sale of stakes in Tarn Air, Orlen Air and Vessin Airlines in a single week",
            "Marr left the sector",
            "Demand fell through no fault of the airlines in the sector",
            "airlines",
            "sector",
        ),
    ],
)
def test_words_of_both_sides_or_a_word_of_many_name_no_side(
    source: str, target: str, denial: str, cause: str, effect: str
) -> None:
    assert not denied_by(table({"s": source, "t": target}, denial, cause, effect))
