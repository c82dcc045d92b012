"""``whywire.group`` and ``EventStream``: grouping headlines by event, all at once or as they arrive."""

from __future__ import annotations

from collections.abc import Iterable

from whywire.api.news_input import HeadlineInput, NewsInput, timely_news, to_article
from whywire.api.relate import check_prior
from whywire.events.headline_events import COLLECTION_PRIOR, prior_odds
from whywire.language_models import LanguageModels
from whywire.news import Article, Language
from whywire.pipeline import Groups
from whywire.pipeline import group as group_articles
from whywire.progress import Progress
from whywire.updating.stream import Assignment, MonolingualStream, StreamStep


def group(
    news: NewsInput,
    *,
    prior: float = COLLECTION_PRIOR,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> Groups:
    """Group articles by event, and by story: an event with its causes, its effects and reactions to it.

    >>> groups = whywire.group("headlines.jsonl")
    >>> groups.events, groups.stories

    Args:
        news: paths, articles or rows.
        prior: the share of same-event pairs among pairs of similar articles (between 0 and 1); a higher prior gives
            wider events. A small collection on few events has a higher share than the default; a news stream has 0.4.
        models: loaded models; the embedded ones by default.
        progress: shows the progress of the work.

    Returns:
        The ids of the event and the story of each article, in the order of the articles.

    Raises:
        InputError: a path cannot be read, a row is not an article or has a time that cannot be read, or the prior is
            not between 0 and 1.
    """
    check_prior(prior)
    return group_articles(timely_news(news), prior=prior, models=models, progress=progress)


class EventStream:
    """Groups headlines by event as they arrive, in bounded memory; each language is a separate stream.

    Headlines are read with the beginnings of their texts. In whatever order they arrive, the events are those that
    result from grouping all headlines of the last two weeks at once. So a new headline can move earlier ones to
    another event; its assignment lists them in ``moved``.

    >>> stream = whywire.EventStream()
    >>> event_of = {}
    >>> for row in stream.add([{"title": "Storm cuts power to the bay", "published": "2026-03-04T08:00Z"}]):
    ...     event_of |= {row.id: row.event, **row.moved}

    Args:
        models: loaded models; the embedded ones by default.
        prior: as for :func:`group`; by default that of a news stream.

    Raises:
        InputError: the prior is not between 0 and 1.
    """

    def __init__(self, models: LanguageModels | None = None, *, prior: float | None = None) -> None:
        if prior is not None:
            check_prior(prior)
        self._models, self._prior = models or LanguageModels(), prior
        self._streams: dict[Language, MonolingualStream] = {}

    def add(self, headlines: Iterable[HeadlineInput]) -> list[Assignment]:
        """Add headlines in order; return the event of each, and the earlier headlines that it moved.

        A headline that is neither English nor Russian opens a new event.

        Raises:
            InputError: a headline is empty, or a row is not an article or has a time that cannot be read; then no
                headline is added.
        """
        articles = list(map(to_article, headlines))
        placed: dict[int, Assignment] = {}
        by_language: dict[Language, list[int]] = {}
        for index, article in enumerate(articles):
            by_language.setdefault(article.language, []).append(index)
        for language, indices in by_language.items():
            of_language = [articles[index] for index in indices]
            placed |= zip(indices, self._add(language, of_language), strict=True)
        return [placed[index] for index in range(len(articles))]

    def _add(self, language: Language, articles: list[Article]) -> list[Assignment]:
        if language is Language.OTHER:
            return [Assignment(article.id, article.id, StreamStep.OPENED) for article in articles]
        if language not in self._streams:
            model = self._models.pairs(language)
            self._streams[language] = MonolingualStream(model, prior=prior_odds(model, self._prior))
        return self._streams[language].add(articles)
