"""``whywire.build``, ``open_graph``, ``merge``, ``diff`` and ``export``: making, opening and exporting graphs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from whywire.answers.question import Question
from whywire.api.corrections import CorrectionsInput, load_corrections
from whywire.api.news_input import NewsInput, items_of, usable_news
from whywire.api.stores import StoreInput, build_into, is_store, open_store
from whywire.elements import EvidenceKind
from whywire.errors import InputError
from whywire.graph import diffing, merging
from whywire.graph.build_folder import TITLE, is_build_folder, read_graph, write_merged
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports import BYTE_ORDER_MARK, TEXT_FORMATS, graph_csv
from whywire.graph.selection import Selection, select
from whywire.language_models import LanguageModels
from whywire.news import Language, Problem
from whywire.news.text_files import LONGEST_LINE
from whywire.output import OutputFolder, open_output
from whywire.progress import Progress

if TYPE_CHECKING:
    from whywire.building import Build
    from whywire.engines import Models
    from whywire.second_opinions.adviser import Adviser

GraphInput: TypeAlias = CausalGraph | NewsInput
"""A graph; or folders that ``build`` wrote, stores, and news, which is built first; several are merged."""

BuiltGraph: TypeAlias = CausalGraph | str | Path
"""A graph, a folder that ``build`` wrote, or a store."""

EXPORT_FORMATS = tuple(sorted([*TEXT_FORMATS, "csv"]))
"""The names of the formats that :func:`export` writes."""


def build(
    news: NewsInput,
    *,
    store: StoreInput | None = None,
    corrections: CorrectionsInput = (),
    news_only: bool = False,
    strict: bool = False,
    longest_line: int = LONGEST_LINE,
    models: Models | None = None,
    second_reader: Adviser | None = None,
    progress: Progress | None = None,
) -> Build:
    """Build the causal graph of news.

    >>> graph = whywire.build("news.jsonl").graph
    >>> [(link.source, link.target, link.strength) for link in graph.links[:5]]

    Args:
        news: paths, articles or rows; a path is a file or folder of any kind that :func:`read_news` reads.
        store: an empty store, or the address of a new one, to keep the articles and the graph in, so that
            :func:`update` can add to them.
        corrections: by persons: a file of rows, or rows, as a service lists them (``/v1/corrections``). They apply
            where their words stand in the news.
        news_only: leave out horoscopes, listings, offers and the like; they are listed as problems.
        strict: raise at the first row that cannot be used, instead of listing it as a problem.
        longest_line: the most characters that a line of a file may have.
        models: loaded models, or the engine that runs them elsewhere; the embedded ones by default.
        second_reader: a chat model that is asked about what is uncertain (:func:`whywire.second_reader`).
        progress: shows the progress of the work.

    Returns:
        The graph, what was wrong with the input, counts and seconds; ``write`` makes the folder of ``whywire build``.

    Raises:
        InputError: a path cannot be read, no item is an article, a correction cannot be read, or the store is not
            empty. An empty list gives an empty graph.
    """
    corrected = load_corrections(corrections)
    articles, problems = usable_news(news, news_only=news_only, strict=strict, longest_line=longest_line)
    if store is not None:
        return build_into(
            store, articles, problems, corrected, models=models, adviser=second_reader, progress=progress
        )
    from whywire.building import build as build_articles

    built = build_articles(articles, corrections=corrected, models=models, adviser=second_reader, progress=progress)
    return replace(built, problems=[*problems, *built.problems])


def open_graph(
    source: GraphInput,
    *,
    asked: Question | Collection[str] = (),
    as_of: str | None = None,
    at_least: float = 0,
    outlet: str | None = None,
    evidence: Collection[EvidenceKind | str] = (),
    language: Language | None = None,
    models: LanguageModels | None = None,
    progress: Progress | None = None,
    on_rejected: Callable[[Sequence[Problem]], object] | None = None,
) -> CausalGraph:
    """Open a graph, or a part of it; several graphs are merged, and a graph of news is built first.

    >>> graph = whywire.open_graph("graph", as_of="2026-03-05", at_least=50)
    >>> graph.links[0].evidence

    Args:
        source: a graph; folders that ``build`` wrote, or stores; or paths, articles or rows of news.
        asked: the question, or words for events, that the graph is opened for. Of a store alone only the part that
            decides the answer is read.
        as_of: only what was known then: a day (to its end) or a time, ISO 8601.
        at_least: only links of at least this strength (0 to 100).
        outlet: only links all of whose evidence is from this outlet.
        evidence: only links with evidence of one of these kinds: said, shown, implied.
        language: build a graph only of articles in this language.
        models: loaded models; the embedded ones by default.
        progress: shows the progress of a build.
        on_rejected: called with the rows of news that cannot be used; by default a warning names the first of them.

    Raises:
        InputError: there is no graph and no news, ``as_of`` is not a time or is before all news, or no article is
            from the outlet.
    """
    wanted = Selection(as_of, at_least, outlet, tuple(map(EvidenceKind, evidence)))
    if isinstance(source, CausalGraph):
        return source if wanted == Selection() else select([source], wanted)
    items = items_of(source)
    if asked and len(items) == 1 and is_store(store := items[0]) and isinstance(store, str | Path):
        return select([_part(store, asked, wanted)], wanted)
    built = [item for item in items if isinstance(item, str | Path) and (is_build_folder(item) or is_store(item))]
    graphs = [open_built(item) for item in built]
    if news := [item for item in items if item not in built]:
        from whywire.building import build as build_articles  # a graph that was built is read without it

        articles, problems = usable_news(news)
        if rejected := [problem for problem in problems if not problem.kept]:
            (on_rejected or _warn)(rejected)
        articles = [article for article in articles if language in (None, article.language)]
        graphs.append(build_articles(articles, models=models, progress=progress).graph)
    if not graphs:
        raise InputError("there is no graph and no news")
    return select(graphs, wanted)


def merge(*sources: BuiltGraph, out: str | Path | None = None, title: str = TITLE) -> CausalGraph:
    """Merge graphs: events that share an article become one, and links keep the evidence of all graphs.

    >>> week = whywire.merge("monday", "tuesday", out="week")
    >>> len(week.events)

    Args:
        sources: graphs, or folders that ``build`` or ``merge`` wrote.
        out: a folder to write, with the files that ``build`` writes.
        title: the heading of the page in that folder.

    Raises:
        InputError: a folder is not one that ``build`` wrote, or articles or claims differ under one id.
        OutputError: the folder cannot be written.
    """
    if not sources:
        raise InputError("there is no graph to merge")
    graph = reduce(merging.merge, map(open_built, sources))
    if out is not None:
        parts = [Path(source) for source in sources if not isinstance(source, CausalGraph) and not is_store(source)]
        write_merged(graph, Path(out), title=title, parts=parts)
    return graph


def diff(before: BuiltGraph, after: BuiltGraph) -> diffing.GraphDiff:
    """Compare two graphs: events and links that are new, gone or changed.

    >>> changes = whywire.diff("monday", "tuesday")
    >>> changes.links.new

    Args:
        before: a graph, or a folder that ``build`` or ``merge`` wrote.
        after: another graph, or a folder.

    Raises:
        InputError: a folder is not one that ``build`` wrote.
    """
    return diffing.diff(open_built(before), open_built(after))


def export(source: GraphInput, to: str, out: str | Path | None = None, *, raw: bool = False) -> str | None:
    """Write a graph in another tool's format.

    >>> whywire.export("graph", "dot", "graph.dot")
    >>> turtle = whywire.export("graph", "turtle")

    Args:
        to: cypher, cytoscape, dot, graphml, json, jsonld, mermaid, turtle (needs the extra *rdf*) or csv.
        out: the file to write; for csv a folder, which gets *nodes.csv* and *edges.csv*.
        raw: write csv for programs, not for spreadsheets: without apostrophes before cells that a spreadsheet would
            run as a formula, and without a byte order mark.

    Returns:
        The text if no ``out`` is given.

    Raises:
        InputError: there is no such format, or ``out`` is missing for csv.
        OutputError: the file or folder cannot be written.
        MissingExtraError: the format needs a library that is not installed.
    """
    if to not in EXPORT_FORMATS:
        raise InputError(f"there is no format {to!r}", hint=f"formats: {', '.join(EXPORT_FORMATS)}")
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
    mark = "" if raw else BYTE_ORDER_MARK
    with OutputFolder(Path(out)) as files:
        for name, table in zip(("nodes.csv", "edges.csv"), graph_csv(graph, raw=raw), strict=True):
            files.write(name, mark + table)
    return None


def open_built(source: BuiltGraph) -> CausalGraph:
    """The graph of a folder that ``build`` wrote, or of a store.

    Raises:
        InputError: the source is neither.
    """
    if isinstance(source, CausalGraph):
        return source
    if is_store(source):
        with open_store(source, read_only=True) as store:
            return store.graph()
    return read_graph(source)


def _part(address: str | Path, asked: Question | Collection[str], wanted: Selection) -> CausalGraph:
    """The part of a store from which to answer."""
    with open_store(address, read_only=True) as store:
        if wanted.outlet is not None:  # which of all outlets there are
            return store.graph()
        if not isinstance(asked, Question):
            return store.about(*asked)
        return store.asked_about(asked) if wanted == Selection() else store.about(asked.content)


def _warn(rejected: Sequence[Problem]) -> None:
    warnings.warn(f"{len(rejected):,} rows left out, the first: {rejected[0]}", stacklevel=3)
