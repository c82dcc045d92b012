"""Export of the graph to other tools. The same graph gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports.csv_tables import BYTE_ORDER_MARK, graph_csv
from whywire.graph.exports.cypher import graph_cypher
from whywire.graph.exports.drawings import graph_dot, graph_mermaid
from whywire.graph.exports.networkx_formats import graph_cytoscape, graph_graphml, graph_json
from whywire.graph.exports.rdf import graph_json_ld, graph_turtle

__all__ = [
    "BYTE_ORDER_MARK",
    "TEXT_FORMATS",
    "graph_csv",
    "graph_cypher",
    "graph_cytoscape",
    "graph_dot",
    "graph_graphml",
    "graph_json",
    "graph_json_ld",
    "graph_mermaid",
    "graph_turtle",
]

TEXT_FORMATS: Mapping[str, Callable[[CausalGraph], str]] = {
    "cypher": graph_cypher,
    "cytoscape": graph_cytoscape,
    "dot": graph_dot,
    "graphml": graph_graphml,
    "json": graph_json,
    "jsonld": graph_json_ld,
    "mermaid": graph_mermaid,
    "turtle": graph_turtle,
}
"""The formats that are a single text, by name; ``graph_csv`` returns two tables."""
