"""Predictions of what may follow a headline, and the ranking of written candidates.

Nobody can check a prediction at once. So it names the analogues it rests on, predictions with the same meaning are
merged, and predictions that only repeat the headline are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.answers.analogues import Analogue
from whywire.answers.similarity import SAME_MEANING, EmbeddingModel, distinctive_terms, leader_clusters
from whywire.pairs.relations import Relation, column

MIN_WRITTEN_PROBABILITY = 0.3
"""A model-written candidate is kept if the headline leads to it with at least this probability.

Twelve of thirteen sensible candidates reached it, and two of six senseless ones.
"""

LEADS_TO = column(Relation.LEFT_RIGHT_CAUSE)
"""The column of relation probabilities (pairs, 7) that the headline led to the text."""


@dataclass(frozen=True, slots=True)
class AnalogueMatch:
    """An analogue of a headline, with probabilities (0 to 1).

    Args:
        similarity: that the headline and the analogue's cause report the same event, by their embeddings.
        probability: that the analogue's effect may follow the headline, by all features.
        fits: that the headline leads to the effect, by the pair model alone.
    """

    analogue: Analogue
    similarity: float
    probability: float
    fits: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """Something that may follow a headline.

    Args:
        text: a headline, or words of an article.
        probability: that it may follow (0 to 1).
        fits: that the headline leads to it, by the pair model alone (0 to 1).
        because: the analogues it rests on, most probable first; empty if a language model wrote the text.
    """

    text: str
    probability: float
    fits: float
    because: tuple[AnalogueMatch, ...] = ()


class RelatingModel(EmbeddingModel, Protocol):
    """A model that relates pairs of headlines."""

    def title_probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Relation probabilities (pairs, 7) of neighbours in a stream, by the model of titles."""

    def relate(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Relation probabilities (pairs, 7) of pairs that somebody selected."""

    def cosine_for(self, probability: float) -> float:
        """The cosine at which two texts report the same event with this probability."""


def rank_candidates(
    headline: str,
    candidates: Iterable[str],
    model: RelatingModel,
    *,
    min_probability: float = MIN_WRITTEN_PROBABILITY,
) -> list[Prediction]:
    """Rank written candidates by the probability that the headline leads to them, most probable first.

    Args:
        candidates: headlines that may follow, as a language model wrote them; duplicates are merged.
        model: the pair model of the headline's language.
        min_probability: candidates below it (0 to 1) are dropped.
    """
    texts = [text for text in dict.fromkeys(candidates) if adds_terms(text, headline)]
    probabilities = model.relate([(headline, text) for text in texts])[:, LEADS_TO].tolist()
    best_first = sorted(zip(texts, probabilities, strict=True), key=lambda item: -item[1])
    kept = [(text, probability) for text, probability in best_first if probability >= min_probability]
    words = [text for text, _ in kept]
    clusters = clusters_by_meaning(words, model.embed(words), model)
    best = (kept[cluster[0]] for cluster in clusters)
    return [Prediction(text, probability, probability) for text, probability in best]


def adds_terms(text: str, headline: str) -> bool:
    """Whether a text has a distinctive term that the headline lacks."""
    return not distinctive_terms(text) <= distinctive_terms(headline)


def clusters_by_meaning(texts: Sequence[str], vectors: NDArray[np.float32], model: EmbeddingModel) -> list[list[int]]:
    """Cluster texts by meaning, with the leader algorithm.

    Args:
        texts: best first.
        vectors: their unit vectors (texts, size).

    Returns:
        The indices of the texts in each cluster, best first.
    """
    if not texts:
        return []
    probabilities = model.same_event_by_cosine(vectors @ vectors.T)
    return leader_clusters(len(texts), lambda left, right: bool(probabilities[left, right] >= SAME_MEANING))
