"""Writing of a build folder: rows as JSON Lines, the graph for other tools, the page for readers."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from math import isfinite
from pathlib import Path

from whywire.graph.build_folder import ARTICLES_FILE, CLAIMS_FILE, EVENTS_FILE, LINKS_FILE, REJECTED_FILE, RUN_FILE
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports import graph_graphml, graph_json
from whywire.graph.page import render_page
from whywire.graph.to_rows import claim_rows, event_rows, link_rows
from whywire.news import Article, Problem
from whywire.news.article_rows import to_row
from whywire.output import OutputFolder, current_path, json_text


def write_graph(
    graph: CausalGraph,
    folder: Path,
    *,
    title: str,
    run: Mapping[str, object],
    summary: Mapping[str, object],
    problems: Iterable[Problem] = (),
) -> None:
    """Write all files of a build into a folder, all of them or none.

    All files but ``run.json`` have the same bytes for the same input and weights.

    Args:
        folder: created if it is missing; files of a build in it are replaced.
        title: heading of the page.
        run: how the graph was made, for ``run.json``.
        summary: facts about the run shown at the foot of the page, by name.
        problems: the rows of the input that could not be used, for ``rejected.jsonl``.

    Raises:
        OutputError: the folder cannot be written.
    """
    with OutputFolder(folder) as files:
        _write_files(graph, files, title, summary)
        files.write_rows(REJECTED_FILE, map(_rejected_row, problems))
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
    files.write_rows(ARTICLES_FILE, (_row_without_text(article) for article in graph.articles.values()))
    files.write("graph.json", graph_json(graph))
    files.write("graph.graphml", graph_graphml(graph))
    files.write("report.html", render_page(graph, title=title, summary=summary))


def _row_without_text(article: Article) -> Mapping[str, object]:
    return {name: value for name, value in to_row(article).items() if name != "text"}


def _rejected_row(problem: Problem) -> Mapping[str, object]:
    return {
        "place": problem.place,
        "reason": problem.reason,
        "kept": problem.kept,
        "row": _json_value(problem.row),
    }


def _json_value(value: object) -> object:
    """Return the value as JSON can represent it: tables may give dates or bytes, numbers may be NaN."""
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
