"""The probability of a link by its evidence, the least probability of a link, and the strength of a link.

Strength is on CRAB's scale: 0 to 100, none up to 20, low up to 50, medium up to 80, then high. A link is strong if it
is direct, which a model trained on graded causes judges from the headlines, and if it is certain, which grows with
its probability and the number of outlets. A build and a snapshot use the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from whywire.elements import ClaimEvidence, Evidence, HeadlineEvidence, ImpliedEvidence

INDEPENDENCE = 0.45
"""The share of the remaining doubt that a further piece of evidence with probability 1 removes. It is less than 1,
for newspapers copy not only words but also thoughts."""


def combine_probabilities(first: float, others: Iterable[float]) -> float:
    """A discounted noisy-or: 1 - (1 - first) * product of (1 - ``INDEPENDENCE`` * other).

    Args:
        first: the probability (0 to 1) that counts in full, 0 for none.
        others: the probabilities of further evidence, without copies.
    """
    doubt = 1 - first
    for other in sorted(others, reverse=True):
        doubt *= 1 - INDEPENDENCE * other
    return 1 - doubt


MIN_PROBABILITY = {HeadlineEvidence: 0.2, ClaimEvidence: 0.2, ImpliedEvidence: 0.2}
"""The probability from which there is a link, by the kind of its evidence.

Causes are rare among neighbours in a stream (2 in 100), so the probability that headlines show one is seldom high. In
cross-validation, 24 of 3,391 pairs scored at least 0.2; 13 were causes, and most others reported the same event,
which is not a link. Seven scored at least 0.5; six were causes. A link that an article tells is below this only if
its mentions hardly match the titles of their events: the document reader draws only links above it.
"""


MIN_DENIED_PROBABILITY = 0.1
"""The probability from which there is a refutation if one headline denies the very words of the other
(:func:`whywire.events.contradictions.denies`): the model has seen few denials, and takes many for the same event.
"""


def link_probability(evidence: Sequence[Evidence]) -> float:
    """The probability (0 to 1) of a link by its evidence, combined by a discounted noisy-or.

    All headline pairs count as one piece of evidence, with their mean. The most probable piece counts in full, each
    further one removes a share of the remaining doubt.
    """
    headlines = [piece.probability for piece in evidence if isinstance(piece, HeadlineEvidence)]
    others = [piece.probability for piece in evidence if not isinstance(piece, HeadlineEvidence)]
    best, *rest = sorted([*([fmean(headlines)] if headlines else []), *others], reverse=True)
    return combine_probabilities(best, rest)


def is_sufficient(evidence: Sequence[Evidence]) -> bool:
    """Whether the evidence of one kind alone reaches the least probability of that kind."""
    least = dict(MIN_PROBABILITY)
    if any(isinstance(piece, HeadlineEvidence) and piece.contradicts for piece in evidence):
        least[HeadlineEvidence] = MIN_DENIED_PROBABILITY
    by_kind = {kind: [piece for piece in evidence if isinstance(piece, kind)] for kind in least}
    return any(pieces and link_probability(pieces) >= least[kind] for kind, pieces in by_kind.items())


def strength(probability: float, judged: float, outlets: int) -> float:
    """The strength (0 to 100) of a link; with a single outlet it never reaches *high*.

    Args:
        probability: of the link, 0 to 1.
        judged: strength as a direct cause by a model, 0 to 100.
        outlets: number of outlets that give evidence for it.
    """
    certainty = 1 - (1 - INDEPENDENCE) ** max(1, outlets)
    return (50 * probability + judged / 2) * (0.62 + 0.38 * certainty)
