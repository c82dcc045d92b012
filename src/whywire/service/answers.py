"""Answers of the API: JSON with an entity tag, so that who asks again is told when nothing is new."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response, StreamingResponse

from whywire.service.rows import is_row_type, schema_of

ETAG_DIGITS = 32

CACHE = "no-cache"
"""Answers may be kept, and are checked by their tags each time."""


def json_bytes(value: object) -> bytes:
    """A value as JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def json_answer(value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with a JSON value."""
    return Response(json_bytes(value), status, dict(headers or {}), "application/json")


def page_answer(request: Request, items: list[dict[str, Any]], cursor: str | None) -> Response:
    """Answer with a page of a list: its items, and the cursor of the next page."""
    headers = {}
    if cursor is not None:
        headers["link"] = f'<{request.url.include_query_params(after=cursor)}>; rel="next"'
    return json_answer({"items": items, "next": cursor}, headers=headers)


def with_tag(request: Request, answer: Response) -> Response:
    """The answer with its entity tag; 304 where the client has it. Other statuses than 200 stay as they are."""
    if answer.status_code != 200:
        return answer
    if "etag" not in answer.headers:
        tag = f'"{hashlib.sha256(answer.body).hexdigest()[:ETAG_DIGITS]}"'
        answer.headers.update({"etag": tag, "cache-control": CACHE, "vary": "authorization"})
    if not _has(request.headers.get("if-none-match", ""), answer.headers["etag"]):
        return answer
    kept = {name: value for name, value in answer.headers.items() if name not in ("content-length", "content-type")}
    return Response(None, 304, kept)


class TaggedRoute(APIRoute):
    """A route of the API, whose answers to GET have entity tags; models of its answers may be types of rows."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        response_model: Any = None,
        responses: Mapping[int | str, Mapping[str, Any]] | None = None,
        **options: Any,
    ) -> None:
        described = {status: dict(answer) for status, answer in (responses or {}).items()}
        if is_row_type(response_model):
            described.setdefault(options.get("status_code") or 200, {})["model"] = response_model
            response_model = None
        for answer in described.values():
            if is_row_type(answer.get("model")):
                answer["content"] = {"application/json": {"schema": schema_of(answer.pop("model"))}}
        super().__init__(path, endpoint, response_model=response_model, responses=described, **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler."""
        answer = super().get_route_handler()

        async def tagged(request: Request) -> Response:
            found = await answer(request)
            is_whole = request.method == "GET" and not isinstance(found, StreamingResponse)
            return with_tag(request, found) if is_whole else found

        return tagged


def _has(header: str, tag: str) -> bool:
    """Whether the header ``If-None-Match`` names a tag."""
    given = [one.strip().removeprefix("W/") for one in header.split(",")]
    return "*" in given or tag in given
