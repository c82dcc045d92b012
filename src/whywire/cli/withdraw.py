"""``whywire withdraw``: articles out of a store, with what they claim."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from whywire.api.stores import withdraw as withdraw_articles
from whywire.cli.console import PlainConsole
from whywire.cli.progress_bars import BarProgress
from whywire.cli.update import show_update


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
    use `update --replace`.
    """
    with BarProgress() as progress:
        done = withdraw_articles(articles, store, progress=progress)
    console = PlainConsole()
    console.print(Text.assemble((f"{done.outcomes.get('withdrawn', 0):,}", "bold"), " articles withdrawn"))
    show_update(console, done)
