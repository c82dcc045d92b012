"""The articles of a store again and again, with the answers of models on them: news of any amount without passes.

Each repetition of the articles comes as long after the one before as the base spans, or as is asked. In each but the
first

- names (words with a capital letter that are no month or day of the week) and numbers become others of the same
  length, their letters and digits moved on within their alphabets, the same in the whole repetition, so every offset
  stays true; years become the year in which the repetition comes;
- the vectors of reports and mentions have their elements in another order, the same for the whole repetition: its
  articles are as similar to each other as those of the base, and unlike those of others.

So each repetition has the stories of the base, and none with others if it comes more than four days after them. The
common words stay, so an index of terms grows as it does with real news. Readings are kept ones, moved to the new
words; pairs of one repetition have the answers on the pair of the base; other pairs, few, are unrelated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import islice
from typing import Any

import numpy as np
from multiplied_store import moved_on
from numpy.typing import NDArray

from whywire import Article, Language, LanguageModels, Published, RayEngine, Store
from whywire.engines import LocalEngine, text_key
from whywire.engines.predictions import CachedModels
from whywire.events.article_readings import ArticleReading
from whywire.pairs.model import PairModel
from whywire.pairs.relations import RELATIONS, Relation, column
from whywire.pairs.reports import Report, as_report, report_of
from whywire.pipeline import Undecided
from whywire.progress import Stages
from whywire.store.model_answers import StoredAnswers

_CHANGED = re.compile(r"\b(?:(19|20)\d\d\b|[A-ZА-ЯЁ][^\W_]+|\d+)")
_KEPT = re.compile(r"(?i)(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*$")
_SEPARATOR = "~"
"""Between the number of a repetition and the id of the article."""

_SOME_TIME = Published(datetime(2020, 1, 1))

UNRELATED = 0.97
"""The probability that two reports of different repetitions have nothing to do with each other."""


class Stream:
    """The articles of a store again and again, and the answers of models on them."""

    def __init__(self, store: Store, span: timedelta) -> None:
        self.articles = [one for one in store.graph().articles.values() if one.language is not Language.OTHER]
        times = [one.published.at for one in self.articles if one.published]
        self.span = max(span, max(times) - min(times))
        known = store.known_answers(self.articles)
        self.readings = {one.id: known.readings[text_key(one)] for one in self.articles}
        self._by_id = {one.id: one for one in self.articles}
        self.answers = StoredAnswers(known, store._database, store.models)
        self._original: dict[str | Report, str | Report] = {}

    def repetition(self, number: int) -> Iterator[Article]:
        """The articles of a repetition."""
        for article in self.articles:
            time = article.published
            moved = time and replace(time, at=time.at + number * self.span)
            change = partial(_changed, number=number, year=(moved or _SOME_TIME).at.year)
            yield replace(
                article,
                id=f"{number}{_SEPARATOR}{article.id}",
                title=_CHANGED.sub(change, article.title),
                text=_CHANGED.sub(change, article.text),
                url=f"https://news.example/{number}/{article.id}",
                published=moved,
                also=(),
            )

    def reading(self, article: Article) -> ArticleReading:
        """The reading of an article of a repetition, in place of passes of models."""
        number, _, name = article.id.partition(_SEPARATOR)
        original = self.readings[name]
        self._original[article.title] = self._by_id[name].title
        self._original[report_of(article)] = report_of(self._by_id[name])
        bound = original.bound_to(article)
        mentions = []
        for mention in bound.mentions:
            start, end = mention.mention.span
            words = getattr(article, mention.mention.field)[start:end]
            same_length = len(words) == len(mention.words)
            self._original[words if same_length else mention.words] = mention.words
            reading = replace(mention.reading, vector=_reordered(mention.reading.vector, number))
            mentions.append(replace(mention, words=words if same_length else mention.words, reading=reading))
        return replace(bound, vector=_reordered(bound.vector, number), mentions=tuple(mentions))

    def of_base(self, text: str | Report) -> str | Report:
        """The text of the base for one of a repetition."""
        report = as_report(text)
        if isinstance(text, str) or not report.lead:
            return str(self._original.get(report.title, report.title))
        return self._original.get(report, report)


class KeptReadings:
    """Readings of the base, in place of passes of models."""

    _stream: Stream

    def read(
        self,
        articles: Sequence[Article],
        stages: Stages,  # noqa: ARG002
    ) -> tuple[dict[str, ArticleReading], dict[str, str]]:
        """The readings of articles of the base, moved to those of repetitions."""
        return {article.id: self._stream.reading(article) for article in articles}, {}


class KeptAnswers(KeptReadings, LocalEngine):
    """Answers on the base, in place of passes of models; stories are decided in this process."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        models = _KeptModels(stream.answers, stream.of_base)
        super().__init__(models)
        for language in {one.language for one in stream.articles}:
            models.pairs(language)  # loaded before the clock starts


class KeptAnswersOnRay(KeptReadings, RayEngine):
    """Answers on the base, in place of passes of models; stories are decided in processes of a cluster.

    Args:
        base: the store of the base.
        articles: how many the cluster knows.
    """

    def __init__(self, stream: Stream, base: str, articles: int) -> None:
        self._stream = stream
        super().__init__(load=partial(_models_of, base, stream.span, -(-articles // len(stream.articles))))
        # the processes start, and have loaded all that they know, before the clock starts
        first = {article.id: article for article in islice(stream.repetition(0), 2)}
        readings, _ = self.read([*first.values()], Stages())
        self.decide(Undecided([*first.values()], [(name,) for name in first], readings), Stages())


def _models_of(base: str, span: timedelta, repetitions: int) -> LanguageModels:
    """The models of a process of the cluster: they know the words of all repetitions."""
    stream = Stream(Store.open(base, read_only=True), span)
    for number in range(repetitions):
        for article in stream.repetition(number):
            stream.reading(article)
    return _KeptModels(stream.answers, stream.of_base)


class _KeptModels(LanguageModels):
    def __init__(self, answers: StoredAnswers, of_base: Callable[[str | Report], str | Report]) -> None:
        super().__init__()
        self._kept, self._of_base = CachedModels(_Unrelated(), answers), of_base

    def _pairs(self, language: Language) -> PairModel:
        return _OfBase(self._kept.pairs(language), self._of_base)


class _OfBase(PairModel):
    def __init__(self, kept: PairModel, of_base: Callable[[str | Report], str | Report]) -> None:
        super().__init__(*kept.parts)
        self._model, self._of_base = kept, of_base

    def _moved(self, pairs: Sequence[Any]) -> list[Any]:
        return [(self._of_base(left), self._of_base(right)) for left, right in pairs]

    def title_probabilities(self, pairs: Sequence[Any], advance: Any = None) -> Any:
        return self._model.title_probabilities(self._moved(pairs), advance)

    def compared_probabilities(self, pairs: Sequence[Any], advance: Any = None) -> Any:
        return self._model.compared_probabilities(self._moved(pairs), advance)

    def strengths(self, pairs: Sequence[Any], advance: Any = None) -> Any:
        return self._model.strengths(self._moved(pairs), advance)


class _Unrelated(LanguageModels):
    def _pairs(self, language: Language) -> PairModel:
        return _NoPass(*super()._pairs(language).parts)


class _NoPass(PairModel):
    def title_probabilities(self, pairs: Sequence[Any], advance: Any = None) -> Any:  # noqa: ARG002
        answer = np.full(len(RELATIONS), (1 - UNRELATED) / (len(RELATIONS) - 1))
        answer[column(Relation.NO_RELATIONSHIP)] = UNRELATED
        return np.tile(answer, (len(pairs), 1))

    def compared_probabilities(self, pairs: Sequence[Any], advance: Any = None) -> Any:
        return self.title_probabilities(pairs, advance)

    def strengths(self, pairs: Sequence[Any], advance: Any = None) -> Any:  # noqa: ARG002
        return np.zeros(len(pairs))


def _reordered(vector: NDArray[np.float32], number: str) -> NDArray[np.float32]:
    """A vector with its elements in the order of a repetition; the first repetition keeps that of the base."""
    return vector[_order(len(vector), int(number))] if number != "0" else vector


@cache
def _order(size: int, number: int) -> NDArray[np.int64]:
    return np.random.default_rng(number).permutation(size)


def _changed(found: re.Match[str], *, number: int, year: int) -> str:
    word = found[0]
    if found[1]:
        return str(year)
    if not number or _KEPT.match(word):
        return word
    return word.translate(moved_on(number))
