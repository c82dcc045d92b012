"""Models that are asked only what they have not answered before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.language_models import LanguageModels
from whywire.news import Language
from whywire.pairs.model import PairModel
from whywire.pairs.pair_order import in_one_order
from whywire.pairs.relations import MIRROR
from whywire.pairs.reports import AskedPair, TextPair, TwoReports, reports_of, titles_of
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

    def _sentences(self, language: Language) -> SentenceReader:
        return self._models.sentences(language)

    def _pairs(self, language: Language) -> PairModel:
        return _KnowingPairModel(self._models.pairs(language), language, self._known, self.new)


class _KnowingPairModel(PairModel):
    def __init__(self, model: PairModel, language: Language, known: ModelAnswers, new: ModelAnswers) -> None:
        self.__dict__ |= model.__dict__
        self._language, self._known, self._new = language, known, new

    def title_probabilities(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        def read(ordered: list[TextPair]) -> NDArray[np.float64]:
            return self._rows(ordered, ordered, super(_KnowingPairModel, self).title_probabilities, advance)

        return in_one_order(titles_of(pairs), read, MIRROR)

    def compared_probabilities(
        self, pairs: Sequence[AskedPair], advance: Advance | None = None
    ) -> NDArray[np.float64]:
        def read(ordered: list[TwoReports]) -> NDArray[np.float64]:
            keys = [(left.key, right.key) for left, right in ordered]
            return self._rows(keys, ordered, super(_KnowingPairModel, self).compared_probabilities, advance)

        return in_one_order(reports_of(pairs), read, MIRROR)

    def _rows(
        self,
        keys: Sequence[TextPair],
        pairs: Sequence[AskedPair],
        ask: Callable[[Sequence[AskedPair], Advance | None], NDArray[np.float64]],
        advance: Advance | None,
    ) -> NDArray[np.float64]:
        """The probabilities (pairs, 7) of pairs, of which only those are asked that are not known by their keys."""
        own: list[LanguagePair] = [(self._language, key) for key in keys]
        self._known.recall(own)
        known, new = self._known.relations, self._new.relations
        unknown = {key: pair for key, pair in zip(own, pairs, strict=True) if key not in known and key not in new}
        found = ask(list(unknown.values()), advance)
        new |= zip(unknown, found, strict=True)
        return np.stack([new[key] if key in new else known[key] for key in own]) if own else found

    def strengths(self, pairs: Sequence[AskedPair], advance: Advance | None = None) -> NDArray[np.float64]:
        keys = [(self._language, titles) for titles in titles_of(pairs)]
        self._known.recall(keys)
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
