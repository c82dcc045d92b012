"""Predictions of what may follow a headline, and the ranking of written candidates.

Nobody can check a prediction at once. So it names the analogues it rests on, and predictions of one kind or with the
same meaning are merged.
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

_LEADS_TO = column(Relation.LEFT_RIGHT_CAUSE)
"""The column of relation probabilities (pairs, 7) that the headline led to the text."""


@dataclass(frozen=True, slots=True)
class AnalogueMatch:
    """An analogue of a headline, with probabilities (0 to 1).

    Args:
        similarity: that the headline and the analogue's cause report the same event, by their embeddings.
        probability: that what followed the cause may follow the headline.
    """

    analogue: Analogue
    similarity: float
    probability: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """A kind of event that may follow a headline.

    Args:
        text: what followed in the most probable analogue, a story of its own: who, where and how many are of that
            story; or a headline that a language model wrote.
        probability: that an event of this kind may follow (0 to 1).
        fits: that the headline leads to the text, by the pair model alone (0 to 1).
        because: the analogues it rests on, each of another story, most probable first; empty if a language model
            wrote the text.
    """

    text: str
    probability: float
    fits: float
    because: tuple[AnalogueMatch, ...] = ()

    @property
    def after(self) -> str | None:
        """What the text followed in its own story: "after X: Y"; ``None`` if a language model wrote the text."""
        return self.because[0].analogue.cause.title if self.because else None


class RelatingModel(EmbeddingModel, Protocol):
    """A model that relates pairs of headlines."""

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
    known = distinctive_terms(headline)
    texts = [text for text in dict.fromkeys(candidates) if not distinctive_terms(text) <= known]
    probabilities = leading_to(headline, texts, model)
    best_first = sorted(zip(texts, probabilities, strict=True), key=lambda item: -item[1])
    kept = [(text, probability) for text, probability in best_first if probability >= min_probability]
    words = [text for text, _ in kept]
    clusters = _clusters_by_meaning(words, model)
    best = (kept[cluster[0]] for cluster in clusters)
    return [Prediction(text, probability, probability) for text, probability in best]


def leading_to(headline: str, texts: Sequence[str], model: RelatingModel) -> list[float]:
    """The probability, by the pair model alone, that a headline leads to each text."""
    probabilities: list[float] = model.relate([(headline, text) for text in texts])[:, _LEADS_TO].tolist()
    return probabilities


def _clusters_by_meaning(texts: Sequence[str], model: EmbeddingModel) -> list[list[int]]:
    """The indices of texts, best first, in clusters of one meaning."""
    vectors = model.embed(texts)
    probabilities = model.same_event_by_cosine(vectors @ vectors.T)
    return leader_clusters(len(texts), lambda left, right: bool(probabilities[left, right] >= SAME_MEANING))
