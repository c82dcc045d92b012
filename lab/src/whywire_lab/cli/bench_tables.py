"""The tables of ``whywire bench``, as wide as the terminal: what is wider goes on in another table below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from whywire.cli.terminal import PlainConsole
from whywire_lab.tasks.run import Result, System

DASH = "–"

WIDEST_NAME = 38
"""Characters of a line's name before it is folded, so that at least four scores stand beside it in 80 columns."""

GAP = 2
"""Spaces between two columns."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: its name and a cell for each column."""

    name: str
    cells: Sequence[str]
    dim: bool = False


def show(result: Result) -> None:
    """Print the scores of a result, those of kinds of rows, and why published ones cannot be compared with them."""
    console = PlainConsole(soft_wrap=False)
    rows = f", {result.split}: {result.rows:,} rows of {result.files[0].name}"
    console.print(Text.assemble((result.task, "bold"), rows))
    reasons = list(dict.fromkeys(filter(None, (row.incomparable(result.split) for row in result.published))))
    if result.systems:
        names = list(dict.fromkeys(name for system in result.systems for name in system.scores))
        lines = [
            Line(
                f"{row.system} ({row.source})" + (f" [{reasons.index(reason) + 1}]" if reason else ""),
                [_score(row.scores.get(name)) for name in names],
                dim=True,
            )
            for row in result.published
            for reason in [row.incomparable(result.split)]
        ]
        lines += [Line(system.name, [_cell(system, name) for name in names]) for system in result.systems]
        _print(console, "system", names, lines)
    kinds = list(dict.fromkeys(name for system in result.systems for name in system.kinds))
    if kinds:
        lines = [Line(kind, [_score(system.kinds.get(kind)) for system in result.systems]) for kind in kinds]
        _print(console, f"by kind of {result.kinds_of}", [system.name for system in result.systems], lines)
    for number, reason in enumerate(reasons, 1):
        console.print(f"[{number}] cannot be compared with ours: {reason}.")
    for note in result.notes:
        console.print(f"{note}.")


def _print(console: PlainConsole, heading: str, columns: Sequence[str], lines: Sequence[Line]) -> None:
    widths = [
        max(len(part) for part in (*column.split(), *(line.cells[place] for line in lines)))
        for place, column in enumerate(columns)
    ]
    name = min(WIDEST_NAME, max(len(heading), *(len(line.name) for line in lines)))
    for block in _blocks(widths, console.width - name):
        table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
        table.add_column(heading, width=name, overflow="fold")
        for place in block:
            table.add_column(columns[place], width=widths[place], justify="right")
        for line in lines:
            cells = [line.cells[place] for place in block]
            if set(cells) != {DASH}:
                table.add_row(line.name, *cells, style="dim" if line.dim else "")
        console.print(table)
        console.print()


def _blocks(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The numbers of columns that fit beside each other, at least one at a time."""
    block: list[int] = []
    left = room
    for place, width in enumerate(widths):
        if block and left < width + GAP:
            yield block
            block, left = [], room
        block.append(place)
        left -= width + GAP
    if block:
        yield block


def _cell(system: System, name: str) -> str:
    value = _score(system.scores.get(name))
    return f"{value}±{_score(system.deviations[name])}" if name in system.deviations else value


def _score(value: float | None) -> str:
    """In per cent."""
    return DASH if value is None else f"{100 * value:.1f}"
