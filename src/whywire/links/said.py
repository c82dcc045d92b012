"""Links that sentences say: claims whose cause and effect are mentions of two events.

Which error is worse? A false arrow. So a claim counts with the probability that a reader would find it right and both
its sides events, which was learnt from readers' judgements; two claims make a link surer only if they are two voices.
Papers copy one another and edit what they copy: sentences that share most of their words in order are one voice,
whoever prints them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from whywire.elements import Claim, ClaimEvidence

RUN, COPIED = 4, 0.5
"""A sentence is a copy of another that has this share of its runs of so many words."""


@dataclass(slots=True)
class SaidEvidence:
    """What sentences say of one event having led to another.

    Args:
        voices: the claims that say so, each sentence once, most probable first.
        outlets: how many outlets say so in words of their own.
        denied_by: the claims that deny it.
    """

    voices: list[ClaimEvidence] = field(default_factory=list)
    outlets: int = 0
    denied_by: list[ClaimEvidence] = field(default_factory=list)


def said_links(
    claims: Iterable[tuple[Claim, int, int]],
    denials: Iterable[tuple[Claim, int, int]],
    probability: Mapping[str, float],
    outlets: Mapping[str, str],
) -> dict[tuple[int, int], SaidEvidence]:
    """What is said of each pair of events, (source, target) by their numbers.

    Args:
        claims: causal claims, with the numbers of the events that their cause and effect mention; those of one event
            are no link.
        denials: the same of claims that deny it.
        probability: that a claim is worth a link, by its id.
        outlets: who published an article, by its id.
    """
    found: dict[tuple[int, int], SaidEvidence] = {}
    behind: defaultdict[tuple[int, int], list[Claim]] = defaultdict(list)
    for claim, source, target in sorted(claims, key=lambda one: (-probability[one[0].id], one[0].id)):
        told = behind[source, target]
        if source != target and not any(is_copy(claim.quote, other.quote) for other in told):
            told.append(claim)
    for pair, voices in behind.items():
        if voices:
            evidence = [ClaimEvidence(claim.id, probability[claim.id]) for claim in voices]
            tellers = {outlets[claim.article] for claim in voices}
            found[pair] = SaidEvidence(evidence, min(len(tellers), len(evidence)))
    for claim, source, target in denials:
        if (source, target) in found:
            found[source, target].denied_by.append(ClaimEvidence(claim.id, claim.probability))
    return found


def is_copy(sentence: str, other: str) -> bool:
    """Whether two sentences are one in much the same words: runs of words of the shorter are in the longer."""
    one, two = sorted((_words(sentence), _words(other)), key=len)
    run = min(RUN, len(one))
    shorter, longer = (
        {tuple(words[start : start + run]) for start in range(len(words) - run + 1)} for words in (one, two)
    )
    return len(shorter & longer) >= COPIED * len(shorter)


def _words(sentence: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in sentence.lower()).split()
