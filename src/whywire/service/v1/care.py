"""How the service is: what its store holds, and articles that failed."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from whywire.graph.codec import article_row
from whywire.service.access import ADMINISTERS, READS
from whywire.service.answers import TaggedRoute, json_answer, page_answer
from whywire.service.context import Service
from whywire.service.rows import PageOf, Retried, SetAsideRow, Status, counts_row
from whywire.service.v1.bodies import body_of, described

router = APIRouter(route_class=TaggedRoute, tags=["care"])

MAX_RETRIED = 1000


class Retry(BaseModel):
    """Articles that shall be tried again."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{"ids": ["a-1"]}]})

    ids: list[str] = Field(min_length=1, max_length=MAX_RETRIED)


@router.get("/status", dependencies=[READS], response_model=Status)
def status(service: Service) -> Response:
    """How much the store holds, and how many articles wait."""
    store = service.store
    row = {"version": version("whywire"), **counts_row(store.counts()), "last_change": store.last_change()}
    return json_answer(row)


@router.get("/set-aside", dependencies=[ADMINISTERS], response_model=PageOf[SetAsideRow])
def set_aside(request: Request, service: Service) -> Response:
    """Articles that failed too often to be tried again by themselves."""
    rows = [
        {"article": article_row(one.article, text=False), "reason": one.reason} for one in service.store.set_aside()
    ]
    return page_answer(request, rows, None)


@router.post("/set-aside/retry", dependencies=[ADMINISTERS], response_model=Retried, **described(Retry))
def retry(service: Service, asked: Annotated[Retry, body_of(Retry)]) -> Response:
    """Let articles that were set aside wait again."""
    done = service.store.retry(asked.ids)
    service.accepted()
    return json_answer({"retried": done})
