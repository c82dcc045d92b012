"""Baselines for pairs of titles: over their words alone, the most frequent label, and random labels.

A classifier over the words alone shows how much a data set leaks: the label should follow from both titles together.

The libraries that learn are imported where they are used: the program loads this module for every command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.pairs.reports import TextPair
from whywire_lab.tasks.sentence_baselines import MAX_FEATURES, SEED, WORD

TREE_COUNT, TREE_DEPTH = 200, 4
"""Size of the boosted trees: a minute for some thousand pairs."""

Learner = Callable[[Sequence[TextPair], Sequence[int], Sequence[TextPair], int], NDArray[np.float64]]
"""From pairs, their labels, the pairs asked about and the number of classes: probabilities (asked, classes)."""


def boosted_trees(
    pairs: Sequence[TextPair], labels: Sequence[int], asked: Sequence[TextPair], classes: int
) -> NDArray[np.float64]:
    """CatBoost over TF-IDF of both titles' words (HeadlineCause's check for leaks)."""
    from catboost import CatBoostClassifier

    model = CatBoostClassifier(
        loss_function="MultiClass",
        iterations=TREE_COUNT,
        depth=TREE_DEPTH,
        random_seed=SEED,
        thread_count=1,  # the same numbers on every machine
        verbose=False,
        allow_writing_files=False,
    )
    return _learn(model, pairs, labels, asked, classes)


def logistic_regression(
    pairs: Sequence[TextPair], labels: Sequence[int], asked: Sequence[TextPair], classes: int
) -> NDArray[np.float64]:
    """Logistic regression over TF-IDF of both titles' words."""
    from sklearn.linear_model import LogisticRegression

    return _learn(LogisticRegression(max_iter=1000), pairs, labels, asked, classes)


def most_frequent(
    pairs: Sequence[TextPair],  # noqa: ARG001
    labels: Sequence[int],
    asked: Sequence[TextPair],
    classes: int,
) -> NDArray[np.float64]:
    """The most frequent training label, with probability 1; the first of equally frequent ones."""
    label = Counter(sorted(labels)).most_common(1)[0][0]
    return np.eye(classes)[[label] * len(asked)]


def random_class(
    pairs: Sequence[TextPair],  # noqa: ARG001
    labels: Sequence[int],
    asked: Sequence[TextPair],
    classes: int,
) -> NDArray[np.float64]:
    """A label with probability 1, drawn at the training labels' rates with a fixed seed."""
    shares = np.bincount(labels, minlength=classes) / len(labels)
    return np.eye(classes)[np.random.default_rng(SEED).choice(classes, size=len(asked), p=shares)]


def words_with_side(pair: TextPair) -> list[str]:
    """The words of both titles, each marked with its side (left or right)."""
    return [
        f"{side} {word}"
        for side, title in zip(("left", "right"), pair, strict=True)
        for word in WORD.findall(title.lower())
    ]


def _learn(
    model: Any, pairs: Sequence[TextPair], labels: Sequence[int], asked: Sequence[TextPair], classes: int
) -> NDArray[np.float64]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    if len(set(labels)) == 1:  # both models refuse to learn a single class
        return most_frequent(pairs, labels, asked, classes)
    words = TfidfVectorizer(analyzer=words_with_side, max_features=MAX_FEATURES)
    model.fit(words.fit_transform(pairs), list(labels))
    table = np.zeros((len(asked), classes))
    table[:, [int(label) for label in model.classes_]] = model.predict_proba(words.transform(asked))
    return table
