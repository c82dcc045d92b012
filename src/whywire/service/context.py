"""What all routes and pages of a running service share: settings, store, models, metrics."""

from __future__ import annotations

import threading
import time
from typing import Annotated

from fastapi import Depends, Request

from whywire.api.watch import missing_package
from whywire.graph.briefs import Brief
from whywire.graph.causal_graph import CausalGraph, Story
from whywire.graph.passages import WrittenSentence
from whywire.language_models import LanguageModels
from whywire.pipeline import LANGUAGES
from whywire.second_opinions.writing import kept_sentence
from whywire.service.background import BackgroundThread, BackgroundWorker, FeedThread
from whywire.service.change_notifier import ChangeNotifier
from whywire.service.client_limits import Connections, RateLimits, UnreadAnswers
from whywire.service.graphs import Graphs
from whywire.service.inference_pool import InferencePool
from whywire.service.responses import ResponseCache
from whywire.service.settings import Settings
from whywire.service.telemetry import Metrics, logger
from whywire.service.webhooks import WebhookThread
from whywire.service.work_progress import WorkProgress
from whywire.store import Store, Worker

STOP_SECONDS = 20.0
"""Time for requests in flight and the worker to finish once the service is asked to stop. docs/operating.md tells
supervisors to wait 30 seconds before they kill."""


class Context:
    """A running service.

    Args:
        models: loaded models; the embedded ones by default.

    Attributes:
        store: open while the service runs. Its calls block: make them in a thread, or in a route without ``async``.
        graphs: graphs to answer questions from and to export.
        model_pool: answers questions to the models; never call a model on the event loop.
        graph_pool: answers questions to the graph, so that they do not queue behind questions to the models.
        notifier: tells when the history has grown.
        responses: kept until the store changes.
        unread: large responses that clients are reading.
        progress: how far the worker of this process is.
        ready: whether the service takes requests.
        key_uses: monotonic time at which the use of each key was last recorded, by the key's id.
    """

    store: Store
    graphs: Graphs
    notifier: ChangeNotifier

    def __init__(self, settings: Settings, models: LanguageModels | None = None) -> None:
        self.settings = settings
        self.models = models or LanguageModels()
        self.metrics = Metrics()
        self.progress = WorkProgress()
        self.model_pool, self.graph_pool = InferencePool(self.metrics), InferencePool(self.metrics)
        self.rates = RateLimits(settings.requests_per_minute)
        self.connections = Connections.allowed(behind_proxy=bool(settings.trusted_proxies))
        self.responses = ResponseCache()
        self.unread = UnreadAnswers()
        self.ready = False
        self.key_uses: dict[str, float] = {}
        self._end = float("inf")
        self._worker: BackgroundWorker | None = None
        self._feeds: FeedThread | None = None
        self._webhooks: WebhookThread | None = None

    def open(self) -> None:
        """Open the store and start the worker, the feeds and the webhooks."""
        self.store = Store.open(self.settings.store)
        self.graphs = Graphs(self.store, self.models)
        self.notifier = ChangeNotifier(self.store.last_change)
        if self.settings.works:
            worker = Worker(self.store, self.models, adviser=self.settings.second_reader)
            self._worker = BackgroundWorker(worker, self.metrics, self.progress, self.notifier.nudge)
        if self.settings.feeds or (self.settings.works and missing_package() is None):
            self._feeds = FeedThread(self.settings, self.store, self.accepted)
        self._webhooks = WebhookThread(self.settings, self.store, self.metrics)
        for thread in self._threads():
            thread.start()
        threading.Thread(target=self._load_models, name="models", daemon=True).start()
        self.ready = True

    def _load_models(self) -> None:
        """Load what questions need, so that the first one does not wait for it."""
        for language in LANGUAGES:
            self.models.pairs(language)

    def accepted(self) -> None:
        """Wake the worker: articles are waiting."""
        if self._worker is not None:
            self._worker.wake()

    def written_on(self, story: Story, graph: CausalGraph, brief: Brief | None = None) -> WrittenSentence | None:
        """The sentence on a story of which a draft is kept, by the model that has written last.

        Args:
            brief: of the story, if it is made already.
        """
        kept = self.store.chat_answers
        return kept_sentence(graph, story, kept, kept.models(), brief)

    def stop(self) -> None:
        """Refuse new work and end the streams; called on the event loop, before requests in flight end."""
        self.ready = False
        self._end = time.monotonic() + STOP_SECONDS
        self.notifier.stop()
        for pool in (self.model_pool, self.graph_pool):
            pool.stop(STOP_SECONDS / 2)
        for thread in self._threads():
            thread.stop()

    def close(self) -> None:
        """Finish the current work and close the store."""
        if self._end == float("inf"):
            self.stop()
        if not all(thread.join(max(0.0, self._end - time.monotonic())) for thread in self._threads()):
            logger.warning("stopped in the middle of work; the lease of its articles runs out")
            return  # a thread still uses the store
        self.store.close()

    @property
    def works(self) -> bool:
        """Whether the worker is alive; true if this process has none."""
        return self._worker is None or self._worker.is_alive

    @property
    def given_feeds(self) -> frozenset[str]:
        """The addresses of the feeds that this process was given at the start."""
        return self._feeds.given if self._feeds is not None else frozenset()

    @property
    def watches_feeds(self) -> bool:
        """Whether this process watches the feeds of the store, or will do so if no other one does."""
        return self._feeds is not None and self.settings.works

    def _threads(self) -> list[BackgroundThread]:
        return [thread for thread in (self._worker, self._feeds, self._webhooks) if thread is not None]


def context_of(request: Request) -> Context:
    """Return the context of the service that answers a request."""
    context: Context = request.app.state.context
    return context


async def _context_of(request: Request) -> Context:
    """Like :func:`context_of`; FastAPI would call a dependency without ``async`` in a thread."""
    return context_of(request)


Service = Annotated[Context, Depends(_context_of)]
"""The type of a route's parameter that receives the context."""
