"""``whywire data``: lists the published corpora and downloads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.errors import InputError
from whywire_lab.corpora.catalogue import CORPORA, Corpus
from whywire_lab.corpora.download import get

FOLDER = Path("data")
"""The default folder of corpora."""

BY_HAND = "by hand"


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    commands = typer.Typer(
        invoke_without_command=True,
        rich_markup_mode="markdown",
        help="List the published corpora that Whywire reads, and get them. Without a command they are listed.",
        callback=_list_by_default,
    )
    commands.command("list", epilog="Example: **whywire data list --data data**")(list_corpora)
    commands.command("get", epilog="Example: **whywire data get hlgd headline_cause --to data**")(get_corpora)
    app.add_typer(commands, name="data", epilog="Example: **whywire data list**")


def _list_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_corpora()


def list_corpora(
    data: Annotated[Path, typer.Option(help="The folder of corpora to look through.")] = FOLDER,
) -> None:
    """List the corpora: what each is, its licence, and whether it is in a folder."""
    console = PlainConsole(soft_wrap=False)
    table = Table("name", "what", "licence", f"in {data}", box=None)
    for corpus in CORPORA.values():
        table.add_row(corpus.name, corpus.what, corpus.licence, _present(corpus, data))
    console.print(table)
    for corpus in CORPORA.values():
        if corpus.note:
            console.print(f"\n{corpus.name}: {corpus.note}\n{corpus.page}", soft_wrap=True)


def get_corpora(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Corpora, as `whywire data list` names them.")],
    to: Annotated[Path, typer.Option(help="The folder of corpora; each gets its own folder in it.")] = FOLDER,
    force: Annotated[bool, typer.Option("--force", help="Fetch again what is there already.")] = False,
) -> None:
    """Get corpora from where their authors published them.

    Files that are there already stay. Each corpus comes under its own licence: see `whywire data list`.
    """
    for name in names:
        if name not in CORPORA:
            raise InputError(f"there is no corpus {name!r}", hint=f"known are {', '.join(CORPORA)}")
    for corpus in (CORPORA[name] for name in dict.fromkeys(names)):
        with BarProgress() as progress:
            written = get(corpus, to, force=force, progress=progress.start)
        done = f"{len(written)} of {len(corpus.files)} files fetched" if written else "is there already"
        typer.echo(f"{corpus.name}: {done} ({to / corpus.folder}); {corpus.licence}; {corpus.paper}")


def _present(corpus: Corpus, data: Path) -> str:
    files, missing = len(corpus.files), len(corpus.missing(data))
    if not files:
        return BY_HAND
    if not missing:
        return "yes"
    return "no" if missing == files else f"{files - missing} of {files} files"
