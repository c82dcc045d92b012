"""Exports by way of networkx: node-link JSON, Cytoscape JSON and GraphML."""

from __future__ import annotations

import json

import networkx as nx

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import event_row, link_row
from whywire.graph.exports.illegal_characters import xml_text
from whywire.output import json_text


def to_networkx(graph: CausalGraph) -> nx.MultiDiGraph:
    """Return the graph as a networkx multigraph.

    Nodes are event ids, edge keys are link kinds. The attributes are the fields of the rows of ``events.jsonl`` and
    ``links.jsonl`` (see ``whywire.graph.codec``) that are not ``None``.
    """
    multigraph = nx.MultiDiGraph()
    for event in graph.events:
        row = event_row(graph, event)
        multigraph.add_node(row.pop("id"), **_without_none(row))
    for link in graph.links:
        row = link_row(graph, link)
        multigraph.add_edge(row.pop("source"), row.pop("target"), key=row["kind"], **_without_none(row))
    return multigraph


def _without_none(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if value is not None}


def graph_json(graph: CausalGraph) -> str:
    """Return the graph as node-link JSON, for ``networkx.node_link_graph(data, edges="links")``."""
    return json_text(nx.node_link_data(to_networkx(graph), edges="links")) + "\n"


def graph_cytoscape(graph: CausalGraph) -> str:
    """Return the graph as Cytoscape JSON, for ``networkx.cytoscape_graph``; an event's ``name`` is its title."""
    return json_text(nx.cytoscape_data(to_networkx(graph), name="title")) + "\n"


def graph_graphml(graph: CausalGraph) -> str:
    """Return the graph as GraphML, for ``networkx.parse_graphml`` and ``read_graphml``.

    GraphML has no lists, so an event's articles and a link's evidence are JSON in a string. Characters that XML
    cannot represent become U+FFFD. For Gephi and yEd, nodes have their title and edges their kind as ``label``, and
    edges their strength (0 to 100) as ``weight``.
    """
    rich = to_networkx(graph)
    flat = nx.MultiDiGraph()
    for event, attributes in rich.nodes(data=True):
        flat.add_node(xml_text(event), **_flat({"label": attributes["title"], **attributes}))
    for source, target, kind, attributes in rich.edges(keys=True, data=True):
        edge_id = xml_text(f"{source}-{kind}-{target}")
        shown = {"label": kind, "weight": attributes["strength"], **attributes}
        flat.add_edge(xml_text(source), xml_text(target), key=edge_id, **_flat(shown))
    lines = nx.generate_graphml(flat, prettyprint=True)
    return "<?xml version='1.0' encoding='utf-8'?>\n" + "\n".join(lines) + "\n"


def _flat(attributes: dict[str, object]) -> dict[str, object]:
    return {name: _attribute_value(value) for name, value in attributes.items()}


def _attribute_value(value: object) -> object:
    if isinstance(value, str):
        return xml_text(value)
    if isinstance(value, list | dict):
        return xml_text(json.dumps(value, ensure_ascii=False))
    return value
