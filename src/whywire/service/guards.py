"""Middleware that every request passes before a route, and every response after it.

From the outside in: headers of trusted proxies and the path prefix; then request ids, security headers, limits of
size and time, metrics and the access log; then HEAD, which the routes of GET answer.

The path prefix comes from the settings, or from a trusted proxy in ``X-Forwarded-Prefix``. As ASGI requires, it is
the request's ``root_path``, and the path begins with it, whether or not the proxy removed it.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from contextlib import suppress

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from whywire.errors import InputError
from whywire.service.client_limits import Patience
from whywire.service.context import Context
from whywire.service.problems import FAILED, MEDIA_TYPE, ProblemError, problem_body
from whywire.service.settings import Settings
from whywire.service.telemetry import logger

SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""The headers of every response. Pages have no inline scripts or styles."""

DRAIN_SECONDS, DRAIN_BYTES = 2.0, 32 * 2**20
"""For how many seconds, and up to how many bytes, a refused request is still read."""

SENT_AT_ONCE = 2**16
"""Bytes of a response passed to the server at a time: it buffers what the client has not read yet."""

MAX_ADDRESS_BYTES = 16_000
"""Bytes of a path and its query; three Russian texts of the bench need all of it."""

TOO_MUCH_UNREAD = ProblemError(503, "too many large responses are being sent", headers={"retry-after": "10"})

LOGGED_CHARS = 200
"""Characters of a path that are logged."""

BULK_PATH = "/v1/articles/bulk"

MAX_BODY, MAX_BULK = 2 * 2**20, 512 * 2**20
"""Bytes of a request body, and of a stream of articles; a proxy in front must allow as much."""

PROBES = ("/healthz", "/readyz")
"""Paths answered for any host name: a container's probe knows only an IP address, and the responses reveal
nothing."""

_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Guards:
    """Applies the limits to every request and the security headers to every response."""

    def __init__(self, app: ASGIApp, context: Context) -> None:
        self._app, self._context = app, context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send, self._context)
        metrics = self._context.metrics
        metrics.in_flight.inc()
        try:
            exchange.check_head()
            await self._app(scope, exchange.receive, exchange.send)
        except ProblemError as problem:
            await exchange.answer(problem)
        except ClientDisconnect:
            pass  # nobody is left to answer
        except Exception as error:
            logger.error("a request failed", exc_info=error, extra={"request_id": exchange.id})
            await exchange.answer(ProblemError(500, FAILED))
        finally:
            metrics.in_flight.dec()
            exchange.finish()


class _Exchange:
    """One request and its response."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, context: Context) -> None:
        self._scope, self._receive, self._send, self._context = scope, receive, send, context
        self._headers = Headers(scope=scope)
        given = self._headers.get("x-request-id", "")
        self.id = given if _SANE_ID.fullmatch(given) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = self.id
        self._longest = MAX_BULK if local_path(scope) == BULK_PATH else MAX_BODY
        self._patience, self._reader_patience = Patience(), Patience()
        self._size = 0
        self._ended = False
        self._begun = time.perf_counter()
        self._status: int | None = None
        self._start: Message | None = None  # held back until it is known whether the body can be sent
        self._large: bytes | None = None

    def check_head(self) -> None:
        """Refuse a request that is too large, holds NUL, or names a host that is not served.

        The check of the name protects against DNS rebinding: another site's name that is pointed at this machine.

        Raises:
            ProblemError: the request is refused (400, 413, 414).
        """
        allowed = self._context.settings.allowed_hosts
        wanted = _host_name(self._headers.get("host", ""))
        if allowed and wanted not in allowed and local_path(self._scope) not in PROBES:
            raise ProblemError(400, "this host name is not served here")
        if len(self._scope["raw_path"]) + len(self._scope["query_string"]) > MAX_ADDRESS_BYTES:
            raise ProblemError(414, f"an address may have at most {MAX_ADDRESS_BYTES:,} bytes")
        if "\0" in self._scope["path"] or b"%00" in self._scope["query_string"]:
            raise ProblemError(400, "an address cannot hold NUL")
        length = self._headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._longest:
            raise self._too_large()

    async def receive(self) -> Message:
        """Receive the next message of the request.

        Raises:
            ProblemError: the request is too slow (408) or too large (413).
        """
        if self._ended:
            return await self._receive()
        try:
            message = await self._patience.wait(self._receive())
        except TimeoutError:
            raise ProblemError(408, "the request came too slowly", headers={"connection": "close"}) from None
        if message["type"] == "http.request":
            self._ended = not message.get("more_body", False)
            size = len(message.get("body", b""))
            self._patience.earn(size)
            self._size += size
            if self._size > self._longest:
                raise self._too_large()
        return message

    async def send(self, message: Message) -> None:
        """Send a message of the response, with the common headers, as fast as the client reads.

        Raises:
            ClientDisconnect: the client read too slowly, so its connection was closed; or too many large responses
                are being sent, so it was sent a 503.
        """
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["x-request-id"] = self.id
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            self._start = message
            return
        body: bytes = message.get("body", b"")
        if self._start is not None:
            if len(body) > SENT_AT_ONCE:
                if not self._context.unread.enter(body):
                    await self.answer(TOO_MUCH_UNREAD)
                    raise ClientDisconnect  # the route believes that its response has begun
                self._large = body
            start, self._start = self._start, None
            self._status = start["status"]
            await self._send_to_reader(start)
        for begin in range(0, len(body) or 1, SENT_AT_ONCE):
            part = memoryview(body)[begin : begin + SENT_AT_ONCE]
            more = message.get("more_body", False) or begin + SENT_AT_ONCE < len(body)
            await self._send_to_reader({"type": "http.response.body", "body": part, "more_body": more})
            self._reader_patience.earn(len(part))

    async def _send_to_reader(self, message: Message) -> None:
        try:
            await self._reader_patience.wait(self._send(message))
        except TimeoutError:
            self._scope["state"]["connection"].abort()
            await self._send(message)  # returns once the server has noticed
            raise ClientDisconnect from None

    async def answer(self, problem: ProblemError) -> None:
        """Send an error; if a response has begun, raise it, which cuts the connection, so that the client notices."""
        if self._status is not None:
            raise problem
        body = problem_body(problem, self.id)
        headers = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), **(problem.headers or {})}
        if not self._ended:
            await self._drain()
            headers["connection"] = "close"  # the rest of the request is not read
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self.send({"type": "http.response.start", "status": problem.status_code, "headers": raw})
        await self.send({"type": "http.response.body", "body": b"" if self._scope["method"] == "HEAD" else body})

    async def _drain(self) -> None:
        """Read the rest of the request for a while: a client that is cut off while it sends may not see the error."""
        if "expect" in self._headers:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                size = 0
                while not self._ended and size < DRAIN_BYTES:
                    message = await self._receive()
                    size += len(message.get("body", b""))
                    self._ended = message["type"] != "http.request" or not message.get("more_body", False)

    def finish(self) -> None:
        """Count and log the request."""
        if self._large is not None:
            self._context.unread.leave(self._large)
        matched = self._scope.get("route")
        route = str(getattr(matched, "path_format", None) or getattr(matched, "path", "none"))
        seconds = time.perf_counter() - self._begun
        self._context.metrics.count_request(self._scope["method"], route, self._status or 0, seconds)
        client = self._scope.get("client")
        fields = {
            "request_id": self.id,
            "method": self._scope["method"],
            "path": self._scope["path"][:LOGGED_CHARS],
            "status": self._status,
            "milliseconds": round(1000 * seconds, 1),
            "client": client[0] if client else None,
            "key": self._scope["state"].get("key_id"),
        }
        logger.info("request", extra=fields)

    def _too_large(self) -> ProblemError:
        return ProblemError(
            413, f"a request may have at most {self._longest:,} bytes", headers={"connection": "close"}
        )


def _host_name(host: str) -> str:
    """Return the header ``Host`` without the port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()


class HeadRequests:
    """Answers HEAD (RFC 9110, 9.3.2) with the route of GET; a stream ends after its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_headers(message: Message) -> None:
            if message["type"] != "http.response.body":
                await send(message)
                return
            await send({"type": "http.response.body"})
            if message.get("more_body"):
                raise ClientDisconnect  # stops the route: only the headers are wanted

        asked = dict(scope, method="GET")
        try:
            await self._app(asked, receive, send_headers)
        finally:
            scope["route"] = asked.get("route")  # for the log and the metrics


LONGEST_PREFIX = 200

_PREFIX = re.compile(r"(/(?!\.+(/|$))[A-Za-z0-9._~-]+)+")
"""Segments other than ``.`` and ``..``, of characters that need no escape: the prefix is written into pages."""


class Proxies(ProxyHeadersMiddleware):
    """Applies ``X-Forwarded-For``, ``-Proto`` and ``-Prefix`` of trusted proxies, and the path prefix."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        super().__init__(app, list(settings.trusted_proxies))  # type: ignore[arg-type]
        self._root_path = checked_prefix(settings.root_path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # type: ignore[override]
        """Handle a request."""
        if scope["type"] == "http":
            prefix = self._root_path or self._forwarded_prefix(scope)
            scope["root_path"] = prefix
            if prefix and scope["path"] != prefix and not scope["path"].startswith(f"{prefix}/"):
                scope["path"] = prefix + scope["path"]
                scope["raw_path"] = prefix.encode() + scope.get("raw_path", b"")
        await super().__call__(scope, receive, send)  # type: ignore[arg-type]

    def _forwarded_prefix(self, scope: Scope) -> str:
        client = scope.get("client")
        if client is None or client[0] not in self.trusted_hosts:
            return ""
        given = Headers(scope=scope).getlist("x-forwarded-prefix")
        return _prefix(given[0]) or "" if len(given) == 1 else ""


def checked_prefix(text: str) -> str:
    """Return the path prefix of a setting, without a slash at its end; empty for none.

    Raises:
        InputError: it is not a path.
    """
    prefix = _prefix(text)
    if prefix is None:
        raise InputError("no path below which pages can be", where=text[:LONGEST_PREFIX], hint="such as /news")
    return prefix


def public_path(request: Request, path: str) -> str:
    """Return the path of a page or route with the prefix, as a browser must request it."""
    return f"{request.scope.get('root_path', '')}{path}"


def local_path(scope: Scope) -> str:
    """Return the path of a request without the prefix."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def _prefix(text: str) -> str | None:
    prefix = text.strip().rstrip("/")
    return prefix if not prefix or (len(prefix) <= LONGEST_PREFIX and _PREFIX.fullmatch(prefix)) else None
