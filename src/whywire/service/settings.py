"""Settings of the service: what an operator chooses, each with its default."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

STORE_FILE = "whywire.db"
"""The name of the database in the folder that is served, where no other store is given."""

PORT = 8765


@dataclass(frozen=True, slots=True)
class Settings:
    """How a service runs. Limits that are the same for every service are constants beside what they limit.

    Args:
        store: a path, or an address such as ``postgresql://…``.
        host: the address it listens on; by default only this machine reaches it.
        port: 0 takes a free one.
        open_reading: answer requests that read without a key; writing always needs one.
        allowed_hosts: values of the header ``Host`` that are answered; any if empty.
        cors_origins: sites whose pages may call the API from a browser.
        trusted_proxies: addresses whose ``X-Forwarded-For``, ``-Proto`` and ``-Prefix`` are believed.
        root_path: the path below which a proxy publishes the service, such as ``/news``.
        feeds: addresses of feeds, files of OPML or lists of addresses, which are watched in the background.
        private_feeds: feeds may be on this machine and in private networks, too.
        works: read waiting articles in this process.
        requests_per_minute: of one key, or of one address without a key.
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
    requests_per_minute: float = 3000.0
