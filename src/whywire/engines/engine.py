"""The seam behind which models work: reading articles, and deciding stories.

Everything else of a build or an update happens in the process that asked for it: sorting articles, finding stories,
keeping ids, writing. An engine is given what it needs and gives back what is new; it keeps no state that a graph
depends on. So every engine gives the same graph, and work that is lost with a process is done again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from whywire import pipeline
from whywire.engines.predictions import CachedModels, PredictionCache
from whywire.events.article_readings import ArticleReading
from whywire.language_models import LanguageModels
from whywire.news import Article, Problem, to_row
from whywire.pipeline import Decided, Undecided
from whywire.progress import Stages
from whywire.second_opinions.questions import Questions, SecondReader


@dataclass(frozen=True)
class Decision:
    """What an engine decided.

    Args:
        new: the predictions that models made for it.
        lost: the articles of stories that could not be decided, by id, with the reason; nothing was decided of them.
    """

    decided: Decided
    new: PredictionCache
    lost: Mapping[str, str] = field(default_factory=dict)


class Engine(Protocol):
    """Reads articles and decides stories.

    Attributes:
        isolates: whether articles are read in other processes, so that an article of which a process dies leaves
            this one alive.
    """

    isolates: bool

    @property
    def processes(self) -> int:
        """How many parts of the work are done at a time."""

    def read(self, articles: Sequence[Article], stages: Stages) -> tuple[dict[str, ArticleReading], dict[str, str]]:
        """Read the articles in English or Russian.

        Returns:
            The readings by article id; and the ids of articles that cannot be read, with the reason.
        """

    def decide(
        self,
        work: Undecided,
        stages: Stages,
        known: PredictionCache | None = None,
        reader: SecondReader | None = None,
    ) -> Decision:
        """Decide the events and links of stories, as :func:`whywire.pipeline.decide` does.

        Args:
            known: predictions so far; models are not asked for them again.
            reader: is asked about uncertain merges, always from this process.
        """


class LocalEngine:
    """Models in threads of this process.

    Args:
        models: the embedded ones by default.
    """

    isolates = False
    processes = 1

    def __init__(self, models: LanguageModels | None = None) -> None:
        self._models = models or LanguageModels()

    def read(self, articles: Sequence[Article], stages: Stages) -> tuple[dict[str, ArticleReading], dict[str, str]]:
        """Read the articles in English or Russian; every article can be read."""
        return pipeline.read(articles, self._models, stages), {}

    def decide(
        self,
        work: Undecided,
        stages: Stages,
        known: PredictionCache | None = None,
        reader: SecondReader | None = None,
    ) -> Decision:
        """Decide the events and links of stories; every story can be decided."""
        models = CachedModels(self._models, known or PredictionCache())
        return Decision(pipeline.decide(work, models, stages, reader), models.new)

    def questions(
        self, work: Undecided, stages: Stages, known: PredictionCache
    ) -> tuple[list[Questions], PredictionCache]:
        """What a second reader is asked when stories are decided, and the predictions made to know it."""
        models = CachedModels(self._models, known)
        return pipeline.merge_questions(work, models, stages), models.new


Models: TypeAlias = LanguageModels | Engine
"""What reads and decides: models, which then work in this process, or an engine."""


def engine_of(models: Models | None) -> Engine:
    """The engine itself, or one of these models; the embedded models by default."""
    return LocalEngine(models) if models is None or isinstance(models, LanguageModels) else models


def left_out(articles: Iterable[Article], lost: Mapping[str, str]) -> list[Problem]:
    """The problems of articles that an engine could not read or decide."""
    return [
        Problem(article.place or article.id, lost[article.id], row=to_row(article))
        for article in articles
        if article.id in lost
    ]
