"""Node-link JSON export: for networkx, D3 and Sigma."""

from __future__ import annotations

import networkx as nx

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.networkx_graph import to_networkx
from whywire.output import json_text


def graph_json(graph: CausalGraph) -> str:
    """Return the graph as node-link JSON, for ``networkx.node_link_graph(data, edges="links")``."""
    return json_text(nx.node_link_data(to_networkx(graph), edges="links")) + "\n"
