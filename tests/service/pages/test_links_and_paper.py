"""Every view has an address that can be passed on, and pages can be printed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.service.pages.conftest import Pages

if TYPE_CHECKING:
    from playwright.sync_api import Page


def path(page: Page, pages: Pages) -> str:
    return page.url.removeprefix(pages.service.url)


def test_an_opened_link_is_in_the_address_and_opens_for_the_next_reader(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    page.locator("#links-part > summary").click()
    page.wait_for_url("**#links-part")
    link = page.locator("#links details.link").nth(2)
    link.locator("> summary").click()
    page.wait_for_url("**#link-*")
    name = link.get_attribute("id")
    assert page.url.endswith(f"#{name}")
    again = pages.open(path(page, pages))
    again.locator("#links details[open]").wait_for()
    assert again.locator("#links details[open]").get_attribute("id") == name
    assert again.url == page.url
    link.locator("> summary").click()
    page.wait_for_url(lambda url: "#" not in url)


def test_a_part_that_a_page_opens_by_itself_is_not_in_the_address(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    assert page.locator("#main-list").get_attribute("open") is not None
    page.locator("#main-list").dispatch_event("toggle")  # as browsers do, some time after they have read the page
    assert "#" not in page.url


def test_a_link_has_one_address_on_every_page_that_shows_it(pages: Pages) -> None:
    page = pages.open("/events/e2")
    name = page.locator("details.link").first.get_attribute("id")
    story = pages.open(f"/stories/e1#{name}")
    story.locator(f"details[open][id='{name}']").wait_for()
    own = story.locator(f"[id='{name}'] a.anchor")
    assert own.get_attribute("href") == f"#{name}"


def test_filters_of_links_are_in_the_address(pages: Pages) -> None:
    page = pages.open("/stories/e1?as_of=2026-03-08")
    page.locator("#links-part > summary").click()
    page.locator("#min-strength").fill("60")
    page.get_by_label("Said: a sentence states it").uncheck()
    asked = parse_qs(urlsplit(page.url).query)
    assert asked == {"as_of": ["2026-03-08"], "min_strength": ["60"], "evidence": ["shown", "implied"]}
    shown = page.locator("#links > li:visible").count()
    again = pages.open(path(page, pages))
    again.locator("#links > li:visible").first.wait_for()
    assert again.locator("#links > li:visible").count() == shown


@pytest.mark.parametrize("scripts", [True, False])
def test_paper_has_the_evidence_the_addresses_and_no_forms(pages: Pages, scripts: bool) -> None:
    page = pages.open("/stories/e1", scheme="dark", java_script_enabled=scripts)
    page.emulate_media(media="print", color_scheme="dark")
    if scripts:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#links mark").first.is_visible()
    assert page.locator("main form:visible, nav:visible, .site-foot:visible, button:visible").count() == 0
    source = page.locator("#links .article-line a").first
    assert "http" in source.evaluate("(link) => getComputedStyle(link, '::after').content")
    assert page.locator(".printed").inner_text().endswith("/stories/e1")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 30, 35)", "dark on white"
    if scripts:
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("main details[open]").evaluate_all("(all) => all.map((one) => one.id)") == ["main-list"]
        assert "#" not in page.url
    assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize("address", ["/events/e1", "/why?q=Why+did+the+embankment+give+way%3F"])
def test_events_and_answers_can_be_printed(pages: Pages, address: str) -> None:
    page = pages.open(address)
    page.emulate_media(media="print")
    assert page.locator("main form:visible, nav:visible, button:visible").count() == 0
    assert page.locator("main blockquote").first.is_visible()
    assert page.locator(".printed").inner_text().endswith(address)
