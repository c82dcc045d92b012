"""Health, readiness and metrics, for whoever operates the service."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import anyio.to_thread
from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from whywire.feeds.states import FeedHealth
from whywire.service.access import READS
from whywire.service.context import Service
from whywire.service.problems import ProblemError
from whywire.service.rows import counts_row

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def health() -> Response:
    """The process answers."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
async def readiness(service: Service) -> Response:
    """The store answers and can be written, and the service is not about to stop."""
    if not service.ready or not service.works:
        raise ProblemError(503, "the service is starting or stopping", headers={"retry-after": "2"})
    await anyio.to_thread.run_sync(service.store.ensure_sound)
    await anyio.to_thread.run_sync(service.store.last_change)
    return PlainTextResponse("ready\n")


@router.get("/metrics", dependencies=[READS])
def metrics(service: Service) -> Response:
    """Counters and timings in the format of Prometheus."""
    for name, count in counts_row(service.store.counts()).items():
        service.metrics.store.labels(name).set(count)
    now = datetime.now(UTC)
    feeds = Counter(state.health(now) for state in service.store.feed_states.load())
    for health in FeedHealth:
        service.metrics.feeds.labels(health.value).set(feeds[health])
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
