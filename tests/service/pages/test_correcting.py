"""Corrections by persons in a real browser: with a key, links are hidden and reports told apart, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.service.pages.conftest import PHONE, Pages
from tests.service.pages.test_pages import grave_violations
from tests.service.servers import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

REPORTS = [
    {
        "id": f"a-{number}",
        "title": "Fire shuts the refinery",
        "source": f"Post {number}",
        "text": f"Report {number}. Fuel ran short because the fire shut the refinery.",
        "language": "en",
    }
    for number in range(3)
]


@pytest.fixture
def desk(browser: Browser, service: Running):
    """The pages of a service with three reports of a fire; nothing may complain."""
    key = service.key("write")
    for row in REPORTS:
        service.post("/v1/articles", json=row, headers=key)
    service.settle()
    pages = Pages(browser, service)
    yield pages
    assert pages.complaints == []


def event_of(service: Running, article: str) -> str:
    mentions = service.get("/v1/mentions", params={"article": article}).json()["items"]
    return next(str(one["event"]) for one in mentions if one["kind"] == "headline")


def type_key(page: Page, service: Running, summary: str = "Correct something") -> None:
    page.get_by_text(summary, exact=True).click()
    page.get_by_label("Key").fill(service.key("write")["authorization"].removeprefix("Bearer "))


def test_a_link_is_hidden_on_the_page_of_its_event_and_taken_back_in_the_list(desk: Pages) -> None:
    service = desk.service
    (link,) = service.get("/v1/links").json()["items"]
    page = desk.open(f"/events/{link['target']}")
    assert page.get_by_text("This link is wrong").count() == 1
    page.locator("details.link > summary").click()
    assert not page.get_by_text("This link is wrong").is_visible()
    type_key(page, service)
    page.get_by_text("This link is wrong").click()
    page.locator("details.link").get_by_label("Note").fill("They rose before.")
    page.get_by_role("button", name="Hide it").click()
    page.get_by_text("Done. The pages follow within seconds.").wait_for()
    service.settle()
    assert service.get("/v1/links").json()["items"] == []
    page.reload()
    assert page.locator("details.link").count() == 0
    corrected = page.get_by_role("region", name="Corrections by persons")
    assert "They rose before." in corrected.inner_text()
    assert "in force" in corrected.inner_text()
    page.goto(f"{service.url}/changes")
    page.locator("details.help > summary").first.click()
    assert "They rose before." in page.locator("#changed-stories").inner_text()
    page.goto(f"{service.url}/corrections")
    page.get_by_role("button", name="Take back").click()
    page.get_by_text("Done. The pages follow within seconds.").wait_for()
    service.settle()
    assert len(service.get("/v1/links").json()["items"]) == 1
    page.reload()
    assert "taken back" in page.locator("#main").inner_text()
    assert page.get_by_role("button", name="Take back").count() == 0


def test_reports_are_told_apart_on_the_page_of_their_event(desk: Pages) -> None:
    service = desk.service
    page = desk.open(f"/events/{event_of(service, 'a-0')}", size=PHONE)
    type_key(page, service)
    page.get_by_text("These are two events").click()
    page.get_by_role("checkbox").nth(1).check()
    chosen = page.get_by_role("checkbox").nth(1).get_attribute("value")
    others = {row["id"] for row in REPORTS} - {chosen}
    page.get_by_role("button", name="Tell them apart").click()
    page.get_by_text("Done. The pages follow within seconds.").wait_for()
    service.settle()
    assert len({event_of(service, other) for other in others}) == 1
    assert event_of(service, str(chosen)) not in {event_of(service, other) for other in others}


def test_a_key_that_is_wrong_is_said_and_changes_nothing(desk: Pages) -> None:
    service = desk.service
    (link,) = service.get("/v1/links").json()["items"]
    page = desk.open(f"/events/{link['source']}")
    page.get_by_text("Correct something", exact=True).click()
    page.get_by_label("Key").fill("ww_none")
    page.locator("details.link > summary").click()
    page.get_by_text("This link is wrong").click()
    page.get_by_role("button", name="Hide it").click()
    page.get_by_text("invalid or revoked API key").wait_for()
    assert service.get("/v1/corrections").json()["items"] == []
    desk.complaints[:] = [one for one in desk.complaints if "401" not in one]  # the browser reports it, too


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_forms_and_lists_keep_no_screen_reader_out_and_fit_a_phone(desk: Pages, scheme: str) -> None:
    service = desk.service
    (link,) = service.get("/v1/links").json()["items"]
    key = service.key("write")
    service.post(
        "/v1/corrections", json={"hide_link": {name: link[name] for name in ("source", "target")}}, headers=key
    )
    apart = {"event": event_of(service, "a-0"), "articles": ["a-1"]}
    service.post("/v1/corrections", json={"apart": apart, "note": "Another fire."}, headers=key)
    service.settle()
    service.web.delete("/v1/articles/a-1", headers=key)
    service.settle()
    for path in ("/corrections", f"/events/{event_of(service, 'a-0')}"):
        page = desk.open(path, size=PHONE, scheme=scheme)
        type_key(page, service)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(300)
        assert "resting" in page.locator("#main").inner_text()
        assert grave_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_corrections_are_read(desk: Pages) -> None:
    service = desk.service
    assert "Nobody has corrected anything." in service.get("/corrections").text
    (link,) = service.get("/v1/links").json()["items"]
    asked = {"hide_link": {name: link[name] for name in ("source", "target")}, "note": "<b>wrong</b>"}
    service.post("/v1/corrections", json=asked, headers=service.key("write"))
    page = desk.open("/corrections", java_script_enabled=False, locale="ru")
    shown = page.locator("#main").inner_text()
    assert "Связь скрыта" in shown
    assert "<b>wrong</b>" in shown
    assert service.get("/corrections?after=x").status_code == 400
