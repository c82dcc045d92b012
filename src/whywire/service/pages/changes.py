"""What changed since a day: the history, with what was merged, split and closed."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta

from fastapi import Request
from starlette.responses import Response

from whywire.errors import InputError
from whywire.service.context import Service
from whywire.service.pages.html_routes import day_of, html_router, start_of
from whywire.service.pages.rendering import render
from whywire.store.records import RecordedChange
from whywire.updating import ChangeKind

CHANGES_PER_PAGE = 3_000
"""Of a day of news most are new events and articles, which are only counted at first."""

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
"""Kinds of which every article that comes in makes some."""

MAX_DIGITS = 15
"""Digits of the number of a change."""

router = html_router()


@router.get("/changes")
def changes(request: Request, service: Service, since: str = "", after: str = "") -> Response:
    """What changed since a day: since yesterday by default."""
    day = day_of(since) or (datetime.now(UTC) - timedelta(days=1)).date()
    if after and not (after.isdecimal() and len(after) <= MAX_DIGITS):
        raise InputError(f"not the number of a change: {after[:40]!r}")
    store = service.store
    found = store.changes(after=int(after or 0), since=start_of(day), limit=CHANGES_PER_PAGE)
    groups: defaultdict[ChangeKind, list[RecordedChange]] = defaultdict(list)
    for one in found:
        groups[one.change.kind].append(one)
    into = {name for one in found for name in one.change.into}
    titles = {name: event.title for name in sorted(into) if (event := store.event(name))}
    for own in groups.values():
        own.sort(key=lambda one: -one.change.details.get("strength", 0))
    return render(
        request,
        "changes.html",
        since=day,
        groups=[(kind.value, groups[kind]) for kind in MOST_NOTABLE_FIRST if kind in groups],
        routine=[kind.value for kind in ROUTINE],
        titles=titles,
        next=found[-1].id if len(found) == CHANGES_PER_PAGE else None,
        last_change=store.last_change(),
    )
