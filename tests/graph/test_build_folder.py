"""What a build wrote comes back as it was, and what no build writes is named with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from small_graphs import small_graphs

from whywire.errors import InputError
from whywire.graph.build_folder import ARTICLES_FILE, CLAIMS_FILE, EVENTS_FILE, LINKS_FILE, read_graph
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import claim_rows, event_rows, link_rows
from whywire.graph.exports import graph_graphml, graph_json
from whywire.news.article_rows import to_row
from whywire.output import json_text

Change = Callable[[dict[str, Any]], object]


def files(graph: CausalGraph) -> dict[str, str]:
    """The files of a build that hold the graph."""
    articles = (
        {name: value for name, value in to_row(article).items() if name != "text"}
        for article in graph.articles.values()
    )
    rows = {
        EVENTS_FILE: event_rows(graph),
        LINKS_FILE: link_rows(graph),
        CLAIMS_FILE: claim_rows(graph),
        ARTICLES_FILE: articles,
    }
    return {name: "".join(json_text(row) + "\n" for row in found) for name, found in rows.items()}


def written(graph: CausalGraph, folder: Path) -> Path:
    for name, text in files(graph).items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def changed(folder: Path, name: str, line: int, change: Change) -> None:
    """Change the row at a line, from 1."""
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[line - 1])
    change(row)
    lines[line - 1] = json.dumps(row)
    (folder / name).write_text("\n".join(lines), encoding="utf-8")


@settings(deadline=None, max_examples=40)
@given(small_graphs())
def test_a_graph_that_is_read_and_written_has_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, graph: CausalGraph
) -> None:
    again = read_graph(written(graph, tmp_path_factory.mktemp("build")))
    assert files(again) == files(graph)


def test_everything_is_read_but_unquoted_text(graph: CausalGraph, tmp_path: Path) -> None:
    again = read_graph(written(graph, tmp_path))
    assert files(again) == files(graph)
    assert (graph_json(again), graph_graphml(again)) == (graph_json(graph), graph_graphml(graph))
    assert [claim.words(claim.cause) for claim in again.claims if claim.cause] == [
        claim.words(claim.cause) for claim in graph.claims if claim.cause
    ]
    for claim in again.claims:
        assert again.articles[claim.article].text[slice(*claim.sentence)] == claim.quote


def test_an_added_text_is_used_and_must_contain_the_quotes(graph: CausalGraph, tmp_path: Path) -> None:
    written(graph, tmp_path)
    rows = [json_text(to_row(article)) + "\n" for article in graph.articles.values()]
    (tmp_path / ARTICLES_FILE).write_text("".join(rows), encoding="utf-8")
    assert read_graph(tmp_path).articles == graph.articles
    dammed = [row.replace("embankment", "embankmant") for row in rows]
    (tmp_path / ARTICLES_FILE).write_text("".join(dammed), encoding="utf-8")
    with pytest.raises(InputError, match=r"claims\.jsonl:1: .*quote is not the text at 28:104"):
        read_graph(tmp_path)


def test_an_empty_graph_is_read(tmp_path: Path) -> None:
    assert read_graph(written(CausalGraph(), tmp_path)) == CausalGraph()


def test_a_folder_that_is_no_build_and_a_missing_file_are_named(graph: CausalGraph, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder that `whywire build` wrote"):
        read_graph(tmp_path)
    written(graph, tmp_path)
    (tmp_path / LINKS_FILE).unlink()
    with pytest.raises(InputError, match=r"links\.jsonl: cannot be opened"):
        read_graph(tmp_path)


@pytest.mark.parametrize("name", [EVENTS_FILE, LINKS_FILE, CLAIMS_FILE, ARTICLES_FILE])
@pytest.mark.parametrize(
    ("line", "reason"),
    [("{", "broken JSON"), ("[]", "Expected `object`"), ("{}", "Object missing required field")],
)
def test_a_line_that_is_no_row_is_named(
    graph: CausalGraph, tmp_path: Path, name: str, line: str, reason: str
) -> None:
    text = (written(graph, tmp_path) / name).read_text(encoding="utf-8")
    (tmp_path / name).write_text(f"\n{line}\n{text}", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_graph(tmp_path)
    assert f"{name}:2: not a row that `whywire build` writes: {reason}" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "line", "change", "reason"),
    [
        (EVENTS_FILE, 2, {"title": 7}, "title: Expected `str`, got `int`"),
        (EVENTS_FILE, 2, {"language": "xx"}, "language: Invalid enum value 'xx'"),
        (EVENTS_FILE, 2, {"first_seen": "soon"}, "unreadable time 'soon'"),
        (EVENTS_FILE, 2, {"articles": "e2-1"}, "articles: Expected `array`, got `str`"),
        (EVENTS_FILE, 2, {"story": 7}, "story: Expected `str | null`, got `int`"),
        (EVENTS_FILE, 2, {"articles": [1]}, "articles[0]: Expected `str`, got `int`"),
        (EVENTS_FILE, 2, {"articles": ["gone"]}, "e2: the event's article 'gone' is not in the graph"),
        (EVENTS_FILE, 2, {"id": "e1"}, "e1: two events have this id"),
        (LINKS_FILE, 3, {"kind": "hints"}, "kind: Invalid enum value 'hints'"),
        (LINKS_FILE, 3, {"probability": 1.5}, "probability: Expected `float` <= 1.0"),
        (LINKS_FILE, 3, {"probability": True}, "probability: Expected `float`, got `bool`"),
        (LINKS_FILE, 3, {"strength": "strong"}, "strength: Expected `float`, got `str`"),
        (LINKS_FILE, 3, {"evidence": [{"kind": "rumour"}]}, "evidence[0].kind: Invalid value 'rumour'"),
        (LINKS_FILE, 3, {"evidence": [3]}, "evidence[0]: Expected `object`, got `int`"),
        (LINKS_FILE, 3, {"evidence": []}, "the link has no evidence"),
        (LINKS_FILE, 3, {"target": "gone"}, "e2 -> gone: the link's event 'gone' is not in the graph"),
        (LINKS_FILE, 3, {"denied_by": [{"claim": "c1"}]}, "denied_by[0]: Object missing required field"),
        (CLAIMS_FILE, 1, {"kind": "guess"}, "kind: Invalid enum value 'guess'"),
        (CLAIMS_FILE, 1, {"sentence": [28]}, "sentence: Expected `array` of length >= 2"),
        (CLAIMS_FILE, 1, {"sentence": [False, 28]}, "sentence[0]: Expected `int`, got `bool`"),
        (CLAIMS_FILE, 1, {"sentence": [28, 10**12]}, "sentence[1]: Expected `int` <= 1000000"),
        (CLAIMS_FILE, 1, {"sentence": [28, 29]}, "the quote has 76 characters, 'sentence' 1"),
        (CLAIMS_FILE, 1, {"cause": [0, 40]}, "the span [0, 40] extends beyond the sentence [28, 104]"),
        (CLAIMS_FILE, 1, {"article": "e3-1"}, "the claim's article 'e3-1' is not one of event 'e2'"),
        (ARTICLES_FILE, 4, {"published": "never"}, "unreadable time 'never'"),
        (ARTICLES_FILE, 4, {"id": "e1-1"}, "e1-1: two articles have this id"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_with_file_and_line(
    graph: CausalGraph, tmp_path: Path, name: str, line: int, change: dict[str, Any], reason: str
) -> None:
    changed(written(graph, tmp_path), name, line, lambda row: row.update(change))
    with pytest.raises(InputError) as raised:
        read_graph(tmp_path)
    assert f"{tmp_path / name}:{line}: not a row that `whywire build` writes: " in str(raised.value)
    assert reason in str(raised.value)
