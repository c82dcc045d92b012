"""Politeness to hosts: one request at a time, pauses between requests, and the rules of robots.txt (RFC 9309)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Self
from urllib.parse import urlsplit

from whywire.errors import MissingExtraError
from whywire.feeds.client import AGENT, FetchError, GuardedClient
from whywire.news.web_pages import decode_document

try:
    from protego import Protego
except ImportError as error:
    raise MissingExtraError("protego", "feeds") from error

DELAY = 1.0
"""Seconds between the end of a request to a host and the next request, unless robots.txt asks for a longer delay."""

LONGEST_DELAY = 30.0
"""The longest delay in seconds that robots.txt may ask for. With it a feed of a hundred entries takes an hour."""

LONGEST_PAUSE = 300.0
"""The longest pause, in seconds, before the next request to a busy host."""

CONNECTIONS = 64
"""The most requests at a time, to all hosts together."""

LARGEST_ROBOTS = 500 * 2**10
"""The number of bytes of robots.txt that are read: the minimum in RFC 9309, section 2.5."""

ROBOTS_KEPT, ROBOTS_RETRY = 86_400.0, 3600.0
"""Seconds until robots.txt is read again, after a success and after a failure."""

_MAX_HOSTS = 10_000


class RobotsError(FetchError):
    """An address that robots.txt forbids."""


@dataclass(slots=True)
class _Host:
    """A host that gets one request at a time, and no request before ``ready`` on the monotonic clock."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ready: float = 0.0
    delay: float = DELAY


@dataclass(slots=True)
class _Robots:
    """The robots.txt of an origin.

    Args:
        rules: ``None`` if the file could not be read, which forbids everything.
        until: when to read the file again, on the monotonic clock.
        failure: why the file could not be read.
    """

    rules: Protego | None
    until: float
    failure: str = ""


class HostThrottle:
    """Decides which requests may be sent, and when.

    Args:
        client: fetches robots.txt.
        delay: seconds between two requests to one host.
    """

    def __init__(self, client: GuardedClient, *, delay: float = DELAY) -> None:
        self._client = client
        self._delay = delay
        self._connections = asyncio.Semaphore(CONNECTIONS)
        self._hosts: dict[str, _Host] = {}
        self._robots: dict[str, asyncio.Task[_Robots]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = list(self._robots.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def visit(self, url: str) -> AsyncIterator[None]:
        """Wait until a request to the host may be sent. The caller sends the request within the context."""
        host = self._host(url)
        async with host.lock:
            await asyncio.sleep(host.ready - time.monotonic())
            try:
                async with self._connections:
                    yield
            finally:
                host.ready = max(host.ready, time.monotonic() + host.delay)

    @asynccontextmanager
    async def crawl(self, url: str) -> AsyncIterator[None]:
        """Do the same as :meth:`visit`, but only if robots.txt allows the request.

        Raises:
            RobotsError: robots.txt forbids the request, or could not be read.
        """
        robots = await self._robots_of(url)
        if robots.rules is None:
            raise RobotsError(robots.failure)
        if not robots.rules.can_fetch(url, AGENT):
            raise RobotsError("the site's robots.txt forbids it")
        self._host(url).delay = max(self._delay, min(robots.rules.crawl_delay(AGENT) or 0.0, LONGEST_DELAY))
        async with self.visit(url):
            yield

    def pause(self, url: str, seconds: float) -> None:
        """Send no request to the host of a URL for ``seconds``, at most ``LONGEST_PAUSE``."""
        host = self._host(url)
        host.ready = max(host.ready, time.monotonic() + min(seconds, LONGEST_PAUSE))

    def _host(self, url: str) -> _Host:
        name = urlsplit(url).hostname or ""
        if len(self._hosts) > _MAX_HOSTS:
            now = time.monotonic()
            for idle in [key for key, host in self._hosts.items() if host.ready < now and not host.lock.locked()]:
                del self._hosts[idle]
        return self._hosts.setdefault(name, _Host(delay=self._delay))

    async def _robots_of(self, url: str) -> _Robots:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        task = self._robots.get(origin)
        if task is None or (task.done() and (task.cancelled() or task.result().until < time.monotonic())):
            if len(self._robots) > _MAX_HOSTS:
                self._robots.clear()
            task = self._robots[origin] = asyncio.create_task(self._fetch_robots(origin))
        return await asyncio.shield(task)

    async def _fetch_robots(self, origin: str) -> _Robots:
        now = time.monotonic()
        try:
            answer = await self._client.get(f"{origin}/robots.txt", largest=LARGEST_ROBOTS, visit=self.visit)
        except FetchError as error:
            return _Robots(None, now + ROBOTS_RETRY, f"robots.txt: {error}")
        if answer.status == HTTPStatus.OK:
            return _Robots(Protego.parse(decode_document(answer.content, answer.content_type)), now + ROBOTS_KEPT)
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            return _Robots(None, now + ROBOTS_RETRY, f"robots.txt: the server answers {answer.status}")
        return _Robots(Protego.parse(""), now + ROBOTS_KEPT)  # no robots.txt: everything is allowed
