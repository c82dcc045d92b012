"""The feeds that are watched, and the page of one feed, with forms to change them."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import Request
from starlette.responses import Response

from whywire.service.context import Context, Service
from whywire.service.pages.rendering import html_router, not_found, render
from whywire.service.rows import feed_row
from whywire.service.v1.feeds import LEAST_MINUTES, MAX_IMPORTED, MOST_MINUTES

router = html_router()


@router.get("/feeds")
def feeds(request: Request, service: Service) -> Response:
    """List the feeds, those that fail first, with forms to add some."""
    now = datetime.now(UTC)
    listed = sorted(
        service.store.feeds(),
        key=lambda feed: (feed.paused, not feed.state.failures, feed.state.title or feed.title or feed.url),
    )
    rows = [(feed, feed_row(feed, now, given=feed.url in service.given_feeds)) for feed in listed]
    is_watched = _is_watched(service)
    return render(
        request,
        "feeds.html",
        feeds=rows,
        is_watched=is_watched or not any(feed.added for feed in listed),
        polls=is_watched and any(row["awaits_look"] and row["origin"] != "elsewhere" for _, row in rows),
        least=LEAST_MINUTES,
        most=MOST_MINUTES,
        most_imported=MAX_IMPORTED,
    )


@router.get("/feeds/{feed_id}")
def feed(request: Request, service: Service, feed_id: str) -> Response:
    """Show one feed: how it is, and forms to change it."""
    found = service.store.feed(feed_id)
    if found is None:
        return not_found(request)
    row = feed_row(found, datetime.now(UTC), given=found.url in service.given_feeds)
    return render(
        request,
        "feed.html",
        feed=found,
        row=row,
        polls=row["awaits_look"] and row["origin"] != "elsewhere" and _is_watched(service),
        least=LEAST_MINUTES,
        most=MOST_MINUTES,
    )


def _is_watched(service: Context) -> bool:
    """Whether some process watches the feeds that were added."""
    return service.watches_feeds or service.store.feed_watcher() is not None
