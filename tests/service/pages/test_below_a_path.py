"""A service that a proxy publishes below a path: nothing of it leads out of there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx2
import pytest
from tests.service.pages.conftest import MERGED
from tests.service.pages.test_pages import PATHS
from tests.service.reverse_proxy import ReverseProxy, publishing
from tests.service.servers import Running, running

import whywire
from whywire.errors import InputError
from whywire.service.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OWN = ("127.0.0.1",)

ADDRESSES = re.compile(r'(?:href|src|action|hx-get|data-root|value)="(/[^"]*)"')


@pytest.fixture(
    scope="module", params=["the proxy says", "the settings say", "the settings say, nothing is stripped"]
)
def below(request: pytest.FixtureRequest, week_store, fake_models) -> Iterator[tuple[Running, ReverseProxy]]:
    """The made-up week, published below /desk/news."""
    says = request.param == "the proxy says"
    settings = Settings(
        store=week_store,
        port=0,
        works=False,
        requests_per_minute=1e6,
        trusted_proxies=OWN if says else (),
        root_path="" if says else "/desk/news",
    )
    with (
        running(settings, fake_models) as service,
        publishing(service.url, "/desk/news", strips="nothing" not in request.param, says=says) as proxy,
    ):
        yield service, proxy


def test_every_address_of_a_page_is_below_the_path(below: tuple[Running, ReverseProxy]) -> None:
    for path in (*PATHS, "/nothing", "/events/e1/predictions"):
        answer = httpx2.get(below[1].url + path, headers={"accept": "text/html"}, timeout=30)
        addresses = ADDRESSES.findall(answer.text)
        assert len(addresses) > 10, path
        assert [address for address in addresses if not f"{address}/".startswith("/desk/news/")] == [], path


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (f"/events/{MERGED}", "/desk/news/events/"),
        (f"/v1/events/{MERGED}", "/desk/news/v1/events/"),
        (f"/v1/events/{MERGED}/graph?steps=2", "/desk/news/v1/events/"),
        ("/settings?theme=dark&back=/desk/news/guide", "/desk/news/guide"),
        ("/settings?theme=dark&back=/elsewhere", "/desk/news/"),
        ("/settings?theme=dark&back=//evil.example", "/desk/news/"),
        ("/settings?theme=dark&back=/desk/newsagent", "/desk/news/"),
    ],
)
def test_redirects_stay_below_the_path(below: tuple[Running, ReverseProxy], path: str, to: str) -> None:
    answer = httpx2.get(below[1].url + path, timeout=30)
    assert answer.status_code in (303, 307)
    assert answer.headers["location"].startswith(to)
    for cookie in answer.headers.get_list("set-cookie"):
        assert "Path=/desk/news;" in f"{cookie};"


def test_the_api_says_where_it_is(below: tuple[Running, ReverseProxy]) -> None:
    proxy = below[1]
    assert httpx2.get(f"{proxy.url}/v1/openapi.json").json()["servers"] == [{"url": "/desk/news"}]
    page = httpx2.get(f"{proxy.url}/v1/events?limit=1")
    assert "/desk/news/v1/events?limit=1&after=" in page.headers["link"]
    with whywire.Client(proxy.url) as client:
        assert len(list(client.events())) > 1
    assert proxy.outside == []


def test_the_same_service_answers_without_the_path_too(below: tuple[Running, ReverseProxy]) -> None:
    service = below[0]
    assert service.get("/readyz").status_code == 200
    assert service.get("/v1/events", params={"limit": 1}).status_code == 200


@pytest.mark.browser
def test_a_reader_goes_from_the_day_to_the_reason_below_the_path(
    browser: Browser, below: tuple[Running, ReverseProxy]
) -> None:
    proxy = below[1]
    asked: list[str] = []
    complaints: list[str] = []
    page = browser.new_context(locale="en-GB").new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{proxy.url}/?day=all")
    page.get_by_role("link", name="Embankment").first.click()
    page.get_by_role("heading", name="In short").wait_for()
    page.locator("#graph-sheet canvas").first.wait_for()
    page.locator("#links-part > summary").click()
    page.locator("#links summary").first.click()
    page.locator("#links .ends a").first.click()
    page.get_by_role("heading", name="What may follow").wait_for()
    page.locator("#predictions-list").wait_for(state="attached")
    page.get_by_role("searchbox").fill("Why did the embankment give way?")
    page.keyboard.press("Enter")
    page.get_by_text("Why did the embankment give way?").first.wait_for()
    page.get_by_role("button", name="Русский").click()
    page.get_by_role("link", name="Что изменилось", exact=True).click()
    page.wait_for_load_state()
    assert page.url.startswith(f"{proxy.url}/changes")
    page.context.close()
    assert any("/v1/changes/stream" in url for url in asked)
    assert [url for url in asked if not url.startswith((f"{proxy.url}/", "data:"))] == []
    assert (complaints, proxy.outside) == ([], [])


PREFIXES = {
    "/news": "/news",
    "/news/": "/news",
    "/a/b-c_d.e~f": "/a/b-c_d.e~f",
    "": "",
    "/": "",
    "news": None,
    "//evil.example": None,
    "/a/../b": None,
    "/a/.": None,
    "/новости": None,
    '/"><script>': None,
    "/a b": None,
    "/a,/b": None,
    "https://evil.example/": None,
    "/" + "x" * 300: None,
}


@pytest.mark.parametrize("proxies", [OWN, ("10.1.2.3",), ()])
def test_only_a_plain_path_is_taken_from_a_proxy_and_from_nobody_else(week_store, fake_models, proxies) -> None:
    settings = Settings(store=week_store, port=0, works=False, trusted_proxies=proxies, requests_per_minute=1e9)
    with running(settings, fake_models) as service:
        for text, prefix in PREFIXES.items():
            page = service.get("/guide", headers={"x-forwarded-prefix": text.encode()})
            assert page.status_code == 200
            assert f'data-root="{(prefix or "") if proxies == OWN else ""}"' in page.text, text


@pytest.mark.parametrize("text", [text for text, prefix in PREFIXES.items() if prefix is None])
def test_a_setting_that_is_no_plain_path_is_refused_at_the_start(tmp_path, text: str) -> None:
    with pytest.raises(InputError, match="such as /news"):
        whywire.serve(tmp_path / "news.db", port=0, settings=Settings(root_path=text))
    assert not (tmp_path / "news.db").exists()
