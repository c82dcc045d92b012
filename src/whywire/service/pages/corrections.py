"""Corrections by persons, and where they are taken back."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from whywire.service.context import Service
from whywire.service.pages.rendering import html_router, render

CORRECTIONS_PER_PAGE = 50

router = html_router()


@router.get("/corrections")
def corrections(request: Request, service: Service, after: str = "") -> Response:
    """List what persons corrected, the latest first."""
    page = service.store.corrections(after=after or None, limit=CORRECTIONS_PER_PAGE)
    return render(
        request,
        "corrections.html",
        corrections=page.items,
        next=page.next,
        last_change=service.store.last_change(),
    )
