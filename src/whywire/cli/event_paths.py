"""Prints the causal paths between events, for a person and as JSON rows."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from whywire.api.answer_rows import path_rows
from whywire.cli.console import PlainConsole
from whywire.cli.event_links import show_link
from whywire.cli.evidence import with_class
from whywire.cli.json_lines import write_rows
from whywire.elements import Event
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.paths import CausalPath


def write_paths(graph: CausalGraph, asked: Sequence[Event], paths: Sequence[CausalPath]) -> None:
    """Write paths as JSON rows; one row without links where there is none.

    Args:
        asked: the events asked about, for that row.
    """
    write_rows(path_rows(graph, asked, paths))


def show_paths(graph: CausalGraph, paths: Sequence[CausalPath], *, none_found: str, more: int = 0) -> None:
    """Print paths from cause to effect, step by step.

    Args:
        none_found: printed where there is no path.
        more: how many paths are not among them.
    """
    console = PlainConsole()
    for number, path in enumerate(paths, start=1):
        first = graph.event(path.events[0]).title
        console.print(Text.assemble(f"{number}. ", (first, "bold"), f"  {with_class(path.strength)}"))
        for link in path.links:
            show_link(console, graph, link, "   → ", graph.event(link.target))
    if not paths:
        console.print(none_found)
    if more > 0:
        console.print(f"and {more:,} more")
