"""HEAD (RFC 9110, 9.3.2): what GET answers, without the body."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class _EnoughError(Exception):
    """The headers are sent, and the rest of the answer is not wanted."""


class HeadRequests:
    """Answers HEAD by the route of GET; an answer that goes on, such as a stream, is ended after its headers."""

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
                raise _EnoughError

        asked = dict(scope, method="GET")
        try:
            await self._app(asked, receive, send_headers)
        except _EnoughError:
            pass
        finally:
            scope["route"] = asked.get("route")  # for the log and the metrics
