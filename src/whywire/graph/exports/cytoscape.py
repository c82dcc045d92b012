"""Cytoscape JSON export: for Cytoscape, Cytoscape.js and networkx."""

from __future__ import annotations

import networkx as nx

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.networkx_graph import to_networkx
from whywire.output import json_text


def graph_cytoscape(graph: CausalGraph) -> str:
    """Return the graph as Cytoscape JSON, for ``networkx.cytoscape_graph``; an event's ``name`` is its title."""
    return json_text(nx.cytoscape_data(to_networkx(graph), name="title")) + "\n"
