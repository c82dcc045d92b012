"""``whywire watch``: writing new articles of feeds as rows."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from whywire.api.stores import open_store
from whywire.api.watch import watch as watch_feeds
from whywire.cli.options import STANDARD_OUTPUT, STORE_OPTION, file_path
from whywire.cli.summaries import MAX_SHOWN
from whywire.cli.terminal import PlainConsole
from whywire.errors import WhywireError
from whywire.feeds.states import shown_url
from whywire.news import Article

if TYPE_CHECKING:
    from whywire.feeds.states import FeedLook, FeedStates


def watch(
    feeds: Annotated[
        list[str],
        typer.Argument(help="Addresses of feeds, OPML files, and text files with one address a line."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            parser=file_path,
            metavar="FILE",
            help="Append to this file instead of writing to standard output.",
        ),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            "--state",
            parser=file_path,
            metavar="FILE",
            help="Remember what was seen in this file; without it every article is new at each start.",
        ),
    ] = None,
    store: Annotated[str | None, STORE_OPTION] = None,
    once: Annotated[bool, typer.Option("--once", help="Look at the feeds that are due, then stop.")] = False,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Fetch no pages: articles have the summaries of their feeds.")
    ] = False,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Fetch also from this machine and from private networks.")
    ] = False,
) -> None:
    """Watch feeds, and write each new article as a row with the text of its page, and again if its entry changes.

    Reads **RSS, Atom, JSON Feed** and **news sitemaps**; given the page of a site, it reads the feed that the page
    names. Servers are treated politely: the more often a feed has something new, the more often it is fetched, but
    never earlier than its server asks. A host gets one request at a time, and only for what robots.txt allows. Runs
    until Ctrl-C or SIGTERM stops it; with **--state**, it remembers what it wrote. **--store** replaces **--out**
    and **--state**: the articles wait in a store until `serve` or `update` takes them into the graph. A new version
    of an article replaces the old one.

    Example: whywire watch feeds.opml --state feeds.json --out news.jsonl
    """
    if store is not None and (out is not None or state is not None):
        raise typer.BadParameter("--store takes the place of --out and --state")
    console = PlainConsole(stderr=True)
    stop = threading.Event()
    with _stopped_by_sigterm(stop), _destination(out, state, store, console) as (sink, versions, kept):
        states = watch_feeds(
            feeds,
            sink,
            versions=versions,
            states=kept,
            once=once,
            text=not no_text,
            allow_private=allow_private,
            stop=stop,
            on_look=lambda look: _show(console, look),
            on_problem=lambda problem: console.print(f"not watched: {problem}"),
        )
    failing = sum(bool(feed.last_error) for feed in states)
    console.print(f"{len(states)} feeds, {failing} of them could not be read the last time")
    if once and failing == len(states):
        raise WhywireError("no feed could be read", hint="the reasons are above")


Sink = Callable[[list[Article]], object]


@contextmanager
def _destination(
    out: Path | None, state: Path | None, store: str | None, console: PlainConsole
) -> Iterator[tuple[Sink, Sink, Path | FeedStates | None]]:
    """Yield a sink for new articles, a sink for new versions, and where the states of the feeds are kept."""
    if store is not None:
        with open_store(store) as opened:

            def accept(articles: list[Article], *, replace: bool = False) -> None:
                for accepted in opened.accept(articles, replace=replace):
                    if accepted.reason:
                        console.print(f"  {accepted.article_id}: {accepted.reason}")

            yield accept, partial(accept, replace=True), opened.feed_states
        return
    from whywire.feeds.articles import ArticleLines, article_lines

    def write(articles: list[Article], *, new_version: bool = False) -> None:
        sys.stdout.write(article_lines(articles, new_version=new_version))
        sys.stdout.flush()

    lines = write if out is None or str(out) == STANDARD_OUTPUT else ArticleLines(out)
    yield lines, partial(lines, new_version=True), state


@contextmanager
def _stopped_by_sigterm(stop: threading.Event) -> Iterator[None]:
    """Let SIGTERM stop the watch in good order; only the main thread can handle signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _show(console: PlainConsole, look: FeedLook) -> None:
    """Print the result of a look at a feed."""
    state = look.state
    articles = f"{look.articles:,} new article{'' if look.articles == 1 else 's'}"
    parts: list[str | tuple[str, str]] = [f"{datetime.now(UTC):%H:%M:%S} {shown_url(state.url)}: "]
    parts.append((state.last_error, "yellow") if state.last_error else articles)
    if state.ended:
        parts.append("; it is not asked for again")
    elif state.next_fetch:
        parts.append(f"; next look at {state.next_fetch:%Y-%m-%d %H:%M} UTC")
    console.print(Text.assemble(*parts))
    for problem in look.problems[:MAX_SHOWN]:
        console.print(f"  {problem}")
    if len(look.problems) > MAX_SHOWN:
        console.print(f"  and {len(look.problems) - MAX_SHOWN:,} more like these")
