"""Priors of the seven relations: those of the training sources, and those that answers are asked for.

Sources differ in how frequent a relation is among their pairs, and so do the places where a model is used; but the
words of two reports speak for or against a relation to the same degree everywhere. So training adds the logarithm of
a source's prior to the logits before the softmax (logit adjustment, Menon et al. 2021): the logits learn what the
words say. The caller adds the prior of the pairs asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from whywire.pairs.relations import MIRROR, RELATIONS
from whywire_lab.recipes.calibration import RELATION_SHARES
from whywire_lab.recipes.report_rows import NEIGHBOURS, PICKED, ReportPair

Prior = NDArray[np.float64]
"""The shares (7,) of the relations, equal for a relation and its mirror."""

PRIORS: Mapping[str, Prior] = {
    NEIGHBOURS: np.array([0.64, 0.19, 0.14, 0.01, 0.01, 0.005, 0.005]),
    PICKED: np.array(RELATION_SHARES),
}
"""By guideline: among the pairs that a build asks about (both streams' *valid* parts), and among picked ones."""

SMOOTHING = 0.02
"""Share of a source's prior that is spread evenly, for nothing is known of a relation that the source never has."""


def prior_of(rows: Sequence[ReportPair], weights: Sequence[float], usual: Prior) -> Prior:
    """The shares of the relations among rows, smoothed.

    A row whose source leaves several relations open counts for each by its usual share. Fitting the shares to such
    rows instead would let one relation take them all: of pairs that are only *not the same event* any other will do.

    Args:
        weights: how often each row is drawn.
        usual: the prior of the guideline.
    """
    allowed = np.array([[relation in row.allowed for relation in RELATIONS] for row in rows], dtype=float)
    shares = allowed * usual
    counts = np.asarray(weights, dtype=float) / sum(weights)
    found: Prior = counts @ (shares / shares.sum(1, keepdims=True))
    found = (found + found[MIRROR]) / 2  # rows are shown in either order
    smoothed: Prior = (1 - SMOOTHING) * found + SMOOTHING / len(RELATIONS)
    return smoothed


def priors_by_group(rows: Iterable[tuple[str, ReportPair, float]], usual: Prior) -> dict[str, Prior]:
    """The prior of each group of rows.

    Args:
        rows: the name of the group, a row of it, and how often it is drawn.
        usual: the prior of the guideline.
    """
    groups: dict[str, list[tuple[ReportPair, float]]] = defaultdict(list)
    for name, row, weight in rows:
        groups[name].append((row, weight))
    return {
        name: prior_of([row for row, _ in members], [weight for _, weight in members], usual)
        for name, members in groups.items()
    }


def probabilities(logits: NDArray[np.float64], prior: Prior, temperature: float = 1.0) -> NDArray[np.float64]:
    """Probabilities (pairs, 7) under a prior from logits that are free of one."""
    found: NDArray[np.float64] = softmax(logits / temperature + np.log(prior), axis=1)
    return found
