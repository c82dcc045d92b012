"""The page of what is followed, in a real browser: a key, a webhook, a test, a pause, an end."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.service.pages.conftest import Pages
from tests.service.receivers import Receiver, receiving
from tests.service.servers import Running, running

from whywire.service.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def service(tmp_path, fake_models) -> Iterator[Running]:
    with running(Settings(store=tmp_path / "news.db", port=0, private_webhooks=True), fake_models) as one:
        yield one


@pytest.fixture
def own_pages(browser: Browser, service: Running) -> Iterator[Pages]:
    yield Pages(browser, service)
    for context in browser.contexts:
        context.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def type_key(page: Page, service: Running, *scopes: str) -> None:
    key = service.key(*scopes)["authorization"].removeprefix("Bearer ")
    page.get_by_label("Key", exact=True).fill(key)


def test_following_from_the_page_as_a_person_does(own_pages: Pages, service: Running, receiver: Receiver) -> None:
    page = own_pages.open("/watches?kind=words&value=refinery+fire")
    assert page.get_by_role("combobox", name="What to follow").input_value() == "words"
    page.get_by_label("Name").fill("Refineries")
    page.get_by_label("Webhook").fill(receiver.url)
    page.get_by_role("button", name="Follow").click()
    page.get_by_text("this needs a key").wait_for()
    type_key(page, service, "write")
    page.get_by_role("button", name="Follow").click()
    shown = page.get_by_text("shown only now: whsec_").inner_text()
    secret = re.search(r"whsec_\S+", shown)
    assert secret
    assert len(base64.b64decode(secret[0].removeprefix("whsec_"))) == 32

    page.reload()
    watch = page.locator(".watch", has_text="Refineries")
    assert "refinery fire" in watch.inner_text()
    assert secret[0] not in page.content()
    watch.get_by_role("button", name="Send a test").click()
    watch.get_by_text("The test was taken.").wait_for()
    assert receiver.came[0].is_signed_with(secret[0])
    receiver.statuses = [503]
    watch.get_by_role("button", name="Send a test").click()
    watch.get_by_text("The test was not taken: the receiver answered 503").wait_for()

    watch.get_by_role("button", name="Pause").click()
    watch.get_by_text("paused").wait_for()
    row = {"title": "Fire shuts the Teskal refinery", "id": "a-1"}
    assert service.post("/v1/articles", json=row, headers=service.key("write")).status_code == 202
    service.settle()
    came = len(receiver.came)
    watch.get_by_role("button", name="Resume").click()
    watch.get_by_text("works").wait_for()
    receiver.until(lambda one: len(one.came) > came)
    assert receiver.came[-1].content["data"]["changes"][0]["details"]["title"] == row["title"]

    feed = watch.get_by_role("link", name="Follow as a feed").get_attribute("href")
    assert feed is not None
    assert row["title"] in service.get(feed).text
    watch.get_by_role("button", name="Remove").click()
    page.get_by_text("Nothing is followed yet.").wait_for()
    assert [one for one in own_pages.complaints if "401" not in one] == []


def test_what_cannot_be_followed_is_said_beside_the_button(own_pages: Pages, service: Running) -> None:
    page = own_pages.open("/watches")
    type_key(page, service, "write")
    page.get_by_role("combobox", name="What to follow").select_option("place")
    page.get_by_label("Words, place or story").fill("Calder Bay")
    page.get_by_role("button", name="Follow").click()
    said = page.locator(".watch-form [role=status]")
    said.get_by_text("no listed place").wait_for()
    assert said.inner_text() == "no listed place: 'Calder Bay' (follow it by its words instead)"


def test_stories_and_questions_lead_to_the_form(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    title = page.locator("h1").inner_text()
    page.get_by_role("main").get_by_role("link", name="Follow", exact=True).click()
    page.get_by_role("heading", name="What is followed").wait_for()
    assert page.get_by_role("combobox", name="What to follow").input_value() == "story"
    assert page.get_by_label("Words, place or story").input_value() == "e1"
    assert page.get_by_label("Name").input_value() == title
    page = pages.open("/why?q=Why+did+the+embankment+give+way%3F")
    page.get_by_role("main").get_by_role("link", name="Follow", exact=True).click()
    assert page.get_by_label("Words, place or story").input_value() == "the embankment give way"


def test_without_scripts_what_is_followed_can_be_read(pages: Pages) -> None:
    page = pages.open("/watches", java_script_enabled=False)
    assert page.locator(".watch").count() == 2
    assert "needs scripts" in page.content()
    assert page.get_by_text("https://hooks.example").is_visible()
    assert not page.get_by_role("button", name="Remove").first.is_visible()
    assert "hooks.example/a/b" not in page.content()
