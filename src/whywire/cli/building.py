"""``whywire build``, ``merge`` and ``export``: making graphs of news, merging them, writing them for other tools."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from whywire.api.corrections import load_corrections
from whywire.api.graphs import EXPORT_FORMATS, open_built, open_graph
from whywire.api.graphs import build as build_graph
from whywire.api.graphs import export as export_graph
from whywire.api.graphs import merge as merge_graphs
from whywire.api.news_input import load_news
from whywire.cli.options import (
    ADDRESS,
    AS_OF,
    AT_LEAST,
    BUILT,
    DEFAULT_MAX_LINE,
    ENGINE,
    EVIDENCE,
    MAX_LINE,
    NEWS_ONLY,
    OUT,
    OUT_FOLDER,
    OUT_FOLDER_OR_NONE,
    OUTLET,
    READER,
    STANDARD_OUTPUT,
    STORE_OPTION,
    STRICT,
    TITLE,
    EngineName,
    characters,
    opened_engine,
    with_second_reader,
)
from whywire.cli.summaries import LINK_WORDS, MAX_SHOWN, show_problems
from whywire.cli.terminal import BarProgress, PlainConsole
from whywire.elements import LinkKind
from whywire.errors import InputError, WhywireError
from whywire.graph.build_folder import TITLE as DEFAULT_TITLE
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Problem
from whywire.news.newsworthy import NewsFilter
from whywire.output import OutputFolder

Format = StrEnum("Format", [(name, name) for name in EXPORT_FORMATS])  # type: ignore[misc]


@with_second_reader
def build(
    news: Annotated[
        list[str],
        typer.Argument(
            help="Files or folders of articles: .jsonl, .json, .csv, .tsv, .warc, each also .gz; .parquet; or `-`."
        ),
    ],
    out: OUT_FOLDER_OR_NONE = None,
    store: Annotated[str | None, STORE_OPTION] = None,
    corrections: Annotated[
        Path | None,
        typer.Option(help="A file of corrections by persons, a row a line, as `corrections list --json` writes it."),
    ] = None,
    title: TITLE = DEFAULT_TITLE,
    strict: STRICT = False,
    news_only: NEWS_ONLY = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
    engine: ENGINE = EngineName.LOCAL,
    address: ADDRESS = None,
    reader: READER = None,
) -> None:
    """Build the causal graph of the news: events, what led to what, and who says so.

    An article is a row with a **title** and, if known, *id, url, source, published, text, language, links*.
    **--out** names a folder for *events, links, claims, articles* and *rejected* as .jsonl, the graph as .json and
    .graphml, and *report.html*, a page that opens offline. **--store** keeps the articles and the graph in a new
    database, to which `update` adds. If no article can be read, nothing is written.

    Example: whywire build monday.jsonl tuesday.csv.gz --out graph
    """
    if out is None and store is None:
        raise typer.BadParameter("name a folder to write: --out, or a database: --store")
    corrected = [] if corrections is None else load_corrections(corrections)
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
            pass  # fails before the work if the folder cannot be written
    started = time.perf_counter()
    try:
        with opened_engine(engine, address) as models, BarProgress() as progress:
            result = build_graph(
                articles,
                store=store,
                corrections=corrected,
                models=models,
                second_reader=reader,
                progress=progress,
            )
    except MemoryError as error:
        longest = max(articles, key=lambda article: len(article.text))
        raise WhywireError(
            "memory ran out, and nothing was written",
            where=longest.place or longest.id,
            hint=f"of {len(articles):,} articles this is the longest, with {len(longest.text):,} characters: leave "
            "it out, or build fewer articles at a time",
        ) from error
    if out is not None:
        inputs = news if corrections is None else [*news, str(corrections)]
        result.write(out, title=title, inputs=inputs, problems=problems)
    _show_summary(result.graph, out, [*problems, *result.problems], time.perf_counter() - started)


def merge(
    folders: Annotated[list[str], typer.Argument(help="Folders that `build` or `merge` wrote, or stores.")],
    out: OUT_FOLDER,
    title: TITLE = DEFAULT_TITLE,
) -> None:
    """Merge the graphs of several builds into one, in a folder like that of a build.

    Events that share an article become one event; links between the same events become one link with the evidence of
    all. No model is run, so events of different builds get no new links: to link them, build all the news at once. A
    link stays open unless one of the builds closed it, or denied its source or target.

    Writes the files that `build` writes. The folder may be one of those that are merged. *rejected.jsonl* lists the
    rejected rows of all builds.

    Example: whywire merge monday tuesday --out week
    """
    started = time.perf_counter()
    graph = merge_graphs(*folders, out=out, title=title)
    _show_summary(graph, out, [], time.perf_counter() - started)


def export(
    built: BUILT,
    to: Annotated[Format, typer.Option("--to", help="The format.")],
    out: OUT = None,
    as_of: AS_OF = None,
    at_least: AT_LEAST = 0,
    outlet: OUTLET = None,
    evidence: EVIDENCE = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="For `csv` that programs read: leave cells that begin like a formula as they are, and write no byte "
            "order mark.",
        ),
    ] = False,
) -> None:
    """Write the graph of a build for another tool.

    **cytoscape**, **graphml** and **json** (node-link) are for programs that show or measure graphs; **csv** for
    spreadsheets and Gephi: **--out** is then a folder, which gets *nodes.csv* and *edges.csv*; **cypher** for graph
    databases; **jsonld** and **turtle** (extra **rdf**) for linked data; **dot** and **mermaid** for drawings.

    In **csv** an apostrophe is put before a cell that a spreadsheet would run as a formula (such as `=1+1`), and each
    file begins with a byte order mark, by which Excel recognises UTF-8. **--raw** leaves out both.

    Example: whywire export graph --to turtle --out graph.ttl
    """
    graph = open_graph(open_built(built), as_of=as_of, at_least=at_least, outlet=outlet, evidence=evidence or ())
    to_file = None if out is None or str(out) == STANDARD_OUTPUT else out
    text = export_graph(graph, to, to_file, raw=raw)
    if text is not None:
        typer.echo(text, nl=False)


def _show_summary(graph: CausalGraph, out: Path | None, problems: Sequence[Problem], seconds: float) -> None:
    """Print the size of a graph, its strongest links, the problems, and where its page is.

    Args:
        out: the folder that the graph was written to; ``None`` if it is only in a store.
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
    if graph.links:
        table = Table(
            "strength",
            "probability",
            "event",
            "",
            "event",
            title="The strongest and surest links",
            title_justify="left",
            box=None,
        )
        for link in graph.links[:MAX_SHOWN]:
            source, target = graph.event(link.source).title, graph.event(link.target).title
            table.add_row(f"{link.strength:.0f}", f"{link.probability:.2f}", source, LINK_WORDS[link.kind], target)
        console.print(table)
    if problems:
        reasons = f"reasons in {out / 'rejected.jsonl'}" if out else "the first of the reasons:"
        show_problems(console, problems, reasons)
    if out:
        console.print(Text.assemble("Open ", (str(out / "report.html"), "bold"), " in a browser."))
