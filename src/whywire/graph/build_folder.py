"""The folder of a build: rows as JSON Lines, the graph for other tools, the page for readers.

Writing a graph that was read gives the same rows again, byte for byte. A build does not store the articles' texts:
an article that is read has only the words of claims and mentions, at their offsets, with blanks in between. A folder
with a wrong row is refused.
"""

from __future__ import annotations

import platform
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import TypeVar

from whywire.elements import Claim, Event, Link, Mention, time_range
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import (
    article_from_row,
    article_row,
    claim_from_row,
    claim_rows,
    event_from_row,
    event_rows,
    link_from_row,
    link_rows,
    sentence_row,
)
from whywire.graph.exports import graph_graphml, graph_json
from whywire.graph.page import render_page
from whywire.graph.passages import WrittenSentence
from whywire.news import Article, Problem
from whywire.news.article import Published, Span
from whywire.news.row_files import read_json_lines
from whywire.news.text_files import decode, open_bytes, place_of
from whywire.output import OutputFolder, current_path, json_text

EVENTS_FILE = "events.jsonl"
LINKS_FILE = "links.jsonl"
CLAIMS_FILE = "claims.jsonl"
ARTICLES_FILE = "articles.jsonl"
IN_SHORT_FILE = "in_short.jsonl"
REJECTED_FILE = "rejected.jsonl"
RUN_FILE = "run.json"

TITLE = "What led to what"
"""The default heading of a page."""

T = TypeVar("T")


def is_build_folder(path: str | Path) -> bool:
    """Return whether this is a folder that ``whywire build`` wrote."""
    return all(current_path(Path(path), name).is_file() for name in (EVENTS_FILE, CLAIMS_FILE))


def write_graph(
    graph: CausalGraph,
    folder: Path,
    *,
    title: str,
    run: Mapping[str, object],
    summary: Mapping[str, object],
    problems: Iterable[Problem] = (),
    sentences: Sequence[WrittenSentence] = (),
) -> None:
    """Write all files of a build into a folder, all of them or none.

    All files but ``run.json`` have the same bytes for the same input and weights.

    Args:
        folder: created if it is missing; files of a build in it are replaced.
        title: heading of the page.
        run: how the graph was made, for ``run.json``.
        summary: facts about the run, by name, for the foot of the page.
        problems: the rows of the input that could not be used, for ``rejected.jsonl``.
        sentences: on stories, written by a language model, for ``in_short.jsonl`` and the page.

    Raises:
        OutputError: the folder cannot be written.
    """
    with OutputFolder(folder) as files:
        _write_files(graph, files, title, summary, sentences)
        files.write_rows(REJECTED_FILE, map(problem_row, problems))
        files.write(RUN_FILE, json_text(run) + "\n")


def write_merged(graph: CausalGraph, folder: Path, *, title: str, parts: Sequence[Path]) -> None:
    """Write the merged graph of several builds as a build folder.

    ``rejected.jsonl`` holds the rejected rows of all builds; ``run.json`` holds versions, the merged folders, counts.

    Args:
        folder: created if it is missing; files of a build in it are replaced.
        title: heading of the page.
        parts: the folders of the merged builds.

    Raises:
        OutputError: the folder cannot be written.
    """
    counts = sizes(graph)
    rejected = [path for part in parts if (path := current_path(part, REJECTED_FILE)).is_file()]
    lines = dict.fromkeys(line for path in rejected for line in path.read_bytes().splitlines(keepends=True))
    with OutputFolder(folder) as files:
        _write_files(graph, files, title, counts, ())
        files.write(REJECTED_FILE, b"".join(lines))
        run = {"versions": versions(), "inputs": list(map(str, parts)), "counts": counts}
        files.write(RUN_FILE, json_text(run) + "\n")


def _write_files(
    graph: CausalGraph,
    files: OutputFolder,
    title: str,
    summary: Mapping[str, object],
    sentences: Sequence[WrittenSentence],
) -> None:
    files.write_rows(EVENTS_FILE, event_rows(graph))
    files.write_rows(LINKS_FILE, link_rows(graph))
    files.write_rows(CLAIMS_FILE, claim_rows(graph))
    files.write_rows(ARTICLES_FILE, (article_row(article, text=False) for article in graph.articles.values()))
    files.write_rows(IN_SHORT_FILE, (sentence_row(graph, sentence) for sentence in sentences))
    files.write("graph.json", graph_json(graph))
    files.write("graph.graphml", graph_graphml(graph))
    files.write("report.html", render_page(graph, title=title, summary=summary, sentences=sentences))


def sizes(graph: CausalGraph) -> dict[str, int]:
    """How many articles, events, links and claims a graph has."""
    return {name: len(getattr(graph, name)) for name in ("articles", "events", "links", "claims")}


def problem_row(problem: Problem) -> dict[str, object]:
    """A row of ``rejected.jsonl``."""
    row = _json_value(problem.row)
    return {"place": problem.place, "reason": problem.reason, "kept": problem.kept, "row": row}


def _json_value(value: object) -> object:
    """Return the value as JSON: Parquet may hold dates or bytes, and numbers may be NaN."""
    if isinstance(value, Mapping):
        return {str(name): _json_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    return value if isinstance(value, float) and isfinite(value) else str(value)


def versions() -> dict[str, str]:
    """Return the versions of Whywire, its runtime and Python, by name."""
    return {name: version(name) for name in ("whywire", "onnxruntime", "numpy")} | {
        "python": platform.python_version()
    }


def read_graph(folder: str | Path) -> CausalGraph:
    """Read the graph of a build.

    Args:
        folder: the folder given to ``whywire build --out``. If a ``text`` was added to rows of ``articles.jsonl`` it
            is used, and the claims must quote it correctly.

    Raises:
        InputError: a file is missing, a row is not one that a build writes, or a row refers to an unknown id; the
            error names file and line.
    """
    folder = Path(folder)
    if not is_build_folder(folder):
        raise InputError("not a folder that `whywire build` wrote", where=place_of(folder))
    articles = _read_rows(current_path(folder, ARTICLES_FILE), article_from_row)
    events = _read_rows(current_path(folder, EVENTS_FILE), event_from_row)
    claims = _read_rows(current_path(folder, CLAIMS_FILE), claim_from_row)
    links = _read_rows(current_path(folder, LINKS_FILE), link_from_row)
    places = {f"{link.source} -> {link.target}": place for place, link in links}
    places |= {event.id: place for place, (event, _) in events}
    places |= {element.id: place for rows in (articles, claims) for place, element in rows}
    try:
        return assemble(
            [article for _, article in articles],
            [event for _, event in events],
            [link for _, link in links],
            [claim for _, claim in claims],
        )
    except InputError as error:
        element = error.where or ""
        raise _not_a_build_row(places.get(element, place_of(folder)), f"{element}: {error.message}") from error


def assemble(
    articles: Sequence[Article],
    events: Sequence[tuple[Event, list[tuple[Mention, str]]]],
    links: Sequence[Link],
    claims: Sequence[Claim],
) -> CausalGraph:
    """Make a graph of elements that were read from rows.

    Args:
        articles: an article without a text gets the words of its mentions and claims.
        events: each with the mentions whose words are known, and these words.

    Raises:
        InputError: an id is used twice or is unknown, or a quote is wrong.
    """
    times = {article.id: article.published for article in articles}
    quotes = _quotes(claims, (mention for _, mentions in events for mention in mentions))
    return CausalGraph(
        _articles_with_quotes(articles, quotes),
        tuple(_with_inferred_times(event, times) for event, _ in events),
        tuple(links),
        tuple(claims),
    )


def _read_rows(path: Path, from_row: Callable[[object], T]) -> list[tuple[str, T]]:
    """Return the elements in the rows of a file, each with its place (``file:line``)."""
    elements = []
    with open_bytes(path) as stream, decode(stream) as text:
        for row in read_json_lines(text, place_of(path)):
            if isinstance(row, Problem):
                raise _not_a_build_row(row.place, row.reason)
            try:
                elements.append((row.place, from_row(row.value)))
            except ValueError as error:
                raise _not_a_build_row(row.place, str(error)) from error
            except InputError as error:
                raise _not_a_build_row(row.place, error.message) from error
    return elements


def _not_a_build_row(place: str, reason: str) -> InputError:
    return InputError(
        f"not a row that `whywire build` writes: {reason}", where=place, hint="build the folder again from the news"
    )


def _quotes(claims: Iterable[Claim], mentions: Iterable[tuple[Mention, str]]) -> dict[str, list[tuple[Span, str]]]:
    """Return the known parts of the articles' texts, by article id."""
    quotes: defaultdict[str, list[tuple[Span, str]]] = defaultdict(list)
    for mention, words in mentions:
        if mention.field == "text":
            quotes[mention.article].append((mention.span, words))
    for claim in claims:
        if claim.field == "text":
            quotes[claim.article].append((claim.sentence, claim.quote))
    return quotes


def _articles_with_quotes(
    articles: Iterable[Article], quotes: Mapping[str, list[tuple[Span, str]]]
) -> dict[str, Article]:
    """Return the articles by id; an article without a text gets its known parts."""
    by_id: dict[str, Article] = {}
    for article in articles:
        if article.id in by_id:
            raise InputError("two articles have this id", where=article.id)
        by_id[article.id] = (
            article if article.text else replace(article, text=_known_text(quotes.get(article.id, [])))
        )
    return by_id


def _known_text(quotes: list[tuple[Span, str]]) -> str:
    letters = [" "] * max((span[1] for span, _ in quotes), default=0)
    for span, words in quotes:
        letters[slice(*span)] = words
    return "".join(letters)


def _with_inferred_times(event: Event, times: Mapping[str, Published | None]) -> Event:
    """Return the event with the times of its articles, which also say what a date was inferred from."""
    first, last = time_range(map(times.get, event.articles))
    if first and replace(first, inferred_from=None) == event.first_seen:
        event = replace(event, first_seen=first)
    if last and replace(last, inferred_from=None) == event.last_seen:
        event = replace(event, last_seen=last)
    return event
