"""A graph to which articles are added: one by one or in batches, in any order, late or twice.

Most of the time of a build is spent in models, and what a model returns depends on one text or pair alone. So it is
cached, and everything derived from it (events, stories, links) is computed again by :func:`whywire.pipeline.build`.
The graph is byte for byte that of a build of all articles at once, however they come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from whywire.language_models import LanguageModels
from whywire.models import OnnxModel
from whywire.news import Article, Language
from whywire.pairs.model import HeadlineModel
from whywire.pairs.pair_order import TextPair
from whywire.pipeline import Build, build
from whywire.progress import Advance, Progress
from whywire.sentences.reader import SentenceReader
from whywire.sentences.reading import Reading

Row = NDArray[Any]
TextOrPair = TypeVar("TextOrPair", str, TextPair)


class GrowingGraph:
    """A causal graph to which articles are added.

    Every :meth:`add` builds from all articles again, so its time grows with their number: without model passes it is
    a tenth of the time of a build (docs/results/stream.md). All articles and readings are kept in memory.

    Args:
        models: the embedded ones by default.
    """

    def __init__(self, models: LanguageModels | None = None) -> None:
        self._models = CachingModels(models or LanguageModels())
        self._articles: list[Article] = []

    def add(self, articles: Iterable[Article], *, progress: Progress | None = None) -> Build:
        """Add articles and return the build of all articles added so far; its ``seconds`` are those of this call."""
        self._articles += articles
        return build(self._articles, models=self._models, progress=progress)


class CachingModels(LanguageModels):
    """Models that read each text and each pair only once."""

    def __init__(self, models: LanguageModels) -> None:
        super().__init__()
        self._models = models

    def _sentences(self, language: Language) -> SentenceReader:
        return _CachingReader(self._models.sentences(language).model)

    def _headlines(self, language: Language) -> HeadlineModel:
        return _CachingHeadlineModel(self._models.headlines(language).model)


class _CachingReader(SentenceReader):
    def __init__(self, model: OnnxModel) -> None:
        super().__init__(model)
        self._known: defaultdict[Hashable, dict[str, Reading]] = defaultdict(dict)

    def read(self, sentences: Sequence[str], advance: Advance | None = None, **options: Any) -> list[Reading]:
        known = self._known[tuple(sorted(options.items()))]
        new = _unknown(sentences, known)
        known |= zip(new, super().read(new, advance, **options), strict=True)
        return [known[sentence] for sentence in sentences]


class _CachingHeadlineModel(HeadlineModel):
    def __init__(self, model: OnnxModel) -> None:
        super().__init__(model)
        self._vectors: dict[str, Row] = {}
        self._relations: defaultdict[bool, dict[TextPair, Row]] = defaultdict(dict)
        self._strengths: dict[TextPair, Row] = {}

    def embed(self, headlines: Sequence[str], advance: Advance | None = None) -> NDArray[np.float32]:
        return _once(headlines, self._vectors, lambda new: super(_CachingHeadlineModel, self).embed(new, advance))

    def relation_probabilities(
        self, pairs: Sequence[TextPair], advance: Advance | None = None, *, both_orders: bool = False
    ) -> NDArray[np.float64]:
        def compute(new: Sequence[TextPair]) -> NDArray[np.float64]:
            return super(_CachingHeadlineModel, self).relation_probabilities(new, advance, both_orders=both_orders)

        return _once(pairs, self._relations[both_orders], compute)

    def strengths(self, pairs: Sequence[TextPair], advance: Advance | None = None) -> NDArray[np.float64]:
        return _once(pairs, self._strengths, lambda new: super(_CachingHeadlineModel, self).strengths(new, advance))


def _unknown(texts: Sequence[TextOrPair], known: Mapping[TextOrPair, object]) -> list[TextOrPair]:
    return [text for text in dict.fromkeys(texts) if text not in known]


def _once(
    texts: Sequence[TextOrPair], known: dict[TextOrPair, Row], compute: Callable[[Sequence[TextOrPair]], Row]
) -> Row:
    """One row for each text; those not known yet are computed and added to ``known``."""
    if not texts:
        return compute([])
    new = _unknown(texts, known)
    if new:
        known |= zip(new, compute(new), strict=True)
    return np.stack([known[text] for text in texts])
