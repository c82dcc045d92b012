"""All routes of the pages, with their static files and the settings of a reader."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from whywire.service.pages import bench, changes, events, questions, status, stories
from whywire.service.pages.html_routes import HtmlRoute, html_router, not_found
from whywire.service.pages.rendering import THEMES, render
from whywire.service.pages.static_files import static_file, version_of
from whywire.service.pages.wording import LANGUAGES
from whywire.service.proxies import public_path

YEAR = 365 * 24 * 60 * 60

_pages = html_router()


@_pages.get("/guide")
def guide(request: Request) -> Response:
    """The words of the pages, explained."""
    return render(request, "guide.html")


@_pages.get("/settings")
def settings(request: Request, language: str = "", theme: str = "", back: str = "") -> Response:
    """Keep the language and the colours that a reader chose, in cookies, and go back to the page."""
    home = public_path(request, "/")
    local = back.startswith(home) and not back.startswith("//") and "\\" not in back and back.isprintable()
    answer = RedirectResponse(back if local else home, 303)
    cookie: dict[str, Any] = {
        "max_age": YEAR,
        "httponly": True,
        "samesite": "lax",
        "path": public_path(request, "") or "/",
    }
    if language in LANGUAGES:
        answer.set_cookie("language", language, **cookie)
    if theme in THEMES:
        answer.set_cookie("theme", theme, **cookie)
    return answer


_files = APIRouter(route_class=HtmlRoute, include_in_schema=False)  # they hold no news, so they need no key


@_files.get("/static/{name}")
def static(request: Request, name: str, v: str = "") -> Response:
    """A static file; with the version in its address it may be kept for good."""
    try:
        content, media_type = static_file(name)
    except KeyError:
        return not_found(request)
    kept = f"public, max-age={YEAR}, immutable" if v == version_of(name) else "no-cache"
    return Response(content, media_type=media_type, headers={"cache-control": kept})


router = APIRouter()
for _part in (stories.router, events.router, questions.router, changes.router, bench.router, status.router):
    router.include_router(_part)
router.include_router(_pages)
router.include_router(_files)
