"""Checks of keys, scopes and rates, as dependencies of routes."""

from __future__ import annotations

import base64
import binascii
import math
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import anyio.to_thread
from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from whywire.service.client_limits import network_of
from whywire.service.context import Context, context_of
from whywire.service.keys import Scope, allows, find_key
from whywire.service.problems import UNAVAILABLE, ProblemError
from whywire.service.telemetry import logger
from whywire.store import ApiKey

NOTED_EVERY = 60.0
"""The time of a key's last use is recorded once in this many seconds at most."""

SCHEMES = {
    scope: HTTPBearer(
        auto_error=False,
        scheme_name=scope.value,
        description=f"A key with the scope `{scope.value}`, or a wider one.",
    )
    for scope in Scope
}
"""The security schemes of the OpenAPI description."""

CHALLENGE = {"www-authenticate": 'Bearer realm="whywire"'}

READING_CHALLENGE = {"www-authenticate": 'Basic realm="whywire", charset="UTF-8", Bearer realm="whywire"'}
"""For browsers, which then ask for a password; Chromium does so only if Basic comes first."""


def _needs(scope: Scope) -> Callable[..., Awaitable[None]]:
    """Return the dependency that lets a request pass if its key has this scope."""

    async def check(
        request: Request,
        _: HTTPAuthorizationCredentials | None = Depends(SCHEMES[scope]),  # noqa: B008
    ) -> None:
        context = context_of(request)
        header = request.headers.get("authorization", "")
        token = _token(header, basic=scope is Scope.READ)
        is_program = scope is not Scope.READ or header.lower().startswith("bearer")
        challenge = CHALLENGE if is_program else READING_CHALLENGE
        key = await anyio.to_thread.run_sync(find_key, context.store, token) if token else None
        address = request.client.host if request.client else ""
        request.scope["state"]["client"] = f"key {key.id}" if key else f"address {network_of(address)}"
        take_rate(request)
        if key is None:
            if token is not None:
                raise ProblemError(401, "invalid or revoked API key", headers=challenge)
            if scope is Scope.READ and context.settings.open_reading:
                return
            raise ProblemError(401, "this needs a key: Authorization: Bearer …", headers=challenge)
        request.scope["state"] |= {"key_id": key.id, "key_name": key.name}
        if not allows(key, scope):
            raise ProblemError(403, f"the key {key.id} is not for this: it needs the scope {scope.value}")
        await _note_use(context, key)

    return check


READS = Depends(_needs(Scope.READ))
WRITES = Depends(_needs(Scope.WRITE))
ADMINISTERS = Depends(_needs(Scope.ADMIN))
"""Dependencies of routes, by the scope that they need."""


def _token(header: str, *, basic: bool) -> str | None:
    """Return the key in the header ``Authorization``; ``None`` without the header.

    A browser adds a password that was typed into its dialogue also to requests that other sites cause, so ``Basic``
    is accepted for reading only.
    """
    scheme, _, given = header.strip().partition(" ")
    if scheme.lower() == "bearer":
        return given.strip()
    if scheme.lower() == "basic" and basic:
        try:
            return base64.b64decode(given, validate=True).decode("utf-8").partition(":")[2]
        except (binascii.Error, ValueError):
            return ""
    return "" if header else None


def client_of(request: Request) -> str:
    """Return the client of a checked request: its key, or its address if it has none."""
    client: str = request.scope["state"]["client"]
    return client


def key_name_of(request: Request) -> str:
    """Return the name of the key of a checked request that needs one."""
    name: str = request.scope["state"]["key_name"]
    return name


def take_rate(request: Request, *, cost: float = 1, least: float = 1) -> None:
    """Charge a request, or a further cost of it, to its client (:meth:`RateLimits.take`).

    Raises:
        ProblemError: the client sent too many (429).
    """
    wait = context_of(request).rates.take(client_of(request), cost=cost, least=least)
    if wait:
        retry = {"retry-after": str(math.ceil(wait))}
        raise ProblemError(429, f"too many requests; the next is answered in {wait:.1f} seconds", headers=retry)


async def _note_use(context: Context, key: ApiKey) -> None:
    now = time.monotonic()
    if now - context.key_uses.get(key.id, -NOTED_EVERY) >= NOTED_EVERY:
        context.key_uses[key.id] = now
        try:
            await anyio.to_thread.run_sync(context.store.use_key, key.id, datetime.now(UTC))
        except UNAVAILABLE as error:  # a request that only reads is answered even if the store cannot be written
            logger.warning("the use of a key cannot be recorded: %s", error)


PROBLEM_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": description,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, description in {
        400: "The request cannot be read.",
        401: "The key is missing or not in force.",
        403: "The key lacks the scope that this route needs.",
        404: "There is no such thing.",
        408: "The request came too slowly.",
        413: "The request is too large.",
        422: "A field or parameter cannot be used; `errors` says which.",
        429: "Too many requests: see `Retry-After`.",
        500: "The service failed.",
        503: "The service is busy, starting or stopping: see `Retry-After`.",
    }.items()
}
"""The errors that any route may return."""
