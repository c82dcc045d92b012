"""Single questions to the models, without a graph: sentences, pairs of headlines, groups, strengths of causes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from whywire.api.news_input import NewsInput, load_news, to_article
from whywire.elements import StrengthClass, strength_class
from whywire.language_models import LanguageModels
from whywire.links.judges.choosing import CAUSAL, direct_causes
from whywire.links.judges.embedded import EmbeddedJudge
from whywire.links.judges.judge import Choice, Judge, Pair, Unjudged
from whywire.links.order import order_of
from whywire.news import Article, Language, Published, detect_language
from whywire.pairs.model import share_of
from whywire.pairs.relations import Causality, Relation, as_three, column, decide_three, most_likely
from whywire.pipeline import Groups
from whywire.pipeline import group as group_articles
from whywire.progress import NoProgress, Progress
from whywire.sentences.counterfactual.reading import with_contrapositives
from whywire.sentences.reading import Reading

Headline: TypeAlias = str | Article | Mapping[str, Any]
"""A headline alone, an article or a row of one."""

RELATING_SHARE = 0.8
"""Share of the work on a pair that goes into its relation, for progress; the rest goes into strength."""


@dataclass(frozen=True)
class PairRelation:
    """What two headlines have to do with each other; the pair the other way round has the mirror of it.

    Args:
        probabilities: of the seven relations, in the order of ``RELATIONS``; they sum to 1.
        same_event: the probability (0 to 1) that both tell of one event.
        strengths: how strongly the left led to the right, and the right to the left (0 to 100).
        published: of the left and the right headline, where known.
    """

    probabilities: tuple[float, ...]
    same_event: float
    strengths: tuple[float, float]
    published: tuple[Published | None, Published | None] = (None, None)

    @cached_property
    def label(self) -> Relation:
        """The most probable relation."""
        return most_likely(np.array(self.probabilities))

    @property
    def simple(self) -> Causality:
        """The label of HeadlineCause's simple task: a refutation counts as a cause there."""
        return decide_three(as_three(np.array(self.probabilities)))

    @property
    def causality(self) -> float:
        """The probability (0 to 1) that one led to the other."""
        forward, backward = map(column, (Relation.LEFT_RIGHT_CAUSE, Relation.RIGHT_LEFT_CAUSE))
        return self.probabilities[forward] + self.probabilities[backward]

    @property
    def against_clock(self) -> bool:
        """Whether the label's arrow runs from a report that is certainly later to an earlier one."""
        left, right = self.published
        if self.label in (Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE):
            return order_of(left, right) is None
        if self.label in (Relation.RIGHT_LEFT_CAUSE, Relation.RIGHT_LEFT_REFUTE):
            return order_of(right, left) is None
        return False


@dataclass(frozen=True, slots=True)
class Score:
    """How strongly one event led to another: CRAB's 0 to 100."""

    strength: float

    @property
    def strength_class(self) -> StrengthClass:
        """None up to 20, low up to 50, medium up to 80, high."""
        return strength_class(self.strength)

    def is_causal(self, threshold: float = CAUSAL) -> bool:
        """Whether the strength is above a threshold."""
        return self.strength > threshold


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which of several events led to another directly.

    Args:
        strengths: one an option (0 to 100).
    """

    strengths: tuple[float, ...]

    @property
    def answer(self) -> tuple[int, ...]:
        """The numbers of the options taken for direct causes, from 0; may be empty."""
        return tuple(sorted(direct_causes(self.strengths)))


def read(
    sentences: str | Iterable[str],
    *,
    n_best: int = 0,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> list[Reading]:
    """Read sentences: what each claims as cause and effect, what it denies, and what it only imagines.

    >>> whywire.read("Fuel ran short after the fire.")[0].relations

    Args:
        sentences: not blank.
        n_best: so many rival relations of each sentence besides.

    Returns:
        A reading a sentence, with offsets into it. Forms and contrapositives of counterfactuals are for English and
        need the extra *grammar*.
    """
    models, progress = models or LanguageModels(), progress or NoProgress()
    texts = [sentences] if isinstance(sentences, str) else list(sentences)
    readings: dict[int, Reading] = {}
    for language, numbers in _by_language(texts).items():
        own = [texts[number] for number in numbers]
        advance = progress.start(f"reading sentences ({language})", len(own))
        found = models.sentences(language).read(own, advance, n_best=n_best)
        if language is Language.ENGLISH:
            found = with_contrapositives(own, found)
        readings |= zip(numbers, found, strict=True)
    return [readings[number] for number in range(len(texts))]


def relate(
    pairs: Iterable[tuple[Headline, Headline]],
    *,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> list[PairRelation]:
    """Relate pairs of headlines: same event, cause, refutation, or another of the seven relations (HeadlineCause).

    >>> whywire.relate([("Storm cuts power to the bay", "Schools stay closed after power cut")])[0].label

    Raises:
        InputError: a headline is empty, or a row is no article.
    """
    models, progress = models or LanguageModels(), progress or NoProgress()
    ends = [(to_article(left), to_article(right)) for left, right in pairs]
    titles = [(left.title, right.title) for left, right in ends]
    related: dict[int, PairRelation] = {}
    for language, numbers in _by_language([" ".join(sorted(pair)) for pair in titles]).items():
        own = [titles[number] for number in numbers]
        advance = progress.start(f"relating headlines ({language})", len(own))
        model = models.headlines(language)
        relations, table = model.ask_and_relate(own, share_of(advance, RELATING_SHARE))
        both_ways = own + [(right, left) for left, right in own]
        strengths = model.strengths(both_ways, share_of(advance, (1 - RELATING_SHARE) / 2)).reshape(2, -1).T.tolist()
        same = model.same_event(relations, model.similarity(own)).tolist()
        for number, row, (forward, backward), alike in zip(numbers, table, strengths, same, strict=True):
            left, right = ends[number]
            related[number] = PairRelation(
                tuple(map(float, row)), alike, (forward, backward), (left.published, right.published)
            )
    return [related[number] for number in range(len(titles))]


def group(news: NewsInput, *, models: LanguageModels | None = None, progress: Progress | None = None) -> Groups:
    """Group headlines by the event they tell of, and by story.

    >>> whywire.group("headlines.jsonl").events

    Args:
        news: paths, articles or rows.

    Returns:
        The ids of the event and the story of each, in their order.

    Raises:
        InputError: a row cannot be used.
    """
    articles, _ = load_news(news, strict=True)
    return group_articles(articles, models=models, progress=progress)


def score(pairs: Iterable[tuple[str, str] | Pair], *, judge: Judge | None = None) -> list[Score | Unjudged]:
    """Say how strongly each event led to another.

    >>> whywire.score([("Fire shuts refinery", "Fuel runs short in the north")])[0].strength

    Args:
        pairs: cause and effect, in words; or with the texts of documents that mention them, for a judge that reads
            these.
        judge: who judges; the embedded models if not given, which always have a judgement.
    """
    asked = [
        pair if isinstance(pair, Pair) else Pair(*pair, language=model_language(" ".join(pair))) for pair in pairs
    ]
    found = (judge or EmbeddedJudge()).score(asked)
    return [one if isinstance(one, Unjudged) else Score(one) for one in found]


def choose(
    questions: Iterable[tuple[str, Sequence[str]] | Choice], *, judge: Judge | None = None
) -> list[Chosen | Unjudged]:
    """Say which of several events led to another directly.

    >>> whywire.choose([("Fuel runs short", ["Fire shuts refinery", "Actor wins prize"])])[0].answer

    Args:
        questions: an effect and the events that may have led to it, in words.
        judge: as for :func:`score`.
    """
    asked = [one if isinstance(one, Choice) else _choice(*one) for one in questions]
    found = (judge or EmbeddedJudge()).weigh(asked)
    return [one if isinstance(one, Unjudged) else Chosen(tuple(one)) for one in found]


def model_language(text: str) -> Language:
    """The language whose model should read this: Cyrillic goes to the Russian one, which has the letters."""
    if any("а" <= letter <= "я" for letter in text.lower()):
        return Language.RUSSIAN
    return detect_language(text) if text.isascii() is False else Language.ENGLISH


def _pair(cause: str, effect: str) -> Pair:
    return Pair(cause, effect, language=model_language(f"{cause} {effect}"))


def _choice(effect: str, options: Sequence[str]) -> Choice:
    return Choice(effect, tuple(options), language=model_language(" ".join([effect, *options])))


def _by_language(texts: Sequence[str]) -> dict[Language, list[int]]:
    """The numbers of the texts that each language's model should read."""
    numbers: dict[Language, list[int]] = {}
    for number, text in enumerate(texts):
        numbers.setdefault(model_language(text), []).append(number)
    return numbers
