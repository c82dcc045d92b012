"""Systems that label pairs of titles: by their words alone (extra ``bench``), by the shares of the labels, by chance.

What words alone can tell is what leaks: a pair's label follows from what both say together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from whywire.errors import MissingExtraError
from whywire_lab.tasks.baselines import FEATURES, LETTERS, SEED

TREES, DEPTH = 200, 4
"""Of the boosted trees: enough to see what words give, in a minute for some thousand pairs."""

TitlePair = tuple[str, str]
Learner = Callable[[Sequence[TitlePair], Sequence[int], Sequence[TitlePair], int], NDArray[np.float64]]
"""From pairs, their labels, the pairs asked about and the number of classes: probabilities (asked, classes)."""


def boosted_trees(
    pairs: Sequence[TitlePair], labels: Sequence[int], asked: Sequence[TitlePair], classes: int
) -> NDArray[np.float64]:
    """CatBoost over TF-IDF of both titles' words (HeadlineCause's check for leaks).

    Raises:
        MissingExtraError: scikit-learn or CatBoost is not installed.
    """
    try:
        from catboost import CatBoostClassifier
    except ModuleNotFoundError as error:
        raise MissingExtraError("catboost", "bench") from error
    model = CatBoostClassifier(
        loss_function="MultiClass",
        iterations=TREES,
        depth=DEPTH,
        random_seed=SEED,
        thread_count=1,  # the same numbers on every machine
        verbose=False,
        allow_writing_files=False,
    )
    return _learn(model, pairs, labels, asked, classes)


def linear(
    pairs: Sequence[TitlePair], labels: Sequence[int], asked: Sequence[TitlePair], classes: int
) -> NDArray[np.float64]:
    """Logistic regression over TF-IDF of both titles' words.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ModuleNotFoundError as error:
        raise MissingExtraError("scikit-learn", "bench") from error
    return _learn(LogisticRegression(max_iter=1000), pairs, labels, asked, classes)


def most_frequent(
    pairs: Sequence[TitlePair],  # noqa: ARG001
    labels: Sequence[int],
    asked: Sequence[TitlePair],
    classes: int,
) -> NDArray[np.float64]:
    """The label that most pairs have, for certain; the first of several."""
    label = Counter(sorted(labels)).most_common(1)[0][0]
    return np.eye(classes)[[label] * len(asked)]


def at_random(
    pairs: Sequence[TitlePair],  # noqa: ARG001
    labels: Sequence[int],
    asked: Sequence[TitlePair],
    classes: int,
) -> NDArray[np.float64]:
    """A label for certain, drawn as often as it is among those known; the same every time."""
    shares = np.bincount(labels, minlength=classes) / len(labels)
    return np.eye(classes)[np.random.default_rng(SEED).choice(classes, size=len(asked), p=shares)]


def side_words(pair: TitlePair) -> list[str]:
    """The words of both titles, each with its side: which of the two says it matters."""
    return [
        f"{side} {word}"
        for side, title in zip(("left", "right"), pair, strict=True)
        for word in LETTERS.findall(title.lower())
    ]


def _learn(
    model: Any, pairs: Sequence[TitlePair], labels: Sequence[int], asked: Sequence[TitlePair], classes: int
) -> NDArray[np.float64]:
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ModuleNotFoundError as error:
        raise MissingExtraError("scikit-learn", "bench") from error
    if len(set(labels)) == 1:  # nothing to tell apart, which both models refuse to learn
        return most_frequent(pairs, labels, asked, classes)
    words = TfidfVectorizer(analyzer=side_words, max_features=FEATURES)
    model.fit(words.fit_transform(pairs), list(labels))
    table = np.zeros((len(asked), classes))
    table[:, [int(label) for label in model.classes_]] = model.predict_proba(words.transform(asked))
    return table
