"""Evidence for links in articles: *said*, where a sentence claims it, or *implied*, where readers infer it.

Two articles make a link more probable only if they are independent. Newspapers copy one another and edit what they
copy, so articles that tell a link in nearly the same words count once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from whywire.elements import ClaimEvidence, ClaimKind, ImpliedEvidence
from whywire.events.event_groups import EventTable, GroupedClaim, GroupedLink

COPY_NGRAM = 4
"""Words in the n-grams by which copies of a sentence are found."""

COPY_SHARE = 0.5
"""The share of the shorter sentence's n-grams from which it is a copy of the longer."""


@dataclass(slots=True)
class ToldEvidence:
    """What articles tell of a link.

    Args:
        pieces: without copies, most probable first.
        outlets: of each piece.
        strengths: of each piece: how much of the effect is owed to the cause, 0 to 100.
    """

    pieces: list[ClaimEvidence | ImpliedEvidence] = field(default_factory=list)
    outlets: list[str] = field(default_factory=list)
    strengths: list[float] = field(default_factory=list)


def told_evidence(table: EventTable, outlets: Mapping[str, str]) -> dict[tuple[int, int], ToldEvidence]:
    """The evidence in articles for each pair (source, target) of events, by their indices.

    A link with both ends in one event is no evidence. A link whose mentions may not be of the events that the titles
    name counts less.

    Args:
        outlets: by article id.
    """
    by_pair: defaultdict[tuple[int, int], list[GroupedLink]] = defaultdict(list)

    def probability(told: GroupedLink) -> float:
        return told.link.probability * table.title_match[told.cause] * table.title_match[told.effect]

    for told in sorted(table.links, key=lambda told: (-probability(told), *_places(told))):
        pair = table.event_of[told.cause], table.event_of[told.effect]
        if pair[0] != pair[1] and not any(is_copy(_words(told), _words(other)) for other in by_pair[pair]):
            by_pair[pair].append(told)
    claims = _claims_by_ends(table)
    evidence = {}
    for pair, links in by_pair.items():
        if links:
            evidence[pair] = ToldEvidence(
                [_piece(told, probability(told), claims[pair]) for told in links],
                [outlets[told.cause.article.id] for told in links],
                [told.link.strength for told in links],
            )
    return evidence


def _claims_by_ends(table: EventTable) -> defaultdict[tuple[int, int], dict[str, GroupedClaim]]:
    """The most probable causal claim of each article by the events of its cause and its effect."""
    claims: defaultdict[tuple[int, int], dict[str, GroupedClaim]] = defaultdict(dict)
    for claim in sorted(table.claims, key=lambda claim: (claim.claim.probability, claim.claim.id)):
        if claim.ends and claim.claim.kind is ClaimKind.CAUSAL:
            ends = table.event_of[claim.ends[0]], table.event_of[claim.ends[1]]
            claims[ends][claim.claim.article] = claim
    return claims


def _piece(
    told: GroupedLink, probability: float, claims: Mapping[str, GroupedClaim]
) -> ClaimEvidence | ImpliedEvidence:
    """The article's claim of the link, else the two mentions."""
    claim = claims.get(told.cause.article.id)
    if claim is not None:
        return ClaimEvidence(claim.claim.id, probability, told.link.checked_by)
    return ImpliedEvidence(told.cause.mention, told.effect.mention, probability, told.link.checked_by)


def _places(told: GroupedLink) -> tuple[object, ...]:
    cause, effect = told.cause.mention, told.effect.mention
    return cause.article, cause.field, cause.span, effect.field, effect.span


def _words(told: GroupedLink) -> str:
    return f"{told.cause.words} {told.effect.words}"


def is_copy(sentence: str, other: str) -> bool:
    """Whether one of two sentences is an edited copy of the other: they share ``COPY_SHARE`` of the n-grams."""
    one, two = sorted((_split(sentence), _split(other)), key=len)
    size = min(COPY_NGRAM, len(one))
    shorter, longer = (
        {tuple(words[start : start + size]) for start in range(len(words) - size + 1)} for words in (one, two)
    )
    return len(shorter & longer) >= COPY_SHARE * len(shorter)


@lru_cache(maxsize=16_384)
def _split(sentence: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in sentence.lower()).split()
