"""Leaks from one headline alone about its pair's label, and samples without such a leak.

If causal pairs are rare, headlines that are often in one (a toll, a verdict, a price) give the label away without the
other side, and a model trained on such pairs learns these headlines instead of the relation. So a classifier that
sees only one side measures this leak, and negatives are chosen that look as causal from either side as the positives
do (HeadlineCause 2021, sections 3.3 and 3.8).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline, make_union

from whywire.errors import InputError
from whywire.models.odds import log_odds
from whywire.pairs.reports import TextPair

HASH_SIZE = 2**18
"""Features that words and letters are hashed to."""

FOLDS = 5

SEED = 2021

MAX_MATCHES = 200_000_000
"""Most positives times negatives, which are matched in some three gigabytes."""

CALIPER = 0.2
"""How far apart two pairs that are matched may be, in standard deviations of the priors' log-odds (Austin 2011)."""


class SidePrior:
    """The probability that a pair is causal, from its left or from its right headline alone.

    Hashed words and letters of one side, and a logistic regression for each side.
    """

    def __init__(self, sides: tuple[Any, Any]) -> None:
        self._sides = sides

    @classmethod
    def fit(cls, pairs: Sequence[TextPair], causal: Sequence[bool]) -> SidePrior:
        """Fit the classifiers to labelled pairs.

        Raises:
            InputError: the pairs are all causal, or none is.
        """
        _check(len(pairs), causal)
        left, right = (_classifier().fit([pair[side] for pair in pairs], causal) for side in (0, 1))
        return cls((left, right))

    def probabilities(self, pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        """The probability that each pair is causal by its left headline, and by its right one, (pairs, 2)."""
        if not pairs:
            return np.zeros((0, 2))
        return np.column_stack(
            [model.predict_proba([pair[side] for pair in pairs])[:, 1] for side, model in enumerate(self._sides)]
        )

    def looks_causal(self, pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        """The smaller of the two headlines' probabilities to be in a causal pair, on whichever side (pairs,).

        It does not depend on which headline is left, for pairs that nobody has ordered.
        """
        there = self.probabilities(pairs)
        back = self.probabilities([(right, left) for left, right in pairs])
        smaller: NDArray[np.float64] = ((there + back[:, ::-1]) / 2).min(axis=1)
        return smaller


def held_out(pairs: Sequence[TextPair], causal: Sequence[bool], folds: int = FOLDS) -> NDArray[np.float64]:
    """The prior of pairs by classifiers trained on neither the pair nor its headline on that side, (pairs, 2).

    It is for choosing among the pairs that are also the training data.

    Raises:
        InputError: the pairs are all causal, or none is, or a side has fewer different headlines than folds.
    """
    _check(len(pairs), causal)
    classifier = _classifier()

    result = np.zeros((len(pairs), 2))
    for side in (0, 1):
        texts = [pair[side] for pair in pairs]
        if len(set(texts)) < folds:
            raise InputError(f"{len(set(texts)):,} different headlines on one side are too few for {folds} folds")
        split = StratifiedGroupKFold(folds, shuffle=True, random_state=SEED)
        found = cross_val_predict(classifier, texts, list(causal), groups=texts, cv=split, method="predict_proba")
        result[:, side] = found[:, 1]
    return result


def balanced(prior: NDArray[np.float64], causal: Sequence[bool], *, caliper: float = CALIPER) -> NDArray[np.int64]:
    """A sample without a leak from one side: every causal pair with a negative that looks as causal.

    Positives and negatives are matched one to one, so that the sum of their differences is the least (Hungarian
    algorithm), and matches further apart than the caliper are given up: a positive that no negative looks like would
    keep the leak open.

    Args:
        prior: the probability by either side alone, (pairs, 2), from a model that has not seen these pairs.
        causal: which pairs are causal.
        caliper: how far apart the two of a match may be on either side, in standard deviations of the log-odds;
            ``inf`` keeps every match.

    Returns:
        The numbers of the pairs kept, in order, half of them causal.

    Raises:
        InputError: the pairs are all causal, or none is, or there are too many to be matched.
    """
    _check(len(prior), causal)
    odds = log_odds(prior)
    odds /= np.maximum(odds.std(axis=0), 1e-9)
    labels = np.asarray(causal, dtype=np.bool_)
    positives, negatives = np.flatnonzero(labels), np.flatnonzero(~labels)
    if len(positives) * len(negatives) > MAX_MATCHES:
        raise InputError(
            f"{len(positives):,} causal pairs and {len(negatives):,} others are too many to be matched",
            hint="match them in parts",
        )
    apart = np.maximum(*(abs(odds[positives, None, side] - odds[None, negatives, side]) for side in (0, 1)))
    rows, columns = linear_sum_assignment(np.where(apart <= caliper, apart, apart + len(labels) * apart.max()))
    close = apart[rows, columns] <= caliper
    return np.sort(np.concatenate([positives[rows[close]], negatives[columns[close]]]))


def leak(prior: NDArray[np.float64], causal: Sequence[bool]) -> tuple[float, float]:
    """The area under the ROC curve of causal pairs by the left and by the right headline alone.

    0.5 is a random answer. The prior must come from a model that has not seen these pairs.

    Raises:
        InputError: the pairs are all causal, or none is.
    """
    _check(len(prior), causal)
    return float(roc_auc_score(causal, prior[:, 0])), float(roc_auc_score(causal, prior[:, 1]))


def _classifier() -> Any:
    words = HashingVectorizer(n_features=HASH_SIZE, ngram_range=(1, 2), norm=None, alternate_sign=False)
    letters = HashingVectorizer(
        n_features=HASH_SIZE, analyzer="char_wb", ngram_range=(3, 5), norm=None, alternate_sign=False
    )
    seen = make_union(make_pipeline(words, TfidfTransformer()), make_pipeline(letters, TfidfTransformer()))
    return make_pipeline(seen, LogisticRegression(solver="liblinear"))


def _check(count: int, causal: Sequence[bool]) -> None:
    if len(causal) != count:
        raise ValueError(f"Number of labels ({len(causal)}) must match number of pairs ({count})")
    if len(set(map(bool, causal))) < 2:
        raise InputError("some of the pairs must be causal and some not")
