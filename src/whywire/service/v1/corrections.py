"""Routes by which persons correct the graph: they hide links, tell reports apart, and take that back."""

from __future__ import annotations

from typing import Annotated, Self

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.responses import Response

from whywire.elements import LinkKind
from whywire.service.access import PROBLEM_RESPONSES, READS, WRITES, key_name_of
from whywire.service.context import Context, Service
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, page_answer
from whywire.service.rows import ListedCorrectionRow, PageOf, listed_correction_row
from whywire.service.v1.parameters import MAX_ID_CHARS, After, GivenId, Id, Limit, body_of, described

router = APIRouter(route_class=TaggedRoute, tags=["corrections"])

MAX_NOTE_CHARS = 2000

MAX_ARTICLES = 1000
"""Articles that are told apart from the others at once."""

GivenName = Annotated[str, Field(min_length=1, max_length=MAX_ID_CHARS)]

_FORBIDDEN = ConfigDict(extra="forbid")


class LinkToHide(BaseModel):
    """A link, by the ids of its events."""

    model_config = _FORBIDDEN

    source: GivenName
    target: GivenName
    kind: LinkKind = LinkKind.CAUSES


class ReportsToTellApart(BaseModel):
    """An event, and those of its articles that tell of another one."""

    model_config = _FORBIDDEN

    event: GivenName
    articles: list[GivenName] = Field(min_length=1, max_length=MAX_ARTICLES)


class CorrectionGiven(BaseModel):
    """Either a link to hide, or reports to tell apart."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"hide_link": {"source": "e-4be81c8a4f0c", "target": "e-9f2d60a1c7b3", "kind": "causes"}},
                {"apart": {"event": "e-4be81c8a4f0c", "articles": ["a-7"]}, "note": "Another fire, a week later."},
            ]
        },
    )

    hide_link: LinkToHide | None = None
    apart: ReportsToTellApart | None = None
    note: str = Field("", max_length=MAX_NOTE_CHARS)

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if (self.hide_link is None) == (self.apart is None):
            raise ValueError("give either hide_link or apart")
        return self


@router.post(
    "/corrections",
    dependencies=[WRITES],
    status_code=202,
    response_model=ListedCorrectionRow,
    **described(CorrectionGiven),
)
def correct(
    request: Request, service: Service, asked: Annotated[CorrectionGiven, body_of(CorrectionGiven)]
) -> Response:
    """Hide a link, or tell some reports of an event apart from the others; the graph follows within seconds.

    The correction stays through all that comes: it names words of the articles, not ids. Asking for what is corrected
    already returns the earlier correction.
    """
    by, store = key_name_of(request), service.store
    if link := asked.hide_link:
        made = store.hide_link(link.source, link.target, link.kind, by=by, note=asked.note)
    elif apart := asked.apart:
        made = store.tell_apart(apart.event, apart.articles, by=by, note=asked.note)
    service.accepted()
    return _answer(service, made.id)


@router.get("/corrections", dependencies=[READS], response_model=PageOf[ListedCorrectionRow])
def corrections(
    request: Request, service: Service, after: After = None, limit: Limit = 50, event: GivenId = None
) -> Response:
    """Corrections by persons, the latest first; with `event` only those that name words of this event."""
    page = service.store.corrections(after=after, limit=limit, event=event)
    return page_answer(request, [*map(listed_correction_row, page.items)], page.next)


@router.delete(
    "/corrections/{correction_id}",
    dependencies=[WRITES],
    status_code=202,
    response_model=ListedCorrectionRow,
    responses={404: PROBLEM_RESPONSES[404]},
)
def take_back(request: Request, service: Service, correction_id: Id) -> Response:
    """Take a correction back: the graph is then as without it. It stays in the list and in the history."""
    if service.store.take_back(correction_id, key_name_of(request)):
        service.accepted()
    return _answer(service, correction_id)


def _answer(service: Context, correction_id: str) -> Response:
    listed = service.store.correction(correction_id)
    if listed is None:
        raise ProblemError(404, f"there is no correction {correction_id}")
    return json_answer(listed_correction_row(listed), status=202)
