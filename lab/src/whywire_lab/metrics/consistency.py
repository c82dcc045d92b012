"""Checks pair models for consistency (HLGD 2021).

*Same event* is an equivalence: the order of a pair must not matter (section 5.1), and of three headlines no two pairs
can be the same event while the third is not (section 5.2). A pair model may break both; a partition cannot.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

Item = TypeVar("Item", bound=Hashable)

PairProbability = Callable[[Sequence[tuple[Item, Item]]], ArrayLike]
"""From pairs to the probability of each that the two are the same."""

SAME = 0.5
"""The probability from which a pair is taken to be the same."""


@dataclass(frozen=True, slots=True)
class OrderConsistency:
    """The effect of swapping both sides of each pair on a pair model.

    Args:
        flipped: the share of pairs whose decision changes, 0 to 1.
        change: the mean absolute change of the probability.
    """

    pairs: int
    flipped: float
    change: float


def order_consistency(
    judge: PairProbability[Item], pairs: Sequence[tuple[Item, Item]], *, threshold: float = SAME
) -> OrderConsistency:
    """Compare a pair model's answers in both orders (section 5.1)."""
    if not pairs:
        return OrderConsistency(0, 0.0, 0.0)
    there = np.asarray(judge(pairs), dtype=float)
    back = np.asarray(judge([(right, left) for left, right in pairs]), dtype=float)
    flipped = (there >= threshold) != (back >= threshold)
    return OrderConsistency(len(pairs), float(flipped.mean()), float(np.abs(there - back).mean()))


@dataclass(frozen=True, slots=True)
class Triangles:
    """Triples of items whose three pairs were all judged, by how many of these are the same."""

    all_same: int = 0
    two_same: int = 0
    """These triples contradict themselves."""
    one_same: int = 0
    none_same: int = 0

    @property
    def transitive(self) -> float:
        """Of the triples in which two pairs are the same, the share in which the third is, too; 1 where none is."""
        bound = self.all_same + self.two_same
        return self.all_same / bound if bound else 1.0


def transitivity(
    judge: PairProbability[Item], pairs: Sequence[tuple[Item, Item]], *, threshold: float = SAME
) -> Triangles:
    """Count the triangles that the answers on these pairs close, by transitivity (section 5.2)."""
    if not pairs:
        return Triangles()
    return triangles(dict(zip(pairs, (np.asarray(judge(pairs)) >= threshold).tolist(), strict=True)))


def triangles(same: Mapping[tuple[Item, Item], bool]) -> Triangles:
    """Count the triples whose three pairs were judged, in whichever order; a pair judged twice counts as the last."""
    places: dict[Item, int] = {}
    decided: dict[int, dict[int, bool]] = defaultdict(dict)
    for (left, right), yes in same.items():
        one, other = sorted(places.setdefault(item, len(places)) for item in (left, right))
        if one != other:
            decided[one][other] = yes
    counts = [0, 0, 0, 0]
    for own in list(decided.values()):
        for second, left_yes in own.items():
            for third, right_yes in decided.get(second, {}).items():
                if third in own:
                    counts[left_yes + right_yes + own[third]] += 1
    return Triangles(*reversed(counts))


def judge_of(groups: Mapping[Item, Hashable]) -> PairProbability[Item]:
    """A pair model from a partition: 1 if both are in one group, else 0."""
    return lambda pairs: [float(groups[left] == groups[right]) for left, right in pairs]
