"""Options and arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import LONGEST_LINE

STANDARD_OUTPUT = STANDARD_INPUT

CHARACTERS_PER_MB = 10**6
DEFAULT_MAX_LINE = LONGEST_LINE / CHARACTERS_PER_MB


def file_path(value: str) -> Path:
    """The path of a file to write; `-` is standard output."""
    if not value:
        raise typer.BadParameter("the name is empty; name a file, or - for standard output")
    return Path(value)


def folder_path(value: str) -> Path:
    """The path of a folder to write."""
    if value in ("", STANDARD_OUTPUT):
        raise typer.BadParameter(f"{value!r} is no folder; name one, such as out (or . for the current one)")
    return Path(value)


def characters(megabytes: float) -> int:
    """The characters in so many millions."""
    return round(megabytes * CHARACTERS_PER_MB)


FILE = Annotated[str, typer.Argument(help="A file of JSON lines, or `-` for standard input.")]
OUT = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", parser=file_path, metavar="FILE", help="Write here instead of to standard output (`-`)."
    ),
]
_FOLDER = typer.Option(
    "--out", "-o", parser=folder_path, metavar="FOLDER", help="The folder to write, made where it is missing."
)
OUT_FOLDER = Annotated[Path, _FOLDER]
OUT_FOLDER_OR_NONE = Annotated[Path | None, _FOLDER]
BUILT = Annotated[str, typer.Argument(help="A folder that `build` wrote, or a store.")]
STORE = Annotated[
    str,
    typer.Argument(
        metavar="STORE",
        help="The path of a file of SQLite, such as *news.db*, or *postgresql://host/name* (extra **postgres**).",
    ),
]
TITLE = Annotated[str, typer.Option(help="The heading of the page.")]
MAX_LINE = Annotated[
    float,
    typer.Option(
        "--max-line",
        min=0.001,
        metavar="MB",
        help="The longest line taken, in millions of characters; a longer one is no row.",
    ),
]
STRICT = Annotated[bool, typer.Option("--strict", help="Stop at the first row that cannot be used.")]
JSON = Annotated[bool, typer.Option("--json", help="Write JSON lines, an answer each, for programs.")]
LIMIT = Annotated[int, typer.Option(min=1, help="The most answers given.")]
