"""Routes that take articles in, singly or as a stream of rows, replace, withdraw and return them."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import IO, Annotated, Any

import anyio
import anyio.to_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from whywire.errors import InputError
from whywire.graph.codec import ArticleRow, Row, article_row
from whywire.news import Article, Problem, read_row
from whywire.news.row_files import read_json_lines
from whywire.service.access import PROBLEM_RESPONSES, READS, WRITES
from whywire.service.context import Context, Service
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, json_bytes, kept_until_changed, page_answer
from whywire.service.rows import ArrivalRow, PageOf, RowTaken, Taken, schema_of
from whywire.service.v1.lines import LineTooLong, lines_of
from whywire.service.v1.parameters import (
    JSON,
    MAX_ID_CHARS,
    After,
    ArticleGiven,
    Id,
    Limit,
    OfLanguage,
    Time,
    check_type,
    endless_numbers,
    since_of,
    until_of,
)
from whywire.store import Accepted, Outcome, Store

router = APIRouter(route_class=TaggedRoute, tags=["articles"])

ROWS_AT_ONCE = 500
"""Rows of a stream that are accepted together."""

MAX_ROW_BYTES = 2 * 2**20
"""Bytes of one row of a stream: as much as an article that is sent alone."""

MAX_ROWS = 1_000_000
"""Rows of a stream: the result of a row, kept on disk, may be a hundred times as large as the row."""

IN_MEMORY = 4 * 2**20
"""Bytes of results kept in memory; larger results go to a temporary file."""

NDJSON = ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines")

_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": ArticleGiven.model_json_schema()}},
    }
}
_STREAM = {
    "requestBody": {
        "required": True,
        "content": {
            NDJSON[0]: {
                "schema": {"type": "string"},
                "examples": {"two": {"value": '{"title": "Storm cuts power"}\n{"title": "Schools stay closed"}\n'}},
            }
        },
    }
}
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    409: PROBLEM_RESPONSES[404] | {"description": "Another article has its id or its url; it is left out."},
    415: PROBLEM_RESPONSES[404] | {"description": "The body is of another type."},
}


@router.post(
    "/articles",
    dependencies=[WRITES],
    status_code=202,
    response_model=Taken,
    responses={**_PROBLEMS, 200: {"model": Taken, "description": "It was known."}},
    openapi_extra=_BODY,
)
async def add(request: Request, service: Service) -> Response:
    """Take an article in. It is durable once this is answered; the graph follows within seconds."""
    return await _taken(request, service)


@router.post(
    "/articles/bulk",
    dependencies=[WRITES],
    response_class=StreamingResponse,
    responses={
        **_PROBLEMS,
        200: {
            "description": "A line for each row that is not blank, in their order.",
            "content": {"application/x-ndjson": {"schema": schema_of(RowTaken)}},
        },
    },
    openapi_extra=_STREAM,
)
async def add_many(request: Request, service: Service) -> Response:
    """Take in a stream of articles, a JSON object a line; a row that cannot be used does not affect the others.

    Rows are accepted while the request is still being sent; the results come at its end. If the connection breaks,
    rows accepted before stay, and sending them again changes nothing.
    """
    _check_type(request, NDJSON)
    results = await _take_all(request, service)
    return StreamingResponse(_sent(results), media_type="application/x-ndjson")


@router.put(
    "/articles/{article_id:id}",
    dependencies=[WRITES],
    status_code=202,
    response_model=Taken,
    responses={**_PROBLEMS, 200: {"model": Taken, "description": "It was known as it is."}},
    openapi_extra=_BODY,
)
async def put(request: Request, service: Service, article_id: Id) -> Response:
    """Replace an article with a new version, or take it in if none has its id or its url.

    The new version keeps the id of the article that it replaces, and its url unless it names one. When the graph
    follows, the claims of the old version end; its text stays in the history. The body may omit the id.
    """
    return await _taken(request, service, article_id)


@router.delete(
    "/articles/{article_id:id}",
    dependencies=[WRITES],
    status_code=202,
    response_model=Taken,
    responses={404: PROBLEM_RESPONSES[404]},
)
def delete(service: Service, article_id: Id) -> Response:
    """Withdraw an article: when the graph follows, its claims end; its text stays in the history.

    An article that is still waiting is never taken in.
    """
    (withdrawn,) = service.store.withdraw([article_id])
    if withdrawn.outcome is Outcome.UNKNOWN:
        raise ProblemError(404, f"there is no article {article_id}")
    service.accepted()
    row: Row = {"id": withdrawn.article_id, "outcome": withdrawn.outcome.value, "reason": None, "notes": []}
    return json_answer(row, status=202)


@router.get("/articles", dependencies=[READS], response_model=PageOf[ArticleRow])
@kept_until_changed
def articles(
    request: Request,
    service: Service,
    after: After = None,
    limit: Limit = 50,
    since: Time = None,
    until: Time = None,
    source: Annotated[str | None, Query(max_length=MAX_ID_CHARS, description="Only from this outlet.")] = None,
    language: OfLanguage = None,
    text: Annotated[bool, Query(description="Return articles with their texts.")] = False,
) -> Response:
    """Articles in the graph, the latest first."""
    period = {"since": since_of(since), "until": until_of(until)}
    page = service.store.articles(after=after, limit=limit, source=source, language=language, **period)
    return page_answer(request, [article_row(article, text=text) for article in page.items], page.next)


@router.get(
    "/articles/{article_id:id}",
    dependencies=[READS],
    response_model=ArticleRow,
    responses={202: {"model": ArrivalRow, "description": "It was accepted, and is not in the graph yet."}},
)
@kept_until_changed
def article(request: Request, service: Service, article_id: Id) -> Response:  # noqa: ARG001  it names what is kept
    """One article with its text, and a mark if it is not in the graph yet."""
    arrival = service.store.arrival(article_id)  # asked first: it may be taken in meanwhile
    article = service.store.article(article_id)
    if article is not None:
        return json_answer(article_row(article, text=True))
    if arrival is None:
        raise ProblemError(404, f"there is no article {article_id}")
    status = {"status": "set aside" if arrival.set_aside else "waiting", "reason": arrival.reason}
    return json_answer(article_row(arrival.article, text=True) | status, status=202)


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of a stream: an article with notes on it, or the reason why the row is not an article."""

    number: int
    article: Article | None = None
    notes: tuple[str, ...] = ()
    reason: str | None = None


def _check_type(request: Request, wanted: Sequence[str]) -> None:
    check_type(request, wanted)
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise ProblemError(415, "the body must not be compressed")


async def _taken(request: Request, service: Service, article_id: str | None = None) -> Response:
    _check_type(request, JSON)
    body = await request.body()
    row = await anyio.to_thread.run_sync(_take_one, service.store, body, article_id)
    service.accepted()
    return json_answer(row, status=200 if row["outcome"] == Outcome.KNOWN else 202)


def _take_one(store: Store, body: bytes, replacing: str | None = None) -> Row:
    """Accept the article in a body.

    Args:
        replacing: the id of the article to replace; the body must not name another.
    """
    line = _read_line(1, body, replacing)
    if line.article is None:
        places = endless_numbers(body) or ["body"]
        errors = [{"where": place, "reason": line.reason or ""} for place in places]
        raise ProblemError(422, "the article cannot be used", errors=errors)
    (accepted,) = store.accept([line.article], replace=replacing is not None)
    row = _result(line, accepted)
    if accepted.outcome is Outcome.CONFLICT:
        hint = "" if replacing else "; PUT puts a new version in its place"
        raise ProblemError(409, f"{accepted.reason}{hint}")
    if accepted.outcome is Outcome.REFUSED:
        reason = {"where": "body", "reason": accepted.reason or ""}
        raise ProblemError(422, "the article cannot be used", errors=[reason])
    return {name: value for name, value in row.items() if name != "row"}


async def _take_all(request: Request, service: Context) -> IO[bytes]:
    """Accept the rows of a stream as they come; return their results."""
    results: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed after it is sent
    try:
        held: list[tuple[int, bytes | LineTooLong]] = []
        too_many = False
        async for numbered in lines_of(request.stream(), MAX_ROW_BYTES):
            if too_many := numbered[0] > MAX_ROWS:
                break
            held.append(numbered)
            if len(held) >= ROWS_AT_ONCE:
                await anyio.to_thread.run_sync(_take_rows, service.store, held, results)
                service.accepted()
                held = []
        await anyio.to_thread.run_sync(_take_rows, service.store, held, results)
        service.accepted()
        if too_many:
            raise ProblemError(413, f"a stream may have {MAX_ROWS:,} lines; as many were taken")
    except BaseException:
        results.close()
        raise
    results.seek(0)
    return results


def _take_rows(store: Store, held: Sequence[tuple[int, bytes | LineTooLong]], results: IO[bytes]) -> None:
    lines = [
        _Line(number, reason=content.reason) if isinstance(content, LineTooLong) else _read_line(number, content)
        for number, content in held
    ]
    accepted = iter(store.accept([line.article for line in lines if line.article is not None]))
    for line in lines:
        results.write(json_bytes(_result(line, None if line.article is None else next(accepted))) + b"\n")


def _read_line(number: int, content: bytes, article_id: str | None = None) -> _Line:
    """Read the article in a line of JSON.

    Args:
        article_id: the id that the article must have if it names one, and otherwise gets.
    """
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    rows = list(read_json_lines([text], "body"))
    if not rows:
        return _Line(number, reason="there is no article in it")
    if isinstance(rows[0], Problem):
        return _Line(number, reason=rows[0].reason)
    try:
        value = rows[0].value
        article, notes = read_row({"id": article_id, **value} if isinstance(value, dict) else value)
    except InputError as error:
        return _Line(number, reason=error.message)
    if article_id not in (None, article.id):
        return _Line(number, reason=f"its id is {article.id}, but the address names {article_id}")
    return _Line(number, article, notes)


def _result(line: _Line, accepted: Accepted | None) -> Row:
    return {
        "row": line.number,
        "id": accepted and accepted.article_id,
        "outcome": accepted.outcome.value if accepted else Outcome.REFUSED.value,
        "reason": accepted.reason if accepted else line.reason,
        "notes": list(line.notes),
    }


async def _sent(results: IO[bytes]) -> AsyncIterator[bytes]:
    with results:
        while chunk := results.read(2**16):
            yield chunk
            await anyio.lowlevel.checkpoint()
