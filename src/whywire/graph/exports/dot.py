"""DOT export: for Graphviz and other programs that read its files."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

from whywire.elements import ClaimEvidence, Event, Link, LinkKind, round_strength
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, event_row, link_row, time_text
from whywire.graph.exports.event_urls import event_url
from whywire.graph.exports.illegal_characters import xml_text
from whywire.output import json_text

LABEL_WIDTH = 32
"""Characters in a line of a title: four to six words."""

_HEAD = """digraph whywire {
  rankdir=LR;
  node [shape=box, style=rounded, fontname="Helvetica"];
  edge [fontname="Helvetica"];
"""


def graph_dot(graph: CausalGraph) -> str:
    """Return the graph as DOT: events are boxes, links are arrows whose width grows with their strength.

    Refutations are red, closed links grey and dashed. A box links to its first article with a url, and an arrow
    has the sentence of its most probable claim as a tooltip. The attribute ``data`` is the row of ``events.jsonl`` or
    ``links.jsonl`` as JSON. Nodes are named by event ids, with backslashes doubled. Characters that SVG cannot
    represent become U+FFFD in visible text.
    """
    nodes = (f"  {_string(event.id)} {_attributes(_node(graph, event))};\n" for event in graph.events)
    edges = (
        f"  {_string(link.source)} -> {_string(link.target)} {_attributes(_edge(graph, link))};\n"
        for link in graph.links
    )
    return f"{_HEAD}{''.join(nodes)}{''.join(edges)}}}\n"


def _node(graph: CausalGraph, event: Event) -> dict[str, str]:
    lines = [*textwrap.wrap(event.title, LABEL_WIDTH), time_text(event.first_seen) or ""]
    url = event_url(graph, event)
    return {
        "label": _visible_string("\n".join(filter(None, lines))),
        **({"URL": _visible_string(url)} if url else {}),
        "data": _data(event_row(graph, event)),
    }


def _edge(graph: CausalGraph, link: Link) -> dict[str, str]:
    claims = [evidence.claim for evidence in link.evidence if isinstance(evidence, ClaimEvidence)]
    look = {"color": '"#c0392b"'} if link.kind is LinkKind.REFUTES else {}
    if link.closed_by is not None:
        look = {"color": '"#888888"', "style": "dashed"}
    words = "refuted by" if link.kind is LinkKind.REFUTES else "led to"
    return {
        "label": _visible_string(f"{words}\n{link.strength:.0f}"),
        "penwidth": str(round(0.5 + link.strength / 40, 2)),
        **look,
        **({"tooltip": _visible_string(graph.claim(claims[0]).quote)} if claims else {}),
        "strength": str(round_strength(link.strength)),
        "data": _data(link_row(graph, link)),
    }


def _attributes(attributes: Mapping[str, str]) -> str:
    return "[" + ", ".join(f"{name}={value}" for name, value in attributes.items()) + "]"


def _visible_string(text: str) -> str:
    """Return a string that Graphviz displays, where ``&`` begins an entity."""
    return _string(text.replace("&", "&amp;"))


def _string(text: str) -> str:
    """Return a string with Graphviz's escapes (its type ``escString``)."""
    lines = xml_text(text).replace("\\", "\\\\").replace('"', '\\"').splitlines()
    return '"' + "\\n".join(lines) + '"'


def _data(row: Row) -> str:
    """Return JSON unchanged: Graphviz keeps a backslash unless a quote or another backslash follows it."""
    text = re.sub(r'\\["\\]', lambda found: f"\\u{ord(found[0][1]):04x}", json_text(row))
    return '"' + text.replace("\x7f", "\\u007f").replace('"', '\\"') + '"'
