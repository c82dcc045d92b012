"""The state of the service: counts, the queue, feeds and models."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from fastapi import Request
from starlette.responses import Response

from whywire.feeds.states import shown_url
from whywire.service.context import Service
from whywire.service.pages.html_routes import html_router
from whywire.service.pages.rendering import render

router = html_router()


@router.get("/status")
def status(request: Request, service: Service) -> Response:
    """What is known, what waits, and how the feeds are."""
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
