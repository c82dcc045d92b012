"""``whywire build``: news in, a causal graph out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated

import typer

from whywire.api.graphs import build as build_graph
from whywire.api.news_input import load_news
from whywire.cli.console import PlainConsole
from whywire.cli.options import DEFAULT_MAX_LINE, MAX_LINE, OUT_FOLDER_OR_NONE, TITLE, characters
from whywire.cli.progress_bars import BarProgress
from whywire.cli.summary import show_problems, show_summary
from whywire.errors import InputError, WhywireError
from whywire.news import Article
from whywire.news.newsworthy import NewsFilter
from whywire.output import OutputFolder
from whywire.pipeline import TITLE as DEFAULT_TITLE


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("build", epilog="Example: **whywire build monday.jsonl tuesday.csv.gz --out graph**")(build)


def build(
    news: Annotated[
        list[str],
        typer.Argument(
            help="Files or folders of articles: .jsonl, .json, .csv, .tsv, .warc, each also .gz; .parquet; or `-`."
        ),
    ],
    out: OUT_FOLDER_OR_NONE = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="STORE",
            help="Keep the articles and the graph in a new database, to which `update` adds: the path of a file, or "
            "*postgresql://…*.",
        ),
    ] = None,
    title: TITLE = DEFAULT_TITLE,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first row that cannot be used.")] = False,
    news_only: Annotated[
        bool,
        typer.Option(
            "--news-only", help="Leave out horoscopes, listings, offers and the like; they go to *rejected.jsonl*."
        ),
    ] = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
) -> None:
    """Build the causal graph of the news: events, what led to what, who says so.

    An article is a row with a **title** and, where known, *id, url, source, published, text, language, links*.
    Writes *events, links, claims* and *rejected* as .jsonl, the graph as *.json* and *.graphml*, and *report.html*,
    a page that opens offline. Where no article can be read, the folder stays as it was. With **--store** the graph
    goes into a database, and into a folder only if **--out** names one.
    """
    if out is None and store is None:
        raise typer.BadParameter("name a folder to write: --out, or a database: --store")
    articles, problems = load_news(news, strict=strict, longest_line=characters(max_line))
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
    if out is not None:
        with OutputFolder(out):
            pass  # an output that cannot be written is better known before the work than after
    started = time.perf_counter()
    try:
        with BarProgress() as progress:
            result = build_graph(articles, store=store, progress=progress)
    except MemoryError as error:
        raise _out_of_memory(articles) from error
    if out is not None:
        result.write(out, title=title, inputs=news, problems=problems)
    show_summary(result.graph, out, [*problems, *result.problems], time.perf_counter() - started)


def _out_of_memory(articles: Sequence[Article]) -> WhywireError:
    """The error of a build that memory was not enough for; it names the longest article."""
    longest = max(articles, key=lambda one: len(one.text))
    return WhywireError(
        "memory ran out, and nothing was written",
        where=longest.place or longest.id,
        hint=f"of {len(articles):,} articles this is the longest, with {len(longest.text):,} characters: leave it "
        "out, or build fewer at a time",
    )
