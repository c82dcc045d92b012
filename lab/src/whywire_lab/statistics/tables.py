"""Tables of numbers that describe a corpus, beside those that were published of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whywire_lab.figures import panels, picture

Cell = str | int | float | None
"""A name, a count, a mean or a share, or nothing known."""

DASH = "–"


@dataclass(frozen=True, slots=True)
class StatisticsTable:
    """A table of a paper, counted anew.

    Args:
        name: as a file is called.
        title: what it shows, and the paper's number of the table or figure where there is one.
        distribution: whether it is a figure: its first two columns are drawn as bars.
        notes: where published numbers are from, and how ours are counted.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    distribution: bool = False

    def as_json(self) -> dict[str, Any]:
        """The table as JSON, with unrounded numbers."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"name": self.name, "title": self.title, "rows": rows, "notes": list(self.notes)}


def cell(value: Cell) -> str:
    """A value as it is printed: counts with commas, other numbers with two decimals."""
    if value is None:
        return DASH
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else value


def mean(values: Iterable[float]) -> float | None:
    """The mean; nothing where there are no values."""
    found = list(values)
    return sum(found) / len(found) if found else None


def words(text: str) -> int:
    """Words between spaces."""
    return len(text.split())


def distribution(
    name: str, title: str, columns: tuple[str, str], counts: Mapping[int, int], notes: Sequence[str] = ()
) -> StatisticsTable:
    """A figure: how often each number occurs, from the smallest to the largest."""
    rows = tuple((str(value), counts[value]) for value in sorted(counts))
    return StatisticsTable(name, title, columns, rows, tuple(notes), distribution=True)


def draw(table: StatisticsTable) -> bytes:
    """The figure of a distribution, as the bytes of an SVG file; the same on every run."""
    figure, (axes,) = panels(1, 6.4, 3.6)
    axes.set_xlabel(table.columns[0])
    axes.set_ylabel(table.columns[1])
    axes.bar([int(str(row[0])) for row in table.rows], [row[1] for row in table.rows])
    return picture(figure, "svg")
