"""The url that an event's box in a drawing links to."""

from __future__ import annotations

from urllib.parse import quote

from whywire.elements import Event
from whywire.graph.causal_graph import CausalGraph

_URL_CHARACTERS = "!#$%&()*+,-./:=?@[]_~"
"""Characters with a meaning in a url, except the semicolon, which ends an entity in HTML and Mermaid."""


def event_url(graph: CausalGraph, event: Event) -> str | None:
    """Return the first http(s) url of the event's articles; ``None`` if there is none.

    Drawing programs insert it into their pages unescaped, so all other characters are percent-encoded.
    """
    urls = (graph.articles[article].url or "" for article in event.articles)
    url = next((one for one in urls if one.startswith(("https://", "http://"))), None)
    return url and quote(url, safe=_URL_CHARACTERS, errors="replace")
