"""The seven relations of two headlines, the three they fall into (HeadlineCause 2021, section 3.1), their mirrors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray


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


class Causality(StrEnum):
    """The three classes that the seven fall into; a refutation is a kind of cause (*simple* in HeadlineCause)."""

    NONE = "no_causality"
    LEFT_RIGHT = "left_right"
    """The left one led to the right one, or is refuted by it."""
    RIGHT_LEFT = "right_left"


CAUSALITIES = tuple(Causality)
"""In the order of the corpus' labels 0 to 2, which is the order of every array of their probabilities."""

RELATIONS_OF: Mapping[Causality, frozenset[Relation]] = {
    Causality.NONE: frozenset(RELATIONS[:3]),
    Causality.LEFT_RIGHT: frozenset({Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE}),
    Causality.RIGHT_LEFT: frozenset({Relation.RIGHT_LEFT_CAUSE, Relation.RIGHT_LEFT_REFUTE}),
}

COLUMNS = [[RELATIONS.index(relation) for relation in RELATIONS if relation in own] for own in RELATIONS_OF.values()]
"""Which of the seven each of the three is made of."""

MIRROR = np.array([0, 1, 2, 4, 3, 6, 5])
"""``probabilities[..., MIRROR]`` are those of the same pair read from right to left."""


def column(relation: Relation) -> int:
    """The place of a relation in an array of probabilities."""
    return RELATIONS.index(relation)


def mirrored(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities (..., 7) of the pairs read from right to left."""
    return probabilities[..., MIRROR]


def pooled(
    tables: Sequence[NDArray[np.float64]], weights: Sequence[float], factors: ArrayLike
) -> NDArray[np.float64]:
    """The logarithmic pool of opinions (Genest and Zidek 1986) with its odds moved: (pairs, 7), rows summing to 1.

    Args:
        tables: probabilities (pairs, 7) of the same pairs, one table an opinion.
        weights: what the logarithm of each opinion counts.
        factors: (7,), what each relation's odds are multiplied by, alike for a relation and its mirror.
    """
    logs = sum(weight * np.log(np.maximum(table, 1e-12)) for table, weight in zip(tables, weights, strict=True))
    powers = np.exp(logs) * np.asarray(factors)
    twice = (powers + powers[:, MIRROR]).sum(axis=1, keepdims=True)  # in either order the same to the last bit
    result: NDArray[np.float64] = 2 * powers / twice
    return result


def most_likely(probabilities: NDArray[np.float64]) -> Relation:
    """The relation with the highest probability of the seven.

    A tie between a relation and its own mirror says nothing of direction, and the best of the three that have
    none is taken instead; so two equal headlines never cause or refute one another.
    """
    best = int(np.argmax(probabilities))
    if MIRROR[best] != best and probabilities[best] == probabilities[MIRROR[best]]:
        best = int(np.argmax(probabilities[:3]))
    return RELATIONS[best]


def as_three(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (3,) of ``CAUSALITIES`` from those of the seven relations, or as they are.

    Raises:
        ValueError: there are neither three nor seven.
    """
    if len(probabilities) == len(CAUSALITIES):
        return probabilities
    if len(probabilities) != len(RELATIONS):
        raise ValueError(f"an answer needs three or seven probabilities, not {len(probabilities)}")
    return np.array([probabilities[columns].sum() for columns in COLUMNS])


def decide_three(probabilities: NDArray[np.float64]) -> Causality:
    """The likeliest of three classes; where both directions are as likely, nothing is said of a direction."""
    none, forward, backward = probabilities
    if forward == backward or none >= max(forward, backward):
        return Causality.NONE
    return Causality.LEFT_RIGHT if forward > backward else Causality.RIGHT_LEFT
