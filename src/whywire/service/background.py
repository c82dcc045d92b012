"""Background threads of the service: one takes waiting articles into the graph, one watches feeds."""

from __future__ import annotations

import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

from whywire.errors import WhywireError
from whywire.feeds.states import FeedLook, Subscription, shown_url
from whywire.news import Article
from whywire.progress import Stopped, stopping_when
from whywire.service.settings import Settings
from whywire.service.telemetry import Metrics, logger
from whywire.service.work_progress import WorkProgress
from whywire.store import LeaseLostError, Store, Worker
from whywire.store.processes import dead_processes, process_name
from whywire.updating import Changes

IDLE_SECONDS = 1.0
"""How often an idle worker looks for articles that another process accepted."""

AWAY_SECONDS = 5.0
"""How long a worker waits when the store or a model cannot be used."""

FAILED_SECONDS = 0.5
"""How long a worker waits after an update failed."""

LONGEST_PAUSE = 60.0
"""Each further failure in a row doubles the pause, up to this many seconds."""

WATCH_SECONDS = 60.0
"""How long a process watches the feeds of a store unless it renews that. Other processes of its machine notice at
once when it has died."""

LOGGED_PROBLEMS = 5
"""Problems of one look at a feed that are logged with their reasons."""

FEEDS_AGAIN_SECONDS = 60.0
"""How long watching feeds pauses after a failure, such as a database that is away."""


class BackgroundThread(ABC):
    """A thread that works until it is stopped."""

    def __init__(self, name: str) -> None:
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self.run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Start nothing more and give up the current work as soon as possible."""
        self._stopping.set()

    def join(self, seconds: float) -> bool:
        """Wait at most this long for the thread to end; return whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    @abstractmethod
    def run(self) -> None:
        """Work until it is stopped; :meth:`start` does so in a thread."""


class BackgroundWorker(BackgroundThread):
    """Works through the queue of a store, batch by batch.

    Args:
        progress: is told how far the worker is.
        on_commit: called after each update.
    """

    def __init__(
        self, worker: Worker, metrics: Metrics, progress: WorkProgress, on_commit: Callable[[], object]
    ) -> None:
        super().__init__("worker")
        self._worker = worker
        self._metrics, self._progress, self._on_commit = metrics, progress, on_commit
        self._wake = threading.Event()
        self._pauses = 0

    def wake(self) -> None:
        """Look for waiting articles at once."""
        self._wake.set()

    def stop(self) -> None:
        """Start no further update and give up the current one."""
        super().stop()
        self._wake.set()

    def run(self) -> None:
        """Work until it is stopped."""
        while not self._stopping.is_set():
            self._wake.clear()
            if not self._work():
                self._wake.wait(IDLE_SECONDS)

    def _work(self) -> bool:
        """Take in a batch; return whether there was one."""
        begun = time.perf_counter()
        self._progress.begin()
        try:
            with stopping_when(self._stopping.is_set):
                changes = self._worker.work(progress=self._progress)
        except Stopped:  # the worker has returned its articles to the queue
            return False
        except LeaseLostError as error:
            logger.warning("a lease ran out", exc_info=error)
            return True
        except WhywireError as error:
            logger.error("the store or a model cannot be used", exc_info=error)
            self._pause(AWAY_SECONDS)
            return True
        except Exception as error:
            logger.error("an update failed", exc_info=error)
            self._metrics.articles.labels("failed").inc()
            self._pause(FAILED_SECONDS)
            return True
        self._pauses = 0
        if changes is None:
            self._progress.rest()
            return False
        self._report(changes, time.perf_counter() - begun)
        self._on_commit()
        return True

    def _report(self, changes: Changes, seconds: float) -> None:
        self._progress.took_in(len(changes.articles), seconds)
        self._metrics.updates.inc()
        self._metrics.update_seconds.observe(seconds)
        self._metrics.articles.labels("done").inc(len(changes.articles))
        fields = {
            "articles": len(changes.articles),
            "changes": len(changes.history),
            "left_out": sum(not problem.kept for problem in changes.problems),
            "milliseconds": round(1000 * seconds, 1),
        }
        logger.info("update", extra=fields)
        for problem in changes.problems:
            if problem.kept:
                logger.warning("a note on an article", extra={"article": problem.place, "reason": problem.reason})

    def _pause(self, seconds: float) -> None:
        """Wait this long, doubled for each failure in a row before this one."""
        self._stopping.wait(min(LONGEST_PAUSE, seconds * 2**self._pauses))
        self._pauses = min(self._pauses + 1, 10)


class FeedThread(BackgroundThread):
    """Watches feeds and hands their articles to the store: those of the settings, and those of the store.

    Of all processes of a store, one watches the feeds that were added to it; another one takes over when it ends.

    Args:
        settings: which feeds to watch. A process without a worker watches no others.
        on_articles: called after the store has accepted articles.

    Attributes:
        given: the addresses of the feeds of the settings.
    """

    def __init__(self, settings: Settings, store: Store, on_articles: Callable[[], object]) -> None:
        super().__init__("feeds")
        self._settings, self._store, self._on_articles = settings, store, on_articles
        self._name = process_name()
        self._renew_at = -math.inf
        self.given: frozenset[str] = frozenset()

    def run(self) -> None:
        """Watch feeds until it is stopped."""
        while not self._stopping.is_set():
            try:
                self._watch()
            except Exception as error:
                logger.error("watching feeds failed", exc_info=error)
                self._stopping.wait(FEEDS_AGAIN_SECONDS)

    def _watch(self) -> None:
        self._read_settings()
        while not self._subscriptions():
            if self._stopping.wait(IDLE_SECONDS):
                return
        from whywire.feeds.watcher import Watcher  # a service that watches nothing does not load it

        watcher = Watcher(
            self._subscriptions,
            self._accept,
            self._store.known_feed_states,
            versions=partial(self._accept, replace=True),
            allow_private=self._settings.private_feeds,
            on_look=_log,
        )
        try:
            watcher.run(stop=self._stopping)
        finally:
            self._renew_at = -math.inf
            self._store.end_watch(self._name)

    def _read_settings(self) -> None:
        if self._settings.feeds:
            from whywire.feeds.subscriptions import read_subscriptions

            urls, problems = read_subscriptions(self._settings.feeds)
            for problem in problems:
                logger.warning("not watched: %s", problem)
            self.given = frozenset(urls)

    def _subscriptions(self) -> list[Subscription]:
        """Return the feeds that this process is to watch now."""
        listed = self._store.subscriptions()
        if unknown := self.given.difference(one.url for one, _ in listed):
            self._store.name_feeds(unknown)
            listed = self._store.subscriptions()
        leads = self._settings.works and any(is_added for _, is_added in listed) and self._leads()
        return [one for one, is_added in listed if one.url in self.given or (leads and is_added)]

    def _leads(self) -> bool:
        """Return whether this process watches the feeds that were added; take that over if no other one does."""
        if time.monotonic() < self._renew_at:
            return True
        holder = self._store.feed_watcher()
        dead = dead_processes([holder] if holder else [])
        if holder not in (None, self._name, *dead):
            return False
        leads = self._store.take_watch(self._name, seconds=WATCH_SECONDS, dead=dead)
        self._renew_at = time.monotonic() + WATCH_SECONDS / 3 if leads else -math.inf
        return leads

    def _accept(self, articles: list[Article], *, replace: bool = False) -> None:
        for accepted in self._store.accept(articles, replace=replace):
            if accepted.reason:
                logger.info("an article of a feed", extra={"article": accepted.article_id, "reason": accepted.reason})
        self._on_articles()


def _log(look: FeedLook) -> None:
    fields = {
        "feed": shown_url(look.state.url),
        "articles": look.articles,
        "failed": look.state.last_error or None,
        "problems": len(look.problems),
        "reasons": [str(problem) for problem in look.problems[:LOGGED_PROBLEMS]],
    }
    logger.log(logging.WARNING if look.state.last_error else logging.INFO, "feed", extra=fields)
