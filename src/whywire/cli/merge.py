"""``whywire merge``: builds in, one build out."""

from __future__ import annotations

import time
from functools import reduce
from pathlib import Path
from typing import Annotated

import typer

from whywire.cli.build import HEADING, TITLE, summarise
from whywire.cli.row_files import FOLDER
from whywire.graph.merging import merge as merge_graphs
from whywire.graph.read_build import read_graph
from whywire.graph.write_build import write_merged


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("merge", epilog="Example: **whywire merge monday tuesday --out week**")(merge)


def merge(
    folders: Annotated[list[Path], typer.Argument(help="Folders that `build` or `merge` wrote.")],
    out: FOLDER,
    title: TITLE = HEADING,
) -> None:
    """Merge the graphs of builds into one, in a folder like that of a build.

    Events that share an article become one, links between the same events one link with the evidence of all. No model
    reads anything, so what one build tells and another does not stays apart: build all the news at once to link it.
    A link stays open unless one of the builds closed it, or denied its source or target.

    Writes the files that `build` writes, into a folder that may be one of those merged; *rejected.jsonl* is those of
    the builds together.
    """
    started = time.perf_counter()
    graph = reduce(merge_graphs, map(read_graph, folders))
    write_merged(graph, out, title=title, parts=folders)
    summarise(graph, out, [], time.perf_counter() - started)
