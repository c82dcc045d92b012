"""DOT: for Graphviz, which draws it, and what reads its files."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

from whywire.elements import ClaimEvidence, Event, Link, LinkKind, round_strength
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.exports.addresses import address_of
from whywire.graph.exports.characters import xml_text
from whywire.graph.to_rows import Row, event_row, link_row, time_text
from whywire.output import json_text

LABEL_CHARS = 32
"""Where the lines of a title are broken: four to six words."""

_HEAD = """digraph whywire {
  rankdir=LR;
  node [shape=box, style=rounded, fontname="Helvetica"];
  edge [fontname="Helvetica"];
"""


def graph_dot(graph: CausalGraph) -> str:
    """Return the graph as DOT: an event a box, a link an arrow, as thick as it is strong.

    Refutations are red, closed links grey and dashed. A box leads to its first article that has an address, and an
    arrow shows the sentence of its strongest claim as a tooltip. The whole row of ``events.jsonl`` or ``links.jsonl``
    is in the attribute ``data``, as JSON. Nodes are named by the events' ids, with a backslash doubled. Characters
    that an SVG cannot hold become U+FFFD in what is shown.
    """
    nodes = (f"  {_string(event.id)} {_attributes(_node(graph, event))};\n" for event in graph.events)
    edges = (
        f"  {_string(link.source)} -> {_string(link.target)} {_attributes(_edge(graph, link))};\n"
        for link in graph.links
    )
    return f"{_HEAD}{''.join(nodes)}{''.join(edges)}}}\n"


def _node(graph: CausalGraph, event: Event) -> dict[str, str]:
    lines = [*textwrap.wrap(event.title, LABEL_CHARS), time_text(event.first_seen) or ""]
    address = address_of(graph, event)
    return {
        "label": _shown("\n".join(filter(None, lines))),
        **({"URL": _shown(address)} if address else {}),
        "data": _data(event_row(graph, event)),
    }


def _edge(graph: CausalGraph, link: Link) -> dict[str, str]:
    claims = [evidence.claim for evidence in link.evidence if isinstance(evidence, ClaimEvidence)]
    look = {"color": '"#c0392b"'} if link.kind is LinkKind.REFUTES else {}
    if link.closed_by is not None:
        look = {"color": '"#888888"', "style": "dashed"}
    words = "refuted by" if link.kind is LinkKind.REFUTES else "led to"
    return {
        "label": _shown(f"{words}\n{link.strength:.0f}"),
        "penwidth": str(round(0.5 + link.strength / 40, 2)),
        **look,
        **({"tooltip": _shown(graph.claim(claims[0]).quote)} if claims else {}),
        "strength": str(round_strength(link.strength)),
        "data": _data(link_row(graph, link)),
    }


def _attributes(attributes: Mapping[str, str]) -> str:
    return "[" + ", ".join(f"{name}={value}" for name, value in attributes.items()) + "]"


def _shown(text: str) -> str:
    """A string that Graphviz shows: there ``&`` begins an entity."""
    return _string(text.replace("&", "&amp;"))


def _string(text: str) -> str:
    """A string with Graphviz's escapes (its type ``escString``)."""
    lines = xml_text(text).replace("\\", "\\\\").replace('"', '\\"').splitlines()
    return '"' + "\\n".join(lines) + '"'


def _data(row: Row) -> str:
    """JSON as it is: Graphviz leaves a backslash alone unless a quote or another backslash follows."""
    text = re.sub(r'\\["\\]', lambda found: f"\\u{ord(found[0][1]):04x}", json_text(row))
    return '"' + text.replace("\x7f", "\\u007f").replace('"', '\\"') + '"'
