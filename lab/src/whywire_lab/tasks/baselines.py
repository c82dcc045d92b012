"""Systems to stand beside: words counted, neighbours looked at, and random answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from whywire.errors import MissingExtraError
from whywire.exchange.tokens import split_tokens
from whywire.news.article import Span
from whywire_lab.tasks.words import Labelled, spans_of, tags_of

SEED = 2020
"""Of the dice, and of the solver."""

FEATURES = 5000
"""Lemmas the classifier counts, as in the baseline of SemEval-2020 Task 5."""

ROUNDS = 100
"""Of L-BFGS at most; the penalties are the usual ones of CRFsuite's tutorials."""

LETTERS = re.compile(r"[^\W\d_]+")


def classify(texts: Sequence[str], labels: Sequence[bool], asked: Sequence[str]) -> list[bool]:
    """TF-IDF over lemmas and a linear support vector machine (the baseline of SemEval-2020 Task 5, subtask 1).

    Unlike that one it keeps the stop words: *if* and *would* are what counterfactuals are made of.

    Raises:
        MissingExtraError: scikit-learn or simplemma is not installed.
    """
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_pipeline
        from sklearn.svm import LinearSVC
    except ModuleNotFoundError as error:
        raise MissingExtraError("scikit-learn", "bench") from error
    words = TfidfVectorizer(analyzer=lemmas, max_features=FEATURES)
    model = make_pipeline(words, LinearSVC(random_state=SEED))
    model.fit(texts, labels)
    return [bool(label) for label in model.predict(asked)]


def lemmas(text: str) -> list[str]:
    """The lemmas of an English text's words, in order; numbers and punctuation are left out."""
    lemma = _lemmatiser()
    return [lemma(word) for word in LETTERS.findall(text.lower())]


@cache
def _lemmatiser() -> Callable[[str], str]:
    try:
        from simplemma import lemmatize
    except ModuleNotFoundError as error:
        raise MissingExtraError("simplemma", "bench") from error
    return cache(lambda word: str(lemmatize(word, lang="en")))


class Tagger:
    """A conditional random field over the shapes of words and of their neighbours.

    As the baseline of SemEval-2020 Task 5, subtask 2, without its parts of speech.

    Args:
        texts: what to learn from.
        spans: in each, those to find; they do not overlap.

    Raises:
        MissingExtraError: sklearn-crfsuite is not installed.
    """

    def __init__(self, texts: Sequence[str], spans: Sequence[Sequence[Labelled]]) -> None:
        try:
            from sklearn_crfsuite import CRF
        except ModuleNotFoundError as error:
            raise MissingExtraError("sklearn-crfsuite", "bench") from error
        self._model: Any = CRF(algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=ROUNDS)
        words = list(map(split_tokens, texts))
        tags = [tags_of(found, labelled) for found, labelled in zip(words, spans, strict=True)]
        self._model.fit([features(text, found) for text, found in zip(texts, words, strict=True)], tags)

    def tag(self, texts: Sequence[str]) -> list[list[Labelled]]:
        """The spans found in each text, in order."""
        words = list(map(split_tokens, texts))
        tags = self._model.predict([features(text, found) for text, found in zip(texts, words, strict=True)])
        return [spans_of(found, list(own)) for found, own in zip(words, tags, strict=True)]


def features(text: str, words: Sequence[Span]) -> list[dict[str, str | bool]]:
    """What the field sees of each word: its letters, endings and shape, and the two words on either side."""
    shapes = [_shape(text[start:end]) for start, end in words]
    seen = []
    for number, shape in enumerate(shapes):
        own: dict[str, str | bool] = dict(shape)
        word = str(shape["lower"])
        own |= {"last two": word[-2:], "last three": word[-3:]}
        for step in (-2, -1, 1, 2):
            if 0 <= number + step < len(shapes):
                own |= {f"{step:+d} {name}": value for name, value in shapes[number + step].items()}
            else:
                own[f"{step:+d}"] = "none"
        seen.append(own)
    return seen


def _shape(word: str) -> dict[str, str | bool]:
    return {"lower": word.lower(), "upper": word.isupper(), "title": word.istitle(), "digit": word.isdigit()}


def random_labels(labels: Sequence[bool], size: int) -> list[bool]:
    """Labels drawn at the rate of those known; the same every time."""
    rate = float(np.mean(labels)) if labels else 0.5
    return [bool(label) for label in np.random.default_rng(SEED).random(size) < rate]


def random_pairs(texts: Sequence[str]) -> list[tuple[Span, Span] | None]:
    """Two runs of words drawn in each text, which do not overlap, in either order; none in a text of one word."""
    dice = np.random.default_rng(SEED)
    pairs: list[tuple[Span, Span] | None] = []
    for text in texts:
        words = split_tokens(text)
        if len(words) < 2:
            pairs.append(None)
            continue
        middle = int(dice.integers(1, len(words)))
        left = sorted(dice.integers(0, middle, 2).tolist())
        right = sorted(dice.integers(middle, len(words), 2).tolist())
        runs = [(words[first][0], words[last][1]) for first, last in (left, right)]
        dice.shuffle(runs)
        pairs.append(((int(runs[0][0]), int(runs[0][1])), (int(runs[1][0]), int(runs[1][1]))))
    return pairs


def random_words(texts: Sequence[str], rate: float) -> list[tuple[Span, ...]]:
    """Words drawn at a rate, each a span of its own."""
    dice = np.random.default_rng(SEED + 1)
    return [tuple(span for span in split_tokens(text) if dice.random() < rate) for text in texts]
