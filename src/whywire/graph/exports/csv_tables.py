"""CSV export: two tables for spreadsheets, data frames and Gephi."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, event_rows, link_rows
from whywire.graph.exports.illegal_characters import plain_text
from whywire.output import json_text

EVENT_COLUMNS = ("id", "title", "language", "first_seen", "last_seen", "when", "story", "articles")
LINK_COLUMNS = ("source", "target", "kind", "probability", "strength", "order", "closed_by", "evidence", "denied_by")

BYTE_ORDER_MARK = "\ufeff"
"""The beginning of a file for spreadsheets: without it Excel takes UTF-8 for the code page of its system."""

FORMULA_STARTS = tuple("=+-@＝＋－＠\t\r\n")
"""First characters of cells that a spreadsheet may evaluate as a formula (OWASP, CSV injection)."""


def graph_csv(graph: CausalGraph, *, raw: bool = False) -> tuple[str, str]:
    """Return the graph as two CSV tables: the events, and the links.

    The columns are fields of ``events.jsonl`` and ``links.jsonl``.

    Args:
        raw: as for :func:`csv_table`.
    """
    return (
        csv_table(EVENT_COLUMNS, event_rows(graph), raw=raw),
        csv_table(LINK_COLUMNS, link_rows(graph), raw=raw),
    )


def csv_table(columns: Sequence[str], rows: Iterable[Row], *, raw: bool = False) -> str:
    """Return rows as a CSV table with a header row (RFC 4180).

    Lists and objects are JSON in a cell, missing values are empty cells. NUL and lone surrogates become U+FFFD.

    Titles and ids come from outside, and a spreadsheet evaluates a cell that begins like a formula
    (``=HYPERLINK(…)``). Such texts get a leading apostrophe, so that they are read as text.

    Args:
        raw: add no apostrophes, for programs that read the exact words.
    """
    target = StringIO(newline="")
    table = csv.writer(target)  # its line ends are \r\n, so a bare \r in a cell is quoted as well
    table.writerow(columns)
    table.writerows([_cell(row.get(column), raw) for column in columns] for row in rows)
    return target.getvalue()


def unescaped(cell: str) -> str:
    """Return the text of a cell without the apostrophe that :func:`csv_table` may have put before it."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA_STARTS) else cell


def _cell(value: object, raw: bool) -> object:
    if isinstance(value, list | dict):
        return json_text(value)
    if not isinstance(value, str):
        return value
    text = plain_text(value)
    return text if raw or not text.startswith(FORMULA_STARTS) else f"'{text}"
