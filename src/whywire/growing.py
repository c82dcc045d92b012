"""A graph that grows: articles come one by one or in batches, in any order, late or twice.

What costs time is what the models say, and that depends on the words alone: every text and every pair is put to a
model by itself. So it is remembered, and all that follows from it (which mentions are one event, which events are one
story, what is linked) is decided anew by :func:`whywire.pipeline.build`. Wherever the articles come from and however
they are cut, the graph at the end is the one that all of them at once make, to the byte.
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
Asked = TypeVar("Asked", str, TextPair)


class GrowingGraph:
    """A causal graph to which articles are added.

    Every :meth:`add` decides on all articles again, so its time grows with what is there: without the models' passes,
    a tenth of what the build of all of them takes (docs/results/stream.md). All articles and readings are kept
    in memory.

    Args:
        models: the embedded ones by default.
    """

    def __init__(self, models: LanguageModels | None = None) -> None:
        self._models = RememberingModels(models or LanguageModels())
        self._articles: list[Article] = []

    def add(self, articles: Iterable[Article], *, progress: Progress | None = None) -> Build:
        """Add articles and return the build of all that were ever added; ``seconds`` are those of this call."""
        self._articles += articles
        return build(self._articles, models=self._models, progress=progress)


class RememberingModels(LanguageModels):
    """Models that are asked about each text, and each pair, only once."""

    def __init__(self, models: LanguageModels) -> None:
        super().__init__()
        self._models = models

    def _sentences(self, language: Language) -> SentenceReader:
        return _RememberingReader(self._models.sentences(language).model)

    def _headlines(self, language: Language) -> HeadlineModel:
        return _RememberingHeadlines(self._models.headlines(language).model)


class _RememberingReader(SentenceReader):
    def __init__(self, model: OnnxModel) -> None:
        super().__init__(model)
        self._known: defaultdict[Hashable, dict[str, Reading]] = defaultdict(dict)

    def read(self, sentences: Sequence[str], advance: Advance | None = None, **asked: Any) -> list[Reading]:
        known = self._known[tuple(sorted(asked.items()))]
        new = _unknown(sentences, known)
        known |= zip(new, super().read(new, advance, **asked), strict=True)
        return [known[sentence] for sentence in sentences]


class _RememberingHeadlines(HeadlineModel):
    def __init__(self, model: OnnxModel) -> None:
        super().__init__(model)
        self._vectors: dict[str, Row] = {}
        self._relations: defaultdict[bool, dict[TextPair, Row]] = defaultdict(dict)
        self._strengths: dict[TextPair, Row] = {}

    def embed(self, headlines: Sequence[str], advance: Advance | None = None) -> NDArray[np.float32]:
        return _once(headlines, self._vectors, lambda new: super(_RememberingHeadlines, self).embed(new, advance))

    def relation_probabilities(
        self, pairs: Sequence[TextPair], advance: Advance | None = None, *, both_orders: bool = False
    ) -> NDArray[np.float64]:
        def answers(new: Sequence[TextPair]) -> NDArray[np.float64]:
            return super(_RememberingHeadlines, self).relation_probabilities(new, advance, both_orders=both_orders)

        return _once(pairs, self._relations[both_orders], answers)

    def strengths(self, pairs: Sequence[TextPair], advance: Advance | None = None) -> NDArray[np.float64]:
        return _once(pairs, self._strengths, lambda new: super(_RememberingHeadlines, self).strengths(new, advance))


def _unknown(texts: Sequence[Asked], known: Mapping[Asked, object]) -> list[Asked]:
    return [text for text in dict.fromkeys(texts) if text not in known]


def _once(texts: Sequence[Asked], known: dict[Asked, Row], ask: Callable[[Sequence[Asked]], Row]) -> Row:
    """A row of an answer for each text, of which those not known yet are asked for."""
    if not texts:
        return ask([])
    new = _unknown(texts, known)
    if new:
        known |= zip(new, ask(new), strict=True)
    return np.stack([known[text] for text in texts])
