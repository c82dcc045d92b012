"""A stream of headlines in every language, grouped by event as they come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whywire.api.news_input import to_article
from whywire.events import stream
from whywire.events.stream import Headline, ModelJudge, Placed, Step
from whywire.language_models import LanguageModels
from whywire.news import Article, Language


class EventStream:
    """Groups headlines by event as they come, in bounded memory; each language is a stream of its own.

    >>> events = whywire.EventStream()
    >>> events.add([{"title": "Storm cuts power to the bay", "published": "2026-03-04T08:00Z"}])[0].event

    Args:
        models: the models of either language; the embedded ones if not given.
    """

    def __init__(self, models: LanguageModels | None = None) -> None:
        self._models = models or LanguageModels()
        self._streams: dict[Language, stream.EventStream] = {}

    def add(self, headlines: Iterable[str | Article | Mapping[str, Any]]) -> list[Placed]:
        """Place headlines, in the order they come; one in neither language opens an event of its own.

        Raises:
            InputError: a row is no article; then none is placed.
        """
        articles = list(map(to_article, headlines))
        placed: dict[int, Placed] = {}
        by_language: dict[Language, list[int]] = {}
        for number, article in enumerate(articles):
            by_language.setdefault(article.language, []).append(number)
        for language, numbers in by_language.items():
            own = [articles[number] for number in numbers]
            placed |= zip(numbers, self._place(language, own), strict=True)
        return [placed[number] for number in range(len(articles))]

    def _place(self, language: Language, articles: list[Article]) -> list[Placed]:
        if language is Language.OTHER:
            return [Placed(article.id, article.id, Step.OPENED) for article in articles]
        if language not in self._streams:
            self._streams[language] = stream.EventStream(ModelJudge(self._models.headlines(language)))
        return self._streams[language].add(
            Headline(article.id, article.title, article.published, article.source) for article in articles
        )
