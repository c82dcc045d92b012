"""Logs of the service, one JSON object a line on standard error, and its Prometheus metrics."""

from __future__ import annotations

import json
import logging
import sys
from collections import defaultdict
from datetime import UTC, datetime
from http import HTTPMethod
from typing import TextIO

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

logger = logging.getLogger("whywire.service")

MAX_LINES, MAX_WARNINGS = 6000, 300
"""Lines a minute of one logger and level. The second limit is for warnings and errors, which may have tracebacks."""

_STANDARD = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """Formats a record as JSON: time, level, logger, message, and any fields that the caller added."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        row: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        row |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD}
        if record.exc_info:
            row["error"] = self.formatException(record.exc_info)
        return json.dumps(row, ensure_ascii=True, default=str)


class LineLimit(logging.Filter):
    """Limits the lines a minute of each logger and level; the next line that passes says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._minute = 0
        self._lines: defaultdict[tuple[str, int], int] = defaultdict(int)
        self._left_out: defaultdict[tuple[str, int], int] = defaultdict(int)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written."""
        if (minute := int(record.created // 60)) != self._minute:
            self._minute = minute
            self._lines.clear()
        kind = (record.name, record.levelno)
        self._lines[kind] += 1
        if self._lines[kind] > (MAX_LINES if record.levelno < logging.WARNING else MAX_WARNINGS):
            self._left_out[kind] += 1
            return False
        if left_out := self._left_out.pop(kind, 0):
            record.left_out = left_out
        return True


def log_to(stream: TextIO | None = None, level: int = logging.INFO) -> logging.Handler:
    """Send all logs of Whywire and of the server to a stream, standard error by default; return the handler."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(LineLimit())
    for name in ("whywire", "uvicorn", "asyncio"):
        source = logging.getLogger(name)
        source.handlers[:] = [handler]
        source.setLevel(level)
        source.propagate = False
    logging.getLogger("uvicorn.access").disabled = True  # the service writes its own line, with the request id
    return handler


SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the buckets of histograms."""

METHODS = frozenset(HTTPMethod)
"""Methods counted by name; all others, which clients may invent, count as ``OTHER``."""

OTHER = "other"


class Metrics:
    """The metrics of the service, each described by its help text.

    ``store`` and ``feeds`` are updated when ``/metrics`` is asked for; ``passes`` and ``waiting_passes`` count
    questions to the models and to the graph.
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
            "whywire_pass_seconds", "Seconds of questions to the models.", ("question",), buckets=SECONDS, registry=to
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
        self.webhooks = Counter("whywire_webhooks", "Messages to webhooks.", ("outcome",), registry=to)
        ProcessCollector(registry=to)
        self.store = Gauge("whywire_store", "Sizes of the store.", ("what",), registry=to)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request.

        Args:
            route: the template of its address, which keeps the number of time series bounded.
        """
        self.requests.labels(method if method in METHODS else OTHER, route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
