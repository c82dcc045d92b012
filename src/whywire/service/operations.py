"""Health, readiness and metrics, for whoever operates the service."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from whywire.service.context import Service
from whywire.service.problems import ProblemError

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def health() -> Response:
    """The process answers."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
async def readiness(service: Service) -> Response:
    """The store answers, and the service is not about to stop."""
    if not service.ready:
        raise ProblemError(503, "the service is starting or stopping", headers={"retry-after": "2"})
    return PlainTextResponse("ready\n")


@router.get("/metrics")
def metrics(service: Service) -> Response:
    """Counters and timings in the format of Prometheus."""
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
