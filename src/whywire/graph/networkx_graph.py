"""The causal graph as a graph of networkx."""

from __future__ import annotations

import networkx as nx

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.to_rows import event_row, link_row


def to_networkx(graph: CausalGraph) -> nx.MultiDiGraph:
    """Return the graph for networkx.

    Nodes are event ids and edge keys are link kinds; the attributes are the fields of the rows of
    ``events.jsonl`` and ``links.jsonl`` (see ``whywire.graph.to_rows``), without those that are ``None``.
    """
    shape = nx.MultiDiGraph()
    for event in graph.events:
        row = event_row(graph, event)
        shape.add_node(row.pop("id"), **_known(row))
    for link in graph.links:
        row = link_row(graph, link)
        shape.add_edge(row.pop("source"), row.pop("target"), key=row["kind"], **_known(row))
    return shape


def _known(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if value is not None}
