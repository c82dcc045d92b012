"""Puts the commands together, and turns errors into a message and an exit status."""

from __future__ import annotations

import sys
from importlib.metadata import version

import typer
from rich.console import Console

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
from whywire.errors import InputError, WhywireError

FAILED, UNUSABLE, INTERRUPTED = 1, 2, 130
"""Exit statuses: failed; wrong usage or unusable input; stopped by Ctrl-C."""

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
    console = Console(stderr=True, highlight=False)
    console.print("[bold red]error:[/] ", end="")
    console.print(message, markup=False, soft_wrap=True)
