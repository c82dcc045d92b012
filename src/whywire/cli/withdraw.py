"""``whywire withdraw``: articles out of a store, with what they claim."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer
from rich.text import Text

from whywire.api.stores import withdraw as withdraw_articles
from whywire.cli.console import PlainConsole
from whywire.cli.progress_bars import BarProgress
from whywire.cli.update import show_update
from whywire.errors import InputError


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("withdraw", epilog="Example: **whywire withdraw https://post.example/fire --store news.db**")(
        withdraw
    )


def withdraw(
    articles: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids or urls of articles.")],
    store: Annotated[str, typer.Option(metavar="STORE", help="A file of SQLite, or *postgresql://host/name*.")],
) -> None:
    """Take articles out of a store: its graph is as if they had never come.

    What only they claimed ends: claims, links, and events that nobody else reported. The history keeps what they
    were, and what ended for which reason. An article that comes again later is taken in again. To correct an article,
    use `update --replace`. If the store does not have one of them the others are withdrawn, and the status is 2.
    """
    with BarProgress() as progress:
        done = withdraw_articles(articles, store, progress=progress)
    console = PlainConsole()
    unknown = [problem for problem in done.problems if problem.place in articles]
    console.print(Text.assemble((f"{done.outcomes.get('withdrawn', 0):,}", "bold"), " articles withdrawn"))
    show_update(console, replace(done, problems=[one for one in done.problems if one not in unknown]))
    if unknown:
        names = ", ".join(problem.place for problem in unknown)
        raise InputError(f"the store has no article {names}", hint="name articles by id or url")
