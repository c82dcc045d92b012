"""``whywire update``, ``withdraw``, ``doctor``, ``backup`` and ``restore``: a graph that grows in a database."""

from __future__ import annotations

import time
from dataclasses import replace as replaced
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from whywire.api.stores import StoreUpdate, open_store
from whywire.api.stores import backup as back_up
from whywire.api.stores import doctor as examine
from whywire.api.stores import restore as bring_back
from whywire.api.stores import update as update_store
from whywire.api.stores import withdraw as withdraw_articles
from whywire.cli.options import (
    ADDRESS,
    DEFAULT_MAX_LINE,
    ENGINE,
    MAX_LINE,
    NEWS_ONLY,
    READER,
    STORE,
    STORE_OPTION,
    STRICT,
    EngineName,
    characters,
    opened_engine,
    with_second_reader,
)
from whywire.cli.summaries import show_problems, show_set_aside
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.errors import InputError

BACKUP = typer.Argument(metavar="BACKUP", help="The file of the backup.")


@with_second_reader
def update(
    store: Annotated[str, STORE_OPTION],
    news: Annotated[
        list[str] | None,
        typer.Argument(help="Files or folders of articles, as for `build`; none, to finish what waits in the store."),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace articles of the store by changed ones with the same id or url."),
    ] = False,
    news_only: NEWS_ONLY = False,
    strict: STRICT = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
    engine: ENGINE = EngineName.LOCAL,
    address: ADDRESS = None,
    reader: READER = None,
) -> None:
    """Take news into a store: its graph grows, and every change is recorded.

    Events, stories and links get new articles, merge and close; their ids stay. Articles that the store has already
    change nothing: the same news may come twice, in any order. An article that differs from the one in the store with
    its id or url is left out and listed or, with **--replace**, takes its place: what the old version claimed ends,
    its text stays in the history. An update that was stopped is finished by the next.

    A store is one file, which is made if it is missing, or a database of a server. Every command that takes a folder
    that `build` wrote takes a store: `why`, `timeline`, `export` and the others.

    Example: whywire update today.jsonl --store news.db
    """
    started = time.perf_counter()
    with opened_engine(engine, address) as models, BarProgress() as progress:
        done = update_store(
            news or [],
            store,
            replace=replace,
            news_only=news_only,
            strict=strict,
            longest_line=characters(max_line),
            models=models,
            second_reader=reader,
            progress=progress,
        )
    new, copies = done.outcomes.get("new", 0), done.outcomes.get("copy", 0)
    repeated = f"{done.outcomes.get('known', 0):,} were known, {copies:,} are copies of others"
    versions = f", {done.outcomes.get('replaced', 0):,} new versions" if replace else ""
    seconds = time.perf_counter() - started
    show_update(done, Text.assemble((f"{new:,}", "bold"), f" new articles{versions}; {repeated} ({seconds:.0f} s)"))


@with_second_reader
def withdraw(
    articles: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids or urls of articles.")],
    store: Annotated[str, STORE_OPTION],
    reader: READER = None,
) -> None:
    """Take articles out of a store: its graph is then as if they had never come.

    What only these articles support ends: claims, links, and events that nobody else reported. The history keeps all
    of it, and the reasons. An article that comes again later is taken in again. To correct an article, use
    `update --replace`. If the store does not have one of the articles, the others are withdrawn and the exit status
    is 2.

    Example: whywire withdraw https://post.example/fire --store news.db
    """
    with BarProgress() as progress:
        done = withdraw_articles(articles, store, second_reader=reader, progress=progress)
    unknown = [problem for problem in done.problems if problem.place in articles]
    done = replaced(done, problems=[problem for problem in done.problems if problem not in unknown])
    show_update(done, Text.assemble((f"{done.outcomes.get('withdrawn', 0):,}", "bold"), " articles withdrawn"))
    if unknown:
        names = ", ".join(problem.place for problem in unknown)
        raise InputError(f"the store has no article {names}", hint="name articles by id or url")


def doctor(store: STORE) -> None:
    """Check that everything in a store fits together.

    Each mention is in one event, links join events of the store, evidence stands in the articles at its offsets,
    ended events refer to others without a circle, readings can be read, no article waits that was taken in, and the
    file itself is whole. Prints what is wrong, one problem a line; the exit status is then 1. Changes nothing.
    Articles that are set aside are listed with the reason; they are no fault of the store.

    Example: whywire doctor news.db
    """
    console = PlainConsole()
    faults = examine(store)
    for fault in faults:
        console.print(Text(fault, "yellow"))
    if faults:
        raise typer.Exit(1)
    with open_store(store, create=False, read_only=True) as opened:
        for aside in opened.set_aside():
            console.print(Text(f"set aside: {aside.article.place or aside.article.id}: {aside.reason}", "yellow"))
    console.print("all is well")


def backup(store: STORE, to: Annotated[Path, BACKUP]) -> None:
    """Copy a store, as it is now, into a new file.

    Others may read and write meanwhile. The file is itself a store, of SQLite, whatever the database: `doctor` checks
    it, and any command reads it. An existing file is never replaced.

    Example: whywire backup postgresql://localhost/news monday.db
    """
    back_up(store, to)
    PlainConsole().print(Text.assemble("Written: ", (str(to), "bold")))


def restore(backup: Annotated[Path, BACKUP], store: STORE) -> None:
    """Copy a backup into a new or empty store.

    The store may be of the other kind of database: this moves a store from a file to a server, and back. The store
    has everything of the backup or, if the command is stopped, nothing.

    Example: whywire restore monday.db postgresql://localhost/news
    """
    bring_back(backup, store)
    PlainConsole().print(Text.assemble("Restored: ", (store.rsplit("@", 1)[-1], "bold")))


def show_update(done: StoreUpdate, heading: Text) -> None:
    """Print what an update changed, and what could not be used."""
    console = PlainConsole()
    console.print(heading)
    for kind, count in sorted(done.changes.items()):
        console.print(f"  {count:,} × {kind}", highlight=False)
    if done.problems:
        show_problems(console, done.problems, "the first of the reasons:")
    show_set_aside(console, done.set_aside)
