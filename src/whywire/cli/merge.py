"""``whywire merge``: builds in, one build out."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from whywire.api.graphs import merge as merge_graphs
from whywire.cli.options import OUT_FOLDER, TITLE
from whywire.cli.summary import show_summary
from whywire.pipeline import TITLE as DEFAULT_TITLE


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("merge", epilog="Example: **whywire merge monday tuesday --out week**")(merge)


def merge(
    folders: Annotated[list[str], typer.Argument(help="Folders that `build` or `merge` wrote, or stores.")],
    out: OUT_FOLDER,
    title: TITLE = DEFAULT_TITLE,
) -> None:
    """Merge the graphs of builds into one, in a folder like that of a build.

    Events that share an article become one, links between the same events one link with the evidence of all. No model
    reads anything, so events of different builds get no new links: build all the news at once to link it. A link
    stays open unless one of the builds closed it, or denied its source or target.

    Writes the files that `build` writes, into a folder that may be one of those merged; *rejected.jsonl* is those of
    the builds together.
    """
    started = time.perf_counter()
    graph = merge_graphs(*folders, out=out, title=title)
    show_summary(graph, out, [], time.perf_counter() - started)
