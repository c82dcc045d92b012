"""The page: a causal graph as one HTML file that needs no network and no server.

Titles and texts from outside are never executed: they are JSON in a data block and are shown as text only. The
content security policy allows no script but the page's own, and loads nothing.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Mapping
from importlib.resources import files
from string import Template

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page_data import page_data
from whywire.graph.passages import WrittenSentence
from whywire.output import json_text

COMPONENT_SCRIPTS = (
    "cytoscape.min.js",
    "dagre.min.js",
    "elements.js",
    "graph_words.js",
    "graph_data.js",
    "event_selection.js",
    "packing.js",
    "arcs.js",
    "time_columns.js",
    "layout.js",
    "event_cards.js",
    "graph_view.js",
    "causal_graph.js",
)
"""The scripts of the component that draws a causal graph, in the order in which they run."""

SCRIPTS = (
    *COMPONENT_SCRIPTS,
    "report_data.js",
    "labels.js",
    "event_titles.js",
    "filters.js",
    "timeline.js",
    "story.js",
    "details_panel.js",
    "search.js",
    "page.js",
)
"""The scripts in the order in which they run; at its start, each may use only what earlier ones define."""

STYLES = ("base.css", "page.css")

_ASSETS = files("whywire.graph") / "assets"


def render_page(
    graph: CausalGraph,
    *,
    title: str,
    summary: Mapping[str, object],
    sentences: Iterable[WrittenSentence] = (),
) -> str:
    """Return the graph as one self-contained HTML page that can be encoded as UTF-8.

    Args:
        graph: the graph to show.
        title: heading of the page.
        summary: facts about the run shown at the foot of the page, by name, in this order.
        sentences: on stories, written by a language model.
    """
    scripts = [_asset(name) for name in SCRIPTS]
    return Template(_asset("page.html")).substitute(
        policy=_content_security_policy(scripts),
        title=html.escape(title.encode("utf-8", "replace").decode("utf-8")),
        style="\n".join(map(_asset, STYLES)),
        data=json_text(page_data(graph, title, summary, sentences)).replace("<", "\\u003c"),
        licences=html.escape(_asset("LICENSES.txt")),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _content_security_policy(scripts: list[str]) -> str:
    """Return a policy that allows these scripts and inline styles (Cytoscape.js adds one), and nothing else."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
