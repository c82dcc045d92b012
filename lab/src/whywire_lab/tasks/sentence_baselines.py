"""Baselines for the sentence tasks: a linear classifier over lemmas, a CRF over word shapes, and random answers.

The libraries that learn are imported where they are used: the program loads this module for every command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from whywire.news.article import Span
from whywire_lab.exchange.tokens import split_tokens
from whywire_lab.tasks.word_tags import LabelledSpan, bio_tags, spans_from_tags

SEED = 2020
"""Seed of every baseline's random numbers."""

MAX_FEATURES = 5000
"""Most lemmas in the classifier's vocabulary, as in the baseline of SemEval-2020 Task 5."""

MAX_ITERATIONS = 100
"""Iterations of L-BFGS at most; the penalties are those of CRFsuite's tutorial."""

WORD = re.compile(r"[^\W\d_]+")


def classify_by_words(texts: Sequence[str], labels: Sequence[bool], asked: Sequence[str]) -> list[bool]:
    """TF-IDF over lemmas and a linear support vector machine (the baseline of SemEval-2020 Task 5, subtask 1).

    Unlike that baseline it keeps the stop words: *if* and *would* mark counterfactuals.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    words = TfidfVectorizer(analyzer=lemmas, max_features=MAX_FEATURES)
    model = make_pipeline(words, LinearSVC(random_state=SEED))
    model.fit(texts, labels)
    return [bool(label) for label in model.predict(asked)]


def lemmas(text: str) -> list[str]:
    """The lemmas of an English text's words, in order; numbers and punctuation are left out."""
    return [_lemma(word) for word in WORD.findall(text.lower())]


@cache
def _lemma(word: str) -> str:
    from simplemma import lemmatize

    return str(lemmatize(word, lang="en"))


class SpanTagger:
    """A conditional random field over the shapes of words and of their neighbours.

    It follows the baseline of SemEval-2020 Task 5, subtask 2, without its parts of speech.

    Args:
        texts: the training texts.
        spans: the labelled spans of each text; they do not overlap.
    """

    def __init__(self, texts: Sequence[str], spans: Sequence[Sequence[LabelledSpan]]) -> None:
        from sklearn_crfsuite import CRF

        self._model: Any = CRF(algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=MAX_ITERATIONS)
        words = list(map(split_tokens, texts))
        tags = [bio_tags(found, labelled) for found, labelled in zip(words, spans, strict=True)]
        self._model.fit([word_features(text, found) for text, found in zip(texts, words, strict=True)], tags)

    def tag(self, texts: Sequence[str]) -> list[list[LabelledSpan]]:
        """The spans found in each text, in order."""
        words = list(map(split_tokens, texts))
        tags = self._model.predict([word_features(text, found) for text, found in zip(texts, words, strict=True)])
        return [spans_from_tags(found, list(own)) for found, own in zip(words, tags, strict=True)]


def word_features(text: str, words: Sequence[Span]) -> list[dict[str, str | bool]]:
    """The CRF's features of each word: its letters, endings and shape, and those of the two words on either side."""
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
    """``size`` labels drawn at the rate of the training labels, with a fixed seed."""
    rate = float(np.mean(labels)) if labels else 0.5
    return [bool(label) for label in np.random.default_rng(SEED).random(size) < rate]


def random_span_pairs(texts: Sequence[str]) -> list[tuple[Span, Span] | None]:
    """Two random spans of words in each text, not overlapping, in random order; ``None`` for a text of one word."""
    rng = np.random.default_rng(SEED)
    pairs: list[tuple[Span, Span] | None] = []
    for text in texts:
        words = split_tokens(text)
        if len(words) < 2:
            pairs.append(None)
            continue
        middle = int(rng.integers(1, len(words)))
        left = sorted(rng.integers(0, middle, 2).tolist())
        right = sorted(rng.integers(middle, len(words), 2).tolist())
        runs = [(words[first][0], words[last][1]) for first, last in (left, right)]
        rng.shuffle(runs)
        pairs.append(((int(runs[0][0]), int(runs[0][1])), (int(runs[1][0]), int(runs[1][1]))))
    return pairs


def random_word_spans(texts: Sequence[str], rate: float) -> list[tuple[Span, ...]]:
    """Single words drawn at ``rate`` from each text, each a span of its own."""
    rng = np.random.default_rng(SEED + 1)
    return [tuple(span for span in split_tokens(text) if rng.random() < rate) for text in texts]
