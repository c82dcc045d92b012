"""Settings of the service, each with its default."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

STORE_FILE = "whywire.db"
"""The name of the database in the folder that is served, where no other store is given."""

PORT = 8765


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may hold, and how many requests are answered.

    Args:
        body: bytes of a request.
        bulk: bytes of a stream of articles.
        row: characters of one row of such a stream.
        items: rows of one question (read, relate, …).
        text: characters of one sentence, headline or question.
        page: items of one page of a list.
        patience: seconds that a client is waited for while it sends a request, while it reads the answer, and between
            them, if it is slower than 16 kB a second.
        requests_per_minute: of one key, or of one address without a key.
        burst: requests that may come at once.
        passes: questions to the models answered at a time, and as many to the graph; of each client one.
        waiting: questions of either kind that may wait, a quarter of them of one client; one more is refused (503).
        streams: open streams of changes, a tenth of them of one client.
    """

    body: int = 2 * 2**20
    bulk: int = 512 * 2**20
    row: int = 2 * 2**20
    items: int = 64
    text: int = 10_000
    page: int = 200
    patience: float = 30.0
    requests_per_minute: float = 3000.0
    burst: int = 600
    passes: int = 2
    waiting: int = 32
    streams: int = 200


@dataclass(frozen=True, slots=True)
class Settings:
    """How a service runs.

    Args:
        store: a path, or an address such as ``postgresql://…``.
        host: the address it listens on; by default only this machine reaches it.
        port: 0 takes a free one.
        open_reading: answer requests that read without a key; writing always needs one.
        allowed_hosts: values of the header ``Host`` that are answered; none: any.
        cors_origins: sites whose pages may call the API from a browser; none by default.
        trusted_proxies: addresses whose ``X-Forwarded-For``, ``-Proto`` and ``-Prefix`` are believed.
        root_path: the path below which a proxy publishes the service, such as ``/news``; at the root by default.
        feeds: addresses of feeds, files of OPML or lists of addresses, which are watched in the background.
        private_feeds: feeds may be on this machine and in private networks, too.
        works: read waiting articles in this process.
        stop_seconds: how long requests in flight may take once the service is asked to stop.
    """

    store: str | Path = STORE_FILE
    host: str = "127.0.0.1"
    port: int = PORT
    open_reading: bool = True
    allowed_hosts: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    root_path: str = ""
    feeds: tuple[str | Path, ...] = ()
    private_feeds: bool = False
    works: bool = True
    stop_seconds: float = 20.0
    limits: Limits = field(default_factory=Limits)
