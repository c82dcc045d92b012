"""Answers of the API: JSON with an entity tag, so that who asks again is told when nothing is new."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from fastapi import Request
from starlette.responses import Response

ETAG_DIGITS = 32

CACHE = "no-cache"
"""Answers may be kept, and are checked by their tags each time."""


def json_bytes(value: object) -> bytes:
    """A value as JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def json_answer(
    request: Request, value: object, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Answer with a JSON value; 304 where the client has it."""
    return tagged(request, json_bytes(value), "application/json", status=status, headers=headers)


def tagged(
    request: Request,
    body: bytes,
    media_type: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Answer with bytes; 304 where the client has them."""
    if request.method not in ("GET", "HEAD") or status != 200:
        return Response(body, status, dict(headers or {}), media_type)
    tag = f'"{hashlib.sha256(body).hexdigest()[:ETAG_DIGITS]}"'
    named = {"etag": tag, "cache-control": CACHE, "vary": "authorization", **(headers or {})}
    if _has(request.headers.get("if-none-match", ""), tag):
        return Response(None, 304, named)
    return Response(body, 200, named, media_type)


def page_answer(request: Request, items: list[dict[str, Any]], cursor: str | None) -> Response:
    """Answer with a page of a list: its items, and the cursor of the next page."""
    headers = {}
    if cursor is not None:
        headers["link"] = f'<{request.url.include_query_params(after=cursor)}>; rel="next"'
    return json_answer(request, {"items": items, "next": cursor}, headers=headers)


def _has(header: str, tag: str) -> bool:
    """Whether the header ``If-None-Match`` names a tag."""
    given = [one.strip().removeprefix("W/") for one in header.split(",")]
    return "*" in given or tag in given
