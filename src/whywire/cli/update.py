"""``whywire update``: news in, and the graph of a store grows."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.text import Text

from whywire.api.stores import StoreUpdate
from whywire.api.stores import update as update_store
from whywire.cli.console import PlainConsole
from whywire.cli.options import DEFAULT_MAX_LINE, MAX_LINE, STRICT, characters
from whywire.cli.progress_bars import BarProgress
from whywire.cli.summary import show_problems


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("update", epilog="Example: **whywire update today.jsonl --store news.db**")(update)


def update(
    store: Annotated[
        str,
        typer.Option(
            metavar="STORE",
            help="The path of a file of SQLite, made where it is missing, or *postgresql://host/name* (extra "
            "**postgres**).",
        ),
    ],
    news: Annotated[
        list[str] | None,
        typer.Argument(help="Files or folders of articles, as for `build`; none, to finish what waits in the store."),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Let changed articles take the place of those in the store with their ids or urls."
        ),
    ] = False,
    news_only: Annotated[
        bool, typer.Option("--news-only", help="Leave out horoscopes, listings, offers and the like.")
    ] = False,
    strict: STRICT = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
) -> None:
    """Take news into a store: its graph grows, and what changes is recorded.

    Events, stories and links get new articles, merge and close; their ids stay. Articles that the store has already
    change nothing: the same news may come twice, in any order. One that differs from the article in the store with
    its id or url is left out and listed or, with *--replace*, takes its place: what the old version claimed ends, its
    text stays in the history. An update that was stopped is finished by the next.

    A store is one file, unless it is a database of a server. `build --store` makes one, too. Every command that takes
    a folder that `build` wrote takes a store: `why`, `timeline`, `export` and the others.
    """
    started = time.perf_counter()
    with BarProgress() as progress:
        done = update_store(
            news or [],
            store,
            replace=replace,
            news_only=news_only,
            strict=strict,
            longest_line=characters(max_line),
            progress=progress,
        )
    console = PlainConsole()
    new, copies = done.outcomes.get("new", 0), done.outcomes.get("copy", 0)
    known = f"{done.outcomes.get('known', 0):,} were known, {copies:,} are copies of others"
    versions = f", {done.outcomes.get('replaced', 0):,} new versions" if replace else ""
    seconds = time.perf_counter() - started
    console.print(Text.assemble((f"{new:,}", "bold"), f" new articles{versions}; {known} ({seconds:.0f} s)"))
    show_update(console, done)


def show_update(console: PlainConsole, done: StoreUpdate) -> None:
    """Show what an update changed, and what it could not use."""
    for kind, count in sorted(done.changes.items()):
        console.print(f"  {count:,} × {kind}", highlight=False)
    if done.problems:
        show_problems(console, done.problems, "the first of the reasons:")
    if done.set_aside:
        console.print(Text(f"{len(done.set_aside):,} articles are set aside, for they fail:", "yellow"))
        for problem in done.set_aside[:5]:
            console.print(f"  {problem}")
