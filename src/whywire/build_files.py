"""The files of a build: rows for programs, a graph for other tools, a page for people."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from math import isfinite
from pathlib import Path

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports import graph_graphml, graph_json
from whywire.graph.reading import ARTICLES, CLAIMS, EVENTS, LINKS
from whywire.graph.report import render_report
from whywire.graph.rows import claim_rows, event_rows, link_rows
from whywire.models import embedded_names, weights_file
from whywire.models.pretrained import WEIGHTS
from whywire.news import Article, Problem
from whywire.news.rows import to_row
from whywire.output import OutputFolder, json_text, published
from whywire.pipeline import Build
from whywire.sentences import grammar
from whywire.stories import when

REJECTED, RUN = "rejected.jsonl", "run.json"


def write_build(
    build: Build, folder: Path, *, title: str, inputs: Sequence[str], problems: Sequence[Problem] = ()
) -> None:
    """Write every file of a build into a folder, all of them or none.

    All but ``run.json``, which holds the seconds spent, are the same bytes for the same input and weights.

    Args:
        inputs: where the news was read from, for ``run.json``.
        problems: what was wrong with the input, for ``rejected.jsonl``, besides what the build left out.

    Raises:
        OutputError: the folder cannot be written.
    """
    found = [*problems, *build.problems]
    with OutputFolder(folder) as files:
        _write_graph(build.graph, files, title, build.counts)
        files.write_rows(REJECTED, map(_problem_row, found))
        files.write(RUN, json_text(_run(build, inputs, found)) + "\n")


def write_merged(graph: CausalGraph, folder: Path, *, title: str, parts: Sequence[Path]) -> None:
    """Write the graph that builds were merged into, as a build writes its own.

    What could not be read for the parts is in ``rejected.jsonl``; ``run.json`` has versions, the parts and counts.

    Args:
        parts: the folders of the builds.

    Raises:
        OutputError: the folder cannot be written.
    """
    sizes = {name: len(getattr(graph, name)) for name in ("articles", "events", "links", "claims")}
    rejected = [path for part in parts if (path := published(part, REJECTED)).is_file()]
    lines = dict.fromkeys(line for path in rejected for line in path.read_bytes().splitlines(keepends=True))
    with OutputFolder(folder) as files:
        _write_graph(graph, files, title, sizes)
        files.write(REJECTED, b"".join(lines))
        run = {"versions": _versions(), "inputs": list(map(str, parts)), "counts": sizes}
        files.write(RUN, json_text(run) + "\n")


def _write_graph(graph: CausalGraph, files: OutputFolder, title: str, summary: Mapping[str, object]) -> None:
    files.write_rows(EVENTS, event_rows(graph))
    files.write_rows(LINKS, link_rows(graph))
    files.write_rows(CLAIMS, claim_rows(graph))
    files.write_rows(ARTICLES, (_without_text(article) for article in graph.articles.values()))
    files.write("graph.json", graph_json(graph))
    files.write("graph.graphml", graph_graphml(graph))
    files.write("report.html", render_report(graph, title=title, summary=summary))


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


def _run(build: Build, inputs: Sequence[str], problems: Sequence[Problem]) -> dict[str, object]:
    return {
        "versions": _versions(),
        "extras": {"grammar": grammar.versions(), "times": when.versions()},
        "models": {
            name: hashlib.sha256(weights_file(WEIGHTS / name).read_bytes()).hexdigest()[:16]
            for name in embedded_names()
        },
        "inputs": list(inputs),
        "counts": dict(build.counts)
        | {
            "rejected": sum(not problem.kept for problem in problems),
            "kept with a note": sum(problem.kept for problem in problems),
        },
        "seconds": {stage: round(seconds, 2) for stage, seconds in build.seconds.items()},
    }


def _versions() -> dict[str, str]:
    return {name: version(name) for name in ("whywire", "onnxruntime", "numpy")} | {
        "python": platform.python_version()
    }
