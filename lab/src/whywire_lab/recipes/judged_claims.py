"""Claims of the news streams that two readers judged, and the regressions trained on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from whywire.models import OnnxModel
from whywire.news import Language, split_sentences
from whywire.sentences.mention_heads import SentenceStates, edge_features, span_features
from whywire.sentences.reader import SentenceReader
from whywire.sentences.reading import CausalRelation
from whywire_lab.labels.files import read_labels
from whywire_lab.labels.keys import articles_by_hash, short_hash
from whywire_lab.labels.rows import ClaimReading, JudgedClaim, SideReading
from whywire_lab.recipes.event_mentions import Array, states_of

DENSE_WEIGHT = 0.3
"""Scale of a standardised state, beside 1 for a standardised feature of the words: there are hundreds of states."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A causal relation that a model found in a sentence, and two independent readings of it."""

    sentence: str
    relation: CausalRelation
    readings: tuple[ClaimReading, ClaimReading]

    @property
    def good(self) -> bool:
        """Whether it may support a link: no reader says wrong, one says right, both see two events."""
        relations = [reading.relation for reading in self.readings]
        events = [reading.events for reading in self.readings]
        return "wrong" not in relations and "right" in relations and "not_both_events" not in events


def read_claims(data: Path, language: str) -> list[Claim]:
    """The judged claims with their sentences; their probabilities are not known yet."""
    articles = articles_by_hash(data / "news_stream", language)
    claims = []
    for row in read_labels(JudgedClaim, f"stream_claims_{language}"):
        text, title = articles[row.article]["text"], articles[row.article]["title"]
        sentences = [text[start:end] for start, end in split_sentences(text, Language(language))]
        by_hash = {short_hash(own): own for own in (title, " ".join(title.split()), *sentences)}
        relation = CausalRelation(row.cause, row.effect, tuple(row.signals))
        claims.append(Claim(by_hash[row.sentence], relation, row.readings))
    return claims


def with_probabilities(claims: Sequence[Claim], reader: SentenceReader) -> list[Claim]:
    """The claims with the model's probability of each relation; one half for one that it does not find."""
    texts = sorted({claim.sentence for claim in claims})
    readings = dict(zip(texts, reader.read(texts), strict=True))
    result = []
    for claim in claims:
        known = [one for one in readings[claim.sentence].relations if one.meets(claim.relation)]
        probability = max((one.probability for one in known), default=0.5)
        result.append(replace(claim, relation=replace(claim.relation, probability=probability)))
    return result


def fit_logistic(features: Array, shares: Array, states: int, strength: float) -> tuple[Array, float]:
    """Weights and bias of a regularised logistic regression on shares of positive readings (0 to 1).

    Args:
        features: (rows, features), the first ``states`` of which are hidden states.
        strength: the inverse strength of regularisation.
    """
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    spread[:states] /= DENSE_WEIGHT
    scaled = (features - mean) / spread
    truth = np.repeat([1, 0], len(shares))
    weight = np.concatenate([shares, 1 - shares])
    fitted = LogisticRegression(C=strength, max_iter=2000).fit(np.tile(scaled, (2, 1)), truth, sample_weight=weight)
    weights = fitted.coef_[0] / spread
    return weights, float(fitted.intercept_[0] - weights @ mean)


SIDE_QUESTIONS: Mapping[str, Callable[[SideReading], bool]] = {
    "actual": lambda side: side.status == "actual",
    "planned": lambda side: side.status == "planned",
    "alone": lambda side: side.standalone,
}
"""What is predicted of each side of a claim, in the order of ``span``'s rows."""

STRENGTHS = {"actual": 0.1, "planned": 0.3, "alone": 0.1, "edge": 0.1}
"""Inverse strengths of regularisation."""


def train_probabilities(data: Path, language: str, model: OnnxModel) -> dict[str, Array]:
    """Train ``span``, ``edge`` and their biases on the judged claims."""
    claims = with_probabilities(read_claims(data, language), SentenceReader(model))
    states = states_of(model, sorted({claim.sentence for claim in claims}))
    width = len(next(iter(states.values())).whole)
    spans = span_table(claims, states)
    sides = [fit_logistic(spans, shares_of(claims, name), width, STRENGTHS[name]) for name in SIDE_QUESTIONS]
    relations = np.array([edge_features(states[claim.sentence], claim.relation) for claim in claims])
    good = np.array([claim.good for claim in claims], dtype=float)
    edge, bias = fit_logistic(relations, good, 4 * width, STRENGTHS["edge"])
    return {
        "span": np.array([weights for weights, _ in sides]),
        "span_bias": np.array([bias for _, bias in sides]),
        "edge": edge,
        "edge_bias": np.array([bias]),
    }


def span_table(claims: Sequence[Claim], states: dict[str, SentenceStates]) -> Array:
    """The features of the claims' causes, then of their effects, (2 claims, features)."""
    causes = [span_features(states[claim.sentence], claim.relation.cause) for claim in claims]
    return np.array(causes + [span_features(states[claim.sentence], claim.relation.effect) for claim in claims])


def shares_of(claims: Sequence[Claim], question: str) -> Array:
    """The share of readers who answer a side question with yes, (2 claims,): of the causes, then of the effects."""
    says_yes = SIDE_QUESTIONS[question]
    causes = [[says_yes(reading.cause) for reading in claim.readings] for claim in claims]
    effects = [[says_yes(reading.effect) for reading in claim.readings] for claim in claims]
    shares: Array = np.array(causes + effects).mean(axis=1)
    return shares
