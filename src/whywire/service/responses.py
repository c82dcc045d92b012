"""Responses of the API: JSON with an entity tag, cached until the store changes, computed once for all who wait.

While a response is computed again, a client that has waited for a moment gets the previous one if that was current a
few seconds ago: a slightly late response is better than none.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread
from cachetools import LRUCache
from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response, StreamingResponse

from whywire.service.problems import ProblemError
from whywire.service.rows import is_row_type, schema_of

if TYPE_CHECKING:
    from whywire.service.context import Context

ETAG_DIGITS = 32

CACHE = "no-cache"
"""Clients may keep responses but must revalidate them by their tag."""


def json_bytes(value: object) -> bytes:
    """Return a value as JSON in UTF-8."""
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
    """Return a 200 response with its ETag, or 304 if the client has it; return other responses as they are."""
    if answer.status_code != 200:
        return answer
    if "etag" not in answer.headers:
        tag = f'"{hashlib.sha256(answer.body).hexdigest()[:ETAG_DIGITS]}"'
        answer.headers.update({"etag": tag, "cache-control": CACHE, "vary": "authorization, x-annotator"})
    tags = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if "*" not in tags and answer.headers["etag"] not in tags:
        return answer
    kept = {name: value for name, value in answer.headers.items() if name not in ("content-length", "content-type")}
    return Response(None, 304, kept)


class TaggedRoute(APIRoute):
    """A route of the API: GET responses carry ETags, and response models may be row types."""

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
            response = await answer(request)
            is_whole = request.method == "GET" and not isinstance(response, StreamingResponse)
            return with_tag(request, response) if is_whole else response

        return tagged


Route = TypeVar("Route", bound=Callable[..., Any])

MAX_BYTES = 64 * 2**20
"""Bytes of all kept responses, with their addresses and headers."""

ENTRY_BYTES = 2048
"""Memory of the Python objects that hold a kept response."""

MOMENT_SECONDS = 0.25
"""How long a client waits for a response to be computed again before it gets the previous one."""

LATE_SECONDS = 10.0
"""How long an outdated response may be given after the last moment at which it was current."""


@dataclass
class _Kept:
    """A response, the number of the last change it reflects, and when that was last known to be the latest."""

    answer: Response
    change: int
    size: int
    true_at: float


@dataclass(frozen=True)
class _Making:
    """A response being computed, which reflects this change and perhaps later ones."""

    change: int
    task: asyncio.Task[Response]


class ResponseCache:
    """Caches responses by address, least recently used out first. Use it on the event loop only.

    Args:
        max_bytes: size of all responses together.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._kept: LRUCache[str, _Kept] = LRUCache(max_bytes, getsizeof=lambda kept: kept.size)
        self._making: dict[str, _Making] = {}

    @property
    def size(self) -> float:
        """Bytes of all kept responses."""
        return self._kept.currsize

    async def get(self, address: str, change: int, make: Callable[[], Awaitable[Response]]) -> Response:
        """Return the response for an address as of a change, or the previous one if that is quicker and not too old.

        Args:
            change: the number of the last change of the store.
            make: computes the response; others who ask meanwhile wait for the same one.
        """
        while True:
            kept = self._kept.get(address)
            if kept is not None and kept.change == change:
                kept.true_at = time.monotonic()
                return kept.answer
            making = self._making.get(address)
            is_maker = making is None
            if making is None:
                task = asyncio.create_task(self._make(address, change, make, time.monotonic()))
                making = self._making[address] = _Making(change, task)
                task.add_done_callback(partial(self._end, address))
            if kept is not None and time.monotonic() - kept.true_at < LATE_SECONDS:
                await asyncio.wait([making.task], timeout=MOMENT_SECONDS)
                if not making.task.done():
                    return kept.answer
            try:
                answer = await asyncio.shield(making.task)
            except ProblemError:
                if is_maker:
                    raise
                continue  # the client that started it may be over its limit; this one may not be
            if making.change >= change:
                return answer

    async def _make(
        self, address: str, change: int, make: Callable[[], Awaitable[Response]], begun: float
    ) -> Response:
        """Compute a response and keep it if it is a 200 that is not too large."""
        answer = await make()
        headers = sum(len(name) + len(value) for name, value in answer.raw_headers)
        size = ENTRY_BYTES + len(address) + headers + len(answer.body)
        if answer.status_code == 200 and size <= self._kept.maxsize // 4:
            self._kept[address] = _Kept(answer, change, size, begun)
        else:
            self._kept.pop(address, None)
        return answer

    def _end(self, address: str, task: asyncio.Task[Response]) -> None:
        del self._making[address]
        if not task.cancelled():
            task.exception()  # marks it as retrieved, in case nobody waited


def kept_until_changed(route: Route) -> Route:
    """Cache the responses of a route that depend only on its address and the last change of the store.

    The number of the change is read before the response is computed, so a response is never older than its number.
    """
    is_async = inspect.iscoroutinefunction(route)

    @wraps(route)
    async def answer(request: Request, service: Context, **parameters: Any) -> Response:
        call = partial(route, request=request, service=service, **parameters)
        change = await anyio.to_thread.run_sync(service.store.last_change)
        make = call if is_async else partial(anyio.to_thread.run_sync, call)
        return await service.responses.get(str(request.url), change, make)

    return answer  # type: ignore[return-value]
