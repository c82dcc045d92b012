"""GraphML export: for Gephi, yEd and Cytoscape."""

from __future__ import annotations

import json

import networkx as nx

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports.illegal_characters import xml_text
from whywire.graph.networkx_graph import to_networkx


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
