"""Making graphs, opening them, and taking them elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TypeAlias

from whywire.api.news_input import NewsInput, items_of, load_news
from whywire.elements import EvidenceKind
from whywire.errors import InputError
from whywire.graph import diffing, merging
from whywire.graph.build_folder import is_build_folder
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports import TEXT_FORMATS, graph_csv
from whywire.graph.read_build import read_graph
from whywire.graph.selection import Selection, select
from whywire.graph.write_build import write_merged
from whywire.language_models import LanguageModels
from whywire.news import Language, Problem
from whywire.news.newsworthy import NewsFilter
from whywire.news.text_files import LONGEST_LINE
from whywire.output import OutputFolder, open_output
from whywire.pipeline import TITLE, Build
from whywire.pipeline import build as build_articles
from whywire.progress import Progress

GraphInput: TypeAlias = CausalGraph | NewsInput
"""A graph, folders that ``build`` wrote, or news, of which a graph is built first."""

_SHOWN = 5
"""So many reasons are named where no article can be read."""


def build(
    news: NewsInput,
    *,
    news_only: bool = False,
    strict: bool = False,
    longest_line: int = LONGEST_LINE,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> Build:
    """Build the causal graph of news.

    >>> built = whywire.build("news.jsonl")
    >>> built.write("graph")

    Args:
        news: paths, articles or rows.
        news_only: leave out horoscopes, listings, offers and the like, as problems.
        strict: raise at the first row that cannot be used, instead of listing it as a problem.
        longest_line: characters that a line of a file may have.

    Raises:
        InputError: a path cannot be read, or no article of what is given can.
    """
    items = items_of(news)
    articles, problems = load_news(items, strict=strict, longest_line=longest_line)
    if news_only:
        articles, dropped = NewsFilter.load().split(articles)
        problems += dropped
    if items and not articles:
        raise _no_article(problems)
    built = build_articles(articles, models=models, progress=progress)
    return replace(built, problems=[*problems, *built.problems])


def open_graph(
    source: GraphInput,
    *,
    as_of: str | None = None,
    at_least: float = 0,
    outlet: str | None = None,
    evidence: Collection[EvidenceKind | str] = (),
    language: Language | None = None,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
) -> CausalGraph:
    """Open a graph that was built, or a part of it; several are merged, and news is built first.

    >>> graph = whywire.open_graph("graph", as_of="2026-03-05", at_least=50)
    >>> graph.links[0].evidence

    Args:
        source: folders that ``build`` wrote; or paths, articles or rows of news; or a graph.
        as_of: only what was known then: a day (to its end) or a time, ISO 8601.
        at_least: only links of at least this strength (0 to 100).
        outlet: only links all of whose evidence is from this outlet.
        evidence: only links with evidence of one of these kinds: said, shown, judged.
        language: of news that is built, only the articles in this language.

    Raises:
        InputError: there is no graph and no news, ``as_of`` is no time or before all news, or no article is from the
            outlet.
    """
    wanted = Selection(as_of, at_least, outlet, tuple(map(EvidenceKind, evidence)))
    if isinstance(source, CausalGraph):
        return source if wanted == Selection() else select([source], wanted)
    return select(_graphs(source, language, models, progress), wanted)


def merge(*sources: GraphInput, out: str | Path | None = None, title: str = TITLE) -> CausalGraph:
    """Merge graphs into one; events that share an article become one (see :func:`whywire.graph.merging.merge`).

    >>> week = whywire.merge("monday", "tuesday", out="week")

    Args:
        out: a folder to write, with the files that ``build`` writes.
        title: the heading of the page there.

    Raises:
        InputError: a source is no graph and no news.
        OutputError: the folder cannot be written.
    """
    if not sources:
        raise InputError("there is no graph to merge")
    graph = reduce(merging.merge, map(open_graph, sources))
    if out is not None:
        parts = [Path(source) for source in sources if isinstance(source, str | Path) and is_build_folder(source)]
        write_merged(graph, Path(out), title=title, parts=parts)
    return graph


def diff(before: GraphInput, after: GraphInput) -> diffing.GraphDiff:
    """What changed from one graph to another: events and links that are new, gone or changed.

    >>> whywire.diff("monday", "tuesday").links.new
    """
    return diffing.diff(open_graph(before), open_graph(after))


def export(source: GraphInput, to: str, out: str | Path | None = None, *, raw: bool = False) -> str | None:
    """Write a graph for another tool.

    >>> whywire.export("graph", "dot", "graph.dot")

    Args:
        to: cypher, cytoscape, dot, graphml, json, jsonld, mermaid, turtle (needs the extra *rdf*) or csv.
        out: the file to write, for csv a folder, which gets *nodes.csv* and *edges.csv*. Without it the text is
            returned.
        raw: for csv that programs read: leave cells as they are, also those that a spreadsheet would run.

    Raises:
        InputError: there is no such format, or csv has no folder to go into.
        OutputError: the file or folder cannot be written.
        MissingExtraError: the format needs a library that is not installed.
    """
    if to not in (*TEXT_FORMATS, "csv"):
        raise InputError(f"there is no format {to!r}", hint=f"known are {', '.join(sorted([*TEXT_FORMATS, 'csv']))}")
    graph = open_graph(source)
    if to in TEXT_FORMATS:
        text = TEXT_FORMATS[to](graph)
        if out is None:
            return text
        with open_output(Path(out)) as file:
            file.write(text)
        return None
    if out is None:
        raise InputError("csv is two tables and goes into a folder", hint="name one: --out")
    nodes, edges = graph_csv(graph, raw=raw)
    with OutputFolder(Path(out)) as files:
        files.write("nodes.csv", nodes)
        files.write("edges.csv", edges)
    return None


def _graphs(
    source: NewsInput, language: Language | None, models: LanguageModels | None, progress: Progress | None
) -> list[CausalGraph]:
    """The graph of each folder that a build wrote, and one of all news."""
    items = items_of(source)
    folders = [item for item in items if isinstance(item, str | Path) and is_build_folder(item)]
    graphs = [read_graph(folder) for folder in folders]
    if news := [item for item in items if item not in folders]:
        articles, problems = load_news(news)
        if not articles:
            raise _no_article(problems)
        if left_out := sum(not problem.kept for problem in problems):
            warnings.warn(f"{left_out:,} rows left out, the first: {problems[0]}", stacklevel=3)
        own = [article for article in articles if language in (None, article.language)]
        graphs.append(build_articles(own, models=models, progress=progress).graph)
    if not graphs:
        raise InputError("there is no graph and no news")
    return graphs


def _no_article(problems: list[Problem]) -> InputError:
    reasons = "; ".join(map(str, problems[:_SHOWN]))
    return InputError("no article could be read", hint=reasons or "there is no row in it")
