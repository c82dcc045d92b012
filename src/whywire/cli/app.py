"""The program ``whywire``: all commands in their panels; errors become a message and an exit status."""

from __future__ import annotations

import io
import sys
from importlib.metadata import entry_points, version
from typing import TextIO

import typer
from rich.text import Text

from whywire.cli import (
    build,
    chain,
    diff,
    effects,
    export,
    group,
    keys,
    merge,
    predict,
    read,
    relate,
    score,
    serve,
    store_care,
    timeline,
    update,
    watch,
    why,
    withdraw,
)
from whywire.cli.console import PlainConsole
from whywire.errors import INTERRUPTED, InputError, MissingExtraError, WhywireError

FAILED, UNUSABLE = 1, 2
"""Exit statuses: failed; wrong usage or unusable input."""

PANELS = {
    "Build a graph": ("build", "merge", "diff"),
    "Ask it": ("why", "effects", "chain", "timeline", "predict"),
    "Single questions": ("read", "relate", "group", "score", "choose"),
    "Exchange": ("export",),
    "Keep a store": ("update", "withdraw", "doctor", "backup", "restore"),
    "Live news": ("watch", "serve", "keys"),
}
"""The commands by purpose, as the help lists them."""

LAB_PANEL, LAB_GROUP = "Lab", "whywire.commands"
"""The panel of the commands that other distributions add, and the group of entry points by which they do: each is a
function that takes the program and adds its commands.
"""

LAB = ("bench", "checklist", "convert", "data", "pairs", "structures", "train")
"""Commands of the distribution whywire-lab, which say what to install where it is not there."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="""Reads news and keeps a causal graph of it, with evidence on every edge.

    Start with **whywire build news.jsonl --out graph** and open *graph/report.html*.
    """,
)


def _register() -> None:
    """Add all commands, in the order of the panels."""
    graphs, queries = (build, merge, diff), (why, effects, chain, timeline, predict)
    questions, exchange = (read, relate, group, score), (export,)
    stores, live = (update, withdraw, store_care), (watch, serve, keys)
    for module in (*graphs, *queries, *questions, *exchange, *stores, *live):
        module.register(app)
    added = entry_points(group=LAB_GROUP)
    for point in sorted(added, key=lambda one: one.name):
        point.load()(app)
    for name in sorted({*LAB} - added.names):
        settings = {"ignore_unknown_options": True, "allow_extra_args": True}
        app.command(name, hidden=True, context_settings=settings, add_help_option=False)(_missing)
    panel_of = {name: panel for panel, names in PANELS.items() for name in names}
    for command in app.registered_commands:
        command.rich_help_panel = panel_of.get(command.name or "", LAB_PANEL)
    for several in app.registered_groups:
        several.rich_help_panel = panel_of.get(several.name or "", LAB_PANEL)


def _missing(context: typer.Context) -> None:
    """Say that the command comes with another distribution."""
    raise MissingExtraError(str(context.info_name), package="whywire-lab")


_register()


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
    except MemoryError:
        _complain("memory ran out (give the command less at a time, or more memory)")
        sys.exit(FAILED)
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            _complain("stopped; nothing was left half-written")
        raise


def _complain(message: str) -> None:
    PlainConsole(stderr=True).print(Text.assemble(("error:", "bold red"), f" {message}"))


def _settle_encoding(stream: TextIO) -> None:
    """Write rows as UTF-8; on a terminal, characters it cannot show are written as escapes."""
    if isinstance(stream, io.TextIOWrapper):
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8")
