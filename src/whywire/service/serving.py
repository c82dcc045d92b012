"""Running the service: sockets, signals, and a stop that finishes requests in flight."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from math import ceil
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from whywire.api.watch import check_feeds
from whywire.errors import OutputError
from whywire.language_models import LanguageModels
from whywire.news import Article, read_news
from whywire.service import context
from whywire.service.app import create_app
from whywire.service.client_limits import TimedProtocol, open_files
from whywire.service.context import Context
from whywire.service.guards import checked_prefix
from whywire.service.settings import PORT, STORE_FILE, Settings
from whywire.store import Store

BACKLOG_SHARE, MAX_BACKLOG = 1 / 16, 128
"""Connections that may wait to be accepted: a share of the file descriptors, and an upper limit. The event loop may
accept several times as many before it closes the first one over the limit of connections."""

STOP_SHARE = 3 / 4
"""The share of the stop time that requests in flight may use; the rest is for the worker. Questions are given up
after half of the time, so that their clients still get a response."""

EXAMPLE = "example.jsonl"

OWN_HOSTS = ("127.0.0.1", "localhost", "[::1]", "::1")
"""Names of this machine."""


class Server(uvicorn.Server):
    """A server that ends open streams before it waits for requests in flight."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=settings.host,
                port=settings.port,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # the application reads them
                http=TimedProtocol,
                ws="none",
                backlog=min(MAX_BACKLOG, int(BACKLOG_SHARE * open_files())),
                timeout_graceful_shutdown=ceil(STOP_SHARE * context.STOP_SECONDS),
            )
        )
        self._context: Context = app.state.context

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new work, end the streams, then finish requests in flight and close the store."""
        self._context.stop()
        await super().shutdown(sockets)


def serve(
    store: str | Path = STORE_FILE,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    feeds: Sequence[str | Path] = (),
    example: bool = False,
    settings: Settings | None = None,
    models: LanguageModels | None = None,
    on_ready: Callable[[str], object] | None = None,
) -> None:
    """Serve a store: an API under ``/v1``, pages, and a worker that takes articles into the graph.

    Returns when SIGTERM or Ctrl-C asks it to stop, after requests in flight are answered.

    >>> whywire.serve("whywire.db", port=8765)

    Args:
        store: a path, or an address such as ``postgresql://…``; a missing file is created.
        host: the address to listen on; the default is reachable from this machine only.
        port: 0 for any free port.
        feeds: feeds to watch meanwhile: addresses, OPML files or lists of addresses.
        example: add the bundled example articles to the store.
        settings: everything else that can be set; the arguments above override its fields of the same names.
        models: loaded models; the embedded ones by default.
        on_ready: called with the URL once the service listens.

    Raises:
        InputError: the store cannot be opened, a file of feeds cannot be read, or the path prefix cannot be used.
        OutputError: the service cannot listen on the address, or the store cannot be written.
        MissingExtraError: the extra *service* (for feeds also *feeds*, for PostgreSQL *postgres*) is not installed.
    """
    wanted = replace(settings or Settings(), store=store, host=host, port=port, feeds=tuple(feeds))
    wanted = replace(wanted, root_path=checked_prefix(wanted.root_path))
    if host in OWN_HOSTS and not wanted.allowed_hosts:
        wanted = replace(wanted, allowed_hosts=OWN_HOSTS)
    if feeds:
        check_feeds(feeds)
    with Store.open(wanted.store) as opened:
        if example:
            packaged = Path(__file__).with_name(EXAMPLE)
            checkout = Path(__file__).parents[3] / "examples" / "news.jsonl"
            rows = read_news(packaged if packaged.exists() else checkout)
            opened.accept(article for article in rows if isinstance(article, Article))
    socket_ = listen(wanted)
    with closing(socket_):
        if on_ready:
            on_ready(url_of(socket_) + wanted.root_path)
        app = create_app(wanted, models=models)
        with _quiet_signals():
            run_server(Server(app, wanted), socket_)


def listen(settings: Settings) -> socket.socket:
    """Open the listening socket.

    Raises:
        OutputError: the address is in use, or does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sets TCP_NODELAY only if named
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        opened.close()
        where = f"{settings.host}:{settings.port}"
        raise OutputError(f"cannot listen: {error}", where=where, hint="name another with --port") from error
    return opened


def url_of(opened: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = opened.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def run_server(server: Server, opened: socket.socket) -> None:
    """Serve on an open socket until the server is told to stop."""
    asyncio.run(server.serve(sockets=[opened]))


@contextmanager
def _quiet_signals() -> Iterator[None]:
    """Ignore the stop signal that uvicorn raises again after it has shut down: it would end the process."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
