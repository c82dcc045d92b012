"""What readers follow: topics, their feeds, and how their webhooks are doing."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from whywire.service.context import Service
from whywire.service.pages.rendering import html_router, render
from whywire.service.webhooks import shown_webhook
from whywire.store import TopicKind

router = html_router()


@router.get("/watches")
def watches(request: Request, service: Service, kind: str = "", value: str = "", name: str = "") -> Response:
    """List the watches, and offer a form for another one, filled in with what other pages suggest."""
    return render(
        request,
        "watches.html",
        watches=[(watch, shown_webhook(watch.webhook)) for watch in service.store.watches()],
        kinds=[one.value for one in TopicKind],
        kind=kind,
        value=value,
        name=name,
        last_change=service.store.last_change(),
    )
