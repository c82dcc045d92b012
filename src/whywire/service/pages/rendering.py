"""What all pages share: templates, the reader's language and theme, errors, days, static files.

Titles and addresses from outside must never be executed: templates escape everything, only http and https addresses
become links, and the content security policy allows no scripts but the service's files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response

from whywire.elements import Event, Link, round_strength, strength_class
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page import COMPONENT_SCRIPTS
from whywire.graph.page_data import evidence_kinds, sentence_pieces, title_in_sentence
from whywire.service.access import READS
from whywire.service.context import Context
from whywire.service.guards import local_path, public_path
from whywire.service.pages.wording import LANGUAGES, Wording, preferred_language
from whywire.service.problems import MEDIA_TYPE, UNAVAILABLE, ProblemError, problem_response, unavailable
from whywire.updating import ChangeKind

THEMES = ("light", "dark")

_WORDINGS = {language: Wording(language) for language in LANGUAGES}


def web_address(url: str | None) -> str | None:
    """Return an address of http or https, else ``None``: an article may have one of ``javascript:`` or ``file:``."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return None
    return url if parts.scheme.lower() in ("http", "https") and parts.netloc else None


def outlets_of(link: Link, graph: CausalGraph) -> list[str]:
    """Return the outlets whose articles are evidence of a link, each once, that of the best evidence first."""
    articles = (article for piece in link.evidence for article in graph.articles_of(piece))
    return [*dict.fromkeys(filter(None, (graph.articles[article].source for article in articles)))]


def capital(title: str) -> str:
    """Return a title with a capital first letter, as it begins a line; names such as *iPhone* stay."""
    first = title.split(" ", 1)[0]
    return title if any(map(str.isupper, first[1:])) else title[:1].upper() + title[1:]


def prose(text: str) -> Markup:
    """Return a description as HTML: paragraphs, and code between backticks."""
    paragraphs = [
        re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(part.strip())))
        for part in text.split("\n\n")
        if part.strip()
    ]
    return Markup("".join(f"<p>{part}</p>" for part in paragraphs))  # noqa: S704  what is not code was escaped


def wording_of(request: Request) -> Wording:
    """Return the texts in the language that the reader chose, else in the one that the browser prefers."""
    chosen = request.cookies.get("language", "")
    language = chosen if chosen in LANGUAGES else preferred_language(request.headers.get("accept-language", ""))
    return _WORDINGS[language]


def render(request: Request, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Render a template as a response."""
    words = wording_of(request)
    theme = request.cookies.get("theme", "")
    html = _ENVIRONMENT.get_template(template).render(
        words=words,
        t=words.text,
        languages=LANGUAGES,
        theme=theme if theme in THEMES else "",
        root=public_path(request, ""),
        static=lambda name: public_path(request, static_address(name)),
        own_address=f"{request.url.scheme}://{request.url.netloc}{_here(request)}",
        here=_here(request),
        path=local_path(request.scope),
        **values,
    )
    return HTMLResponse(
        html, status, headers={"vary": "accept-language, cookie", "cache-control": "private, no-cache"}
    )


def work_of(service: Context) -> dict[str, Any]:
    """Return what the template ``work.html`` shows: how far the articles are that wait."""
    waiting = service.store.waiting()
    leased = service.store.leased() if waiting else 0
    return {"waiting": waiting, "leased": leased, "position": service.progress.position(waiting)}


def _here(request: Request) -> str:
    """The path and the query of a page, as the browser asked for it."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


_ENVIRONMENT = Environment(
    loader=PackageLoader("whywire.service.pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters.update(
    web_address=web_address,
    pieces=sentence_pieces,
    in_sentence=title_in_sentence,
    prose=prose,
    kinds=evidence_kinds,
    outlets=outlets_of,
    capital=capital,
)
_ENVIRONMENT.globals.update(
    change_names=[kind.value.replace(" ", "-") for kind in ChangeKind],
    strength_class=lambda strength: strength_class(round_strength(strength)).value,
)


PAGE_SCRIPTS = frozenset(
    path.name for path in (files("whywire.service.pages") / "static").iterdir() if path.name.endswith(".js")
)
STYLE = "style.css"

_TYPES = {"js": "text/javascript", "css": "text/css", "txt": "text/plain"}


@cache
def static_file(name: str) -> tuple[bytes, str]:
    """Return a static file's content and media type; raise ``KeyError`` if no file has this name."""
    local = files("whywire.service.pages") / "static"
    shared = files("whywire.graph") / "assets"
    if name == STYLE:
        parts = [shared / "base.css", local / "pages.css"]
    elif name == "licences.txt":
        parts = [shared / "LICENSES.txt", local / "LICENSES.txt"]
    elif name in COMPONENT_SCRIPTS:
        parts = [shared / name]
    elif name in PAGE_SCRIPTS:
        parts = [local / name]
    else:
        raise KeyError(name)
    return b"\n".join(part.read_bytes() for part in parts), f"{_TYPES[name.rpartition('.')[2]]}; charset=utf-8"


@cache
def static_address(name: str) -> str:
    """Return the path of a static file, with a version that changes with its content."""
    return f"/static/{name}?v={version_of(name)}"


def version_of(name: str) -> str:
    """Return a hash of a static file's content."""
    return hashlib.sha256(static_file(name)[0]).hexdigest()[:16]


BUSY = 503


class HtmlRoute(APIRoute):
    """A route whose errors are pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler."""
        answer = super().get_route_handler()

        async def answer_or_explain(request: Request) -> Response:
            words = wording_of(request)
            try:
                return await answer(request)
            except (ProblemError, *UNAVAILABLE) as error:  # before InputError, from which StoreAwayError derives
                problem = error if isinstance(error, ProblemError) else unavailable(request, error)
                text = words.text("busy") if problem.status_code == BUSY else problem.detail
                return message(request, text, "", status=problem.status_code, headers=problem.headers)
            except InputError as error:
                return message(request, words.text("bad address"), str(error), status=400)

        return answer_or_explain


def html_router() -> APIRouter:
    """Return a router for pages that need the right to read."""
    return APIRouter(route_class=HtmlRoute, include_in_schema=False, dependencies=[READS])


def message(
    request: Request,
    heading: str,
    text: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    events: Sequence[Event] = (),
) -> Response:
    """Return a page with a message, and links to events if some are given."""
    page = render(request, "message.html", status=status, heading=heading, text=text, events=events)
    page.headers.update(headers or {})
    return page


def not_found(request: Request) -> Response:
    """Return the page for an unknown address."""
    words = wording_of(request)
    return message(request, words.text("not found"), words.text("not found text"), status=404)


def day_of(text: str) -> date | None:
    """Return the day in a query parameter; ``None`` if it is empty.

    Raises:
        InputError: it is not a day.
    """
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise InputError(f"not a day: {text[:40]!r}", hint="such as 2026-03-04") from None
    if not date.min < day < date.max:
        raise InputError(f"not a day of the news: {text[:40]!r}")
    return day


def tomorrow() -> date:
    """Return the last day on which news can have been published in any time zone; later dates are wrong."""
    return (datetime.now(UTC) + timedelta(days=1)).date()


def start_of(day: date) -> datetime:
    """Return the first instant of a day."""
    return datetime.combine(day, time.min, UTC)


def end_of(day: date) -> datetime:
    """Return the last instant of a day."""
    return datetime.combine(day, time.max, UTC)


FOR_PROGRAMS = ("/v1", "/healthz", "/readyz", "/metrics")
"""Below these paths every error is a problem in JSON, also for browsers."""


def explain_unknown(request: Request, problem: ProblemError) -> Response:
    """Answer a request for an unknown address (404), or with a method that the address lacks (405).

    No key is needed: the page reveals no more than the problem does.
    """
    path = local_path(request.scope)
    if any(path == prefix or path.startswith(f"{prefix}/") for prefix in FOR_PROGRAMS):
        return problem_response(request, problem)
    if not prefers_html(",".join(request.headers.getlist("accept"))):
        answer = problem_response(request, problem)
    elif problem.status_code == 404:
        answer = not_found(request)
    else:
        words = wording_of(request)
        heading, text = words.text("wrong method"), words.text("wrong method text")
        answer = message(request, heading, text, status=problem.status_code, headers=problem.headers)
    answer.headers.add_vary_header("accept")
    return answer


def prefers_html(accepted: str) -> bool:
    """Return whether a header ``Accept`` prefers HTML to JSON, by weight or, at equal weights, by a more exact range.

    Browsers name HTML; programs accept everything, name JSON, or send no header.
    """
    weights: list[tuple[str, float]] = []
    for part in accepted.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        given = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
        try:
            weights.append((name, min(1.0, max(0.0, float(given)))))
        except ValueError:
            weights.append((name, 0.0))

    def preference(media_type: str) -> tuple[float, int]:
        """Return the weight of the most exact range that holds the type, and its exactness, 0 (no range) to 3."""
        exactness = {"*/*": 1, media_type.partition("/")[0] + "/*": 2, media_type: 3}
        exact, weight = max(
            ((exactness[name], weight) for name, weight in weights if name in exactness), default=(0, 0.0)
        )
        return weight, exact

    html = preference("text/html")
    return html[0] > 0 and html > max(map(preference, (MEDIA_TYPE, "application/json")))
