"""Fetches and parses feeds and pages. Every result, also a failure, becomes an answer for `schedule.decide`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from http import HTTPStatus
from typing import Any

from whywire.errors import WhywireError
from whywire.feeds.client import FetchError, GuardedClient, Response
from whywire.feeds.documents import DocumentKind, Entry, FeedDocument
from whywire.feeds.host_throttle import HostThrottle
from whywire.feeds.parsing import LARGEST_FEED
from whywire.feeds.schedule import Answer, Document, Failure, Unchanged
from whywire.feeds.states import FeedState
from whywire.news.web_pages import LARGEST_PAGE

MAX_SITEMAPS = 20
"""The number of sitemaps of an index that are read at each look: the newest."""

BUSY_PAUSE = 30.0
"""Seconds to wait before a busy server is asked again, if the server does not say how long to wait."""

_BUSY = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,12})")
_LONGEST_VALIDATOR = 1000
"""The most characters of an ETag or a time of change; longer values are not stored."""

Read = Callable[..., Any]
"""A parser that runs in another process (`whywire.isolation.Isolated`)."""


class FeedFetcher:
    """Fetches and parses feeds and pages.

    Args:
        read_feed: `whywire.feeds.parsing.read_feed`, isolated.
        read_page: `whywire.news.web_pages.read_page`, isolated.
        threads: the threads that call the two parsers.
    """

    def __init__(
        self, client: GuardedClient, hosts: HostThrottle, read_feed: Read, read_page: Read, threads: Executor
    ) -> None:
        self._client, self._hosts = client, hosts
        self._read_feed, self._read_page, self._threads = read_feed, read_page, threads

    async def ask(self, state: FeedState) -> Answer:
        """Fetch a feed, or the feed that a page names, or the sitemaps that an index names."""
        conditions = {"If-None-Match": state.etag, "If-Modified-Since": state.modified}
        try:
            response = await self._get(state.address, LARGEST_FEED, {k: v for k, v in conditions.items() if v})
            if answer := _without_content(response):
                return answer
            document = await self._parsed(response)
            match document.kind:
                case DocumentKind.PAGE:
                    return await self._ask_named(document.addresses[0])
                case DocumentKind.INDEX:
                    gathered = _document(response, await self._gathered(document))
                    return replace(gathered, etag="", modified="")  # sitemaps change while their index stays the same
            return _document(response, document)
        except WhywireError as error:
            return Failure(str(error))
        except Exception as error:  # nothing that a server does may end the watch
            return Failure(f"cannot be asked for: {type(error).__name__}: {str(error)[:200]}")

    async def page(self, url: str) -> dict[str, str]:
        """Read the page of an entry; ask a second time if the server is busy.

        Raises:
            WhywireError: the page cannot be fetched or read.
        """
        response = await self._get(url, LARGEST_PAGE)
        if response.status in _BUSY:
            response = await self._get(url, LARGEST_PAGE)
        if response.status != HTTPStatus.OK:
            raise FetchError(_status(response))
        page: dict[str, str] = await self._run(self._read_page, response)
        return page

    async def _ask_named(self, address: str) -> Answer:
        """Fetch the feed that a page names; the address of the feed replaces the address of the page."""
        response = await self._get(address, LARGEST_FEED)
        if answer := _without_content(response):
            return answer if isinstance(answer, Failure) else Failure("a feed that is not given when asked for first")
        document = await self._parsed(response)
        if document.kind is not DocumentKind.FEED:
            return Failure("a web page that names something else as its feed")
        return replace(_document(response, document), moved_to=response.moved_to or address)

    async def _gathered(self, index: FeedDocument) -> FeedDocument:
        """Return the entries of all sitemaps of an index that can be read."""
        entries: list[Entry] = []
        notes = list(index.notes)
        for address in index.addresses[:MAX_SITEMAPS]:
            try:
                response = await self._get(address, LARGEST_FEED)
                if response.status != HTTPStatus.OK:
                    raise FetchError(_status(response))
                entries.extend((await self._parsed(response)).entries)
            except WhywireError as error:
                notes.append(f"the sitemap {address}: {error}")
        if notes and not entries:
            raise FetchError(f"none of its sitemaps can be read; {notes[-1]}")
        return FeedDocument(DocumentKind.FEED, entries=tuple(entries), notes=tuple(notes))

    async def _get(self, url: str, largest: int, headers: dict[str, str] | None = None) -> Response:
        response = await self._client.get(url, largest=largest, headers=headers, visit=self._hosts.crawl)
        if response.status in _BUSY:
            pause = _retry_after(response)
            self._hosts.pause(response.url, BUSY_PAUSE if pause is None else pause)
        return response

    async def _parsed(self, response: Response) -> FeedDocument:
        return FeedDocument.from_json(await self._run(self._read_feed, response))

    async def _run(self, read: Read, response: Response) -> Any:
        call = partial(read, response.content, content_type=response.content_type, url=response.url)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


def _document(response: Response, content: FeedDocument) -> Document:
    return Document(
        content,
        etag=_validator(response, "etag"),
        modified=_validator(response, "last-modified"),
        pause=_max_age(response),
        moved_to=response.moved_to,
    )


def _without_content(response: Response) -> Unchanged | Failure | None:
    """Return the answer for a status other than 200; ``None`` for 200."""
    match response.status:
        case HTTPStatus.OK:
            return None
        case HTTPStatus.NOT_MODIFIED:
            return Unchanged(_max_age(response))
        case HTTPStatus.GONE:
            return Failure("gone for good, says its server", gone=True)
    return Failure(_status(response), pause=_retry_after(response) or 0.0)


def _status(response: Response) -> str:
    try:
        phrase = f" {HTTPStatus(response.status).phrase}"
    except ValueError:
        phrase = ""
    return f"the server answers {response.status}{phrase}"


def _validator(response: Response, name: str) -> str:
    value = response.headers.get(name, "")
    return value if value.isascii() and value.isprintable() and len(value) <= _LONGEST_VALIDATOR else ""


def _max_age(response: Response) -> float:
    """Return the seconds for which a response stays fresh (RFC 9111, 5.2.2.1); 0 if the server does not say."""
    age = _MAX_AGE.search(response.headers.get("cache-control", "").lower())
    return float(age[1]) if age else 0.0


def _retry_after(response: Response) -> float | None:
    """Return the seconds of a header ``Retry-After``, which holds a number or a time (RFC 9110, 10.2.3)."""
    asked = response.headers.get("retry-after", "").strip()
    try:
        if asked.isdecimal():
            return min(float(asked), 1e9)
        time = parsedate_to_datetime(asked)
    except (ValueError, OverflowError):
        return None
    return max(0.0, ((time if time.tzinfo else time.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds())
