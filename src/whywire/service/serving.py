"""Running the service: sockets, signals, and a stop that finishes what was begun."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from whywire.errors import OutputError
from whywire.service.context import Context
from whywire.service.settings import Settings

BACKLOG = 512


class Server(uvicorn.Server):
    """A server that ends open streams before it waits for requests in flight."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        proxies = list(settings.trusted_proxies)
        super().__init__(
            uvicorn.Config(
                app,
                host=settings.host,
                port=settings.port,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(proxies),
                forwarded_allow_ips=proxies,
                ws="none",
                backlog=BACKLOG,
                timeout_graceful_shutdown=round(settings.stop_seconds),
            )
        )
        self._context: Context = app.state.context

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say that no more is taken, end the streams, finish the rest, close the store."""
        self._context.stop()
        await super().shutdown(sockets)


def listen(settings: Settings) -> socket.socket:
    """Open the socket.

    Raises:
        OutputError: the address is taken, or is none of this machine.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        opened.close()
        where = f"{settings.host}:{settings.port}"
        raise OutputError(f"cannot listen: {error}", where=where, hint="name another with --port") from error
    return opened


def url_of(opened: socket.socket) -> str:
    """The address of an open socket, for a browser."""
    host, port = opened.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def run(app: FastAPI, opened: socket.socket) -> None:
    """Serve until a signal asks to stop; return when all is done."""
    with _quiet_signals():
        run_server(Server(app, app.state.context.settings), opened)


def run_server(server: Server, opened: socket.socket) -> None:
    """Serve on an open socket until the server is told to stop."""
    asyncio.run(server.serve(sockets=[opened]))


@contextmanager
def _quiet_signals() -> Iterator[None]:
    """A signal that stopped the server, which raises it again at its end, does not end the process as well."""
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
