"""Turtle export: for triple stores."""

from __future__ import annotations

import warnings

from whywire.errors import MissingExtraError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports.json_ld import graph_json_ld


def graph_turtle(graph: CausalGraph) -> str:
    """Return the graph as Turtle: the triples of ``graph_json_ld``.

    Raises:
        MissingExtraError: rdflib is not installed.
    """
    try:
        import rdflib
    except ModuleNotFoundError as error:
        raise MissingExtraError("rdflib", "rdf") from error
    triples = rdflib.Graph()
    with warnings.catch_warnings():  # raised inside rdflib by its own JSON-LD parser
        warnings.simplefilter("ignore", DeprecationWarning)
        triples.parse(data=graph_json_ld(graph), format="json-ld")
    return triples.serialize(format="turtle")
