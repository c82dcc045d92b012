"""Models that are asked only what they have not answered before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.language_models import LanguageModels
from whywire.news import Language
from whywire.pairs.model import AskedPair, PairModel
from whywire.pairs.pair_order import in_one_order
from whywire.pairs.relations import MIRROR
from whywire.pairs.reports import TwoReports, as_report
from whywire.progress import Advance
from whywire.sentences.reader import SentenceReader
from whywire.updating.model_answers import LanguagePair, ModelAnswers


class KnowingModels(LanguageModels):
    """Models that compare a pair of reports only if the answer is not known.

    Args:
        models: asked what is not known.
        known: answers so far; they are not changed.

    Attributes:
        new: what the models answered since.
    """

    def __init__(self, models: LanguageModels, known: ModelAnswers) -> None:
        super().__init__()
        self._models, self._known, self.new = models, known, ModelAnswers()

    def knows_relation(self, language: Language, pair: TwoReports) -> bool:
        """Whether the relation of two reports is known."""
        key = language, (min(pair).key, max(pair).key)
        return key in self._known.relations or key in self.new.relations

    def _sentences(self, language: Language) -> SentenceReader:
        return self._models.sentences(language)

    def _pairs(self, language: Language) -> PairModel:
        return _KnowingPairModel(self._models.pairs(language), language, self._known, self.new)


class _KnowingPairModel(PairModel):
    def __init__(self, model: PairModel, language: Language, known: ModelAnswers, new: ModelAnswers) -> None:
        self.__dict__ |= model.__dict__
        self._language, self._known, self._new = language, known, new

    def relation_probabilities(
        self, pairs: Sequence[AskedPair], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        def read(ordered: list[TwoReports]) -> NDArray[np.float64]:
            keys = [self._key(pair) for pair in ordered]
            unknown = {
                key: pair
                for key, pair in zip(keys, ordered, strict=True)
                if key not in self._known.relations and key not in self._new.relations
            }
            found = super(_KnowingPairModel, self).relation_probabilities(list(unknown.values()), advance)
            self._new.relations |= zip(unknown, found, strict=True)
            rows = [
                self._new.relations[key] if key in self._new.relations else self._known.relations[key] for key in keys
            ]
            return np.stack(rows) if rows else found

        return in_one_order([(as_report(left), as_report(right)) for left, right in pairs], read, MIRROR)

    def strengths(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        keys = [self._key((as_report(left), as_report(right))) for left, right in pairs]
        unknown = {
            key: pair
            for key, pair in zip(keys, pairs, strict=True)
            if key not in self._known.strengths and key not in self._new.strengths
        }
        found = super().strengths(list(unknown.values()), advance)
        self._new.strengths |= zip(unknown, found.tolist(), strict=True)
        rows = [
            self._new.strengths[key] if key in self._new.strengths else self._known.strengths[key] for key in keys
        ]
        return np.array(rows, dtype=np.float64)

    def _key(self, pair: TwoReports) -> LanguagePair:
        return self._language, (pair[0].key, pair[1].key)
