"""How strong a link is, on CRAB's scale: 0 to 100, none up to 20, low up to 50, medium up to 80, then high.

Two things make a link strong: that it is direct, which a model trained on graded causes judges from the headlines;
and that it is certain, which grows with the probability by headlines and sentences and with the number of outlets.
"""

from __future__ import annotations

from collections.abc import Iterable

INDEPENDENCE = 0.45
"""The share of the remaining doubt that one more piece of evidence of probability 1 removes. It is less than 1, for
newspapers copy one another's thoughts as well as their words."""


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


def strength(probability: float, judged: float, outlets: int) -> float:
    """The strength (0 to 100) of a link; with a single outlet it never reaches *high*.

    Args:
        probability: of the link, 0 to 1.
        judged: strength as a direct cause by a model, 0 to 100.
        outlets: number of outlets that give evidence for it.
    """
    certainty = 1 - (1 - INDEPENDENCE) ** max(1, outlets)
    return (50 * probability + judged / 2) * (0.62 + 0.38 * certainty)
