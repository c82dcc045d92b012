"""The seven relations of two headlines (HeadlineCause 2021, section 3.1), and what mirroring a pair does to them."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


class Relation(StrEnum):
    """What two headlines, left and right, are to each other; arrows run from the earlier report to the later."""

    NO_RELATIONSHIP = "no_relationship"
    SAME_EVENT = "same_event"
    OTHER_RELATIONSHIP = "other_relationship"
    LEFT_RIGHT_CAUSE = "left_right_cause"
    """The left one led to the right one."""
    RIGHT_LEFT_CAUSE = "right_left_cause"
    LEFT_RIGHT_REFUTE = "left_right_refute"
    """The left one is refuted, corrected or overtaken by the right one."""
    RIGHT_LEFT_REFUTE = "right_left_refute"


RELATIONS = tuple(Relation)
"""In the order of the corpus' labels 0 to 6, which is the order of every array of probabilities."""

MIRROR = np.array([0, 1, 2, 4, 3, 6, 5])
"""``probabilities[..., MIRROR]`` are those of the same pair read from right to left."""


def column(relation: Relation) -> int:
    """The place of a relation in an array of probabilities."""
    return RELATIONS.index(relation)


def mirrored(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities (..., 7) of the pairs read from right to left."""
    return probabilities[..., MIRROR]


def most_likely(probabilities: NDArray[np.float64]) -> Relation:
    """The relation with the highest probability of the seven.

    A tie between a relation and its own mirror says nothing of direction, and the best of the three that have
    none is taken instead; so two equal headlines never cause or refute one another.
    """
    best = int(np.argmax(probabilities))
    if MIRROR[best] != best and probabilities[best] == probabilities[MIRROR[best]]:
        best = int(np.argmax(probabilities[:3]))
    return RELATIONS[best]
