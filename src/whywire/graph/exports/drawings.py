"""Exports that are drawings: DOT for Graphviz and programs that read its files, Mermaid for Markdown pages."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from whywire.elements import ClaimEvidence, Event, Link, LinkKind, round_strength
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import Row, event_row, link_row, time_text
from whywire.graph.exports.illegal_characters import xml_text
from whywire.output import json_text

LABEL_WIDTH = 32
"""Characters in a line of a title: four to six words."""

_HEAD = """digraph whywire {
  rankdir=LR;
  node [shape=box, style=rounded, fontname="Helvetica"];
  edge [fontname="Helvetica"];
"""

EMPTY_LABEL = " "
"""The label of an event without title and time; Mermaid accepts no empty label."""

_TO_ESCAPE = re.compile(r"[^\w ]|_")

_URL_CHARACTERS = "!#$%&()*+,-./:=?@[]_~"
"""Characters with a meaning in a url, except the semicolon, which ends an entity in HTML and Mermaid."""


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
    url = _event_url(graph, event)
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
    return {
        "label": _visible_string(f"{_words(link)}\n{link.strength:.0f}"),
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
    text = re.sub(r'\\["\\]', lambda match: f"\\u{ord(match[0][1]):04x}", json_text(row))
    return '"' + text.replace("\x7f", "\\u007f").replace('"', '\\"') + '"'


def graph_mermaid(graph: CausalGraph) -> str:
    """Return the events that have links, and the links, as a Mermaid flowchart.

    A box has the title, the time and the first url of the event's articles; an arrow has the strength. Refutations
    end in a cross, closed links are dotted. Evidence is not included. Mermaid draws at most 500 arrows and 50,000
    characters; reduce a larger graph first (``graph.with_min_strength(80)``).
    """
    linked = [event for event in graph.events if graph.links_of(event.id)]
    names = {event.id: f"n{number}" for number, event in enumerate(linked, start=1)}
    return "".join(f"{line}\n" for line in ("flowchart LR", *_lines(graph, linked, names)))


def _lines(graph: CausalGraph, events: list[Event], names: dict[str, str]) -> Iterator[str]:
    for event in events:
        label = "<br/>".join(map(_escaped, filter(None, [event.title, time_text(event.first_seen)])))
        yield f'  {names[event.id]}["{label or EMPTY_LABEL}"]'
    for link in graph.links:
        yield f'  {names[link.source]} {_arrow(link)}|"{_words(link)} {link.strength:.0f}"| {names[link.target]}'
    for event in events:
        if url := _event_url(graph, event):
            yield f'  click {names[event.id]} href "{url}"'


def _arrow(link: Link) -> str:
    head = "x" if link.kind is LinkKind.REFUTES else ">"
    return f"-.-{head}" if link.closed_by is not None else f"--{head}"


def _escaped(text: str) -> str:
    """Return the text in one line, with all characters but letters, digits and spaces as Mermaid's entities."""
    one_line = " ".join(xml_text(text).split())
    return _TO_ESCAPE.sub(lambda match: f"#{ord(match[0])};", one_line)


def _words(link: Link) -> str:
    return "refuted by" if link.kind is LinkKind.REFUTES else "led to"


def _event_url(graph: CausalGraph, event: Event) -> str | None:
    """Return the first http(s) url of the event's articles; ``None`` if there is none.

    Drawing programs insert it into their pages unescaped, so all other characters are percent-encoded.
    """
    urls = (graph.articles[article].url or "" for article in event.articles)
    url = next((url for url in urls if url.startswith(("https://", "http://"))), None)
    return url and quote(url, safe=_URL_CHARACTERS, errors="replace")
