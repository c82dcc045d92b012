"""Where a drawing's boxes lead to."""

from __future__ import annotations

from urllib.parse import quote

from whywire.elements import Event
from whywire.graph.causal_graph import CausalGraph

_KEPT = "!#$%&()*+,-./:=?@[]_~"
"""What has a meaning in an address, but for the semicolon, which ends an entity in HTML and Mermaid."""


def address_of(graph: CausalGraph, event: Event) -> str | None:
    """The first address of the web among those of an event's articles.

    Programs that draw put it into their pages as it is, so whatever does not belong into one is percent-encoded.
    """
    urls = (graph.articles[article].url or "" for article in event.articles)
    address = next((url for url in urls if url.startswith(("https://", "http://"))), None)
    return address and quote(address, safe=_KEPT, errors="replace")
