"""What to label next: which pairs of headlines teach the pair model most.

Six reasons, by each of which pairs are ranked; a pair is as urgent as its best rank, so each reason has its share:

- *filters*: the share of HeadlineCause's filters that keep the pair (section 3.3);
- *uncertainty*: how near the model's two most probable relations are (margin sampling);
- *disagreement*: how far the probability of *same event* is from what the grouping of all headlines says;
- *hard negatives*: headlines that are alike though the model sees no relation;
- *prior*: headlines that each look causal alone, though the model sees no relation (sections 3.3, 3.8);
- *predicted*: a later headline is as it was predicted to follow the other, though the model sees no relation.

The last two say nothing of pairs that come without a prior or a prediction.

Or, asked for alone, *refutations*: the probability of one, since so few pairs are (section 3.8).
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from whywire.pairs.relations import Relation, column

Floats = NDArray[np.float64]


class Reason(StrEnum):
    """Why a pair should be labelled."""

    FILTERS = "filters"
    UNCERTAINTY = "uncertainty"
    DISAGREEMENT = "disagreement"
    HARD_NEGATIVES = "hard-negatives"
    PRIOR = "prior"
    PREDICTED = "predicted"
    REFUTATIONS = "refutations"


USUAL = tuple(reason for reason in Reason if reason is not Reason.REFUTATIONS)


def uncertainty(probabilities: Floats) -> Floats:
    """One minus the margin of the two most probable relations (pairs,).

    Args:
        probabilities: (pairs, 7).
    """
    ranked = np.sort(probabilities, axis=1)
    result: Floats = 1 - (ranked[:, -1] - ranked[:, -2])
    return result


def disagreement(same_event: Floats, together: NDArray[np.bool_]) -> Floats:
    """How far the pair model and the grouping are apart (pairs,).

    Args:
        same_event: the probability that two headlines report one event (pairs,).
        together: whether the grouping has both in one event (pairs,).
    """
    result: Floats = np.abs(same_event - together)
    return result


def hard_negatives(probabilities: Floats, apparent: Floats) -> Floats:
    """The probability of no relation, times how related the headlines appear to be (pairs,).

    Args:
        probabilities: (pairs, 7).
        apparent: their cosine, their prior, or how well one fits what the other was predicted to lead to (pairs,).
    """
    result: Floats = probabilities[:, column(Relation.NO_RELATIONSHIP)] * np.clip(apparent, 0, 1)
    return result


def refutations(probabilities: Floats) -> Floats:
    """The probability of a refutation in either direction (pairs,).

    Args:
        probabilities: (pairs, 7).
    """
    either = [column(Relation.LEFT_RIGHT_REFUTE), column(Relation.RIGHT_LEFT_REFUTE)]
    result: Floats = probabilities[:, either].sum(axis=1)
    return result


def urgency(scores: Floats) -> Floats:
    """The share of the other pairs that are less urgent, 0 to 1 (pairs,); pairs with one score are equally urgent.

    Args:
        scores: by one reason (pairs,).
    """
    result: Floats = np.searchsorted(np.sort(scores), scores) / max(1, len(scores) - 1)
    return result
