"""``whywire build``: news in, a causal graph out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from whywire.cli.console import PlainConsole
from whywire.cli.progress import BarProgress
from whywire.cli.row_files import FOLDER, LONGEST, LONGEST_MB, characters
from whywire.elements import LinkKind
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article, Problem, read_news
from whywire.news.newsworthy import NewsFilter
from whywire.news.text_files import LONGEST_LINE
from whywire.output import OutputFolder
from whywire.pipeline import build as build_graph

SHOWN = 5
"""How many of the strongest links, and of the problems, the summary shows."""

SAYS = {LinkKind.CAUSES: "led to", LinkKind.REFUTES: "was refuted or overtaken by"}
"""What a link says of its source and its target, in words."""

TITLE = Annotated[str, typer.Option(help="The heading of the page.")]
HEADING = "What led to what"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("build", epilog="Example: **whywire build monday.jsonl tuesday.csv.gz --out graph**")(build)


def build(
    news: Annotated[
        list[str],
        typer.Argument(
            help="Files or folders of articles: .jsonl, .json, .csv, .tsv, each also .gz, and .parquet; or `-`."
        ),
    ],
    out: FOLDER,
    title: TITLE = HEADING,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first row that cannot be used.")] = False,
    news_only: Annotated[
        bool,
        typer.Option(
            "--news-only", help="Leave out horoscopes, listings, offers and the like; they go to *rejected.jsonl*."
        ),
    ] = False,
    longest: LONGEST = LONGEST_MB,
) -> None:
    """Build the causal graph of the news: events, what led to what, who says so.

    An article is a row with a **title** and, where known, *id, url, source, published, text, language, links*.
    Writes *events, links, claims* and *rejected* as .jsonl, the graph as *.json* and *.graphml*, and *report.html*,
    a page that opens offline. Where no article can be read, the folder stays as it was.
    """
    articles, problems = read(news, strict=strict, longest=characters(longest))
    if news_only:
        articles, dropped = NewsFilter.load().split(articles)
        problems += dropped
    if not articles:
        show_problems(PlainConsole(stderr=True), problems, "nothing was written")
        raise InputError(
            "no article could be read",
            where=", ".join(news),
            hint="the reasons are above" if problems else "there is no row in it",
        )
    with OutputFolder(out):
        pass  # an output that cannot be written is better known before the work than after
    started = time.perf_counter()
    with BarProgress() as progress:
        result = build_graph(articles, progress=progress)
    result.write(out, title=title, inputs=news, problems=problems)
    summarise(result.graph, out, [*problems, *result.problems], time.perf_counter() - started)


def read(news: list[str], *, strict: bool, longest: int = LONGEST_LINE) -> tuple[list[Article], list[Problem]]:
    """Read all articles, and all that was wrong on the way.

    Args:
        longest: characters a line may have.

    Raises:
        InputError: a source cannot be read, or, with ``strict``, a row cannot be used.
    """
    articles: list[Article] = []
    problems: list[Problem] = []
    for found in read_news(news, longest_line=longest):
        if isinstance(found, Article):
            articles.append(found)
        elif strict and not found.kept:
            raise InputError(found.reason, where=found.place, hint="without --strict the other rows are used")
        else:
            problems.append(found)
    return articles, problems


def summarise(graph: CausalGraph, out: Path, problems: list[Problem], seconds: float) -> None:
    """Print what a person wants to know first, and where the page is."""
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
        show_problems(console, problems, f"reasons in {out / 'rejected.jsonl'}")
    console.print(Text.assemble("Open ", (str(out / "report.html"), "bold"), " in a browser."))


def show_problems(console: PlainConsole, problems: Sequence[Problem], where: str) -> None:
    """Print how many rows were left out or kept with a note, and the first of the reasons.

    Args:
        where: where all of the reasons are.
    """
    rejected = sum(not problem.kept for problem in problems)
    counts = f"{rejected:,} rows left out, {len(problems) - rejected:,} kept with a note"
    console.print(Text.assemble((counts, "yellow"), f"; {where}"))
    for problem in problems[:SHOWN]:
        console.print(f"  {problem}")


def _show_strongest(console: PlainConsole, graph: CausalGraph) -> None:
    if not graph.links:
        return
    table = Table("strength", "event", "", "event", title="The strongest links", title_justify="left", box=None)
    for link in graph.links[:SHOWN]:
        ends = graph.event(link.source).title, graph.event(link.target).title
        table.add_row(f"{link.strength:.0f}", ends[0], SAYS[link.kind], ends[1])
    console.print(table)
