"""The thread that watches feeds and hands their articles to the store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from whywire.api.watch import watch
from whywire.feeds.states import shown_url
from whywire.news import Article
from whywire.service.logs import logger
from whywire.store import Store

AGAIN_SECONDS = 60.0
"""How long after a failure, such as a database that is away, the feeds are watched again."""


class FeedThread:
    """Watches feeds until it is stopped.

    Args:
        feeds: addresses, files of OPML, or lists of addresses.
        on_articles: called after articles were accepted.
    """

    def __init__(self, feeds: list[str | Path], store: Store, on_articles: Callable[[], object]) -> None:
        self._feeds, self._store, self._on_articles = feeds, store, on_articles
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
                    self._feeds,
                    self._accept,
                    states=self._store.feed_states,
                    stop=self._stopping,
                    on_look=lambda look: logger.info(
                        "feed",
                        extra={
                            "feed": shown_url(look.state.url),
                            "articles": look.articles,
                            "failed": look.state.last_error or None,
                        },
                    ),
                    on_problem=lambda problem: logger.warning("not watched: %s", problem),
                )
            except Exception as error:
                logger.error("watching feeds failed", exc_info=error)
                self._stopping.wait(AGAIN_SECONDS)

    def _accept(self, articles: list[Article]) -> None:
        for accepted in self._store.accept(articles):
            if accepted.reason:
                logger.info("an article of a feed", extra={"article": accepted.article_id, "reason": accepted.reason})
        self._on_articles()
