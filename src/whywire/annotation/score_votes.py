"""Scores of causal strength by several workers: their mean, CRAB's class, and which pairs an expert should see.

A pair whose workers disagree is no trouble as long as they disagree inside a class. An expert is asked where the
workers' scores are spread and their mean lies on a bound of two classes (Romanou et al. 2023, section 3.5), so that
another worker's score might have given another class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from whywire.annotation.votes import Item
from whywire.elements import CLASS_BOUNDS, StrengthClass, strength_class

BETWEEN_CLASSES = tuple(highest for _, highest in CLASS_BOUNDS[:-1])
"""The scores at which one class ends and another begins: 20, 50 and 80."""

MIN_DEVIATION = 20.0
"""The standard deviation from which scores count as spread: the width of CRAB's narrowest class. The paper gives no
number."""

NEAR_BOUND = 5.0
"""How far from a bound a mean may lie to lie on it. Seven scores with a deviation of 20 have a standard error of 7.6,
so that of means this near at least one in four falls on the other side. The paper gives no number."""


@dataclass(frozen=True, slots=True)
class ScoreDecision:
    """What the scores of a pair say.

    Args:
        mean: 0 to 100.
        deviation: the standard deviation of the sample; 0 of a single score.
        strength_class: of the mean.
        votes: how many scores there are.
    """

    mean: float
    deviation: float
    strength_class: StrengthClass
    votes: int

    @property
    def to_bound(self) -> float:
        """How far the mean is from the nearest bound of two classes."""
        return min(abs(self.mean - bound) for bound in BETWEEN_CLASSES)

    @property
    def needs_expert(self) -> bool:
        """Whether the scores are spread and their mean lies on a bound."""
        return self.deviation >= MIN_DEVIATION and self.to_bound <= NEAR_BOUND


def decide_score(scores: Iterable[float]) -> ScoreDecision:
    """The mean of a pair's scores, and its class.

    Raises:
        ValueError: there is none, or one is not from 0 to 100.
    """
    given = sorted(scores)
    if not given:
        raise ValueError("a pair without scores has no mean")
    if not 0 <= given[0] <= given[-1] <= 100:
        raise ValueError(f"scores go from 0 to 100, not from {given[0]} to {given[-1]}")
    mean = fmean(given)
    return ScoreDecision(mean, stdev(given) if len(given) > 1 else 0.0, strength_class(mean), len(given))


def for_experts(pairs: Mapping[Item, Sequence[float]]) -> list[Item]:
    """The pairs that an expert should see, those with the most spread scores first."""
    decided = {pair: decide_score(scores) for pair, scores in pairs.items()}
    wanted = [pair for pair, decision in decided.items() if decision.needs_expert]
    return sorted(wanted, key=lambda pair: (-decided[pair].deviation, decided[pair].to_bound, repr(pair)))
