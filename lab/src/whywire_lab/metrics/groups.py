"""How well a grouping of items agrees with the true one; the score over pairs is ``metrics.pairwise_score``.

Pairs let one large group decide; B-cubed asks of every item how well its own group fits; MUC counts the links that
would make one grouping of the other, CEAF the groups that correspond, and the mean of these three is what CoNLL-2012
compares systems by (Pradhan et al. 2012, section 4.5). Adjusted mutual information, which takes away what chance
would give, is in ``whywire.annotation.groupings``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from whywire_lab.metrics.classification import Score


def b_cubed(predicted: Sequence[Hashable], truth: Sequence[Hashable]) -> Score:
    """B-cubed precision and recall (Bagga and Baldwin 1998): the mean over items; zero where there are none.

    An item's precision is the share of its predicted group that is with it in truth, itself included; its recall the
    share of its true group that is with it as predicted.
    """
    shared = Counter(zip(predicted, truth, strict=True))
    estimates, reals = Counter(predicted), Counter(truth)
    size = max(len(truth), 1)
    return Score(
        sum(both**2 / estimates[estimate] for (estimate, _), both in shared.items()) / size,
        sum(both**2 / reals[real] for (_, real), both in shared.items()) / size,
    )


def muc(predicted: Sequence[Hashable], truth: Sequence[Hashable]) -> Score:
    """MUC precision and recall of links (Vilain et al. 1995); an item that is alone in its group counts for nothing.

    A group of n items stands for n - 1 links; those are missing that would join the parts into which the other
    grouping cuts it. Zero where no group has two items.
    """

    def share(groups: Sequence[Hashable], parts: Sequence[Hashable]) -> float:
        cut = Counter(group for group, _ in set(zip(groups, parts, strict=True)))
        sizes = Counter(groups)
        links = sum(size - 1 for size in sizes.values())
        return sum(size - cut[group] for group, size in sizes.items()) / max(links, 1)

    return Score(share(predicted, truth), share(truth, predicted))


def ceaf_e(predicted: Sequence[Hashable], truth: Sequence[Hashable]) -> Score:
    """CEAF precision and recall by entities (Luo 2005, with the similarity of its equation 9).

    Each group corresponds to at most one of the other grouping, so that the sum of the F1 of their items is highest.
    """
    from scipy.optimize import linear_sum_assignment

    shared = Counter(zip(predicted, truth, strict=True))
    estimates, reals = Counter(predicted), Counter(truth)
    rows, columns = ({group: at for at, group in enumerate(groups)} for groups in (estimates, reals))
    alike = np.zeros((len(rows), len(columns)))
    for (estimate, real), both in shared.items():
        alike[rows[estimate], columns[real]] = 2 * both / (estimates[estimate] + reals[real])
    best = float(alike[linear_sum_assignment(alike, maximize=True)].sum())
    return Score(best / max(len(rows), 1), best / max(len(columns), 1))


def conll_f1(predicted: Sequence[Hashable], truth: Sequence[Hashable]) -> float:
    """The mean of the F1 of :func:`muc`, :func:`b_cubed` and :func:`ceaf_e` (0 to 1)."""
    return sum(score(predicted, truth).f1 for score in (muc, b_cubed, ceaf_e)) / 3
