"""What every request passes before a route, and every answer after it.

From the outside in: trusted proxies, and the path below which they publish the service; request ids, security
headers, limits of size and time, metrics, the access log; HEAD, which is answered by the routes of GET.

A path prefix comes from the settings, or from a trusted proxy in ``X-Forwarded-Prefix``. As ASGI wants it, it is the
``root_path`` of a request, and its path begins with it, whether the proxy took it off or not.
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
"""Sent with every answer. Pages have no script and no style in the markup."""

DRAIN_SECONDS, DRAIN_BYTES = 2.0, 32 * 2**20
"""How long, and how much, of a request that is refused is still read."""

SENT_AT_ONCE = 2**16
"""Bytes of an answer that are handed on together: the server holds what was handed on and not read."""

MAX_ADDRESS_BYTES = 16_000
"""Of a path and its query; three texts of the bench in Russian need all of it."""

TOO_MUCH_UNREAD = ProblemError(503, "too many large answers are being read", headers={"retry-after": "10"})

LOGGED_CHARS = 200
"""Of a path."""

BULK_PATH = "/v1/articles/bulk"

MAX_BODY, MAX_BULK = 2 * 2**20, 512 * 2**20
"""Bytes of a request, and of a stream of articles: a proxy in front must let as much through."""

PROBES = ("/healthz", "/readyz")
"""Answered whatever host is asked for: a probe of a container knows its address alone, and they tell nothing."""

_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Guards:
    """The outermost layer: every request and every answer passes it."""

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
            pass  # nobody is there to be answered
        except Exception as error:
            logger.error("a request failed", exc_info=error, extra={"request_id": exchange.id})
            await exchange.answer(ProblemError(500, FAILED))
        finally:
            metrics.in_flight.dec()
            exchange.finish()


class _Exchange:
    """One request and its answer."""

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
        """Refuse requests that are too large or that no database can look up.

        And those for another host: from a page elsewhere whose name was pointed at this machine.
        """
        allowed = self._context.settings.allowed_hosts
        wanted = _host_name(self._headers.get("host", ""))
        if allowed and wanted not in allowed and local_path(self._scope) not in PROBES:
            raise ProblemError(400, "this host name is not served here")
        if len(self._scope["raw_path"]) + len(self._scope["query_string"]) > MAX_ADDRESS_BYTES:
            raise ProblemError(414, f"an address may have {MAX_ADDRESS_BYTES:,} bytes")
        if "\0" in self._scope["path"] or b"%00" in self._scope["query_string"]:
            raise ProblemError(400, "an address cannot hold NUL")
        length = self._headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._longest:
            raise self._too_large()

    async def receive(self) -> Message:
        """Read on in the request, within its limits of size and time."""
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
        """Send on, with the headers that every answer has, as fast as the client reads.

        Raises:
            ClientDisconnect: it read too slowly, and its connection is closed; or too much is being read already, and
                it was told so (503).
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
                    raise ClientDisconnect  # what made the answer thinks that it has begun
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
            await self._send(message)  # returns once the server knows
            raise ClientDisconnect from None

    async def answer(self, problem: ProblemError) -> None:
        """Send an error; where an answer has begun its connection is cut, so that nobody takes it for whole."""
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
        """Read on for a while: a client that is cut off while it sends may never see why."""
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
        return ProblemError(413, f"a request may have {self._longest:,} bytes", headers={"connection": "close"})


def _host_name(host: str) -> str:
    """The header ``Host`` without the port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()


class HeadRequests:
    """Answers HEAD (RFC 9110, 9.3.2) by the route of GET; a stream is ended after its headers."""

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
                raise ClientDisconnect  # the headers are sent, and the rest is not wanted

        asked = dict(scope, method="GET")
        try:
            await self._app(asked, receive, send_headers)
        finally:
            scope["route"] = asked.get("route")  # for the log and the metrics


LONGEST_PREFIX = 200

_PREFIX = re.compile(r"(/(?!\.+(/|$))[A-Za-z0-9._~-]+)+")
"""Segments of characters that need no escape anywhere, none of them ``.`` or ``..``: it is written into pages."""


class Proxies(ProxyHeadersMiddleware):
    """Believes ``X-Forwarded-For``, ``-Proto`` and ``-Prefix`` of trusted proxies alone."""

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
    """The path prefix in a setting, without a slash at its end; empty for none.

    Raises:
        InputError: it is no path.
    """
    prefix = _prefix(text)
    if prefix is None:
        raise InputError("no path below which pages can be", where=text[:LONGEST_PREFIX], hint="such as /news")
    return prefix


def public_path(request: Request, path: str) -> str:
    """The path of a page or route as a browser must ask for it."""
    return f"{request.scope.get('root_path', '')}{path}"


def local_path(scope: Scope) -> str:
    """The path of a request without the prefix."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def _prefix(text: str) -> str | None:
    prefix = text.strip().rstrip("/")
    return prefix if not prefix or (len(prefix) <= LONGEST_PREFIX and _PREFIX.fullmatch(prefix)) else None
