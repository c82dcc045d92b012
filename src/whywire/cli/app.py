"""The program ``whywire``: its commands, and the messages and exit statuses of errors."""

from __future__ import annotations

import inspect
import io
import sys
from importlib.metadata import entry_points, version
from typing import TextIO

import typer
from rich.text import Text

from whywire.cli.annotate import annotate
from whywire.cli.backfill import backfill
from whywire.cli.building import build, export, merge
from whywire.cli.corrections import corrections
from whywire.cli.diff import diff
from whywire.cli.predict import predict
from whywire.cli.queries import chain, effects, why
from whywire.cli.score import choose, score
from whywire.cli.serve import keys, serve
from whywire.cli.single_questions import group, read, relate
from whywire.cli.stores import backup, doctor, restore, update, withdraw
from whywire.cli.terminal import PlainConsole
from whywire.cli.timeline import timeline
from whywire.cli.watch import watch
from whywire.cli.work import work
from whywire.errors import INTERRUPTED, InputError, MissingExtraError, WhywireError

FAILED, UNUSABLE = 1, 2
"""Exit statuses: failed; wrong usage or unusable input."""

COMMANDS = {
    "Build a graph": (build, merge, diff),
    "Ask it": (why, effects, chain, timeline, predict),
    "Single questions": (read, relate, group, score, choose),
    "Exchange": (export,),
    "Keep a store": (update, backfill, withdraw, doctor, backup, restore, corrections),
    "Live news and people": (watch, serve, work, keys, annotate),
}
"""The commands by the panels of the help; a group of commands is a `typer.Typer`."""

PANELS = {
    panel: tuple(
        str(command.info.name) if isinstance(command, typer.Typer) else command.__name__ for command in commands
    )
    for panel, commands in COMMANDS.items()
}

LAB_PANEL, LAB_GROUP = "Lab", "whywire.commands"
"""The panel of the commands that other distributions add, and the group of their entry points: functions that take
the program and add commands to it."""

LAB = ("bench", "checklist", "convert", "data", "pairs", "structures", "train")
"""Commands of the distribution whywire-lab; if it is missing, they say how to install it."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="""Reads news and keeps a causal graph of it, with evidence on every edge.

    Start with **whywire build news.jsonl --out graph** and open *graph/report.html*.
    """,
)


def _register() -> None:
    """Add all commands to the program; the example at the end of a docstring is printed at the end of the help."""
    for panel, commands in COMMANDS.items():
        for function in commands:
            if isinstance(function, typer.Typer):
                app.add_typer(function, name=function.info.name, rich_help_panel=panel)
                continue
            text, _, example = inspect.cleandoc(function.__doc__ or "").rpartition("\n\nExample: ")
            add = app.command(function.__name__, help=text, epilog=f"Example: **{example}**", rich_help_panel=panel)
            add(function)
    added = entry_points(group=LAB_GROUP)
    for point in sorted(added, key=lambda point: point.name):
        point.load()(app)
    for name in sorted({*LAB} - added.names):
        settings = {"ignore_unknown_options": True, "allow_extra_args": True}
        app.command(name, hidden=True, context_settings=settings, add_help_option=False)(_missing)
    product = {name for names in PANELS.values() for name in names}
    for command in app.registered_commands:
        if command.name not in product:
            command.rich_help_panel = LAB_PANEL
    for group_of_commands in app.registered_groups:
        if group_of_commands.name not in product:
            group_of_commands.rich_help_panel = LAB_PANEL


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
    """Run a command; the exit status is 0 done, 1 failed, 2 wrong usage or unusable input, 130 stopped by Ctrl-C."""
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
