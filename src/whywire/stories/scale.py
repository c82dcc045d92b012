"""The scale of causal strength: 0 to 100, in CRAB's four classes (Romanou et al., 2023, section 3)."""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise


class StrengthClass(StrEnum):
    """How strongly one event led to another, in words."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


CLASS_BOUNDS: tuple[tuple[StrengthClass, int], ...] = (
    (StrengthClass.NONE, 20),
    (StrengthClass.LOW, 50),
    (StrengthClass.MEDIUM, 80),
    (StrengthClass.HIGH, 100),
)
"""Each class with the highest strength that still belongs to it."""

MIDDLES = {name: (lowest + highest) / 2 for (_, lowest), (name, highest) in pairwise(((None, 0), *CLASS_BOUNDS))}
"""The strength in the middle of each class."""


def strength_class(strength: float) -> StrengthClass:
    """Name the class of a strength from 0 to 100."""
    for name, highest in CLASS_BOUNDS:
        if strength <= highest:
            return name
    return StrengthClass.HIGH
