"""Addresses that lead nowhere, and methods that an address has not: a page for a browser, a problem for a program."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from whywire.service.pages.html_routes import not_found
from whywire.service.pages.rendering import render, wording_of
from whywire.service.problems import MEDIA_TYPE, ProblemError, problem_response
from whywire.service.proxies import local_path

FOR_PROGRAMS = ("/v1", "/healthz", "/readyz", "/metrics")
"""Below these addresses every error is a problem, whoever asks."""

_HTML = "text/html"
_PROBLEMS = (MEDIA_TYPE, "application/json")

Preference = tuple[float, int]
"""How much a media type is wanted: its weight, and how exactly it is named, from 0 (by no name) to 3."""


def explain_unknown(request: Request, problem: ProblemError) -> Response:
    """Answer a request for an address that is none (404), or with a method that it has not (405).

    No key is asked for: the page tells what the problem tells, and nothing of the news.
    """
    path = local_path(request.scope)
    if any(path == one or path.startswith(f"{one}/") for one in FOR_PROGRAMS):
        return problem_response(request, problem)
    if not prefers_html(",".join(request.headers.getlist("accept"))):
        answer = problem_response(request, problem)
    elif problem.status_code == 404:
        answer = not_found(request)
    else:
        words = wording_of(request)
        heading, text = words.text("wrong method"), words.text("wrong method text")
        answer = render(request, "message.html", status=problem.status_code, heading=heading, text=text)
        answer.headers.update(problem.headers or {})
    answer.headers.add_vary_header("accept")
    return answer


def prefers_html(accepted: str) -> bool:
    """Return whether a header ``Accept`` wants HTML more than a problem, by weight or else by naming it.

    Browsers name HTML; programs accept everything, name JSON, or say nothing.
    """
    ranges = [_range(one) for one in accepted.split(",")]
    html = _preference(_HTML, ranges)
    return html[0] > 0 and html > max(_preference(name, ranges) for name in _PROBLEMS)


def _range(text: str) -> tuple[str, float]:
    """The media type of a part of the header, and its weight: 0 where that cannot be read."""
    name, *parameters = (one.strip().lower() for one in text.split(";"))
    weight = next((one[2:] for one in parameters if one.startswith("q=")), "1")
    try:
        return name, min(1.0, max(0.0, float(weight)))
    except ValueError:
        return name, 0.0


def _preference(media_type: str, ranges: list[tuple[str, float]]) -> Preference:
    """The preference for a media type: that of the most exact range it is in."""
    exactness = {"*/*": 1, media_type.partition("/")[0] + "/*": 2, media_type: 3}
    found = [(exactness[name], weight) for name, weight in ranges if name in exactness]
    exact, weight = max(found, default=(0, 0.0))
    return weight, exact
