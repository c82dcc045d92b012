"""The probability of a link by its evidence, the least probability of a link, and the strength of a link.

They are two numbers. The probability says whether the relation holds: it grows with independent evidence. The
strength says how much of the effect is owed to the cause if it holds, whoever reports it. A build and a snapshot use
the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
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


def link_probability(evidence: Sequence[Evidence], outlets: Sequence[str] | None = None) -> float:
    """The probability (0 to 1) of a link by its evidence, combined by a discounted noisy-or.

    All headline pairs count as one piece of evidence, with their mean, and what articles of one outlet tell as one,
    with the most probable. The most probable piece counts in full, each further one removes a share of the remaining
    doubt.

    Args:
        outlets: of each piece; not looked at for headline pairs. Without them, each piece is of an outlet of its own.
    """
    headlines: list[float] = []
    told: dict[str, float] = {}
    for number, piece in enumerate(evidence):
        if isinstance(piece, HeadlineEvidence):
            headlines.append(piece.probability)
        else:
            outlet = str(number) if outlets is None else outlets[number]
            told[outlet] = max(piece.probability, told.get(outlet, 0.0))
    best, *rest = sorted([*([fmean(headlines)] if headlines else []), *told.values()], reverse=True)
    return combine_probabilities(best, rest)


def is_sufficient(evidence: Sequence[Evidence]) -> bool:
    """Whether the evidence of one kind alone reaches the least probability of that kind."""
    least = dict(MIN_PROBABILITY)
    if any(isinstance(piece, HeadlineEvidence) and piece.contradicts for piece in evidence):
        least[HeadlineEvidence] = MIN_DENIED_PROBABILITY
    by_kind = {kind: [piece for piece in evidence if isinstance(piece, kind)] for kind in least}
    return any(pieces and link_probability(pieces) >= least[kind] for kind, pieces in by_kind.items())


def mean_strength(judged: Iterable[tuple[float, float]]) -> float:
    """The strength (0 to 100) of a link by what judges its pieces of evidence: ``(probability, strength)`` of each.

    The mean, weighed by probability. CRAB averages the scores of its annotators likewise.
    """
    weighed = [*judged]
    return fsum(weight * score for weight, score in weighed) / fsum(weight for weight, _ in weighed)
