"""What the routes and pages of a running service share: its settings, the store, the models, the metrics."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import Depends, Request

from whywire.language_models import LanguageModels
from whywire.service.background import BackgroundWorker, FeedThread
from whywire.service.change_notifier import Announcer
from whywire.service.client_limits import Connections, RateLimits, UnreadAnswers
from whywire.service.graphs import Graphs
from whywire.service.inference_pool import Passes
from whywire.service.responses import KeptAnswers
from whywire.service.settings import Settings
from whywire.service.telemetry import Metrics, logger
from whywire.store import Store


class Context:
    """A running service.

    Args:
        models: the embedded ones by default.

    Attributes:
        store: open while the service runs. Its calls block: make them in a thread, or in a route without ``async``.
        graphs: whole graphs, for questions and exports.
        passes: where questions to the models are answered; never call a model on the event loop.
        graph_passes: where questions to the graph are answered, which shall not wait for those to the models.
        announcer: tells when the history has grown.
        answers: kept until the store changes.
        unread: large answers that clients read at the moment.
        ready: whether the service takes requests.
        key_uses: when the use of each key was last noted.
    """

    store: Store
    graphs: Graphs
    announcer: Announcer

    def __init__(self, settings: Settings, models: LanguageModels | None = None) -> None:
        self.settings = settings
        self.models = models or LanguageModels()
        self.metrics = Metrics()
        limits = settings.limits
        self.passes, self.graph_passes = (Passes(limits.passes, limits.waiting, self.metrics) for _ in range(2))
        self.rates = RateLimits(limits.requests_per_minute, limits.burst)
        self.connections = Connections.allowed(behind_proxy=bool(settings.trusted_proxies))
        self.answers = KeptAnswers()
        self.unread = UnreadAnswers()
        self.ready = False
        self.key_uses: dict[str, float] = {}
        self._end = float("inf")
        self._worker: BackgroundWorker | None = None
        self._feeds: FeedThread | None = None

    def open(self) -> None:
        """Open the store, and begin to work through its queue."""
        self.store = Store.open(self.settings.store)
        self.graphs = Graphs(self.store, self.models)
        self.announcer = Announcer(self.store.last_change, self.settings.limits.streams)
        if self.settings.works:
            self._worker = BackgroundWorker(self.store, self.models, self.metrics, self._committed)
            self._worker.start()
        if self.settings.feeds:
            self._feeds = FeedThread(self.settings, self.store, self.accepted)
            self._feeds.start()
        self.ready = True

    def accepted(self) -> None:
        """Tell the worker that articles wait."""
        if self._worker is not None:
            self._worker.wake()

    def stop(self) -> None:
        """Take no more work and end the streams; called on the event loop, before requests in flight end."""
        self.ready = False
        self._end = time.monotonic() + self.settings.stop_seconds
        self.announcer.stop()
        for passes in (self.passes, self.graph_passes):
            passes.stop(self.settings.stop_seconds / 2)
        for thread in self._threads():
            thread.stop()

    def close(self) -> None:
        """Finish the work at hand and close the store."""
        if self._end == float("inf"):
            self.stop()
        if not all(thread.join(max(0.0, self._end - time.monotonic())) for thread in self._threads()):
            logger.warning("stopped in the middle of work; the lease of its articles runs out")
            return  # the store is in use
        self.store.close()

    @property
    def works(self) -> bool:
        """Whether the worker runs, where this process has one."""
        return self._worker is None or self._worker.is_alive

    def _threads(self) -> list[BackgroundWorker | FeedThread]:
        return [thread for thread in (self._worker, self._feeds) if thread is not None]

    def _committed(self) -> None:
        self.announcer.nudge()


def context_of(request: Request) -> Context:
    """The service that answers a request."""
    context: Context = request.app.state.context
    return context


async def _context_of(request: Request) -> Context:
    """The same as a dependency, which without ``async`` would be called in a thread."""
    return context_of(request)


Service = Annotated[Context, Depends(_context_of)]
"""A parameter of a route: the service that answers."""
