"""``whywire build``: news in, a causal graph out."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from whywire.build_files import write_build
from whywire.cli.progress import BarProgress
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.elements import LinkKind
from whywire.news import Article, Problem, read_news
from whywire.news.newsworthy import NewsFilter
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
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write, made where it is missing.")],
    title: TITLE = HEADING,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first row that cannot be used.")] = False,
    news_only: Annotated[
        bool,
        typer.Option(
            "--news-only", help="Leave out horoscopes, listings, offers and the like; they go to *rejected.jsonl*."
        ),
    ] = False,
) -> None:
    """Build the causal graph of the news: events, what led to what, who says so.

    An article is a row with a **title** and, where known, *id, url, source, published, text, language, links*.
    Writes *events, links, claims* and *rejected* as .jsonl, the graph as *.json* and *.graphml*, and *report.html*,
    a page that opens offline.
    """
    articles, problems = read(news, strict=strict)
    if news_only:
        articles, dropped = NewsFilter.load().split(articles)
        problems += dropped
    with OutputFolder(out):
        pass  # an output that cannot be written is better known before the work than after
    started = time.perf_counter()
    with BarProgress() as progress:
        result = build_graph(articles, progress=progress)
    write_build(result, out, title=title, inputs=news, problems=problems)
    summarise(result.graph, out, [*problems, *result.problems], time.perf_counter() - started)
    if not articles:
        raise InputError(
            "no article could be read",
            where=", ".join(news),
            hint=f"see {out / 'rejected.jsonl'} for the reasons",
        )


def read(news: list[str], *, strict: bool) -> tuple[list[Article], list[Problem]]:
    """Read all articles, and all that was wrong on the way.

    Raises:
        InputError: a source cannot be read, or, with ``strict``, a row cannot be used.
    """
    articles: list[Article] = []
    problems: list[Problem] = []
    for found in read_news(news):
        if isinstance(found, Article):
            articles.append(found)
        elif strict and not found.kept:
            raise InputError(found.reason, where=found.place, hint="without --strict the other rows are used")
        else:
            problems.append(found)
    return articles, problems


def summarise(graph: CausalGraph, out: Path, problems: list[Problem], seconds: float) -> None:
    """Print what a person wants to know first, and where the page is."""
    console = Console(highlight=False, soft_wrap=True)
    kinds = {kind: sum(link.kind is kind for link in graph.links) for kind in LinkKind}
    console.print(
        f"[bold]{len(graph.articles):,}[/] articles tell of [bold]{len(graph.events):,}[/] events in "
        f"{len(graph.stories()):,} stories; [bold]{kinds[LinkKind.CAUSES]:,}[/] links of cause, "
        f"[bold]{kinds[LinkKind.REFUTES]:,}[/] of refutation, {len(graph.claims):,} claims ({seconds:.0f} s)"
    )
    _show_strongest(console, graph)
    rejected = sum(not problem.kept for problem in problems)
    if problems:
        console.print(
            f"[yellow]{rejected:,} rows left out, {len(problems) - rejected:,} kept with a note[/]; "
            f"reasons in {out / 'rejected.jsonl'}"
        )
        for problem in problems[:SHOWN]:
            console.print(f"  {problem}", markup=False)
    console.print(f"Open [bold]{out / 'report.html'}[/] in a browser.")


def _show_strongest(console: Console, graph: CausalGraph) -> None:
    if not graph.links:
        return
    table = Table("strength", "event", "", "event", title="The strongest links", title_justify="left", box=None)
    for link in graph.links[:SHOWN]:
        ends = graph.event(link.source).title, graph.event(link.target).title
        table.add_row(f"{link.strength:.0f}", ends[0], SAYS[link.kind], ends[1])
    console.print(table)
