"""The router of all pages, and the smaller pages: guide, settings, static files, status."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from whywire.service.context import Service
from whywire.service.guards import public_path
from whywire.service.pages import (
    annotating,
    api_reference,
    atom,
    changes,
    corrections,
    events,
    feeds,
    questions,
    stories,
    watches,
)
from whywire.service.pages.rendering import (
    THEMES,
    HtmlRoute,
    html_router,
    not_found,
    render,
    static_file,
    version_of,
    work_of,
)
from whywire.service.pages.wording import LANGUAGES

YEAR = 365 * 24 * 60 * 60

_pages = html_router()


@_pages.get("/guide")
def guide(request: Request) -> Response:
    """Explain the terms of the pages."""
    return render(request, "guide.html")


@_pages.get("/settings")
def settings(request: Request, language: str = "", theme: str = "", back: str = "") -> Response:
    """Store the reader's language and theme in cookies and go back to the page."""
    home = public_path(request, "/")
    local = back.startswith(home) and not back.startswith("//") and "\\" not in back and back.isprintable()
    answer = RedirectResponse(back if local else home, 303)
    path = public_path(request, "") or "/"
    for name, value, choices in (("language", language, LANGUAGES), ("theme", theme, THEMES)):
        if value in choices:
            answer.set_cookie(name, value, max_age=YEAR, path=path, httponly=True, samesite="lax")
    return answer


_files = APIRouter(route_class=HtmlRoute, include_in_schema=False)  # they hold no news, so they need no key


@_files.get("/static/{name}")
def static(request: Request, name: str, v: str = "") -> Response:
    """Serve a static file; with the right version in its address it may be cached for ever."""
    try:
        content, media_type = static_file(name)
    except KeyError:
        return not_found(request)
    kept = f"public, max-age={YEAR}, immutable" if v == version_of(name) else "no-cache"
    return Response(content, media_type=media_type, headers={"cache-control": kept})


@_pages.get("/status")
def status(request: Request, service: Service) -> Response:
    """Show the sizes of the store, articles that were set aside, and the health of the feeds."""
    store = service.store
    counts = store.counts()
    now = datetime.now(UTC)
    health = Counter(feed.health(now).value for feed in store.feeds())
    last = store.changes(after=counts.changes - 1, limit=1) if counts.changes else []
    return render(
        request,
        "status.html",
        counts=counts,
        last_at=last[-1].at if last else None,
        set_aside=store.set_aside() if counts.set_aside else [],
        feeds=sorted(health.items()),
        **work_of(service),
    )


@_pages.get("/status/work")
def work(request: Request, service: Service) -> Response:
    """Show how far the articles are that wait, for a page that renews this line."""
    return render(request, "work.html", **work_of(service))


router = APIRouter()
_PARTS = (stories, events, questions, changes, corrections, watches, feeds, atom, annotating, api_reference)
for _part in (*(part.router for part in _PARTS), _pages, _files):
    router.include_router(_part)
