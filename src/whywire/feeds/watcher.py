"""Watches feeds: fetches the feeds that are due, hands over new articles, and remembers which entries were seen."""

from __future__ import annotations

import asyncio
import math
import random
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

from whywire.errors import WhywireError
from whywire.feeds.articles import to_article
from whywire.feeds.client import SECONDS, GuardedClient
from whywire.feeds.fetcher import FeedFetcher
from whywire.feeds.host_throttle import DELAY, HostThrottle
from whywire.feeds.parsing import read_feed
from whywire.feeds.schedule import Decision, Document, RecognizedEntry, decide, partly_done
from whywire.feeds.states import FeedLook, FeedState, FeedStates, Seen, Subscription, shown_url
from whywire.isolation import Isolated
from whywire.news import Article, Problem
from whywire.news.web_pages import read_page

Sink = Callable[[list[Article]], object]
"""Takes articles, which are durable when the call returns. Any thread may call a sink, but only one thread at a
time."""

LOOKS = 100
"""The most looks at a time; most looks wait for a request to their host."""

BATCH = 20
"""The most articles that are handed over together: usually about twenty seconds of work, which is lost if the watcher
is stopped."""

READERS = 2
"""The number of parser processes for feeds, and also the number for pages."""

_TICK = 0.5
"""Seconds between two checks whether to stop."""

_REFRESH = 1.0
"""Seconds between two checks which feeds are to be watched and which of them are due."""


class Watcher:
    """Watches feeds until it is stopped.

    Args:
        subscriptions: returns the feeds that are to be watched now; called again and again, by one thread at a time.
        sink: takes new articles.
        states: stores the states of feeds.
        versions: takes new versions of articles, with the ids of the old ones; *sink* by default.
        text: read the pages of entries; otherwise an article has only the text in its feed.
        allow_private: also connect to loopback and private networks.
        on_look: called after each look.
        delay: seconds between two requests to one host.
        seconds: the longest time of a request.
    """

    def __init__(
        self,
        subscriptions: Callable[[], Iterable[Subscription]],
        sink: Sink,
        states: FeedStates,
        *,
        versions: Sink | None = None,
        text: bool = True,
        allow_private: bool = False,
        on_look: Callable[[FeedLook], object] = lambda look: None,  # noqa: ARG005
        delay: float = DELAY,
        seconds: float = SECONDS,
    ) -> None:
        self.states: dict[str, FeedState] = {}
        self._subscriptions = subscriptions
        self._wanted: dict[str, Subscription] = {}
        self._sink, self._versions, self._kept = sink, versions or sink, states
        self._text, self._allow_private, self._on_look = text, allow_private, on_look
        self._delay, self._seconds = delay, seconds
        self._delivered: dict[str, set[str]] = {}
        self._claimed: set[str] = set()

    def run(self, *, once: bool = False, stop: threading.Event | None = None) -> None:
        """Watch the feeds.

        Args:
            once: look once at each feed that is due, then return.
            stop: watch until this event is set. Running looks are given up; the entries that they handed over are
                remembered.

        Raises:
            Exception: an exception of the sink. The articles that it was given will be handed over again.
        """
        asyncio.run(self._run(once, stop or threading.Event()))

    async def _run(self, once: bool, stop: threading.Event) -> None:
        with (
            ThreadPoolExecutor(2 * READERS) as threads,
            Isolated(read_feed, processes=READERS) as feeds,
            Isolated(read_page, processes=READERS) as pages,
        ):
            async with (
                GuardedClient(allow_private=self._allow_private, seconds=self._seconds) as client,
                HostThrottle(client, delay=self._delay) as hosts,
            ):
                self._fetcher = FeedFetcher(client, hosts, feeds, pages, threads)
                self._looks = asyncio.Semaphore(LOOKS)
                self._sinking = asyncio.Lock()
                await self._watch(once, stop)

    async def _watch(self, once: bool, stop: threading.Event) -> None:
        looks: dict[str, asyncio.Task[None]] = {}
        refresh_at = -math.inf
        try:
            while not stop.is_set():
                if time.monotonic() >= refresh_at:
                    wanted = await self._refresh()
                    for url in looks.keys() - wanted.keys():
                        looks[url].cancel()
                    now = datetime.now(UTC)
                    due = [
                        url for url, one in wanted.items() if url not in looks and one.is_due(self.states[url], now)
                    ]
                    looks |= {url: asyncio.create_task(self._look(wanted[url])) for url in due}
                    refresh_at = math.inf if once else time.monotonic() + _REFRESH
                if once and not looks:
                    return
                if looks:
                    await asyncio.wait(looks.values(), timeout=_TICK, return_when=asyncio.FIRST_COMPLETED)
                else:
                    await asyncio.sleep(_TICK)
                for url in [url for url, task in looks.items() if task.done()]:
                    if not (task := looks.pop(url)).cancelled():
                        task.result()
        finally:
            for task in looks.values():
                task.cancel()
            await asyncio.gather(*looks.values(), return_exceptions=True)

    async def _refresh(self) -> dict[str, Subscription]:
        """Return the subscriptions by url; load the states of feeds that were not watched before."""
        wanted = {one.url: one for one in await asyncio.to_thread(self._subscriptions)}
        async with self._sinking:
            states = self.states
            if wanted.keys() - states.keys():
                states = {state.url: state for state in await asyncio.to_thread(self._kept.load)} | states
                self._delivered = {url: _tokens(state) for url, state in states.items()}
            self.states = {url: states.get(url) or FeedState(url, address=url) for url in wanted}
        return wanted

    async def _look(self, subscription: Subscription) -> None:
        async with self._looks:
            before = self.states[subscription.url]
            answer = await self._fetcher.ask(before)
            now = datetime.now(UTC)
            decision = decide(before, answer, now, random.random(), every=subscription.interval)  # noqa: S311
            notes = answer.content.notes if isinstance(answer, Document) else ()
            problems = [Problem(shown_url(before.address), note, kept=True) for note in notes]
            handed_over, articles = await self._hand_over(before, decision, now, problems)
            is_done = all(map(self._is_delivered, decision.entries))
            after = decision.state if is_done else partly_done(before, decision, handed_over, now)
            after = replace(after, articles=before.articles + articles)
            await _to_the_end(self._deliver([], after))
            self._on_look(FeedLook(after, articles, tuple(problems)))

    async def _hand_over(
        self, before: FeedState, decision: Decision, now: datetime, problems: list[Problem]
    ) -> tuple[list[Seen], int]:
        """Hand over entries, except those that another feed has handed over or is handing over.

        Returns:
            What to remember of the entries, newest first, and the number of articles made from them.
        """
        entries = [
            entry
            for entry in decision.entries
            if not self._is_delivered(entry) and entry.seen.key not in self._claimed
        ]
        claimed = {entry.seen.key for entry in entries}
        self._claimed |= claimed
        handed_over: list[Seen] = []
        count = 0
        try:
            for start in range(0, len(entries), BATCH):
                batch = entries[start : start + BATCH]
                made = await asyncio.gather(*(self._article(before.url, entry, now) for entry in batch))
                problems.extend(problem for _, notes in made for problem in notes)
                articles = [
                    (entry.is_version, article) for entry, (article, _) in zip(batch, made, strict=True) if article
                ]
                handed_over[:0] = [entry.seen for entry in reversed(batch)]
                count += len(articles)
                state = replace(partly_done(before, decision, handed_over, None), articles=before.articles + count)
                await _to_the_end(self._deliver(articles, state))
        finally:
            self._claimed -= claimed
        return handed_over, count

    def _is_delivered(self, entry: RecognizedEntry) -> bool:
        token = _token(entry.seen) if entry.is_version else entry.seen.key
        return any(token in tokens for tokens in self._delivered.values())

    async def _deliver(self, articles: Sequence[tuple[bool, Article]], state: FeedState) -> None:
        """Hand over a batch of new articles and new versions, then store the state."""
        async with self._sinking:
            for sink, is_version in ((self._sink, False), (self._versions, True)):
                if part := [article for of_version, article in articles if of_version is is_version]:
                    await asyncio.to_thread(sink, part)
            self._delivered[state.url] = _tokens(state)
            self.states[state.url] = state
            await asyncio.to_thread(self._kept.save, state)

    async def _article(
        self, feed: str, recognized: RecognizedEntry, now: datetime
    ) -> tuple[Article | None, list[Problem]]:
        """Return an entry's article and its problems; the article is ``None`` if headline and text are missing."""
        entry = recognized.entry
        place = entry.link or shown_url(feed)
        problems: list[Problem] = []
        page: dict[str, str] | None = None
        if self._text and entry.link:
            try:
                page = await self._fetcher.page(entry.link)
            except Exception as error:  # nothing that a server does may end the watch
                reason = (
                    str(error) if isinstance(error, WhywireError) else f"{type(error).__name__}: {str(error)[:200]}"
                )
                problems.append(Problem(place, f"only headline and summary: {reason}", kept=True))
        try:
            article, notes = to_article(entry, recognized.seen.key, page, feed, now)
        except WhywireError as error:
            return None, [*problems, Problem(place, error.message, row={"link": entry.link, "guid": entry.guid})]
        return article, [*problems, *(Problem(place, note, kept=True) for note in notes)]


async def _to_the_end(work: Coroutine[object, object, None]) -> None:
    """Finish some work even if this task is cancelled before the work ends."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


def _tokens(state: FeedState) -> set[str]:
    """Return tokens of all entries, and of all versions, that a feed has handed over."""
    return {token for seen in state.seen for token in (seen.key, _token(seen))}


def _token(seen: Seen) -> str:
    return f"{seen.key} {seen.version}"
