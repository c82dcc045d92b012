"""Models that are asked only what they have not answered before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.language_models import LanguageModels
from whywire.models import OnnxModel
from whywire.news import Language
from whywire.pairs.model import HeadlineModel
from whywire.pairs.pair_order import TextPair, in_one_order
from whywire.pairs.relations import MIRROR
from whywire.progress import Advance
from whywire.sentences.reader import SentenceReader
from whywire.updating.model_answers import ModelAnswers


class KnowingModels(LanguageModels):
    """Models that compare a pair of texts only if the answer is not known.

    Args:
        models: asked what is not known.
        known: answers so far; they are not changed.

    Attributes:
        new: what the models answered since.
    """

    def __init__(self, models: LanguageModels, known: ModelAnswers) -> None:
        super().__init__()
        self._models, self._known, self.new = models, known, ModelAnswers()

    def knows_relation(self, language: Language, pair: TextPair) -> bool:
        """Whether the relation of two headlines is known."""
        key = language, (min(pair), max(pair))
        return key in self._known.relations or key in self.new.relations

    def _sentences(self, language: Language) -> SentenceReader:
        return self._models.sentences(language)

    def _headlines(self, language: Language) -> HeadlineModel:
        return _KnowingHeadlineModel(self._models.headlines(language).model, language, self._known, self.new)


class _KnowingHeadlineModel(HeadlineModel):
    def __init__(self, model: OnnxModel, language: Language, known: ModelAnswers, new: ModelAnswers) -> None:
        super().__init__(model)
        self._language, self._known, self._new = language, known, new

    def relation_probabilities(
        self, pairs: Sequence[TextPair], advance: Advance | None = None, *, both_orders: bool = False
    ) -> NDArray[np.float64]:
        if both_orders:
            return super().relation_probabilities(pairs, advance, both_orders=True)

        def read(ordered: list[TextPair]) -> NDArray[np.float64]:
            keys = [(self._language, pair) for pair in ordered]
            unknown = [key for key in keys if key not in self._known.relations and key not in self._new.relations]
            found = super(_KnowingHeadlineModel, self).relation_probabilities([pair for _, pair in unknown], advance)
            self._new.relations |= zip(unknown, found, strict=True)
            rows = [
                self._new.relations[key] if key in self._new.relations else self._known.relations[key] for key in keys
            ]
            return np.stack(rows) if rows else found

        return in_one_order(pairs, read, MIRROR)

    def strengths(self, pairs: Sequence[TextPair], advance: Advance | None = None) -> NDArray[np.float64]:
        keys = [(self._language, pair) for pair in pairs]
        unknown = [
            key for key in dict.fromkeys(keys) if key not in self._known.strengths and key not in self._new.strengths
        ]
        found = super().strengths([pair for _, pair in unknown], advance)
        self._new.strengths |= zip(unknown, found.tolist(), strict=True)
        rows = [
            self._new.strengths[key] if key in self._new.strengths else self._known.strengths[key] for key in keys
        ]
        return np.array(rows, dtype=np.float64)
