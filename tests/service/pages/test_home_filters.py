"""The list of stories is narrowed by outlet, place, organisation and words, and every list has an address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.service.pages.conftest import PHONE, Pages
from tests.service.servers import Running, running
from tests.store.small_stories import NEWS, take_in

from whywire.service.settings import Settings
from whywire.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUAKE, TREMORS, STRIKE = (NEWS[name][0][0] for name in ("quake", "толчки", "strike"))


@pytest.fixture(scope="module")
def city(tmp_path_factory, fake_models) -> Iterator[Running]:
    """A service with three stories that name places and organisations, and one without a date."""
    path = tmp_path_factory.mktemp("city") / "news.db"
    with Store.open(path) as store:
        take_in(store, NEWS)
        take_in(store, {"undated": [(f"Mill {number} burns", "Night Mail", None) for number in range(2)]})
    with running(Settings(store=path, port=0, works=False, requests_per_minute=1e6), fake_models) as one:
        yield one


@pytest.fixture
def home(browser: Browser, city: Running) -> Iterator[Pages]:
    opened = Pages(browser, city)
    yield opened
    for context in browser.contexts:
        context.close()
    assert opened.complaints == []


def titles(page: Page) -> list[str]:
    return page.locator("#stories h2").all_inner_texts()


def test_typing_a_name_narrows_the_list_and_the_address_can_be_passed_on(home: Pages) -> None:
    from playwright.sync_api import expect

    page = home.open("/?day=all")
    assert len(titles(page)) == 4
    page.get_by_text("Narrow the list").click()
    page.get_by_label("Place").fill("Москва")
    with page.expect_response(lambda answer: "place=" in answer.url):
        page.get_by_label("Place").press("Enter")
    expect(page.locator("#stories h2")).to_have_count(2)
    expect(page.get_by_label("Place")).to_be_focused()
    page.get_by_label("Words").fill("suburb")
    with page.expect_response(lambda answer: "q=suburb" in answer.url):
        page.get_by_label("Words").press("Enter")
    expect(page.locator("#stories h2")).to_have_count(1)
    assert titles(page) == [QUAKE]
    asked = parse_qs(urlsplit(page.url).query, keep_blank_values=True)
    assert asked == {"day": ["all"], "place": ["Москва"], "q": ["suburb"]}
    again = home.open(page.url.removeprefix(home.service.url))
    assert titles(again) == [QUAKE]


def test_without_scripts_names_are_chosen_and_left_out_by_links(home: Pages) -> None:
    page = home.open("/?day=all", java_script_enabled=False, size=PHONE)
    page.get_by_text("Narrow the list").click()
    page.get_by_label("Words").fill("quake")
    page.get_by_role("button", name="Show").click()
    assert titles(page) == [QUAKE]
    page.get_by_role("link", name="Without quake").click()
    page.get_by_text("Narrow the list").click()
    page.get_by_role("link", name="UN 2").click()
    assert sorted(titles(page)) == sorted([QUAKE, TREMORS])
    page.get_by_role("link", name="Moscow 2").click()
    page.get_by_role("link", name="Calder Echo 1").click()
    assert titles(page) == [QUAKE]
    page.get_by_role("link", name="Without UN").click()
    page.get_by_role("link", name="Without Calder Echo").click()
    assert sorted(titles(page)) == sorted([QUAKE, TREMORS])
    assert page.get_by_role("link", name="Link to this view").get_attribute("href") == "?day=all&place=Moscow"


def test_names_are_offered_in_the_language_of_the_page(home: Pages) -> None:
    page = home.open("/?day=all", locale="ru-RU")
    offered = page.locator("#place-names option").evaluate_all("(all) => all.map((one) => one.value)")
    assert "Москва" in offered
    assert "Moscow" not in offered
    assert "ООН" in page.locator("#organisation-names").inner_html()


def test_a_filter_stays_on_the_way_to_another_day(city: Running) -> None:
    page = city.get("/", params={"day": "2026-03-06", "place": "Texas", "language": "en"}).text
    assert STRIKE in page
    assert 'href="?day=2026-03-05&amp;language=en&amp;place=Texas"' in page
    assert STRIKE not in city.get("/", params={"day": "2026-03-06", "place": "Moscow"}).text


def test_nothing_that_passes_is_said_with_a_way_out(home: Pages) -> None:
    page = home.open("/?day=2026-03-06&place=Moscow&outlet=" + "x" * 2000)
    page.get_by_role("heading", name="No story passes this choice").wait_for()
    page.get_by_role("link", name="Without the choice").click()
    page.get_by_role("link", name=STRIKE).wait_for()


def test_cards_name_outlets_and_languages(city: Running) -> None:
    page = city.get("/?day=all&q=strike").text
    assert "Calder Echo" in page
    assert "Texan Mail" in page
    assert "· English ·" in page


def test_a_story_without_a_date_is_on_the_day_it_came_and_says_so(home: Pages) -> None:
    page = home.open("/")
    assert page.locator("h1").inner_text() == "Stories of 7\N{NO-BREAK SPACE}March\N{NO-BREAK SPACE}2026", (
        "the undated story does not decide the day"
    )
    last = page.locator("[name=day]").get_attribute("max")
    page.goto(f"{home.service.url}/?day={last}")
    assert titles(page) == ["Mill 0 burns"]
    assert "without a date, came on" in page.locator(".story-card").first.inner_text()
    page.get_by_role("link", name="Mill 0 burns").click()
    assert "without a date, came on" in page.locator(".page-head").inner_text()
    page.locator(".timeline .what a").first.click()
    assert "without a date, came on" in page.locator(".page-head").inner_text()
    page.go_back()
    page.locator(".crumbs a").click()
    assert f"day={last}" in page.url


def test_the_api_has_the_same_filters(city: Running) -> None:
    def found(**parameters: str) -> set[str]:
        answer = city.get("/v1/stories", params=parameters)
        assert answer.status_code == 200, answer.text
        return {row["title"] for row in answer.json()["items"]}

    assert found(place="Москве") == {QUAKE, TREMORS}
    assert found(organisation="ООН", language="ru") == {TREMORS}
    assert found(outlet="texan mail", q="port", since="2026-03-06", until="2026-03-07") == {STRIKE}
    (undated,) = city.get("/v1/stories", params={"outlet": "Night Mail"}).json()["items"]
    assert undated["first_seen"] is None
    assert undated["last_listed"].endswith("Z")
