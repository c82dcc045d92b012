"""How much two partitions agree."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple


class PairsScore(NamedTuple):
    """Of the pairs that one partition puts together, and the other."""

    precision: float
    recall: float
    f1: float


def pairs_score(found: Sequence[object], expected: Sequence[object]) -> PairsScore:
    """Score the groups that items were put into, by the names of their groups; 0 to 1."""
    together = [
        {(i, j) for i, j in combinations(range(len(names)), 2) if names[i] == names[j]} for names in (found, expected)
    ]
    both = len(together[0] & together[1])
    precision, recall = (both / len(own) if own else 1.0 for own in together)
    return PairsScore(precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0)
