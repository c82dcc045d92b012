"""The graph for other tools: node-link JSON (networkx, D3, Sigma) and GraphML (Gephi, yEd, Cytoscape).

Both come out the same, byte for byte, for the same graph.
"""

from __future__ import annotations

import json
import re

import networkx as nx

from whywire.graph.causal_graph import CausalGraph
from whywire.output import json_text

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Every character outside XML 1.0's ``Char`` production; no escape makes them legal."""


def graph_json(graph: CausalGraph) -> str:
    """Return the graph as node-link JSON, for ``networkx.node_link_graph(data, edges="links")``."""
    return json_text(nx.node_link_data(graph.to_networkx(), edges="links")) + "\n"


def graph_graphml(graph: CausalGraph) -> str:
    """Return the graph as GraphML, for ``networkx.parse_graphml`` and ``read_graphml``.

    GraphML has no lists: an event's articles and a link's evidence are JSON in a string. Characters
    that XML cannot hold become U+FFFD, the replacement character.
    """
    rich = graph.to_networkx()
    flat = nx.MultiDiGraph()
    for event, attributes in rich.nodes(data=True):
        flat.add_node(_legal(event), **_flat(attributes))
    for source, target, kind, attributes in rich.edges(keys=True, data=True):
        edge_id = _legal(f"{source}-{kind}-{target}")
        flat.add_edge(_legal(source), _legal(target), key=edge_id, **_flat(attributes))
    lines = nx.generate_graphml(flat, prettyprint=True)
    return "<?xml version='1.0' encoding='utf-8'?>\n" + "\n".join(lines) + "\n"


def _flat(attributes: dict[str, object]) -> dict[str, object]:
    return {name: _plain(value) for name, value in attributes.items()}


def _plain(value: object) -> object:
    if isinstance(value, str):
        return _legal(value)
    if isinstance(value, list):
        return _legal(json.dumps(value, ensure_ascii=False))
    return value


def _legal(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
