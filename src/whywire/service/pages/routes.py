"""The router of all pages, and the smaller pages: guide, settings, static files, changes, status."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from whywire.errors import InputError
from whywire.feeds.states import shown_url
from whywire.service.context import Service
from whywire.service.guards import public_path
from whywire.service.pages import events, questions, stories
from whywire.service.pages.rendering import (
    THEMES,
    HtmlRoute,
    day_of,
    html_router,
    not_found,
    render,
    start_of,
    static_file,
    version_of,
)
from whywire.service.pages.wording import LANGUAGES
from whywire.store.records import RecordedChange
from whywire.updating import ChangeKind

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


CHANGES_PER_PAGE = 3_000
"""Changes on a page: most are new events and articles, which are shown as mere counts at first."""

MOST_NOTABLE_FIRST = (
    ChangeKind.ARTICLE_REPLACED,
    ChangeKind.ARTICLE_WITHDRAWN,
    ChangeKind.LINK_CLOSED,
    ChangeKind.EVENT_MERGED,
    ChangeKind.EVENT_SPLIT,
    ChangeKind.EVENT_ENDED,
    ChangeKind.LINK_REOPENED,
    ChangeKind.LINK_ADDED,
    ChangeKind.LINK_CHANGED,
    ChangeKind.LINK_DROPPED,
    ChangeKind.EVENT_ADDED,
    ChangeKind.EVENT_CHANGED,
    ChangeKind.ARTICLE_ADDED,
    ChangeKind.ARTICLE_COPIED,
)

ROUTINE = MOST_NOTABLE_FIRST[-4:]
"""Kinds of changes that every new article makes."""

MAX_DIGITS = 15
"""Digits in the number of a change."""


@_pages.get("/changes")
def changes(request: Request, service: Service, since: str = "", after: str = "") -> Response:
    """List what changed since a day, yesterday by default."""
    day = day_of(since) or (datetime.now(UTC) - timedelta(days=1)).date()
    if after and not (after.isdecimal() and len(after) <= MAX_DIGITS):
        raise InputError(f"not the number of a change: {after[:40]!r}")
    store = service.store
    history = store.changes(after=int(after or 0), since=start_of(day), limit=CHANGES_PER_PAGE)
    groups: defaultdict[ChangeKind, list[RecordedChange]] = defaultdict(list)
    for recorded in history:
        groups[recorded.change.kind].append(recorded)
    into = {name for recorded in history for name in recorded.change.into}
    titles = {name: event.title for name in sorted(into) if (event := store.event(name))}
    for of_kind in groups.values():
        of_kind.sort(key=lambda recorded: -recorded.change.details.get("strength", 0))
    return render(
        request,
        "changes.html",
        since=day,
        groups=[(kind.value, groups[kind]) for kind in MOST_NOTABLE_FIRST if kind in groups],
        routine=[kind.value for kind in ROUTINE],
        titles=titles,
        next=history[-1].id if len(history) == CHANGES_PER_PAGE else None,
        last_change=store.last_change(),
    )


@_pages.get("/status")
def status(request: Request, service: Service) -> Response:
    """Show the sizes of the store, articles that were set aside, and the health of the feeds."""
    store = service.store
    counts = store.counts()
    now = datetime.now(UTC)
    last = store.changes(after=counts.changes - 1, limit=1) if counts.changes else []
    feeds = sorted(store.feed_states.load(), key=lambda state: (not state.failures, state.title or state.url))
    return render(
        request,
        "status.html",
        counts=counts,
        last_at=last[-1].at if last else None,
        set_aside=store.set_aside() if counts.set_aside else [],
        feeds=[(replace(state, url=shown_url(state.url)), state.health(now).value) for state in feeds],
    )


router = APIRouter()
for _part in (stories.router, events.router, questions.router, _pages, _files):
    router.include_router(_part)
