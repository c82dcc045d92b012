"""Addresses that lead nowhere: a page for a browser, a problem for a program."""

from __future__ import annotations

import pytest
from tests.service.servers import Running, running
from tests.service.test_problems import check_shape

from whywire.service.guards import SECURITY_HEADERS
from whywire.service.pages.rendering import prefers_html
from whywire.service.settings import Settings

CHROMIUM = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


@pytest.mark.parametrize("path", ["/nothing", "/stories", "/events/e1/nothing", "/%3Cscript%3E", "/static", "/v11"])
def test_a_browser_gets_a_page(week: Running, path: str) -> None:
    answer = week.get(path, headers={"accept": CHROMIUM})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "Nothing is here" in answer.text
    assert "<script>" not in answer.text
    assert SECURITY_HEADERS.items() <= dict(answer.headers).items()
    assert {"accept", "accept-language", "cookie"} <= {*answer.headers["vary"].split(", ")}
    russian = week.get(path, headers={"accept": CHROMIUM, "accept-language": "ru"})
    assert "Здесь ничего нет" in russian.text


@pytest.mark.parametrize(("method", "path"), [("POST", "/stories/e1"), ("DELETE", "/"), ("PUT", "/static/style.css")])
def test_a_method_that_a_page_has_not(week: Running, method: str, path: str) -> None:
    answer = week.web.request(method, path, headers={"accept": CHROMIUM})
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert "Nothing can be sent here" in answer.text
    problem = week.web.request(method, path, headers={"accept": "application/json"})
    assert problem.headers["allow"] == "GET, HEAD"
    check_shape(problem, 405)


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/problem+json, text/html;q=0.5", ""])
def test_a_program_gets_a_problem(week: Running, accept: str) -> None:
    answer = week.get("/nothing", headers={"accept": accept})
    assert answer.headers["vary"] == "accept"
    assert "nothing at /nothing" in check_shape(answer, 404)["detail"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/nothing", 404),
        ("GET", "/v1", 404),
        ("GET", "/v1/events/nothing", 404),
        ("DELETE", "/v1/events", 405),
        ("POST", "/healthz", 405),
        ("GET", "/metrics/nothing", 404),
    ],
)
def test_addresses_for_programs_answer_browsers_with_problems_too(
    week: Running, method: str, path: str, status: int
) -> None:
    check_shape(week.web.request(method, path, headers={"accept": CHROMIUM}), status)


def test_a_head_is_that_of_the_page(week: Running) -> None:
    page = week.get("/nothing", headers={"accept": CHROMIUM})
    head = week.web.head("/nothing", headers={"accept": CHROMIUM})
    assert (head.status_code, head.content) == (404, b"")
    for name in ("content-type", "content-length", "vary", "content-security-policy"):
        assert head.headers[name] == page.headers[name]


def test_a_closed_service_tells_browsers_no_more_than_programs(week_store, fake_models) -> None:
    with running(Settings(store=week_store, port=0, works=False, open_reading=False), fake_models) as closed:
        pages = [closed.get(path, headers={"accept": CHROMIUM}) for path in ("/nothing", "/events/e1/nothing")]
        assert [page.status_code for page in pages] == [404, 404]
        assert 'data-from=""' in pages[0].text, "a page that listens for changes asks for a key"
        assert pages[0].text.replace("/nothing", "/events/e1/nothing") == pages[1].text
        assert closed.get("/events/e1", headers={"accept": CHROMIUM}).status_code == 401


@pytest.mark.parametrize(
    ("accepted", "wanted"),
    [
        (CHROMIUM, True),
        ("text/html", True),
        ("TEXT/HTML;charset=utf-8", True),
        ("text/*", True),
        ("text/html, */*", True),
        ("text/html;q=0.9, */*;q=0.8", True),
        ("text/html, application/json", False),
        ("text/html;q=0.5, application/json", False),
        ("text/html;q=0, */*", False),
        ("text/html;q=x", False),
        ("text/html;q=nan", False),
        ("application/xhtml+xml", False),
        ("*/*", False),
        ("", False),
        (",;,q=1;;", False),
    ],
)
def test_who_prefers_html(accepted: str, wanted: bool) -> None:
    assert prefers_html(accepted) is wanted
