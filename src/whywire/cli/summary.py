"""The summary of a graph that was written: its size, strongest links, and what could not be used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from whywire.cli.console import PlainConsole
from whywire.elements import LinkKind
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Problem

MAX_SHOWN = 5
"""The most links, and problems, that the summary shows."""

LINK_WORDS = {LinkKind.CAUSES: "led to", LinkKind.REFUTES: "was refuted or overtaken by"}
"""How a link reads between its source and its target."""


def show_summary(graph: CausalGraph, out: Path | None, problems: Sequence[Problem], seconds: float) -> None:
    """Print the size of a graph, its strongest links, the problems, and where its page is.

    Args:
        out: the folder it was written to; ``None`` if it is in a store alone.
    """
    console = PlainConsole()
    kinds = {kind: sum(link.kind is kind for link in graph.links) for kind in LinkKind}
    console.print(
        Text.assemble(
            (f"{len(graph.articles):,}", "bold"),
            " articles tell of ",
            (f"{len(graph.events):,}", "bold"),
            f" events in {len(graph.stories()):,} stories; ",
            (f"{kinds[LinkKind.CAUSES]:,}", "bold"),
            " links of cause, ",
            (f"{kinds[LinkKind.REFUTES]:,}", "bold"),
            f" of refutation, {len(graph.claims):,} claims ({seconds:.0f} s)",
        )
    )
    _show_strongest(console, graph)
    if problems:
        show_problems(
            console, problems, f"reasons in {out / 'rejected.jsonl'}" if out else "the first of the reasons:"
        )
    if out:
        console.print(Text.assemble("Open ", (str(out / "report.html"), "bold"), " in a browser."))


def show_problems(console: PlainConsole, problems: Sequence[Problem], where: str) -> None:
    """Print how many rows were left out or kept with a note, and the first of the reasons.

    Args:
        where: where all of the reasons are.
    """
    rejected = sum(not problem.kept for problem in problems)
    counts = f"{rejected:,} rows left out, {len(problems) - rejected:,} kept with a note"
    console.print(Text.assemble((counts, "yellow"), f"; {where}"))
    for problem in problems[:MAX_SHOWN]:
        console.print(f"  {problem}")


def _show_strongest(console: PlainConsole, graph: CausalGraph) -> None:
    if not graph.links:
        return
    table = Table("strength", "event", "", "event", title="The strongest links", title_justify="left", box=None)
    for link in graph.links[:MAX_SHOWN]:
        ends = graph.event(link.source).title, graph.event(link.target).title
        table.add_row(f"{link.strength:.0f}", ends[0], LINK_WORDS[link.kind], ends[1])
    console.print(table)
