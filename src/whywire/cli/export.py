"""``whywire export``: the graph of a build in another format."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whywire.api.graphs import EXPORT_FORMATS, open_built, open_graph
from whywire.api.graphs import export as export_graph
from whywire.cli.graph_options import AS_OF, AT_LEAST, EVIDENCE, SOURCE
from whywire.cli.options import BUILT, STANDARD_OUTPUT, file_path

Format = StrEnum("Format", [(name, name) for name in EXPORT_FORMATS])  # type: ignore[misc]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("export", epilog="Example: **whywire export graph --to turtle --out graph.ttl**")(export)


def export(
    built: BUILT,
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
            help="For `csv` that programs read: leave cells as they are, also those that a spreadsheet would run, "
            "and write no byte order mark.",
        ),
    ] = False,
) -> None:
    """Write the graph of a build for another tool.

    **cytoscape**, **graphml** and **json** (node-link) for programs that show or measure graphs; **csv** for
    spreadsheets and Gephi: a folder with *nodes.csv* and *edges.csv*; **cypher** for graph databases; **jsonld** and
    **turtle** for linked data (turtle needs the extra **rdf**); **dot** and **mermaid** for drawings.

    In **csv** a cell that a spreadsheet would take for a formula (such as `=1+1`) begins with an apostrophe, and a
    file with a byte order mark, by which Excel knows its letters, unless **--raw** is given.
    """
    graph = open_graph(open_built(built), as_of=as_of, at_least=at_least, outlet=source, evidence=evidence or ())
    to_file = None if out is None or str(out) == STANDARD_OUTPUT else out
    text = export_graph(graph, to, to_file, raw=raw)
    if text is not None:
        typer.echo(text, nl=False)
