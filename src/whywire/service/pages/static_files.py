"""The static files of the pages: style sheet, scripts, and the graph component that the report page has too."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from whywire.graph.page import COMPONENT_SCRIPTS

PAGE_SCRIPTS = ("htmx.min.js", "site.js", "graph_words_ru.js", "story_page.js")
STYLE = "style.css"

_TYPES = {"js": "text/javascript", "css": "text/css", "txt": "text/plain"}


@cache
def static_file(name: str) -> tuple[bytes, str]:
    """Return a file's content and media type; raise ``KeyError`` if there is none of this name."""
    own = files("whywire.service.pages") / "static"
    shared = files("whywire.graph") / "assets"
    if name == STYLE:
        parts = [shared / "base.css", own / "pages.css"]
    elif name == "licences.txt":
        parts = [shared / "LICENSES.txt", own / "LICENSES.txt"]
    elif name in COMPONENT_SCRIPTS:
        parts = [shared / name]
    elif name in PAGE_SCRIPTS:
        parts = [own / name]
    else:
        raise KeyError(name)
    return b"\n".join(part.read_bytes() for part in parts), f"{_TYPES[name.rpartition('.')[2]]}; charset=utf-8"


@cache
def static_address(name: str) -> str:
    """Return the path of a file, which is another one when its content is."""
    return f"/static/{name}?v={version_of(name)}"


def version_of(name: str) -> str:
    """Return a hash of a file's content."""
    return hashlib.sha256(static_file(name)[0]).hexdigest()[:16]
