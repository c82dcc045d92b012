"""What several commands print of their results on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from whywire.cli.terminal import PlainConsole
from whywire.elements import LinkKind
from whywire.news import Problem

MAX_SHOWN = 5
"""The most links, and the most problems, that a summary shows."""

LINK_WORDS = {LinkKind.CAUSES: "led to", LinkKind.REFUTES: "was refuted or overtaken by"}
"""How a link reads between its source and its target."""


def show_problems(console: PlainConsole, problems: Sequence[Problem], where: str) -> None:
    """Print how many rows were left out or kept with a note, and the first of the reasons.

    Args:
        where: says where to find all reasons.
    """
    rejected = sum(not problem.kept for problem in problems)
    counts = f"{rejected:,} rows left out, {len(problems) - rejected:,} kept with a note"
    console.print(Text.assemble((counts, "yellow"), f"; {where}"))
    for problem in problems[:MAX_SHOWN]:
        console.print(f"  {problem}")


def show_set_aside(console: PlainConsole, articles: Sequence[Problem]) -> None:
    """Print the first of the articles that failed too often."""
    if articles:
        console.print(Text(f"{len(articles):,} articles failed too often and are set aside:", "yellow"))
        for problem in articles[:MAX_SHOWN]:
            console.print(f"  {problem}")
