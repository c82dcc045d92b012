"""Two tables: for spreadsheets, data frames and Gephi."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports.characters import plain_text
from whywire.graph.to_rows import Row, event_rows, link_rows
from whywire.output import json_text

EVENT_COLUMNS = ("id", "title", "language", "first_seen", "last_seen", "when", "story", "articles")
LINK_COLUMNS = ("source", "target", "kind", "probability", "strength", "order", "closed_by", "evidence", "denied_by")

FORMULA_STARTS = tuple("=+-@＝＋－＠\t\r\n")
"""What a cell begins with that a spreadsheet may take for a formula, as OWASP lists it under CSV injection."""


def graph_csv(graph: CausalGraph, *, raw: bool = False) -> tuple[str, str]:
    """Return the graph as two CSV tables with a header row (RFC 4180): the events, and the links.

    The columns are the fields of ``events.jsonl`` and ``links.jsonl``; what is a list or an object there is JSON in a
    cell, what is missing an empty one. NUL and lone surrogates become U+FFFD.

    Titles and ids are other people's words, and a spreadsheet runs a cell that begins like a formula
    (``=HYPERLINK(…)``). An apostrophe is put before such a text, so that it is read as text; numbers and lists stay.

    Args:
        raw: put no apostrophes, for programs that are to read the very words back.
    """
    return _table(EVENT_COLUMNS, event_rows(graph), raw), _table(LINK_COLUMNS, link_rows(graph), raw)


def _table(columns: Sequence[str], rows: Iterable[Row], raw: bool) -> str:
    target = StringIO(newline="")
    table = csv.writer(target)  # its line ends are \r\n, so a bare \r in a cell is quoted as well
    table.writerow(columns)
    table.writerows([_cell(row.get(column), raw) for column in columns] for row in rows)
    return target.getvalue()


def _cell(value: object, raw: bool) -> object:
    if isinstance(value, list | dict):
        return json_text(value)
    if not isinstance(value, str):
        return value
    text = plain_text(value)
    return text if raw or not text.startswith(FORMULA_STARTS) else f"'{text}"
