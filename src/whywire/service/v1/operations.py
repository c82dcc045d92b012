"""Routes for operators: health, readiness, metrics, sizes of the store, articles that failed."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Annotated

import anyio.to_thread
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import PlainTextResponse, Response

from whywire.feeds.states import FeedHealth
from whywire.graph.codec import article_row
from whywire.service.access import ADMINISTERS, READS
from whywire.service.context import Service
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, page_answer
from whywire.service.rows import PageOf, Retried, SetAsideRow, Status, counts_row, work_row
from whywire.service.v1.parameters import body_of, described

probes = APIRouter(include_in_schema=False)


@probes.get("/healthz")
async def health() -> Response:
    """The process answers."""
    return PlainTextResponse("ok\n")


@probes.get("/readyz")
async def readiness(service: Service) -> Response:
    """The store answers and can be written, and the service is not about to stop."""
    if not service.ready or not service.works:
        raise ProblemError(503, "the service is starting or stopping", headers={"retry-after": "2"})
    await anyio.to_thread.run_sync(service.store.ensure_sound)
    await anyio.to_thread.run_sync(service.store.last_change)
    return PlainTextResponse("ready\n")


@probes.get("/metrics", dependencies=[READS])
def metrics(service: Service) -> Response:
    """Counters and timings in the format of Prometheus."""
    for name, count in counts_row(service.store.counts()).items():
        service.metrics.store.labels(name).set(count)
    service.metrics.store.labels("leased").set(service.store.leased())
    now = datetime.now(UTC)
    feeds = Counter(feed.health(now) for feed in service.store.feeds())
    for health in FeedHealth:
        service.metrics.feeds.labels(health.value).set(feeds[health])
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


router = APIRouter(route_class=TaggedRoute, tags=["care"])

MAX_RETRIED = 1000


class Retry(BaseModel):
    """Articles to try again."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{"ids": ["a-1"]}]})

    ids: list[str] = Field(min_length=1, max_length=MAX_RETRIED)


@router.get("/status", dependencies=[READS], response_model=Status)
def status(service: Service) -> Response:
    """How much the store holds, how many articles wait, and how far their reading is."""
    store = service.store
    counts = store.counts()
    row = {
        "version": version("whywire"),
        **counts_row(counts),
        "last_change": store.last_change(),
        "leased": store.leased(),
        "work": work_row(service.progress.position(counts.waiting)),
    }
    return json_answer(row)


@router.get("/set-aside", dependencies=[ADMINISTERS], response_model=PageOf[SetAsideRow])
def set_aside(request: Request, service: Service) -> Response:
    """Articles that failed too often and are no longer tried."""
    rows = [
        {"article": article_row(arrival.article, text=False), "reason": arrival.reason}
        for arrival in service.store.set_aside()
    ]
    return page_answer(request, rows, None)


@router.post("/set-aside/retry", dependencies=[ADMINISTERS], response_model=Retried, **described(Retry))
def retry(service: Service, asked: Annotated[Retry, body_of(Retry)]) -> Response:
    """Put articles that were set aside back into the queue."""
    done = service.store.retry(asked.ids)
    service.accepted()
    return json_answer({"retried": done})
