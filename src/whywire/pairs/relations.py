"""The seven relations of two headlines and the three classes they form (HeadlineCause 2021, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whywire.pairs.reports import Report


class Relation(StrEnum):
    """The relation of two headlines, left and right; it is directed from the earlier report to the later."""

    NO_RELATIONSHIP = "no_relationship"
    SAME_EVENT = "same_event"
    OTHER_RELATIONSHIP = "other_relationship"
    LEFT_RIGHT_CAUSE = "left_right_cause"
    """The left headline led to the right one."""
    RIGHT_LEFT_CAUSE = "right_left_cause"
    LEFT_RIGHT_REFUTE = "left_right_refute"
    """The left headline is refuted, corrected or overtaken by the right one."""
    RIGHT_LEFT_REFUTE = "right_left_refute"


RELATIONS = tuple(Relation)
"""The relations in the order of the corpus' labels 0 to 6, which is the order of every array of probabilities."""


class Causality(StrEnum):
    """The three classes of the seven relations (*simple* in HeadlineCause); a refutation counts as a cause."""

    NONE = "no_causality"
    LEFT_RIGHT = "left_right"
    """The left headline led to the right one, or is refuted by it."""
    RIGHT_LEFT = "right_left"


CAUSALITIES = tuple(Causality)
"""The classes in the order of the corpus' labels 0 to 2, which is the order of every array of their
probabilities."""

RELATIONS_OF: Mapping[Causality, frozenset[Relation]] = {
    Causality.NONE: frozenset(RELATIONS[:3]),
    Causality.LEFT_RIGHT: frozenset({Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE}),
    Causality.RIGHT_LEFT: frozenset({Relation.RIGHT_LEFT_CAUSE, Relation.RIGHT_LEFT_REFUTE}),
}

_COLUMNS = [
    [RELATIONS.index(relation) for relation in RELATIONS if relation in relations]
    for relations in RELATIONS_OF.values()
]
"""The columns of the seven relations in each of the three classes."""

MIRROR = np.array([0, 1, 2, 4, 3, 6, 5])
"""``probabilities[..., MIRROR]`` are those of the same pair read from right to left."""


def column(relation: Relation) -> int:
    """The column of a relation in an array of probabilities."""
    return RELATIONS.index(relation)


def class_of(relation: Relation) -> Causality:
    """The class of a relation."""
    return next(name for name, relations in RELATIONS_OF.items() if relation in relations)


def mirrored(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities (..., 7) of the pairs read from right to left."""
    return probabilities[..., MIRROR]


def normalised(powers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows (pairs, 7) divided by their sums, which are the same to the last bit for a pair in either order."""
    twice = (powers + mirrored(powers)).sum(axis=1, keepdims=True)
    result: NDArray[np.float64] = 2 * powers / twice
    return result


def logarithmic_pool(
    tables: Sequence[NDArray[np.float64]], weights: Sequence[float], factors: ArrayLike
) -> NDArray[np.float64]:
    """The logarithmic opinion pool (Genest and Zidek 1986) with shifted odds: (pairs, 7), rows summing to 1.

    Args:
        tables: probabilities (pairs, 7) of the same pairs by each model.
        weights: of the logarithms of each table.
        factors: (7,), by which the odds of each relation are multiplied; equal for a relation and its mirror.
    """
    logs = sum(weight * np.log(np.maximum(table, 1e-12)) for table, weight in zip(tables, weights, strict=True))
    return normalised(np.exp(logs) * np.asarray(factors))


def most_likely(probabilities: NDArray[np.float64]) -> Relation:
    """The most likely relation (of the seven) of the most likely of the three classes.

    So relation and class never contradict each other, and two equal headlines never cause or refute one another. On
    the HeadlineCause rows in its repository, this is right slightly more often than taking the most likely of the
    seven.
    """
    allowed = RELATIONS_OF[decide_three(as_three(probabilities))]
    candidates = (relation for relation in RELATIONS if relation in allowed)
    return max(candidates, key=lambda relation: probabilities[column(relation)])


def as_three(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum seven relation probabilities into the three ``CAUSALITIES``; three are returned unchanged.

    Raises:
        ValueError: the length is neither 3 nor 7.
    """
    if len(probabilities) == len(CAUSALITIES):
        return probabilities
    if len(probabilities) != len(RELATIONS):
        raise ValueError(f"an answer needs three or seven probabilities, not {len(probabilities)}")
    return np.array([probabilities[columns].sum() for columns in _COLUMNS])


def decide_three(probabilities: NDArray[np.float64]) -> Causality:
    """The most likely of the three classes; ``NONE`` if both directions are equally likely.

    Args:
        probabilities: (3,), in the order of ``CAUSALITIES``.
    """
    none, forward, backward = probabilities
    if forward == backward or none >= max(forward, backward):
        return Causality.NONE
    return Causality.LEFT_RIGHT if forward > backward else Causality.RIGHT_LEFT


Text = TypeVar("Text", str, Report)


def in_one_order(
    pairs: Sequence[tuple[Text, Text]],
    read: Callable[[list[tuple[Text, Text]]], NDArray[np.float64]],
    mirror: Sequence[int] | NDArray[np.intp],
) -> NDArray[np.float64]:
    """Run ``read`` once per unordered pair, in a fixed order, and return a row for each given pair, (pairs, columns).

    So the row of (B, A) is the mirror of the row of (A, B) to the last bit, and the row of two equal reports has no
    direction.

    Args:
        read: maps ordered pairs to rows, (pairs, columns).
        mirror: the permutation of the columns that turns a row into that of the reversed pair.
    """
    ordered = [(min(pair), max(pair)) for pair in pairs]
    places = {pair: place for place, pair in enumerate(dict.fromkeys(ordered))}
    table = read(list(places))[[places[pair] for pair in ordered]]
    swapped = np.array([pair[0] > pair[1] for pair in pairs], dtype=bool)
    equal = np.array([pair[0] == pair[1] for pair in pairs], dtype=bool)
    table[swapped] = table[swapped][:, mirror]
    table[equal] = (table[equal] + table[equal][:, mirror]) / 2
    return table
