"""``whywire.watch``: new articles from feeds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from whywire.errors import InputError, MissingExtraError
from whywire.news import Article, Problem

if TYPE_CHECKING:
    from whywire.feeds.states import FeedLook, FeedState, FeedStates

_PACKAGES = ("httpx2", "feedparser", "listparser", "lxml", "protego", "trafilatura")


def watch(
    feeds: str | Path | Iterable[str | Path],
    sink: Callable[[list[Article]], object],
    *,
    versions: Callable[[list[Article]], object] | None = None,
    states: Path | FeedStates | None = None,
    once: bool = False,
    text: bool = True,
    allow_private: bool = False,
    stop: threading.Event | None = None,
    on_look: Callable[[FeedLook], object] | None = None,
    on_problem: Callable[[Problem], object] | None = None,
) -> list[FeedState]:
    """Watch feeds: hand over each new article once, with the text of its page, and again if its entry changes.

    >>> whywire.watch("feeds.opml", print, states=Path("feeds.json"), once=True)

    Servers are treated politely: the more often a feed has something new, the more often it is fetched, but never
    earlier than its server asks. A host gets one request at a time, and only for what robots.txt allows. Answers are
    limited in size and time, and nothing is fetched from private networks.

    Args:
        feeds: addresses of feeds (RSS, Atom, JSON Feed, news sitemaps), OPML files, and files with one address a
            line.
        sink: called with lists of articles, which count as seen when the sink returns. An error in the sink ends the
            call.
        versions: called with lists of new versions of earlier articles, whose entries have another title, summary or
            time of update; they keep the ids of the first versions. By default *sink* gets them.
        states: keeps what was seen: a JSON file, or an object with ``load`` and ``save``. Without it, all articles of
            all feeds are new.
        once: look at the feeds that are due, then return.
        text: fetch the pages of articles; otherwise articles have the summaries of their feeds.
        allow_private: fetch also from this machine and from private networks.
        stop: return when this event is set.
        on_look: called after each look at a feed.
        on_problem: called with each line of a list that is not a feed.

    Returns:
        The states of the feeds.

    Raises:
        InputError: a file cannot be read, or there is no feed.
        MissingExtraError: the extra *feeds* is not installed.
        OutputError: the file of states cannot be written.
    """
    _check_packages()
    from whywire.feeds.states import StateFile, StatesInMemory, Subscription
    from whywire.feeds.subscriptions import read_subscriptions
    from whywire.feeds.watcher import Watcher

    urls, problems = read_subscriptions([feeds] if isinstance(feeds, str | Path) else list(feeds))
    for problem in problems:
        if on_problem:
            on_problem(problem)
    _check_feeds(urls)
    kept = StateFile(states) if isinstance(states, Path) else states or StatesInMemory()
    subscriptions = [*map(Subscription, urls)]
    watcher = Watcher(
        lambda: subscriptions,
        sink,
        kept,
        versions=versions,
        text=text,
        allow_private=allow_private,
        on_look=on_look or (lambda look: None),  # noqa: ARG005
    )
    watcher.run(once=once, stop=stop)
    return list(watcher.states.values())


def check_feeds(feeds: Sequence[str | Path]) -> None:
    """Check that these feeds can be watched, before starting a thread that cannot report errors to the user.

    Raises:
        InputError: a file cannot be read, or there is no feed.
        MissingExtraError: the extra *feeds* is not installed.
    """
    _check_packages()
    from whywire.feeds.subscriptions import read_subscriptions

    _check_feeds(read_subscriptions(feeds)[0])


def missing_package() -> str | None:
    """Return a package that watching feeds needs and that is not installed; ``None`` if all are."""
    return next((package for package in _PACKAGES if find_spec(package) is None), None)


def _check_packages() -> None:
    if package := missing_package():
        raise MissingExtraError(package, "feeds")


def _check_feeds(urls: Sequence[str]) -> None:
    if not urls:
        raise InputError("no feed to watch", hint="name the address of a feed, or an OPML file")
