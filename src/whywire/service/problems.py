"""The shape of every error: ``application/problem+json`` (RFC 9457).

``type``, ``title``, ``status``, ``detail``, ``request_id`` and ``errors`` are always present; ``errors`` lists what
is wrong with each field or row, as ``{"where": …, "reason": …}``, and is empty if the detail says it all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from whywire.errors import InputError, OutputError, WhywireError
from whywire.service.telemetry import logger
from whywire.store import StoreAwayError

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:whywire:problem:"

NAMES = {
    400: "bad-request",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    408: "request-timeout",
    409: "conflict",
    410: "gone",
    413: "too-large",
    414: "address-too-long",
    415: "unsupported-media-type",
    422: "unusable-input",
    429: "too-many-requests",
    500: "internal-error",
    501: "not-installed",
    503: "busy",
}
"""The name of each problem: the last part of its ``type``."""

FAILED = "this failed inside; the log has more under the request id"

UNAVAILABLE = (StoreAwayError, OutputError)
"""Errors of the store that may pass: the database is away, the disk is full, another process writes for long."""

MAX_ERRORS = 100
"""Reasons listed in one problem."""


class ProblemError(HTTPException):
    """An error to answer a request with.

    Args:
        status: HTTP status.
        detail: what went wrong, in one sentence.
        errors: what is wrong with each field or row.
        headers: such as ``Retry-After``.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail, headers)
        self.errors = errors


def problem_body(problem: ProblemError, request_id: str) -> bytes:
    """Return the body of an error in UTF-8; lone surrogates are replaced."""
    row = {
        "type": TYPE_PREFIX + NAMES.get(problem.status_code, "other"),
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "detail": problem.detail,
        "request_id": request_id,
        "errors": list(problem.errors[:MAX_ERRORS]),
    }
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")


def problem_response(request: Request, problem: ProblemError) -> Response:
    """Return an error as the response to a request."""
    body = problem_body(problem, request_id_of(request))
    return Response(body, problem.status_code, dict(problem.headers or {}), MEDIA_TYPE)


def unavailable(request: Request, error: Exception) -> ProblemError:
    """Log why the store cannot be used and return the problem to answer with, which must not name the database."""
    logger.error("the store cannot be used: %s", error, extra={"request_id": request_id_of(request)})
    return ProblemError(503, "the store cannot be used now; send this again later", headers={"retry-after": "5"})


def request_id_of(request: Request) -> str:
    """Return the id of a request, as in its response and in the logs."""
    return str(request.scope.get("state", {}).get("request_id", ""))


def add_handlers(app: FastAPI, unknown: Callable[[Request, ProblemError], Response] = problem_response) -> None:
    """Answer every error of an application with a problem.

    Args:
        unknown: answers requests for an unknown address (404), or with a method that the address lacks (405).
    """

    async def on_http(request: Request, error: HTTPException) -> Response:
        path = request.url.path[:200]
        match error.status_code:
            case 204 | 304 as status:
                return Response(status_code=status)
            case 404:
                return unknown(request, ProblemError(404, f"there is nothing at {path}"))
            case 405:
                allowed = {"allow": ", ".join(_methods_at(request))}
                problem = ProblemError(405, f"{request.method[:20]} is not a method of {path}", headers=allowed)
                return unknown(request, problem)
        return problem_response(request, ProblemError(error.status_code, str(error.detail), headers=error.headers))

    async def on_invalid(request: Request, error: RequestValidationError) -> Response:
        rows = [
            {"where": ".".join(map(str, wrong["loc"]))[:200], "reason": str(wrong["msg"])[:300]}
            for wrong in error.errors()
        ]
        return problem_response(request, ProblemError(422, "the request cannot be used", errors=rows))

    async def on_input(request: Request, error: InputError) -> Response:
        row = {"where": error.where or "", "reason": error.message}
        return problem_response(request, ProblemError(422, str(error), errors=[row]))

    async def on_unavailable(request: Request, error: Exception) -> Response:
        return problem_response(request, unavailable(request, error))

    async def on_failure(request: Request, error: Exception) -> Response:
        logger.error("a request failed", exc_info=error, extra={"request_id": request_id_of(request)})
        return problem_response(request, ProblemError(500, FAILED))

    async def on_problem(request: Request, error: ProblemError) -> Response:
        return problem_response(request, error)

    handlers: dict[type[Exception], Any] = {
        ProblemError: on_problem,
        HTTPException: on_http,
        RequestValidationError: on_invalid,
        InputError: on_input,
        WhywireError: on_failure,
        **dict.fromkeys(UNAVAILABLE, on_unavailable),
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def _methods_at(request: Request) -> list[str]:
    """Return the methods of all routes at an address; HEAD goes with GET."""

    def has(method: str) -> bool:
        scope = dict(request.scope, method=method)
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    methods = {method for method in ("DELETE", "GET", "PATCH", "POST", "PUT") if has(method)}
    return sorted(methods | {"HEAD"} if "GET" in methods else methods)


PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "request_id", "errors"],
    "additionalProperties": False,
    "properties": {
        "type": {"type": "string", "examples": [TYPE_PREFIX + "not-found"]},
        "title": {"type": "string", "examples": ["Not Found"]},
        "status": {"type": "integer", "examples": [404]},
        "detail": {"type": "string", "examples": ["there is no event e-1"]},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["where", "reason"],
                "additionalProperties": False,
                "properties": {"where": {"type": "string"}, "reason": {"type": "string"}},
            },
        },
    },
}
"""The JSON Schema of an error."""
