"""Routes that answer with a page, also where something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from whywire.errors import InputError
from whywire.service.access import READS
from whywire.service.pages.rendering import render, wording_of
from whywire.service.problems import UNAVAILABLE, ProblemError, unavailable

BUSY = 503


class HtmlRoute(APIRoute):
    """A route whose errors are pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler."""
        answer = super().get_route_handler()

        async def answer_or_explain(request: Request) -> Response:
            words = wording_of(request)
            try:
                try:
                    return await answer(request)
                except UNAVAILABLE as error:
                    raise unavailable(request, error) from error
            except InputError as error:
                return render(request, "message.html", status=400, heading=words.text("bad address"), text=str(error))
            except ProblemError as problem:
                text = words.text("busy") if problem.status_code == BUSY else problem.detail
                page = render(request, "message.html", status=problem.status_code, heading=text, text="")
                page.headers.update(problem.headers or {})
                return page

        return answer_or_explain


def html_router() -> APIRouter:
    """Return a router of pages, for everybody who may read."""
    return APIRouter(route_class=HtmlRoute, include_in_schema=False, dependencies=[READS])


def not_found(request: Request) -> Response:
    """Return the page that says that there is nothing at an address."""
    words = wording_of(request)
    heading, text = words.text("not found"), words.text("not found text")
    return render(request, "message.html", status=404, heading=heading, text=text)


def day_of(text: str) -> date | None:
    """Return the day of a query; ``None`` for an empty one.

    Raises:
        InputError: it is no day.
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
    """Return the last day that news can be of, in some zone: later ones are of wrong clocks or years."""
    return (datetime.now(UTC) + timedelta(days=1)).date()


def start_of(day: date) -> datetime:
    """Return the first instant of a day."""
    return datetime.combine(day, time.min, UTC)


def end_of(day: date) -> datetime:
    """Return the last instant of a day."""
    return datetime.combine(day, time.max, UTC)
