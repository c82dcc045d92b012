"""The probability of a link by its evidence, and from which there is one: the same for a build and a snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from whywire.elements import ClaimEvidence, Evidence, HeadlineEvidence, JudgedEvidence
from whywire.links.strength import combine_probabilities

MIN_PROBABILITY = {HeadlineEvidence: 0.2, ClaimEvidence: 0.2, JudgedEvidence: 0.68}
"""The probability from which there is a link, by the kind of its evidence.

Causes are rare among neighbours in a stream (2 in 100), so the probability that headlines show one is seldom high: of
24 pairs with 0.2 or more among 3,391, by folds, 13 were causes and most others the same event, which is no link; 0.5
leaves seven, six of them causes. The probability of a claim means more: that a reader finds the claim right and both
its sides events as they are worded. Of 15 links of the English stream with 0.2 to 0.3 a reader found nine right, of
15 with 0.3 to 0.5 eight, and of 15 with 0.1 to 0.2 five. Of nine judged links of 0.68 and more two readers found
six right; of 31 with less, four to six.
"""


MIN_DENIED_PROBABILITY = 0.1
"""The same of a refutation where one headline denies the very words of the other
(:func:`whywire.events.contradictions.denies`): the model has seen few denials, and takes many for the same event.
"""


def link_probability(evidence: Sequence[Evidence]) -> float:
    """The probability (0 to 1) of a link by its evidence, combined by a discounted noisy-or.

    All headline pairs count as one piece of evidence, with their mean. The most probable piece counts in full, each
    further one removes a share of the remaining doubt.
    """
    headlines = [one.probability for one in evidence if isinstance(one, HeadlineEvidence)]
    others = [one.probability for one in evidence if not isinstance(one, HeadlineEvidence)]
    best, *rest = sorted([*([fmean(headlines)] if headlines else []), *others], reverse=True)
    return combine_probabilities(best, rest)


def is_sufficient(evidence: Sequence[Evidence]) -> bool:
    """Whether the evidence of any one kind reaches the least probability of that kind by itself."""
    least = dict(MIN_PROBABILITY)
    if any(isinstance(one, HeadlineEvidence) and one.contradicts for one in evidence):
        least[HeadlineEvidence] = MIN_DENIED_PROBABILITY
    kinds = {kind: [one for one in evidence if isinstance(one, kind)] for kind in least}
    return any(own and link_probability(own) >= least[kind] for kind, own in kinds.items())
