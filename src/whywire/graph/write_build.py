"""The files of a build: rows for programs, a graph for other tools, a page for people."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from math import isfinite
from pathlib import Path

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports import graph_graphml, graph_json
from whywire.graph.page import render_page
from whywire.graph.read_build import ARTICLES_FILE, CLAIMS_FILE, EVENTS_FILE, LINKS_FILE
from whywire.graph.to_rows import claim_rows, event_rows, link_rows
from whywire.news import Article, Problem
from whywire.news.rows import to_row
from whywire.output import OutputFolder, current_path, json_text

REJECTED_FILE, RUN_FILE = "rejected.jsonl", "run.json"


def write_graph(
    graph: CausalGraph,
    folder: Path,
    *,
    title: str,
    run: Mapping[str, object],
    summary: Mapping[str, object],
    problems: Iterable[Problem] = (),
) -> None:
    """Write every file of a build into a folder, all of them or none.

    All but ``run.json`` are the same bytes for the same input and weights.

    Args:
        run: how the graph was made, for ``run.json``.
        summary: what the page says of it, by name.
        problems: what was wrong with the input, for ``rejected.jsonl``.

    Raises:
        OutputError: the folder cannot be written.
    """
    with OutputFolder(folder) as files:
        _write_files(graph, files, title, summary)
        files.write_rows(REJECTED_FILE, map(_problem_row, problems))
        files.write(RUN_FILE, json_text(run) + "\n")


def write_merged(graph: CausalGraph, folder: Path, *, title: str, parts: Sequence[Path]) -> None:
    """Write the graph that builds were merged into, as a build writes its own.

    What could not be read for the parts is in ``rejected.jsonl``; ``run.json`` has versions, the parts and counts.

    Args:
        parts: the folders of the builds.

    Raises:
        OutputError: the folder cannot be written.
    """
    sizes = {name: len(getattr(graph, name)) for name in ("articles", "events", "links", "claims")}
    rejected = [path for part in parts if (path := current_path(part, REJECTED_FILE)).is_file()]
    lines = dict.fromkeys(line for path in rejected for line in path.read_bytes().splitlines(keepends=True))
    with OutputFolder(folder) as files:
        _write_files(graph, files, title, sizes)
        files.write(REJECTED_FILE, b"".join(lines))
        run = {"versions": versions(), "inputs": list(map(str, parts)), "counts": sizes}
        files.write(RUN_FILE, json_text(run) + "\n")


def _write_files(graph: CausalGraph, files: OutputFolder, title: str, summary: Mapping[str, object]) -> None:
    files.write_rows(EVENTS_FILE, event_rows(graph))
    files.write_rows(LINKS_FILE, link_rows(graph))
    files.write_rows(CLAIMS_FILE, claim_rows(graph))
    files.write_rows(ARTICLES_FILE, (_without_text(article) for article in graph.articles.values()))
    files.write("graph.json", graph_json(graph))
    files.write("graph.graphml", graph_graphml(graph))
    files.write("report.html", render_page(graph, title=title, summary=summary))


def _without_text(article: Article) -> Mapping[str, object]:
    return {name: value for name, value in to_row(article).items() if name != "text"}


def _problem_row(problem: Problem) -> Mapping[str, object]:
    return {
        "place": problem.place,
        "reason": problem.reason,
        "kept": problem.kept,
        "row": _plain(problem.row),
    }


def _plain(value: object) -> object:
    """The value as JSON can hold it: a table may give dates or bytes, a number may be none."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    return value if isinstance(value, float) and isfinite(value) else str(value)


def versions() -> dict[str, str]:
    """What made the files, by name."""
    return {name: version(name) for name in ("whywire", "onnxruntime", "numpy")} | {
        "python": platform.python_version()
    }
