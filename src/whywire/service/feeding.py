"""The thread that watches feeds and hands their articles to the store."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial

from whywire.api.watch import watch
from whywire.feeds.states import FeedLook, shown_url
from whywire.news import Article
from whywire.service.logs import logger
from whywire.service.settings import Settings
from whywire.store import Store

LOGGED_PROBLEMS = 5
"""How many of the problems of a look are logged with their reasons."""

AGAIN_SECONDS = 60.0
"""How long after a failure, such as a database that is away, the feeds are watched again."""


class FeedThread:
    """Watches feeds until it is stopped.

    Args:
        settings: name the feeds.
        on_articles: called after articles were accepted.
    """

    def __init__(self, settings: Settings, store: Store, on_articles: Callable[[], object]) -> None:
        self._settings, self._store, self._on_articles = settings, store, on_articles
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feeds", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the request in flight, and begin no other."""
        self._stopping.set()

    def join(self, seconds: float) -> bool:
        """Wait until it has stopped, and return whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                watch(
                    self._settings.feeds,
                    self._accept,
                    versions=partial(self._accept, replace=True),
                    states=self._store.feed_states,
                    allow_private=self._settings.private_feeds,
                    stop=self._stopping,
                    on_look=_log,
                    on_problem=lambda problem: logger.warning("not watched: %s", problem),
                )
            except Exception as error:
                logger.error("watching feeds failed", exc_info=error)
                self._stopping.wait(AGAIN_SECONDS)

    def _accept(self, articles: list[Article], *, replace: bool = False) -> None:
        for accepted in self._store.accept(articles, replace=replace):
            if accepted.reason:
                logger.info("an article of a feed", extra={"article": accepted.article_id, "reason": accepted.reason})
        self._on_articles()


def _log(look: FeedLook) -> None:
    """Log what a look at a feed gave."""
    logger.log(
        logging.WARNING if look.state.last_error else logging.INFO,
        "feed",
        extra={
            "feed": shown_url(look.state.url),
            "articles": look.articles,
            "failed": look.state.last_error or None,
            "problems": len(look.problems),
            "reasons": [str(problem) for problem in look.problems[:LOGGED_PROBLEMS]],
        },
    )
