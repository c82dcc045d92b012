"""What stands before the service: proxies whose word is believed, and the path below which they publish it.

A path prefix comes from the settings, or from a trusted proxy in ``X-Forwarded-Prefix``. As ASGI wants it, it is the
``root_path`` of a request, and its path begins with it, whether the proxy took it off or not.
"""

from __future__ import annotations

import re

from fastapi import Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from whywire.errors import InputError
from whywire.service.settings import Settings

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
            if prefix:
                _set_prefix(scope, prefix)
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
    found = _prefix(text)
    if found is None:
        raise InputError("no path below which pages can be", where=text[:LONGEST_PREFIX], hint="such as /news")
    return found


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


def _set_prefix(scope: Scope, prefix: str) -> None:
    scope["root_path"] = prefix
    if scope["path"] != prefix and not scope["path"].startswith(f"{prefix}/"):
        scope["path"] = prefix + scope["path"]
        scope["raw_path"] = prefix.encode() + scope.get("raw_path", b"")
