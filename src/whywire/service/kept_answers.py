"""Answers that are kept until the next change of the store: most readers ask for the same."""

from __future__ import annotations

import inspect
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread
from fastapi import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from whywire.service.context import Context

Route = TypeVar("Route", bound=Callable[..., Any])

MAX_BYTES = 64 * 2**20
"""Of all answers that are kept."""

Key = tuple[int, str]
"""The number of the last change, and the address."""


class KeptAnswers:
    """Answers by what they depend on; the one asked for longest ago is forgotten first.

    Args:
        max_bytes: of all together.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max, self._size = max_bytes, 0
        self._answers: OrderedDict[Key, Response] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Response | None:
        """The answer that was kept."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def keep(self, key: Key, answer: Response) -> None:
        """Keep an answer, unless it is an error, has no body, or is too large."""
        size = len(answer.body)
        if answer.status_code != 200 or size > self._max // 4:
            return
        with self._lock:
            if key in self._answers:
                return
            self._answers[key] = answer
            self._size += size
            while self._size > self._max:
                _, gone = self._answers.popitem(last=False)
                self._size -= len(gone.body)


def kept_until_changed(route: Route) -> Route:
    """Keep the answers of a route that depend on its address and the last change of the store alone.

    The number of the change is read before the answer is made, so an answer is never older than its key.
    """
    if inspect.iscoroutinefunction(route):

        @wraps(route)
        async def answer_later(request: Request, service: Context, **parameters: Any) -> Response:
            key = await anyio.to_thread.run_sync(_key, request, service)
            kept = service.answers.get(key)
            if kept is None:
                kept = await route(request=request, service=service, **parameters)
                service.answers.keep(key, kept)
            return kept

        return answer_later  # type: ignore[return-value]

    @wraps(route)
    def answer(request: Request, service: Context, **parameters: Any) -> Response:
        key = _key(request, service)
        kept = service.answers.get(key)
        if kept is None:
            kept = route(request=request, service=service, **parameters)
            service.answers.keep(key, kept)
        return kept

    return answer  # type: ignore[return-value]


def _key(request: Request, service: Context) -> Key:
    return service.store.last_change(), str(request.url)
