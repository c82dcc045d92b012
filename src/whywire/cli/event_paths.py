"""Prints the causal paths between events, for a person and as JSON rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from whywire.cli.console import PlainConsole
from whywire.cli.event_links import show_link
from whywire.cli.evidence import with_class
from whywire.cli.json_lines import write_rows
from whywire.elements import Event, round_strength
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.paths import CausalPath
from whywire.graph.to_rows import Row, event_row, link_row


def write_paths(graph: CausalGraph, asked: Sequence[Event], paths: Sequence[CausalPath]) -> None:
    """Write paths as JSON rows; one row without links where there is none.

    Args:
        asked: the events asked about, for that row.
    """
    write_rows(_rows(graph, asked, paths))


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


def _rows(graph: CausalGraph, asked: Sequence[Event], paths: Sequence[CausalPath]) -> Iterator[Row]:
    for path in paths:
        yield {
            "strength": round_strength(path.strength),
            "events": [event_row(graph, graph.event(event)) for event in path.events],
            "links": [link_row(graph, link) for link in path.links],
        }
    if not paths:
        yield {"strength": None, "events": [event_row(graph, event) for event in asked], "links": []}
