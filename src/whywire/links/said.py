"""Evidence for links in sentences (*said*): claims whose cause and effect are mentions of two events.

Which error is worse? A false link. So a claim counts with the probability that it is read correctly and that both its
sides are events, by a model trained on readers' judgements; and two claims make a link more probable only if they are
independent. Newspapers copy one another and edit what they copy, so sentences that share most of their word n-grams
count once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from whywire.elements import ClaimEvidence
from whywire.events.event_groups import GroupedClaim

COPY_NGRAM = 4
"""Words in the n-grams by which copies of a sentence are found."""

COPY_SHARE = 0.5
"""The share of the shorter sentence's n-grams from which it is a copy of the longer."""


@dataclass(slots=True)
class SaidEvidence:
    """The claims that one event led to another.

    Args:
        claims: without copies, most probable first.
        outlets: number of outlets that make one of these claims.
    """

    claims: list[ClaimEvidence] = field(default_factory=list)
    outlets: int = 0


def said_evidence(
    claims: Iterable[tuple[GroupedClaim, int, int]], outlets: Mapping[str, str]
) -> dict[tuple[int, int], SaidEvidence]:
    """The evidence in sentences for each pair (source, target) of events, by their indices.

    Args:
        claims: causal claims, with the indices of the events of their cause and effect; a claim with both in one
        event
            is no evidence.
        outlets: by article id.
    """
    by_pair: defaultdict[tuple[int, int], list[GroupedClaim]] = defaultdict(list)
    for claim, source, target in sorted(claims, key=lambda item: (-item[0].link_probability, item[0].claim.id)):
        if source != target:
            distinct = by_pair[source, target]
            if not any(is_copy(claim.claim.quote, earlier.claim.quote) for earlier in distinct):
                distinct.append(claim)
    return {
        pair: SaidEvidence(
            [ClaimEvidence(claim.claim.id, claim.link_probability) for claim in distinct],
            len({outlets[claim.claim.article] for claim in distinct}),
        )
        for pair, distinct in by_pair.items()
    }


def is_copy(sentence: str, other: str) -> bool:
    """Whether one of two sentences is an edited copy of the other: they share ``COPY_SHARE`` of the n-grams."""
    one, two = sorted((_words(sentence), _words(other)), key=len)
    size = min(COPY_NGRAM, len(one))
    shorter, longer = (
        {tuple(words[start : start + size]) for start in range(len(words) - size + 1)} for words in (one, two)
    )
    return len(shorter & longer) >= COPY_SHARE * len(shorter)


@lru_cache(maxsize=16_384)
def _words(sentence: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in sentence.lower()).split()
