"""Puts the commands together, and turns errors into a message and an exit status."""

from __future__ import annotations

import io
import sys
from importlib.metadata import version
from typing import TextIO

import typer
from rich.text import Text

from whywire.__main__ import INTERRUPTED
from whywire.cli import (
    ask_graph,
    bench,
    build,
    checklist,
    convert,
    data,
    diff,
    export,
    group,
    judge,
    merge,
    pairs,
    predict,
    rows,
    structures,
    timeline,
    train,
    why,
)
from whywire.cli.console import PlainConsole
from whywire.errors import InputError, WhywireError

FAILED, UNUSABLE = 1, 2
"""Exit statuses: failed; wrong usage or unusable input."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="""Reads news and keeps a causal graph of it, with evidence on every edge.

    Start with **whywire build news.jsonl --out graph** and open *graph/report.html*.
    """,
)
for module in (
    build,
    rows,
    judge,
    group,
    timeline,
    pairs,
    why,
    ask_graph,
    structures,
    predict,
    merge,
    diff,
    export,
    convert,
    bench,
    checklist,
    data,
    train,
):
    module.register(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"whywire {version('whywire')}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Options that come before the command."""


def main() -> None:
    """Run a command; leave with 0 done, 1 failed, 2 wrong usage or unusable input, 130 stopped by Ctrl-C."""
    _settle_encoding(sys.stdout)
    try:
        app()
    except WhywireError as error:
        _complain(str(error))
        sys.exit(UNUSABLE if isinstance(error, InputError) else FAILED)
    except OSError as error:
        _complain(str(error))
        sys.exit(FAILED)
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            _complain("stopped; nothing was left half-written")
        raise


def _complain(message: str) -> None:
    PlainConsole(stderr=True).print(Text.assemble(("error:", "bold red"), f" {message}"))


def _settle_encoding(stream: TextIO) -> None:
    """Have every character come through: rows are UTF-8, and what a terminal cannot show it shows as an escape."""
    if isinstance(stream, io.TextIOWrapper):
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8")
