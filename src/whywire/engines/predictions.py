"""Predictions of models, kept by text, so that no text and no pair of texts is given to a model twice.

A prediction is valid for one version of the weights.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from whywire.events.article_readings import ArticleReading
from whywire.language_models import LanguageModels
from whywire.news import Article, Language
from whywire.pairs.model import PairModel
from whywire.pairs.relations import MIRROR, in_one_order
from whywire.pairs.reports import AskedPair, TextPair, TwoReports, reports_of, titles_of
from whywire.progress import Advance
from whywire.reading.document_reader import DocumentReader
from whywire.sentences.reader import SentenceReader

KEY_DIGITS = 32
"""128 bits, so that nobody finds two articles with one key."""

LanguagePair = tuple[Language, tuple[str, str]]
"""The keys of two reports or texts, in order, with their language."""

Value = TypeVar("Value", float, NDArray[np.float64])


@dataclass
class PredictionCache:
    """Predictions of the embedded models.

    Args:
        readings: of articles, by :func:`text_key`; each may be of another article with the same words
            (:meth:`~whywire.events.article_readings.ArticleReading.bound_to`).
        relations: probabilities (7,) of pairs, by two titles (of the model of titles) or by the keys of two reports
            (of the model of reports).
        strengths: of pairs of headlines or mentions, the causal strength of the first for the second, 0 to 100.
    """

    readings: dict[str, ArticleReading] = field(default_factory=dict)
    relations: dict[LanguagePair, NDArray[np.float64]] = field(default_factory=dict)
    strengths: dict[LanguagePair, float] = field(default_factory=dict)

    def recall(self, pairs: Collection[LanguagePair]) -> None:
        """Load the predictions for some pairs, if they are kept elsewhere."""

    def update(self, other: PredictionCache) -> None:
        """Add the predictions of another cache."""
        self.readings |= other.readings
        self.relations |= other.relations
        self.strengths |= other.strengths


def text_key(article: Article) -> str:
    """The key of an article's reading: a hash of its language, title and text."""
    words = "\x1f".join((article.language, article.title, article.text))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_DIGITS]


class CachedModels(LanguageModels):
    """Models that are asked about a pair of texts only if no prediction for it is known.

    Args:
        models: predict what is not known.
        known: predictions so far; they are not changed.

    Attributes:
        new: the predictions of the models so far.
    """

    def __init__(self, models: LanguageModels, known: PredictionCache) -> None:
        super().__init__()
        self._models, self._known, self.new = models, known, PredictionCache()

    def _documents(self) -> DocumentReader:
        return self._models.documents()

    def _sentences(self, language: Language) -> SentenceReader:
        return self._models.sentences(language)

    def _pairs(self, language: Language) -> PairModel:
        return _CachedPairModel(self._models.pairs(language), language, self._known, self.new)


class _CachedPairModel(PairModel):
    def __init__(self, model: PairModel, language: Language, known: PredictionCache, new: PredictionCache) -> None:
        super().__init__(*model.parts)
        self._model, self._language, self._known, self._new = model, language, known, new

    def title_probabilities(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        def predict(ordered: list[TextPair]) -> NDArray[np.float64]:
            return self._related(ordered, ordered, self._model.title_probabilities, advance)

        return in_one_order(titles_of(pairs), predict, MIRROR)

    def compared_probabilities(
        self, pairs: Sequence[AskedPair], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        def predict(ordered: list[TwoReports]) -> NDArray[np.float64]:
            keys = [(left.key, right.key) for left, right in ordered]
            return self._related(keys, ordered, self._model.compared_probabilities, advance)

        return in_one_order(reports_of(pairs), predict, MIRROR)

    def strengths(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        def predict(unknown: list[AskedPair]) -> list[float]:
            return [float(strength) for strength in self._model.strengths(unknown, advance)]

        strengths = self._predicted(titles_of(pairs), pairs, predict, self._known.strengths, self._new.strengths)
        return np.array(strengths, dtype=np.float64)

    def _related(
        self,
        keys: Sequence[TextPair],
        pairs: Sequence[AskedPair],
        predict: Callable[[Sequence[AskedPair], Advance | None], NDArray[np.float64]],
        advance: Advance | None,
    ) -> NDArray[np.float64]:
        """The probabilities (pairs, 7) of pairs, by their keys."""
        known, new = self._known.relations, self._new.relations

        def predict_rows(unknown: list[AskedPair]) -> list[NDArray[np.float64]]:
            return [*predict(unknown, advance)]

        rows = self._predicted(keys, pairs, predict_rows, known, new)
        return np.stack(rows) if rows else predict([], advance)

    def _predicted(
        self,
        keys: Sequence[TextPair],
        pairs: Sequence[AskedPair],
        predict: Callable[[list[AskedPair]], list[Value]],
        known: MutableMapping[LanguagePair, Value],
        new: MutableMapping[LanguagePair, Value],
    ) -> list[Value]:
        """The predictions for pairs; models predict only those whose keys are not known."""
        full = [(self._language, key) for key in keys]
        self._known.recall(full)
        unknown: dict[LanguagePair, AskedPair] = {
            key: pair for key, pair in zip(full, pairs, strict=True) if key not in known and key not in new
        }
        new.update(zip(unknown, predict([*unknown.values()]), strict=True))
        return [new[key] if key in new else known[key] for key in full]
