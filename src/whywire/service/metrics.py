"""Prometheus metrics, in a registry of each service's own."""

from __future__ import annotations

from http import HTTPMethod

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


METHODS = frozenset(HTTPMethod)
"""Methods that are counted by name; others, which anybody can invent, together."""

OTHER = "other"


class Metrics:
    """What the service counts.

    Attributes:
        requests: answered, by method, route and status.
        seconds: that requests took, by route.
        in_flight: requests being answered.
        refused_connections: closed at once, since there were too many.
        passes: seconds of questions to the models, by question.
        waiting_passes: questions to the models that wait or run.
        updates: decided and committed.
        update_seconds: of an update, the models' passes included.
        articles: read by the worker, by outcome: ``done`` or ``failed``.
        streams: open streams of changes.
        store: sizes of the store by what is counted, as of the last time somebody asked.
        feeds: by :class:`~whywire.feeds.states.FeedHealth`, as of then, too.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        to = self.registry
        self.requests = Counter("whywire_requests", "Requests answered.", ("method", "route", "status"), registry=to)
        self.seconds = Histogram(
            "whywire_request_seconds", "Seconds that requests took.", ("route",), buckets=SECONDS, registry=to
        )
        self.in_flight = Gauge("whywire_requests_in_flight", "Requests being answered.", registry=to)
        self.refused_connections = Counter(
            "whywire_connections_refused", "Connections closed because there were too many.", registry=to
        )
        self.passes = Histogram(
            "whywire_pass_seconds",
            "Seconds of questions to the models.",
            ("question",),
            buckets=SECONDS,
            registry=to,
        )
        self.waiting_passes = Gauge(
            "whywire_passes_waiting", "Questions to the models that wait or run.", registry=to
        )
        self.updates = Counter("whywire_updates", "Updates committed.", registry=to)
        self.update_seconds = Histogram(
            "whywire_update_seconds", "Seconds of an update, the models included.", buckets=SECONDS, registry=to
        )
        self.articles = Counter("whywire_articles_read", "Articles the worker took.", ("outcome",), registry=to)
        self.streams = Gauge("whywire_streams", "Open streams of changes.", registry=to)
        self.feeds = Gauge("whywire_feeds", "Feeds, by state.", ("state",), registry=to)
        ProcessCollector(registry=to)
        self.store = Gauge("whywire_store", "Sizes of the store.", ("what",), registry=to)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request.

        Args:
            route: the template of its address, of which there are as many as routes.
        """
        self.requests.labels(method if method in METHODS else OTHER, route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All of it in the format that Prometheus reads."""
        return generate_latest(self.registry)
