"""Settings of the service, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from whywire.second_opinions.adviser import Adviser

STORE_FILE = "whywire.db"
"""The default store: a database file in the working folder."""

PORT = 8765


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator chooses. Fixed limits are constants next to the code they limit.

    Args:
        store: a path, or an address such as ``postgresql://…``.
        host: the address to listen on; the default is reachable from this machine only.
        port: 0 for any free port.
        open_reading: allow reading without a key; writing always needs one.
        allowed_hosts: accepted values of the header ``Host``; any if empty.
        cors_origins: sites whose pages may call the API from a browser.
        trusted_proxies: addresses whose ``X-Forwarded-For``, ``-Proto`` and ``-Prefix`` are believed.
        root_path: the path below which a proxy publishes the service, such as ``/news``.
        feeds: feeds to watch in the background, besides those of the store: addresses, OPML files or lists of
            addresses.
        private_feeds: allow feeds on this machine and in private networks.
        private_webhooks: allow webhooks on this machine and in private networks.
        works: process queued articles in this process, and watch the feeds of the store if no other process does.
        requests_per_minute: limit for each key, or each address without a key.
        second_reader: a chat model that the worker asks about what is uncertain (:func:`whywire.second_reader`).
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
    private_webhooks: bool = False
    works: bool = True
    requests_per_minute: float = 3000.0
    second_reader: Adviser | None = None
