"""Learns which words are understood without their sentence, from causes and effects that two readers judged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from whywire.models import OnnxModel
from whywire.news import Language, split_sentences
from whywire.news.article import Span
from whywire.sentences.mention_heads import span_features
from whywire_lab.labels.files import read_labels
from whywire_lab.labels.keys import articles_by_hash, short_hash
from whywire_lab.labels.rows import JudgedClaim
from whywire_lab.recipes.event_mentions import Array, states_of

DENSE_WEIGHT = 0.3
"""Scale of a standardised state, beside 1 for a standardised feature of the words: there are hundreds of states."""

INVERSE_REGULARISATION = 0.1


@dataclass(frozen=True, slots=True)
class JudgedWords:
    """A cause or an effect that a model found in a sentence.

    Args:
        share: of the readers who say that the words are understood without the sentence (0 to 1).
    """

    sentence: str
    span: Span
    share: float


def read_judged_words(data: Path, language: str) -> list[JudgedWords]:
    """The causes of the judged claims with their sentences, then their effects."""
    articles = articles_by_hash(data / "news_stream", language)
    causes, effects = [], []
    for row in read_labels(JudgedClaim, f"stream_claims_{language}"):
        text, title = articles[row.article]["text"], articles[row.article]["title"]
        sentences = [text[start:end] for start, end in split_sentences(text, Language(language))]
        by_hash = {short_hash(own): own for own in (title, " ".join(title.split()), *sentences)}
        sentence = by_hash[row.sentence]
        shares = [
            sum(getattr(reading, side).standalone for reading in row.readings) / len(row.readings)
            for side in ("cause", "effect")
        ]
        causes.append(JudgedWords(sentence, row.cause, shares[0]))
        effects.append(JudgedWords(sentence, row.effect, shares[1]))
    return causes + effects


def fit_logistic(features: Array, shares: Array, states: int) -> tuple[Array, float]:
    """Weights and bias of a regularised logistic regression on shares of positive readings (0 to 1).

    Args:
        features: (rows, features), the first ``states`` of which are hidden states.
    """
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    spread[:states] /= DENSE_WEIGHT
    scaled = np.tile((features - mean) / spread, (2, 1))
    truth, weight = np.repeat([1, 0], len(shares)), np.concatenate([shares, 1 - shares])
    fitted = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=2000).fit(scaled, truth, sample_weight=weight)
    weights = fitted.coef_[0] / spread
    return weights, float(fitted.intercept_[0] - weights @ mean)


def train_alone(data: Path, language: str, model: OnnxModel) -> dict[str, Array]:
    """Train ``alone`` (features of a span,) and ``alone_bias`` (1,)."""
    words = read_judged_words(data, language)
    states = states_of(model, sorted({one.sentence for one in words}))
    features = np.array([span_features(states[one.sentence], one.span) for one in words])
    width = len(next(iter(states.values())).whole)
    weights, bias = fit_logistic(features, np.array([one.share for one in words]), width)
    return {"alone": weights, "alone_bias": np.array([bias])}
