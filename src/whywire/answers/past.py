"""What led to what, as the news has told it: the analogues by which a graph foretells.

A link joins two events, a claim two phrases of one sentence. A claim that a link rests on speaks through the link; a
link that was refuted, what is denied, and what is only aimed at or made a condition tell of nothing that happened.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from whywire.answers.told import Told, told_of_graph
from whywire.elements import ClaimEvidence, Event, EvidenceKind, Link, LinkKind
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Language, Published, Span
from whywire.sentences.reading import CausalRelation
from whywire.sentences.signals import Sense, signal_of

MIN_WORDS = 4
"""An effect of fewer words ("the slump", "going abroad") tells of nothing without its sentence."""

POINTERS = frozenset(
    (
        *("i", "we", "you", "he", "she", "it", "they", "me", "us", "him", "her", "them"),
        *("this", "that", "these", "those", "what", "which", "who"),
        *("я", "мы", "вы", "он", "она", "оно", "они", "меня", "мне", "нас", "нам", "вас", "вам"),
        *("его", "ему", "её", "ее", "ей", "их", "им", "это", "этот", "эта", "эти", "то", "тот", "та", "те"),
        *("что", "который", "которая", "которое", "которые"),
    )
)
"""An effect that begins with one of these speaks of somebody or something that only its neighbours name.

"Her" and its like in Russian may also say whose ("her fans"); such effects fall out with "her a star".
"""

_APOSTROPHE = re.compile("['’]")
"""What joins a pronoun to its verb: "we’re"."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A link by which one event led to another, its ends at hand."""

    link: Link
    source: Event
    target: Event


@dataclass(frozen=True, slots=True)
class Analogue:
    """Something that led to something.

    Args:
        cause: a headline, or a phrase.
        effect: the same of what it led to.
        probability: that the one led to the other (0 to 1).
        known: from when on the news knew of both; ``None`` where no time is given.
        origin: the link, or the claim, that says so.
    """

    cause: str
    effect: str
    probability: float
    language: Language
    known: Published | None
    origin: Linked | Told

    @property
    def event(self) -> str:
        """Id of the event that it is a analogue of, as near as the graph knows."""
        return self.origin.source.id if isinstance(self.origin, Linked) else self.origin.claim.event

    @property
    def voice(self) -> tuple[str, ...]:
        """Who says so; two with the same voice are one witness."""
        if isinstance(self.origin, Linked):
            return self.origin.source.id, self.origin.target.id
        return (self.origin.article.source or self.origin.article.id,)


def past_of_graph(graph: CausalGraph) -> list[Analogue]:
    """All that led to something in a graph: its links that are said or shown first, then what else is claimed."""
    known = graph.with_evidence({EvidenceKind.SAID, EvidenceKind.SHOWN})
    links = [link for link in known.links if link.kind is LinkKind.CAUSES and link.closed_by is None]
    spoken = {item.claim for link in links for item in link.evidence if isinstance(item, ClaimEvidence)}
    linked = (Linked(link, graph.event(link.source), graph.event(link.target)) for link in links)
    return _past(linked, told_of_graph(graph), spoken)


def _past(links: Iterable[Linked], told: Iterable[Told], spoken: Collection[str]) -> list[Analogue]:
    found = [
        Analogue(
            linked.source.title,
            linked.target.title,
            linked.link.probability,
            linked.source.language,
            _later(linked.source.first_seen, linked.target.first_seen),
            linked,
        )
        for linked in links
    ]
    for one in told:
        cause, effect = (" ".join(words.split()) for words in (one.cause, one.effect))
        if one.claim.id not in spoken and _stands_alone(effect) and _happened_so(one):
            article = one.article
            found.append(Analogue(cause, effect, one.claim.probability, article.language, article.published, one))
    return found


def _stands_alone(effect: str) -> bool:
    """Whether an effect can be understood without its sentence."""
    words = effect.split()
    return len(words) >= MIN_WORDS and not _points(_APOSTROPHE.split(words[0])[0])


def _points(word: str) -> bool:
    """Whether a word is a pointer; "US" and "IT" are names."""
    return word.lower() in POINTERS and (len(word) == 1 or not word.isupper())


def _happened_so(told: Told) -> bool:
    """Whether a claim says that the effect came of the cause, rather than that someone wants it or fears it."""
    claim = told.claim
    if told.denied or claim.cause is None or claim.effect is None:
        return False
    start = claim.sentence[0]

    def moved(span: Span) -> Span:
        return span[0] - start, span[1] - start

    relation = CausalRelation(moved(claim.cause), moved(claim.effect), tuple(map(moved, claim.signals)))
    return signal_of(claim.quote, relation).sense is Sense.CAUSE


def _later(one: Published | None, other: Published | None) -> Published | None:
    """The later of two times; the one that is known where the other is not."""
    return max(filter(None, (one, other)), key=lambda time: time.until, default=None)
