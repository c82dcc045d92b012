"""Mermaid export: a flowchart for Markdown pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whywire.elements import Event, Link, LinkKind
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.codec import time_text
from whywire.graph.exports.event_urls import event_url
from whywire.graph.exports.illegal_characters import xml_text

EMPTY_LABEL = " "
"""The label of an event without title and time; Mermaid does not accept an empty one."""

_TO_ESCAPE = re.compile(r"[^\w ]|_")


def graph_mermaid(graph: CausalGraph) -> str:
    """Return the events that have links, and the links, as a Mermaid flowchart.

    A box has the title, the time and the first url of the event's articles; an arrow has the strength. Refutations
    end in a cross, closed links are dotted. Evidence is not included. Mermaid draws at most 500 arrows and 50,000
    characters; reduce a larger graph first
    (``graph.with_min_strength(80)``).
    """
    linked = [event for event in graph.events if graph.links_of(event.id)]
    names = {event.id: f"n{number}" for number, event in enumerate(linked, start=1)}
    return "".join(f"{line}\n" for line in ("flowchart LR", *_lines(graph, linked, names)))


def _lines(graph: CausalGraph, events: list[Event], names: dict[str, str]) -> Iterator[str]:
    for event in events:
        label = "<br/>".join(map(_escaped, filter(None, [event.title, time_text(event.first_seen)])))
        yield f'  {names[event.id]}["{label or EMPTY_LABEL}"]'
    for link in graph.links:
        yield f'  {names[link.source]} {_arrow(link)}|"{_label(link)}"| {names[link.target]}'
    for event in events:
        if url := event_url(graph, event):
            yield f'  click {names[event.id]} href "{url}"'


def _arrow(link: Link) -> str:
    head = "x" if link.kind is LinkKind.REFUTES else ">"
    return f"-.-{head}" if link.closed_by is not None else f"--{head}"


def _label(link: Link) -> str:
    words = "refuted by" if link.kind is LinkKind.REFUTES else "led to"
    return f"{words} {link.strength:.0f}"


def _escaped(text: str) -> str:
    """Return the text in one line, with all characters but letters, digits and spaces as Mermaid's entities."""
    one_line = " ".join(xml_text(text).split())
    return _TO_ESCAPE.sub(lambda found: f"#{ord(found[0])};", one_line)
