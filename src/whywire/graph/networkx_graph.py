"""Conversion of the causal graph to a networkx graph."""

from __future__ import annotations

import networkx as nx

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import event_row, link_row


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
