"""How the cost of a backfill grows with the number of articles, stage by stage, without passes of models.

    whywire update part_of_a_stream.jsonl --store base.db      # some hundred articles, read by the models once
    python lab/experiments/growth.py base.db --sizes 1000,3000,10000 --folder out

The articles of the base are repeated until there are enough. Each repetition comes as long after the one before as
the base spans (at least ``--span`` days), so that a million articles spread over years at the rate of the base. In
each repetition but the first

- names (words with a capital letter that are no month or day of the week) and numbers become others of the same
  length, their letters and digits moved on within their alphabets, the same in the whole repetition, so every offset
  stays true; years become the year in which the repetition comes;
- the vectors of reports and mentions have their elements in another order, the same for the whole repetition: its
  articles are as similar to each other as those of the base, and unlike those of others.

So each repetition has the stories of the base, and stories do not grow with the news: what grows is the store, its
indexes and its history. The common words stay, so the index of terms grows as it does with real news.

The rows are written to JSON Lines, in a random order, and ``whywire.backfill`` reads them into a new store with
partitions by month. Answers of models are those on the base: readings are kept ones, moved to the new words; pairs of
one repetition have the answers on the pair of the base; other pairs, few, are unrelated. What is measured is the
processor time of this process, by stage; reading the kept answers is the stage *kept answers* and stands for the
passes of models. Prints a line of JSON for each size, with the largest resident memory, and at the end the exponents
(slopes of a line through the logarithms).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from multiplied_store import moved_on
from numpy.typing import NDArray

from whywire import Article, Language, LanguageModels, Published, Store, backfill
from whywire.api.partition_folder import PartitionFolder
from whywire.engines import LocalEngine, text_key
from whywire.engines.predictions import CachedModels
from whywire.events.article_index import ArticleIndex
from whywire.events.article_readings import ArticleReading
from whywire.news import to_row
from whywire.pairs.model import PairModel
from whywire.pairs.relations import RELATIONS, Relation, column
from whywire.pairs.reports import Report, as_report, report_of
from whywire.progress import Stages
from whywire.store.model_answers import StoredAnswers
from whywire.store.states import StoredState

_CHANGED = re.compile(r"\b(?:(19|20)\d\d\b|[A-ZА-ЯЁ][^\W_]+|\d+)")
_KEPT = re.compile(r"(?i)(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*$")
_SEPARATOR = "~"
"""Between the number of a repetition and the id of the article."""

UNRELATED = 0.97
"""The probability that two reports of different repetitions have nothing to do with each other."""


def main() -> None:
    """Measure backfills of several sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="a store of some hundred articles")
    parser.add_argument("--sizes", default="1000,3000,10000")
    parser.add_argument("--span", type=float, default=2.0, help="days from one repetition to the next, at least")
    parser.add_argument("--folder", type=Path, required=True, help="for news, stores and partitions")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    found = []
    with Store.open(arguments.base, read_only=True) as store:
        stream = Stream(store, timedelta(days=arguments.span))
        for size in map(int, arguments.sizes.split(",")):
            found.append(measured(stream, size, arguments.folder / str(size)))
            print(json.dumps(found[-1]), flush=True)
    if len(found) > 1:
        print(json.dumps({"exponents": exponents(found)}))


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
        self.engine = KeptAnswers(self)
        for language in {one.language for one in self.articles}:
            self.engine.models.pairs(language)  # loaded before the clock starts

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


class KeptAnswers(LocalEngine):
    """Answers on the base, in place of passes of models."""

    def __init__(self, stream: Stream) -> None:
        self.models = _KeptModels(stream.answers, stream.of_base)
        super().__init__(self.models)
        self._stream = stream

    def read(
        self,
        articles: Sequence[Article],
        stages: Stages,  # noqa: ARG002
    ) -> tuple[dict[str, ArticleReading], dict[str, str]]:
        """The readings of articles of the base, moved to those of repetitions."""
        return {article.id: self._stream.reading(article) for article in articles}, {}


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
    asked: ClassVar[int] = 0

    def title_probabilities(self, pairs: Sequence[Any], advance: Any = None) -> Any:  # noqa: ARG002
        _NoPass.asked += len(pairs)
        answer = np.full(len(RELATIONS), (1 - UNRELATED) / (len(RELATIONS) - 1))
        answer[column(Relation.NO_RELATIONSHIP)] = UNRELATED
        return np.tile(answer, (len(pairs), 1))

    def compared_probabilities(self, pairs: Sequence[Any], advance: Any = None) -> Any:
        return self.title_probabilities(pairs, advance)

    def strengths(self, pairs: Sequence[Any], advance: Any = None) -> Any:  # noqa: ARG002
        _NoPass.asked += len(pairs)
        return np.zeros(len(pairs))


class StageClock:
    """Processor time by stage; a stage inside another one is not counted for that."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._stages = ["the rest"]
        self._since = time.process_time()

    @contextmanager
    def measuring(self, *methods: tuple[Any, str, str]) -> Iterator[None]:
        """Measure methods, each given with its owner, its name and its stage, while the block runs."""
        before = [getattr(owner, name) for owner, name, _ in methods]
        for (owner, name, stage), method in zip(methods, before, strict=True):
            setattr(owner, name, self._measured(method, stage))
        try:
            yield
        finally:
            self._turn()
            for (owner, name, _), method in zip(methods, before, strict=True):
                setattr(owner, name, method)

    def _measured(self, method: Callable[..., Any], stage: str) -> Callable[..., Any]:
        def measured(*arguments: Any, **options: Any) -> Any:
            self._turn()
            self._stages.append(stage)
            try:
                return method(*arguments, **options)
            finally:
                self._turn()
                self._stages.pop()

        return measured

    def _turn(self) -> None:
        now = time.process_time()
        self.seconds[self._stages[-1]] += now - self._since
        self._since = now


def measured(stream: Stream, size: int, folder: Path) -> dict[str, Any]:
    """Fill in so many articles; return the milliseconds an article by stage."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    repetitions = -(-size // len(stream.articles))
    rows = [row for number in range(repetitions) for row in map(to_row, stream.repetition(number))][:size]
    random.Random(size).shuffle(rows)
    with (folder / "news.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    del rows
    clock, _NoPass.asked = StageClock(), 0
    updating = import_module("whywire.updating.update")  # the package has a function of this name
    with clock.measuring(
        (import_module("whywire.api.backfill"), "_read_files", "reading files"),
        (KeptAnswers, "read", "kept answers"),
        (ArticleIndex, "regroup", "finding stories"),
        (ArticleIndex, "apply", "finding stories"),
        (Store, "index", "finding stories"),
        (Store, "catch_up", "finding stories"),
        (LocalEngine, "decide", "deciding"),
        (updating, "with_kept_ids", "comparing with before"),
        (updating, "compared", "comparing with before"),
        (StoredState, "fetch", "comparing with before"),
        (Store, "keep_answers", "storing"),
        (Store, "commit", "storing"),
        (Store, "lease", "the queue"),
        (Store, "waiting", "the queue"),
        (Store, "next_rank", "the queue"),
        (PartitionFolder, "write_ended", "partitions"),
        (PartitionFolder, "write_changed", "partitions"),
    ):
        done = backfill(folder / "news.jsonl", folder / "news.db", partitions=folder / "parts", models=stream.engine)
    with Store.open(folder / "news.db", read_only=True) as store:
        counts = store.counts()
    seconds = {name: round(1000 * spent / size, 3) for name, spent in sorted(clock.seconds.items())}
    return {
        "articles": counts.articles,
        "events": counts.events,
        "links": counts.links,
        "ms of the processor an article": seconds | {"all": round(1000 * sum(clock.seconds.values()) / size, 3)},
        "partitions written": len(done.partitions),
        "pairs of other repetitions asked": _NoPass.asked,
        "MB of the store": round((folder / "news.db").stat().st_size / 1e6, 1),
        "largest resident MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
    }


def exponents(found: Sequence[dict[str, Any]]) -> dict[str, float]:
    """How each stage grows with the articles: the slope of a line through the logarithms of its seconds."""
    sizes = np.log([one["articles"] for one in found])
    stages = [one["ms of the processor an article"] for one in found]
    return {
        name: round(float(np.polyfit(sizes, sizes + np.log([max(one[name], 1e-6) for one in stages]), 1)[0]), 3)
        for name in stages[0]
    }


def _reordered(vector: NDArray[np.float32], number: str) -> NDArray[np.float32]:
    """A vector with its elements in the order of a repetition; the first repetition keeps that of the base."""
    return vector[_order(len(vector), int(number))] if number != "0" else vector


@cache
def _order(size: int, number: int) -> NDArray[np.int64]:
    return np.random.default_rng(number).permutation(size)


_SOME_TIME = Published(datetime(2020, 1, 1))


def _changed(found: re.Match[str], *, number: int, year: int) -> str:
    word = found[0]
    if found[1]:
        return str(year)
    if not number or _KEPT.match(word):
        return word
    return word.translate(moved_on(number))


if __name__ == "__main__":
    main()
