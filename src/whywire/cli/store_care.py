"""``whywire doctor``, ``backup`` and ``restore``: a store is checked, copied, and brought back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from whywire.api.stores import backup as back_up
from whywire.api.stores import doctor as examine
from whywire.api.stores import open_store
from whywire.api.stores import restore as bring_back
from whywire.cli.console import PlainConsole
from whywire.cli.options import STORE

BACKUP = typer.Argument(metavar="BACKUP", help="The file of the backup.")


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("doctor", epilog="Example: **whywire doctor news.db**")(doctor)
    app.command("backup", epilog="Example: **whywire backup postgresql://localhost/news monday.db**")(backup)
    app.command("restore", epilog="Example: **whywire restore monday.db postgresql://localhost/news**")(restore)


def doctor(store: STORE) -> None:
    """Check that everything in a store fits together.

    Each mention is in one event, links join events that are there, evidence stands in the articles at its offsets,
    ended events lead to others without a circle, readings can be read, nothing waits that was taken in, and the file
    itself is whole. Prints what is wrong, a line each; the exit status is then 1. Changes nothing. Articles that are
    set aside are named with the reason, and are nothing wrong with the store.
    """
    console = PlainConsole()
    wrong = examine(store)
    for one in wrong:
        console.print(Text(one, "yellow"))
    if wrong:
        raise typer.Exit(1)
    with open_store(store, create=False, read_only=True) as opened:
        for aside in opened.set_aside():
            console.print(Text(f"set aside: {aside.article.place or aside.article.id}: {aside.reason}", "yellow"))
    console.print("all is well")


def backup(store: STORE, to: Annotated[Path, BACKUP]) -> None:
    """Copy a store, as it is now, into a new file.

    Others may read and write meanwhile. The file is a store of SQLite itself, whatever the database: `doctor` checks
    it, and any command reads it. A file that is there is never replaced.
    """
    back_up(store, to)
    PlainConsole().print(Text.assemble("Written: ", (str(to), "bold")))


def restore(backup: Annotated[Path, BACKUP], store: STORE) -> None:
    """Copy a backup into a new or empty store.

    The store may be of the other kind of database: so a store moves from a file to a server, and back. It holds
    everything of the backup or, where the command is stopped, nothing.
    """
    bring_back(backup, store)
    PlainConsole().print(Text.assemble("Restored: ", (store.rsplit("@", 1)[-1], "bold")))
