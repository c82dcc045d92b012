"""Cypher export: for Neo4j, Memgraph and other graph databases with openCypher."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whywire.elements import ClaimEvidence, Link, LinkKind
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, claim_row, event_row, link_row
from whywire.graph.exports.illegal_characters import plain_text
from whywire.news.article_rows import to_row
from whywire.output import json_text

RELATIONSHIPS = {LinkKind.CAUSES: "CAUSES", LinkKind.REFUTES: "REFUTED_BY"}
"""Relationship types between events; both run forward in time."""

_ESCAPED = {"\\": r"\\", "'": r"\'", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
_TO_ESCAPE = re.compile(r"[\\'\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


def graph_cypher(graph: CausalGraph) -> str:
    """Return statements that add the graph to a database, one on each line, ended by ``;``.

    ``(:Article)-[:TELLS_OF]->(:Event)``, ``(:Claim)-[:STANDS_IN]->(:Article)`` and between events ``CAUSES`` and
    ``REFUTED_BY``, with the fields of the rows of a build as properties; lists of anything but strings and numbers
    become JSON in a string. The properties ``claims`` and ``denials`` of a link are the ids of the claims that
    support and deny it. The statements can be run again without adding anything twice. For a large graph, create
    an index on the ``id`` of each of the three labels first. NUL and lone surrogates become U+FFFD.
    """
    return "".join(f"{statement};\n" for statement in _statements(graph))


def _statements(graph: CausalGraph) -> Iterator[str]:
    for event in graph.events:
        row = event_row(graph, event)
        yield _node("Event", {name: value for name, value in row.items() if name != "articles"})
    for article in graph.articles.values():
        yield _node("Article", {name: value for name, value in to_row(article).items() if name != "text"})
    for event in graph.events:
        for member in event.articles:
            yield _relationship("Article", member, "TELLS_OF", "Event", event.id)
    for claim in graph.claims:
        yield _node("Claim", claim_row(claim))
        yield _relationship("Claim", claim.id, "STANDS_IN", "Article", claim.article)
    for link in graph.links:
        relationship = RELATIONSHIPS[link.kind]
        yield _relationship("Event", link.source, relationship, "Event", link.target, _properties(graph, link))


def _properties(graph: CausalGraph, link: Link) -> Row:
    row = link_row(graph, link)
    for name in ("source", "target", "kind"):
        del row[name]
    return row | {
        "claims": [evidence.claim for evidence in link.evidence if isinstance(evidence, ClaimEvidence)],
        "denials": [evidence.claim for evidence in link.denied_by],
    }


def _node(label: str, properties: Row) -> str:
    rest = {name: value for name, value in properties.items() if name != "id"}
    return f"MERGE (n:{label} {{id: {_value(properties['id'])}}}) SET n += {_map(rest)}"


def _relationship(
    source_label: str, source: str, kind: str, target_label: str, target: str, properties: Row | None = None
) -> str:
    ends = f"MATCH (s:{source_label} {{id: {_value(source)}}}), (t:{target_label} {{id: {_value(target)}}})"
    return f"{ends} MERGE (s)-[r:{kind}]->(t)" + (f" SET r += {_map(properties)}" if properties else "")


def _map(properties: Row) -> str:
    present = ((name, value) for name, value in properties.items() if value is not None and value != [])
    return "{" + ", ".join(f"{name}: {_value(value)}" for name, value in present) + "}"


def _value(value: object) -> str:
    if isinstance(value, str):
        return "'" + _TO_ESCAPE.sub(_escaped, plain_text(value)) + "'"
    if isinstance(value, list):
        if all(isinstance(item, str | int | float) for item in value):
            return "[" + ", ".join(map(_value, value)) + "]"
        return _value(json_text(value))
    if isinstance(value, dict):
        return _value(json_text(value))
    return repr(value)


def _escaped(match: re.Match[str]) -> str:
    letter = match[0]
    return _ESCAPED.get(letter) or f"\\u{ord(letter):04x}"
