"""Past causes and effects of a graph, as analogues for prediction.

An analogue comes from a causal link between two events, or from a claim that supports no link, between two
phrases of one sentence. Refuted links, denials, purposes and conditions are left out: they do not report what
happened.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from whywire.answers.sourced_claims import SourcedClaim, claims_of_graph
from whywire.elements import ClaimEvidence, Event, EvidenceKind, Link, LinkKind
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Language, Published
from whywire.news.language import PRONOUNS
from whywire.sentences.signals import Sense

MIN_WORDS = 4
"""An effect with fewer words ("the slump", "going abroad") cannot be understood without its sentence."""

_APOSTROPHE = re.compile("['’]")
"""Splits a pronoun from its verb: "we’re"."""


@dataclass(frozen=True, slots=True)
class LinkOrigin:
    """A causal link and its two events."""

    link: Link
    source: Event
    target: Event


@dataclass(frozen=True, slots=True)
class Analogue:
    """A past cause and its effect.

    Args:
        cause: an event's title, or a phrase.
        effect: an event's title, or a phrase.
        probability: that the cause led to the effect (0 to 1).
        known_since: when both had been reported; ``None`` if no time is known.
        origin: the link or the claim it was taken from.
    """

    cause: str
    effect: str
    probability: float
    language: Language
    known_since: Published | None
    origin: LinkOrigin | SourcedClaim

    @property
    def event(self) -> str:
        """The id of the cause's event; for a claim, of the event that its article reports."""
        return self.origin.source.id if isinstance(self.origin, LinkOrigin) else self.origin.claim.event

    @property
    def source(self) -> tuple[str, ...]:
        """The ends of the link, or the outlet of the claim; analogues with the same source are not independent."""
        if isinstance(self.origin, LinkOrigin):
            return self.origin.source.id, self.origin.target.id
        return (self.origin.article.source or self.origin.article.id,)


def analogues_of_graph(graph: CausalGraph) -> list[Analogue]:
    """The analogues of a graph: from its said and shown causal links, then from claims that no link rests on."""
    reported = graph.with_evidence({EvidenceKind.SAID, EvidenceKind.SHOWN})
    links = [
        link
        for link in reported.links
        if link.kind is LinkKind.CAUSES and link.closed_by is None and _has_subject(graph.event(link.target).title)
    ]
    linked_claims = {
        item.claim for link in reported.links for item in link.evidence if isinstance(item, ClaimEvidence)
    }
    return [*(_of_link(graph, link) for link in links), *_of_claims(claims_of_graph(graph), linked_claims)]


def _of_link(graph: CausalGraph, link: Link) -> Analogue:
    source, target = graph.event(link.source), graph.event(link.target)
    since = max(filter(None, (source.first_seen, target.first_seen)), key=lambda time: time.until, default=None)
    origin = LinkOrigin(link, source, target)
    return Analogue(source.title, target.title, link.probability, source.language, since, origin)


def _of_claims(claims: Iterable[SourcedClaim], linked: Collection[str]) -> Iterator[Analogue]:
    """The analogues of claims that no link rests on.

    Args:
        linked: ids of the claims that a link rests on.
    """
    for sourced in claims:
        cause, effect = (" ".join(words.split()) for words in (sourced.cause, sourced.effect))
        is_reported = not sourced.denied and sourced.sense is Sense.CAUSE  # neither a purpose nor a condition
        if sourced.claim.id not in linked and _is_self_contained(effect) and is_reported:
            claim, article = sourced.claim, sourced.article
            yield Analogue(cause, effect, claim.probability, article.language, article.published, sourced)


def _is_self_contained(effect: str) -> bool:
    """Whether an effect can be understood without its sentence."""
    return len(effect.split()) >= MIN_WORDS and _has_subject(effect)


def _has_subject(effect: str) -> bool:
    """Whether an effect does not begin with a pronoun."""
    first = _APOSTROPHE.split(effect.split()[0])[0]
    is_name = len(first) > 1 and first.isupper()  # "US", "IT"
    return is_name or first.lower() not in PRONOUNS
