from __future__ import annotations

import json
from dataclasses import replace

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_week import HEBREW_TITLE, HOSTILE_TITLE

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.elements import Event
from whywire.graph.exports import graph_graphml, graph_json
from whywire.news.article import Article
from whywire.news.language import Language


def with_title(title: str) -> CausalGraph:
    return CausalGraph({"a": Article("a", title)}, (Event("e", title, Language.OTHER, None, None, ("a",)),), (), ())


def test_json_loads_back_as_the_graph(graph: CausalGraph) -> None:
    loaded = nx.node_link_graph(json.loads(graph_json(graph)), edges="links")
    assert nx.utils.graphs_equal(loaded, graph.to_networkx())


def test_graphml_loads_back_with_events_links_and_numbers(graph: CausalGraph) -> None:
    loaded = nx.parse_graphml(graph_graphml(graph))
    assert (loaded.number_of_nodes(), loaded.number_of_edges()) == (len(graph.events), len(graph.links))
    titles = {title for _, title in loaded.nodes(data="title")}
    assert {HOSTILE_TITLE, HEBREW_TITLE} <= titles
    assert 'Line\nbreak, "quotes" and a control\ufffdcharacter' in titles
    edge = loaded.edges["e1", "e2"]
    assert (edge["strength"], edge["kind"]) == (92.0, "causes")
    assert json.loads(edge["evidence"])[0]["quote"].startswith("The embankment")
    assert json.loads(loaded.nodes["e2"]["articles"]) == ["e2-1", "e2-2", "e2-3", "e2-4"]


def test_exports_are_the_same_bytes_again(graph: CausalGraph) -> None:
    again = replace(graph, articles=dict(sorted(graph.articles.items(), reverse=True)))
    assert graph_json(again) == graph_json(graph)
    assert graph_graphml(again) == graph_graphml(graph)


def test_an_empty_graph_exports() -> None:
    assert nx.parse_graphml(graph_graphml(CausalGraph())).number_of_nodes() == 0
    assert nx.node_link_graph(json.loads(graph_json(CausalGraph())), edges="links").number_of_nodes() == 0


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
