"""The report: a causal graph as one page that needs no network and no server.

Titles and texts come from strangers. They reach the page as JSON in a data block and are only ever
shown as text; a content security policy lets no script run but the page's own and nothing load at all.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Mapping
from importlib.resources import files
from string import Template

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page_data import page_data
from whywire.output import json_text

SCRIPTS = (
    "cytoscape.min.js",
    "dagre.min.js",
    "dom.js",
    "news.js",
    "titles.js",
    "part.js",
    "packing.js",
    "layout.js",
    "cards.js",
    "picture.js",
    "filters.js",
    "timeline.js",
    "story.js",
    "panel.js",
    "search.js",
    "page.js",
)
"""In the order they run; each may use what the ones before it define."""

_ASSETS = files("whywire.graph") / "assets"


def render_page(graph: CausalGraph, *, title: str, summary: Mapping[str, object]) -> str:
    """Render the graph as one self-contained HTML page, safe to encode as UTF-8.

    Args:
        graph: what to show.
        title: the page's heading.
        summary: facts about the run, shown at the foot in the order given.
    """
    scripts = [_asset(name) for name in SCRIPTS]
    return Template(_asset("page.html")).substitute(
        policy=_content_security_policy(scripts),
        title=html.escape(title.encode("utf-8", "replace").decode("utf-8")),
        style=_asset("page.css"),
        data=json_text(page_data(graph, title, summary)).replace("<", "\\u003c"),
        licences=html.escape(_asset("LICENSES.txt")),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _content_security_policy(scripts: list[str]) -> str:
    """Allow these very scripts, the page's styles and nothing else; Cytoscape.js adds a style of its own."""
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
