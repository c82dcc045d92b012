"""Refutations that the words of two headlines support (:mod:`whywire.events.contradictions`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Contradiction
from whywire.events.contradictions import contradiction, denies_something_else, retracts
from whywire.events.denials import is_denial, negates
from whywire.pairs.relations import Relation, column

__all__ = ["contradiction", "plain_relation", "refuted_in"]

RETRACTED = 0.95
"""The probability that a title refutes what it repeats after "retracted"; no model is asked."""


def refuted_in(earlier: str, later: str) -> Contradiction | None:
    """How the later headline contradicts the earlier, if a model takes it for a refutation; ``None`` if it does not.

    Besides what :func:`contradiction` finds, it is enough that the later headline denies something in other words and
    the earlier denies nothing: the model says that both are about the same.
    """
    in_other_words = is_denial(later) and not negates(earlier) and not denies_something_else(later, earlier)
    return contradiction(earlier, later) or (Contradiction.POLARITY if in_other_words else None)


def plain_relation(left: str, right: str) -> NDArray[np.float64] | None:
    """The probabilities (7,) of the relations of two headlines if one retracts the other; else ``None``."""
    for earlier, later, relation in (
        (left, right, Relation.LEFT_RIGHT_REFUTE),
        (right, left, Relation.RIGHT_LEFT_REFUTE),
    ):
        if retracts(later, earlier):
            row = np.full(len(Relation), (1 - RETRACTED) / (len(Relation) - 1))
            row[column(relation)] = RETRACTED
            return row
    return None
