"""What stands before every route: request ids, security headers, size and time limits, metrics, the access log."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whywire.service.context import Context
from whywire.service.logs import logger
from whywire.service.patience import Patience
from whywire.service.problems import FAILED, MEDIA_TYPE, ProblemError, problem_body
from whywire.service.proxies import local_path

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
"""Sent with every answer. Pages have no script and no style of their own in the markup."""

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

PROBES = ("/healthz", "/readyz")
"""Answered whatever host is asked for: who probes a container knows its address alone, and they tell nothing."""

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
        limits = context.settings.limits
        self._longest = limits.bulk if local_path(scope) == BULK_PATH else limits.body
        self._patience, self._reader_patience = Patience(limits.patience), Patience(limits.patience)
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
        body = problem_body(problem.status_code, problem.detail, self.id, problem.errors)
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
        found = self._scope.get("route")
        route = str(getattr(found, "path_format", None) or getattr(found, "path", "none"))
        seconds = time.perf_counter() - self._begun
        self._context.metrics.count_request(self._scope["method"], route, self._status or 0, seconds)
        client = self._scope.get("client")
        logger.info(
            "request",
            extra={
                "request_id": self.id,
                "method": self._scope["method"],
                "path": self._scope["path"][:LOGGED_CHARS],
                "status": self._status,
                "milliseconds": round(1000 * seconds, 1),
                "client": client[0] if client else None,
                "key": self._scope["state"].get("key_id"),
            },
        )

    def _too_large(self) -> ProblemError:
        return ProblemError(413, f"a request may have {self._longest:,} bytes", headers={"connection": "close"})


def _host_name(host: str) -> str:
    """The header ``Host`` without the port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()
