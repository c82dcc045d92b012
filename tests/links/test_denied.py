"""Which links a denial denies: those of its story whose events its words name."""

import numpy as np
import pytest

from whywire.elements import Claim, ClaimEvidence, ClaimKind, Event, Link, LinkKind, Mention, MentionKind, Order
from whywire.events.event_groups import EventGroups
from whywire.events.mentions import FoundMention
from whywire.links.denied import with_denials
from whywire.news import Language
from whywire.sentences.reading import MentionReading


def groups(events: dict[str, str], denial: str, cause: str, effect: str, *, one_story: bool = True) -> EventGroups:
    """Events with one mention each, told by article "a"; article "b" denies something."""
    mentions, found = [], []
    for number, (name, words) in enumerate(events.items()):
        mention = Mention("a", "text", (number, number + 1), MentionKind.STATEMENT)
        reading = MentionReading((0, 1), np.ones(1, dtype=np.float32), 0.9, 0.0, 0.9)
        mentions.append(FoundMention(mention, 0, 1, words, reading, (0, 1), (0, 1)))
        found.append(Event(name, words, Language.ENGLISH, None, None, ("a",), mentions=(mention,)))
    told = Mention("b", "title", (0, len(denial)), MentionKind.HEADLINE)
    mentions.append(FoundMention(told, 1, 0, denial, mentions[0].reading, (0, 1), (0, 1)))
    found.append(Event("d", denial, Language.ENGLISH, None, None, ("b",), mentions=(told,)))
    spans = [(denial.index(words), denial.index(words) + len(words)) for words in (cause, effect)]
    claim = Claim(
        "c", ClaimKind.DENIAL, "b", "d", "title", (0, len(denial)), denial, 0.9, cause=spans[0], effect=spans[1]
    )
    return EventGroups(
        events=found,
        stories=[[0, 1]] if one_story else [[0], [1]],
        headlines=[[] for _ in events] + [[1]],
        claims=[claim],
        mentions=mentions,
        event_of=list(range(len(mentions))),
        naming=np.ones(len(mentions)),
        claim_ends={},
        claim_worth={},
    )


def denied_by(group: EventGroups, kind: LinkKind = LinkKind.CAUSES) -> tuple[ClaimEvidence, ...]:
    source, target, *_ = (event.id for event in group.events)
    evidence = (ClaimEvidence("c1", 0.9),)
    (link,) = with_denials([Link(source, target, kind, 0.9, 80, Order.UNKNOWN, evidence)], group)
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
    told = groups({"s": source, "t": target}, "Gas leak did not cause Tarn blast", "Gas leak", "Tarn blast")
    assert denied_by(told) == ((ClaimEvidence("c", 0.9),) if denied else ())
    assert denied_by(told, LinkKind.REFUTES) == ()


def test_another_story_is_not_denied() -> None:
    events = {"s": "A gas leak", "t": "a blast in Tarn"}
    told = groups(events, "Gas leak did not cause Tarn blast", "Gas leak", "Tarn blast", one_story=False)
    assert denied_by(told) == ()


def test_an_effect_that_is_a_pronoun_may_be_any_of_the_story() -> None:
    denial = "It was caused by rotten food, not unpaid wages"
    mutiny = {"s": "Unpaid wages", "t": "a mutiny on the Norwick"}
    assert denied_by(groups(mutiny, denial, "unpaid wages", "It"))
    assert not denied_by(groups(mutiny, denial, "rotten food", "It"))
