"""Feeds added and changed on pages, by a person with a key and a browser."""

import pytest
from tests.feeds.sites import item, page, reply, rss, serving_site
from tests.service.pages.conftest import PHONE, Pages
from tests.service.pages.test_pages import grave_violations
from tests.service.servers import running

from whywire.service.keys import Keys
from whywire.service.settings import Settings

for package in ("httpx2", "feedparser", "listparser", "protego", "trafilatura"):
    pytest.importorskip(package, reason="the extra feeds is not installed")

SLOWLY = 60_000
"""Milliseconds that a first look may take."""


@pytest.fixture
def site():
    with serving_site() as site:
        site["/rss"] = reply(rss([item("/dam", "Dam gives way"), item("/ferry", "Ferry resumes")]))
        site["/dam"] = site["/ferry"] = reply(page())
        site["/plain"] = reply(page())
        yield site


@pytest.fixture
def service(tmp_path, fake_models):
    with running(Settings(store=tmp_path / "news.db", port=0, private_feeds=True), fake_models) as one:
        yield one


@pytest.fixture
def desk(browser, service):
    opened = Pages(browser, service)
    yield opened
    for context in browser.contexts:
        context.close()


def with_key(page, service):
    page.get_by_label("Key").fill(Keys(service.context.store).make("desk", ["write"]).token)


@pytest.mark.browser
def test_a_feed_is_added_read_paused_timed_and_removed_on_its_pages(desk, service, site):
    shown = desk.open("/feeds")
    shown.get_by_text("No feed is watched.").wait_for()
    address = shown.get_by_label("Address of a feed")
    address.fill(f"{site.url}/rss")
    add = shown.get_by_role("button", name="Add a feed")
    add.click()
    shown.get_by_text("this needs a key").or_(shown.get_by_text("invalid or revoked API key")).wait_for()
    with_key(shown, service)
    add.click()
    row = shown.get_by_role("row", name="Harbour Post")
    row.wait_for(timeout=SLOWLY)
    row.get_by_text("works").wait_for(timeout=SLOWLY)
    assert row.get_by_role("cell").last.inner_text() == "2"
    assert grave_violations(shown) == []
    row.get_by_role("link").click()
    shown.get_by_role("heading", name="Harbour Post").wait_for()
    shown.get_by_role("button", name="Pause").click()
    shown.get_by_role("button", name="Resume").wait_for()
    shown.locator("#feed .state.paused").wait_for()
    shown.get_by_label("Minutes between looks").fill("45")
    shown.get_by_role("button", name="Set").click()
    shown.locator("#feed dd", has_text="45").wait_for()
    shown.get_by_label("Minutes between looks").fill("")
    shown.get_by_role("button", name="Set").click()
    shown.locator("#feed dd", has_text="automatic").wait_for()
    shown.get_by_role("button", name="Resume").click()
    shown.get_by_role("button", name="Look now").click()
    shown.get_by_role("button", name="Remove").click()
    shown.get_by_text("No feed is watched.").wait_for()
    assert desk.complaints == ["Failed to load resource: the server responded with a status of 401 (Unauthorized)"], (
        "only the first try without a key"
    )


@pytest.mark.browser
def test_what_cannot_be_a_feed_says_why_and_what_to_do(desk, service, site):
    shown = desk.open("/feeds", size=PHONE, scheme="dark")
    with_key(shown, service)
    shown.get_by_label("Address of a feed").fill("http://169.254.169.254/")
    shown.get_by_role("button", name="Add a feed").click()
    shown.get_by_text("169.254.169.254 is a special address").wait_for()
    shown.get_by_label("Address of a feed").fill(f"{site.url}/plain")
    shown.get_by_role("button", name="Add a feed").click()
    shown.get_by_text("a web page that names no feed (look for its address on the site)").wait_for(timeout=SLOWLY)
    assert grave_violations(shown) == []


@pytest.mark.browser
def test_lists_of_feeds_come_in_and_go_out(desk, service, site, tmp_path):
    opml = tmp_path / "feeds.opml"
    outlines = f'<outline text="Harbour" xmlUrl="{site.url}/rss?a=1"/><outline text="no" xmlUrl="file:///etc"/>'
    opml.write_text(f'<opml version="2.0"><body>{outlines}</body></opml>')
    shown = desk.open("/feeds", locale="ru-RU")
    shown.get_by_label("Ключ").fill(Keys(service.context.store).make("desk", ["write"]).token)
    shown.get_by_label("Загрузить список").set_input_files(opml)
    shown.get_by_role("button", name="Загрузить", exact=True).click()
    shown.get_by_text("Добавлено: 1, уже известно: 0. file:///etc:").wait_for()
    shown.get_by_role("row", name="Harbour").wait_for()
    with shown.expect_download() as saved:
        shown.get_by_role("button", name="Сохранить все").click()
    assert f"{site.url}/rss?a=1" in saved.value.path().read_text()


@pytest.mark.browser
def test_without_scripts_feeds_are_shown_and_cannot_be_changed(desk, service):
    service.post("/v1/feeds", json={"url": "https://a.invalid/rss"}, headers=service.key("write"))
    shown = desk.open("/feeds", java_script_enabled=False)
    shown.get_by_role("row", name="a.invalid").wait_for()
    assert not shown.get_by_role("button", name="Add a feed").is_visible()
    assert "needs scripts" in shown.content()
