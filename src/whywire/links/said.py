"""Links that sentences say: claims whose cause and effect are mentions of two events.

Which error is worse? A false arrow. So a claim counts with the probability that a reader would find it right and both
its sides events, which was learnt from readers' judgements; two claims make a link surer only if they are two voices.
Papers copy one another: a sentence that several print is one voice, whoever prints it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from whywire.graph.elements import Claim, ClaimEvidence


@dataclass(slots=True)
class Said:
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
) -> dict[tuple[int, int], Said]:
    """What is said of each pair of events, (source, target) by their numbers.

    Args:
        claims: causal claims, with the numbers of the events that their cause and effect mention; those of one event
            are no link.
        denials: the same of claims that deny it.
        probability: that a claim is worth a link, by its id.
        outlets: who published an article, by its id.
    """
    found: dict[tuple[int, int], Said] = {}
    behind: defaultdict[tuple[int, int], dict[str, Claim]] = defaultdict(dict)
    for claim, source, target in sorted(claims, key=lambda one: (-probability[one[0].id], one[0].id)):
        if source != target:
            behind[source, target].setdefault(wording(claim.quote), claim)
    for pair, voices in behind.items():
        evidence = [ClaimEvidence(claim.id, probability[claim.id]) for claim in voices.values()]
        tellers = {outlets[claim.article] for claim in voices.values()}
        found[pair] = Said(evidence, min(len(tellers), len(evidence)))
    for claim, source, target in denials:
        if (source, target) in found:
            found[source, target].denied_by.append(ClaimEvidence(claim.id, claim.probability))
    return found


def wording(sentence: str) -> str:
    """A sentence as copies of it are known: its words in lower case, whatever stands between them."""
    return " ".join("".join(letter if letter.isalnum() else " " for letter in sentence.lower()).split())
