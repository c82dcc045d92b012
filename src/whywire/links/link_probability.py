"""How probable a link is by its evidence, and when that is enough: one rule for a build and any moment after it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from whywire.elements import ClaimEvidence, Evidence, HeadlineEvidence, JudgedEvidence
from whywire.links.strength import combine_probabilities

MIN_PROBABILITY = {HeadlineEvidence: 0.5, ClaimEvidence: 0.3, JudgedEvidence: 0.68}
"""The probability from which there is a link, by the kind of evidence it rests on.

What is fitted for sentences is stricter than for headlines: that a reader calls the claim right, and both its sides
events as they are worded. Of nine judged links of 0.68 and more two readers found six right; of 31 with less, four to
six.
"""


def link_probability(evidence: Sequence[Evidence]) -> float:
    """The probability (0 to 1) of a link by its evidence: headlines are one voice, as is each sentence.

    The surest voice counts whole, each further one takes away a part of the doubt that is left.
    """
    headlines = [one.probability for one in evidence if isinstance(one, HeadlineEvidence)]
    others = [one.probability for one in evidence if not isinstance(one, HeadlineEvidence)]
    best, *rest = sorted([*([fmean(headlines)] if headlines else []), *others], reverse=True)
    return combine_probabilities(best, rest)


def is_sufficient(evidence: Sequence[Evidence]) -> bool:
    """Whether the pieces of some kind are enough for a link by themselves."""
    kinds = {kind: [one for one in evidence if isinstance(one, kind)] for kind in MIN_PROBABILITY}
    return any(own and link_probability(own) >= MIN_PROBABILITY[kind] for kind, own in kinds.items())
