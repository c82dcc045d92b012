"""How strong a link is, on CRAB's scale: 0 to 100, none up to 20, low up to 50, medium up to 80, then high.

Two things make a link strong: that it is direct, which a model judges from the headlines (it learned from graded
causes), and that it is sure, which grows with the probability that the headlines and the sentences give it
and with the number of outlets that say so.
"""

from __future__ import annotations

from collections.abc import Iterable

OUTLET_SHARE = 0.45
"""How much of the remaining doubt one more voice that says the same takes away, if it is sure."""


def combine_probabilities(headlines: float, claims: Iterable[float]) -> float:
    """The probability of a link from the headlines' score and the claims of distinct voices.

    Args:
        headlines: probability by the pair model, 0 where it was not asked.
        claims: one a voice (0 to 1): the same sentence in two papers is one voice. Papers copy one another's
            thoughts as well, so each voice takes away only a share of the doubt that is left.
    """
    doubt = 1 - headlines
    for claim in sorted(claims, reverse=True):
        doubt *= 1 - OUTLET_SHARE * claim
    return 1 - doubt


def strength(probability: float, judged: float, outlets: int) -> float:
    """Strength (0 to 100) of a link of that probability, told by so many outlets.

    One outlet's word alone never reaches *high*.

    Args:
        judged: how direct a cause the headlines show it to be, 0 to 100.
    """
    certainty = 1 - (1 - OUTLET_SHARE) ** max(1, outlets)
    return (50 * probability + judged / 2) * (0.62 + 0.38 * certainty)
