"""Renders templates: escaping, the language and the colours a reader chose, and addresses of static files.

The worse error is to execute a title or an address from outside. Templates escape everything, an address that is not
of the web gets no link, and the pages' content security policy allows no script but files of the service.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from whywire.elements import round_strength, strength_class
from whywire.graph.page_data import evidence_kinds, sentence_pieces
from whywire.service.pages.static_files import static_address
from whywire.service.pages.wording import LANGUAGES, Wording, preferred_language
from whywire.service.proxies import local_path, public_path
from whywire.updating import ChangeKind

THEMES = ("light", "dark")

_WORDINGS = {language: Wording(language) for language in LANGUAGES}


def web_address(url: str | None) -> str | None:
    """Return the address if it is of the web, else ``None``: articles may come with ``javascript:`` or ``file:``."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return None
    return url if parts.scheme.lower() in ("http", "https") and parts.netloc else None


def wording_of(request: Request) -> Wording:
    """Return the words of the language that the reader chose, else of the one that the browser prefers."""
    chosen = request.cookies.get("language", "")
    language = chosen if chosen in LANGUAGES else preferred_language(request.headers.get("accept-language", ""))
    return _WORDINGS[language]


def render(request: Request, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Return a page."""
    words = wording_of(request)
    theme = request.cookies.get("theme", "")
    html = _ENVIRONMENT.get_template(template).render(
        words=words,
        t=words.text,
        languages=LANGUAGES,
        theme=theme if theme in THEMES else "",
        root=public_path(request, ""),
        static=lambda name: public_path(request, static_address(name)),
        here=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        path=local_path(request.scope),
        **values,
    )
    return HTMLResponse(
        html, status, headers={"vary": "accept-language, cookie", "cache-control": "private, no-cache"}
    )


_ENVIRONMENT = Environment(
    loader=PackageLoader("whywire.service.pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["web_address"] = web_address
_ENVIRONMENT.filters["pieces"] = sentence_pieces
_ENVIRONMENT.filters["kinds"] = evidence_kinds
_ENVIRONMENT.globals.update(
    change_names=[kind.value.replace(" ", "-") for kind in ChangeKind],
    strength_class=lambda strength: strength_class(round_strength(strength)).value,
)
