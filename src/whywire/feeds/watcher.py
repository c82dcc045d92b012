"""Watches feeds: asks for those that are due, reads what is new, hands it over, and remembers what was seen."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from whywire.errors import WhywireError
from whywire.feeds.articles import to_article
from whywire.feeds.client import SECONDS, GuardedClient
from whywire.feeds.fetcher import FeedFetcher
from whywire.feeds.host_throttle import DELAY, HostThrottle
from whywire.feeds.parsing import read_feed
from whywire.feeds.schedule import Decision, Document, Found, decide, partly_done
from whywire.feeds.states import FeedLook, FeedState, FeedStates, Seen, shown_url
from whywire.isolation import Isolated
from whywire.news import Article, Problem
from whywire.news.web_pages import read_page

Sink = Callable[[list[Article]], object]
"""Takes articles; they are durable when it returns. Its calls come one at a time, from any thread."""

LOOKS = 100
"""Feeds that are looked at at a time. Most of them wait for the turn of their hosts."""

BATCH = 20
"""Articles handed over together: at the usual pace some twenty seconds of work, which a stop may lose."""

READERS = 2
"""Processes that read documents, of feeds and of pages each."""

_TICK = 0.5
"""Seconds between two looks at the clock, and at whether to stop."""


class Watcher:
    """Watches feeds until it is stopped.

    Args:
        urls: the feeds.
        sink: takes new articles.
        states: keep what was seen.
        versions: takes new versions of articles that were handed over before, with the same ids; *sink* by default.
        text: read the pages of entries; without it an article has the text that its feed gives.
        allow_private: let loopback and private networks be reached.
        on_look: called after each look.
        delay: seconds between two requests to one host.
        seconds: the most that a request may take.
    """

    def __init__(
        self,
        urls: Sequence[str],
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
        saved = {state.url: state for state in states.load()}
        self.states = {url: saved.get(url) or FeedState(url, address=url) for url in urls}
        self._sink, self._versions, self._kept = sink, versions or sink, states
        self._text, self._allow_private, self._on_look = text, allow_private, on_look
        self._delay, self._seconds = delay, seconds
        self._delivered = {url: _tokens(state) for url, state in saved.items()}
        self._claimed: set[str] = set()

    def run(self, *, once: bool = False, stop: threading.Event | None = None) -> None:
        """Watch.

        Args:
            once: look at each feed that is due, then return.
            stop: watch until it is set. Looks under way are given up; what they handed over is remembered.

        Raises:
            Exception: whatever the sink raises; its articles are handed over again the next time.
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
        begun = False
        try:
            while not stop.is_set():
                now = datetime.now(UTC)
                if not (once and begun):
                    due = [url for url, state in self.states.items() if url not in looks and state.is_due(now)]
                    looks |= {url: asyncio.create_task(self._look(url)) for url in due}
                    begun = True
                if once and not looks:
                    return
                if looks:
                    await asyncio.wait(looks.values(), timeout=_TICK, return_when=asyncio.FIRST_COMPLETED)
                else:
                    await asyncio.sleep(_TICK)
                for url in [url for url, task in looks.items() if task.done()]:
                    looks.pop(url).result()
        finally:
            for task in looks.values():
                task.cancel()
            await asyncio.gather(*looks.values(), return_exceptions=True)

    async def _look(self, url: str) -> None:
        """Look at a feed: ask, decide, hand over, remember."""
        async with self._looks:
            before = self.states[url]
            answer = await self._fetcher.ask(before)
            now = datetime.now(UTC)
            decision = decide(before, answer, now, random.random())  # noqa: S311
            notes = answer.content.notes if isinstance(answer, Document) else ()
            problems = [Problem(shown_url(before.address), note, kept=True) for note in notes]
            handed_over, articles = await self._hand_over(before, decision, now, problems)
            is_done = all(self._is_delivered(found) for found in decision.entries)
            after = decision.state if is_done else partly_done(before, decision, handed_over, now)
            await _to_the_end(self._deliver([], after))
            self._on_look(FeedLook(self.states[url], articles, tuple(problems)))

    async def _hand_over(
        self, before: FeedState, decision: Decision, now: datetime, problems: list[Problem]
    ) -> tuple[list[Seen], int]:
        """Hand over the new and changed entries that no other feed has handed over, or is about to.

        Returns:
            What is to be remembered of them, newest first, and how many articles they made.
        """
        entries = [
            found
            for found in decision.entries
            if not self._is_delivered(found) and found.seen.key not in self._claimed
        ]
        claimed = {found.seen.key for found in entries}
        self._claimed |= claimed
        handed_over: list[Seen] = []
        count = 0
        try:
            for start in range(0, len(entries), BATCH):
                batch = entries[start : start + BATCH]
                made = await asyncio.gather(*(self._article(before.url, found, now) for found in batch))
                problems.extend(problem for _, notes in made for problem in notes)
                articles = [
                    (found.is_version, article) for found, (article, _) in zip(batch, made, strict=True) if article
                ]
                handed_over[:0] = [found.seen for found in reversed(batch)]
                state = partly_done(before, decision, handed_over, None)
                await _to_the_end(self._deliver(articles, state))
                count += len(articles)
        finally:
            self._claimed -= claimed
        return handed_over, count

    def _is_delivered(self, found: Found) -> bool:
        token = _token(found.seen) if found.is_version else found.seen.key
        return any(token in tokens for tokens in self._delivered.values())

    async def _deliver(self, articles: Sequence[tuple[bool, Article]], state: FeedState) -> None:
        """Hand over a batch of new articles and versions, then remember the state that follows."""
        async with self._sinking:
            for sink, is_version in ((self._sink, False), (self._versions, True)):
                if part := [article for of_version, article in articles if of_version is is_version]:
                    await asyncio.to_thread(sink, part)
            self._delivered[state.url] = _tokens(state)
            self.states[state.url] = state
            await asyncio.to_thread(self._kept.save, state)

    async def _article(self, feed: str, found: Found, now: datetime) -> tuple[Article | None, list[Problem]]:
        """The article of an entry, and what was wrong with it; ``None`` where it has neither headline nor text."""
        entry = found.entry
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
            article, notes = to_article(entry, found.seen.key, page, feed, now)
        except WhywireError as error:
            return None, [*problems, Problem(place, error.message, row={"link": entry.link, "guid": entry.guid})]
        return article, [*problems, *(Problem(place, note, kept=True) for note in notes)]


async def _to_the_end(work: Coroutine[object, object, None]) -> None:
    """Wait for work that a stop does not interrupt."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


def _tokens(state: FeedState) -> set[str]:
    """What names the entries, and the versions of entries, that were handed over of a feed."""
    return {token for seen in state.seen for token in (seen.key, _token(seen))}


def _token(seen: Seen) -> str:
    return f"{seen.key} {seen.version}"
