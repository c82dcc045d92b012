"""The program ``whywire``: its commands, and the messages and exit statuses of errors."""

from __future__ import annotations

import gc
import inspect
import io
import sys
from collections import UserDict
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points, version
from typing import Any, Literal, TextIO

import typer
from rich.text import Text
from typer.core import TyperGroup
from typer.main import get_group

from whywire.cli.terminal import PlainConsole
from whywire.errors import INTERRUPTED, InputError, MissingExtraError, WhywireError

FAILED, UNUSABLE = 1, 2
"""Exit statuses: failed; wrong usage or unusable input."""

GARBAGE = 50_000, 20, 20
"""After how many new objects Python looks for unreachable cycles, 700 by default. Each thorough look goes through all
texts, caches and graphs: a sixth of the time of a backfill, and more the longer it runs. Commands make hardly a cycle
(docs/experiments/backfill-growth.md)."""

COMMANDS = {
    "Build a graph": {"build": "building", "merge": "building", "diff": "diff"},
    "Ask it": {
        "why": "queries",
        "effects": "queries",
        "chain": "queries",
        "timeline": "timeline",
        "predict": "predict",
    },
    "Single questions": {
        "read": "read",
        "relate": "single_questions",
        "group": "single_questions",
        "score": "score",
        "choose": "score",
    },
    "Exchange": {"export": "building"},
    "Keep a store": {
        "update": "stores",
        "backfill": "backfill",
        "withdraw": "stores",
        "doctor": "stores",
        "backup": "stores",
        "restore": "stores",
        "corrections": "corrections",
    },
    "Live news and people": {
        "watch": "watch",
        "serve": "serve",
        "work": "work",
        "keys": "serve",
        "annotate": "annotate",
    },
}
"""The commands by the panels of the help, each with its module here. The module has a function of that name, or a
`typer.Typer` for a group of commands, and is imported when the command is first asked for."""

PANELS = {panel: tuple(commands) for panel, commands in COMMANDS.items()}

LAB_PANEL, LAB_GROUP = "Lab", "whywire.commands"
"""The panel of the commands that other distributions add, and the group of their entry points: functions that take
the program and add commands to it."""

LAB = ("bench", "checklist", "convert", "data", "pairs", "structures", "train")
"""Commands of the distribution whywire-lab; if it is missing, they say how to install it."""


class _Commands(UserDict[str, Any]):
    """Commands by name; each is given as a function that loads it, which is called when the command is asked for."""

    def __getitem__(self, name: str) -> Any:
        return super().__getitem__(name)()


class _Program(TyperGroup):
    """All commands of the program, those of other distributions included."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands(_loaders())


MARKUP: Literal["markdown"] = "markdown"


def _loaders() -> dict[str, Callable[[], Any]]:
    """For each command a function that loads it."""
    adding: dict[str, Callable[[typer.Typer], None]] = {}
    for panel, commands in COMMANDS.items():
        for name, module in commands.items():
            adding[name] = partial(_add, name=name, module=module, panel=panel)
    added = entry_points(group=LAB_GROUP)
    for point in sorted(added, key=lambda point: point.name):
        adding[point.name] = partial(_add_of_lab, point=point)
    for name in sorted({*LAB} - added.names):
        adding[name] = partial(_add_missing, name=name)
    return {name: cache(partial(_alone, name, add)) for name, add in adding.items()}


def _alone(name: str, add: Callable[[typer.Typer], None]) -> Any:
    """The command of that name, made in a program that has no other."""
    program = typer.Typer(rich_markup_mode=MARKUP)
    add(program)
    return get_group(program).commands[name]


def _add(to: typer.Typer, name: str, module: str, panel: str) -> None:
    """Add a command; the example at the end of a docstring is printed at the end of the help."""
    command = getattr(import_module(f"whywire.cli.{module}"), name)
    if isinstance(command, typer.Typer):
        to.add_typer(command, name=name, rich_help_panel=panel)
        return
    text, _, example = inspect.cleandoc(command.__doc__ or "").rpartition("\n\nExample: ")
    to.command(name, help=text, epilog=f"Example: **{example}**", rich_help_panel=panel)(command)


def _add_of_lab(to: typer.Typer, point: EntryPoint) -> None:
    """Add what another distribution adds, in its own panel."""
    point.load()(to)
    for command in to.registered_commands:
        command.rich_help_panel = LAB_PANEL
    for group in to.registered_groups:
        group.rich_help_panel = LAB_PANEL


def _add_missing(to: typer.Typer, name: str) -> None:
    """Add a hidden command that says how to install it."""
    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    to.command(name, hidden=True, context_settings=settings, add_help_option=False)(_missing)


def _missing(context: typer.Context) -> None:
    """Say that the command comes with another distribution."""
    raise MissingExtraError(str(context.info_name), package="whywire-lab")


app = typer.Typer(
    cls=_Program,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=MARKUP,
    help="""Reads news and keeps a causal graph of it, with evidence on every edge.

    Start with **whywire build news.jsonl --out graph** and open *graph/report.html*.
    """,
)


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
    gc.set_threshold(*GARBAGE)
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
