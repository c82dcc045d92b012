"""``whywire data statistics``: what a corpus holds, in the numbers of its paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from whywire.cli.options import file_path
from whywire.cli.terminal import PlainConsole
from whywire.errors import InputError
from whywire.output import OutputFolder, open_output
from whywire_lab.statistics import STATISTICS
from whywire_lab.statistics.tables import cell, draw


def show_statistics(
    corpus: Annotated[str, typer.Argument(help=f"One of {', '.join(STATISTICS)}.")],
    data: Annotated[Path, typer.Option(help="The folder of corpora, or that of this one.")] = Path("data"),
    out: Annotated[
        Path | None, typer.Option("--out", "-o", parser=file_path, metavar="FILE", help="Write the tables as JSON.")
    ] = None,
    figures: Annotated[Path | None, typer.Option(help="Draw the distributions into this folder, as .svg.")] = None,
) -> None:
    """Describe a corpus in the numbers that its paper prints.

    What is counted is what is in the folder: a part that is not published, or not there, is missing. Where a number
    was published and is known here, it stands beside ours, with its source. Lengths are in words between spaces.
    """
    if corpus not in STATISTICS:
        raise InputError(f"there are no statistics of {corpus!r}", hint=f"known are {', '.join(STATISTICS)}")
    folder = data / corpus if (data / corpus).is_dir() else data
    tables = STATISTICS[corpus](folder)
    if out:
        with open_output(out) as target:
            target.write(
                json.dumps(
                    {"corpus": corpus, "tables": [table.as_json() for table in tables]}, ensure_ascii=False, indent=2
                )
                + "\n"
            )
    if figures:
        with OutputFolder(figures) as drawn:
            for table in tables:
                if table.distribution:
                    drawn.write(f"{table.name}.svg", draw(table))
    console = PlainConsole(soft_wrap=False)
    for table in tables:
        shown = Table(*table.columns, title=table.title, box=None, title_justify="left", pad_edge=False)
        for column in shown.columns[1:]:
            column.justify = "right"
        for row in table.rows:
            shown.add_row(*map(cell, row))
        console.print(shown)
        for note in table.notes:
            console.print(note)
        console.print()
