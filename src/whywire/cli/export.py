"""``whywire export``: the graph of a build in another format."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whywire.cli.narrowing import AS_OF, AT_LEAST, EVIDENCE, SOURCE, Narrowing, narrowed
from whywire.cli.row_files import STANDARD_OUTPUT, file_path, output
from whywire.errors import InputError
from whywire.graph.exports import TEXT_FORMATS, graph_csv
from whywire.graph.read_build import read_graph
from whywire.output import OutputFolder

Format = StrEnum("Format", [(name, name) for name in sorted([*TEXT_FORMATS, "csv"])])  # type: ignore[misc]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("export", epilog="Example: **whywire export graph --to turtle --out graph.ttl**")(export)


def export(
    folder: Annotated[Path, typer.Argument(help="A folder that `build` wrote.")],
    to: Annotated[Format, typer.Option("--to", help="The format.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            parser=file_path,
            metavar="FILE",
            help="Write here instead of to standard output (`-`); for `csv` a folder.",
        ),
    ] = None,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    source: SOURCE = None,
    evidence: EVIDENCE = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="For `csv` that programs read: leave cells as they are, also those that a spreadsheet would run.",
        ),
    ] = False,
) -> None:
    """Write the graph of a build for another tool.

    **cytoscape**, **graphml** and **json** (node-link) for programs that show or measure graphs; **csv** for
    spreadsheets and Gephi: a folder with *nodes.csv* and *edges.csv*; **cypher** for graph databases; **jsonld** and
    **turtle** for linked data (turtle needs the extra **rdf**); **dot** and **mermaid** for drawings.

    In **csv** a cell that a spreadsheet would take for a formula (such as `=1+1`) begins with an apostrophe, unless
    **--raw** is given.
    """
    graph = narrowed([read_graph(folder)], Narrowing(as_of, at_least, source, evidence))
    if to in TEXT_FORMATS:
        text = TEXT_FORMATS[to](graph)
        with output(out) as target:
            target.write(text)
        return
    if out is None or str(out) == STANDARD_OUTPUT:
        raise InputError("csv is two tables and goes into a folder", hint="name one: --out")
    nodes, edges = graph_csv(graph, raw=raw)
    with OutputFolder(out) as files:
        files.write("nodes.csv", nodes)
        files.write("edges.csv", edges)
