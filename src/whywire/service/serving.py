"""Running the service: sockets, signals, and a stop that finishes what was begun."""

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
"""Connections that may wait to be taken, as a share of the file descriptors, and at most: a few times as many are
taken before the first that is too many is closed."""

STOP_SHARE = 3 / 4
"""The part of the time of a stop that is for requests in flight; the rest is for the worker. Questions are left after
half of the time, so that they can still be answered."""

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
        """Say that no more is taken, end the streams, finish the rest, close the store."""
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
        store: a path, or an address such as ``postgresql://…``; a file that is missing is made.
        host: the address it listens on. By default only this machine reaches it.
        port: 0 takes a free one.
        feeds: addresses of feeds, files of OPML or lists of addresses, which are watched meanwhile.
        example: put the bundled example into the store.
        settings: limits, hosts, sites and proxies; the arguments before it take the place of what it says of them.
        models: loaded models; the embedded ones by default.
        on_ready: called with the address once it listens.

    Raises:
        InputError: the store cannot be opened, a file of feeds cannot be read, or the path prefix cannot be used.
        OutputError: the address cannot be listened on, or the store cannot be written.
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
            opened.accept(article for article in read_news(_example_file()) if isinstance(article, Article))
    socket_ = listen(wanted)
    with closing(socket_):
        if on_ready:
            on_ready(url_of(socket_) + wanted.root_path)
        app = create_app(wanted, models=models)
        with _quiet_signals():
            run_server(Server(app, wanted), socket_)


def _example_file() -> Path:
    """The bundled example: in the package, or beside it where it is run from a checkout."""
    packaged = Path(__file__).with_name(EXAMPLE)
    return packaged if packaged.exists() else Path(__file__).parents[3] / "examples" / "news.jsonl"


def listen(settings: Settings) -> socket.socket:
    """Open the socket.

    Raises:
        OutputError: the address is taken, or does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    opened = socket.socket(
        family, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # unnamed, the protocol would delay answers
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


def run_server(server: Server, opened: socket.socket) -> None:
    """Serve on an open socket until the server is told to stop."""
    asyncio.run(server.serve(sockets=[opened]))


@contextmanager
def _quiet_signals() -> Iterator[None]:
    """Keep a signal that stops the server, which raises it again at its end, from ending the process as well."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
