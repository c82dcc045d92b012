"""The page of what may follow an event: precedents of other stories, with links, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from tests.service.pages.conftest import NARROW, Pages
from tests.service.pages.test_pages import grave_violations
from tests.service.servers import Running, running

from whywire.elements import Event, HeadlineEvidence, Link, LinkKind, Mention, MentionKind, Order
from whywire.news import Article, Language, Published
from whywire.service.settings import Settings
from whywire.store import Store
from whywire.updating import Change, ChangeKind, Changes

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TOLD = [
    (("Strong storm shuts harbour of Brantwick", "Ferries <b>stay</b> moored for a week"), 2019),
    (("Storm shuts harbour and airport on Tolsk island", "Moored ferries stay moored for days"), 2021),
    (("Heavy storm shuts harbour near Oldmere", "Mayor of Oldmere thanks volunteers"), 2026),
]
"""Causes and effects, each pair a story of its own, and their years."""

WAITING = "e2-0"
"""The event whose effects are predicted."""


def _title(article: str, title: str) -> tuple[Mention, ...]:
    return (Mention(article, "title", (0, len(title)), MentionKind.HEADLINE),)


@pytest.fixture(scope="module")
def harbours(tmp_path_factory, fake_models) -> Iterator[Running]:
    """A service that holds three storms of three years, the last of them with an event that nothing foretells."""
    articles, events, links = [], [], []
    for story, (titles, year) in enumerate(TOLD):
        seen = Published(datetime(year, 3, 1, 9, tzinfo=UTC))
        for number, title in enumerate(titles):
            name = f"{story}-{number}"
            url = f"https://news.example/{name}"
            articles.append(
                Article(name, title, language=Language.ENGLISH, url=url, source="Harbour Post", published=seen)
            )
            events.append(
                Event(f"e{name}", title, Language.ENGLISH, seen, seen, (name,), f"e{story}-0", _title(name, title))
            )
        evidence = HeadlineEvidence(f"{story}-0", f"{story}-1", 0.9)
        links.append(Link(f"e{story}-0", f"e{story}-1", LinkKind.CAUSES, 0.9, 80.0, Order.SAME_TIME, (evidence,)))
    history = tuple(Change(ChangeKind.EVENT_ADDED, event.id, details={"title": event.title}) for event in events)
    path = tmp_path_factory.mktemp("harbours") / "news.db"
    with Store.open(path) as store:
        told = Changes(articles=tuple(articles), events=tuple(events), links=tuple(links), history=history)
        store.commit(told, decided_at=0)
    with running(Settings(store=path, port=0, works=False), fake_models) as one:
        yield one


def test_a_prediction_shows_each_precedent_with_its_story_day_outlet_and_report(harbours: Running) -> None:
    html = harbours.get(f"/events/{WAITING}/predictions").text
    (card,) = re.findall(r'<li class="card">.*?</li>', html, re.DOTALL)
    assert card.count('class="precedent"') == 2
    assert "2\u00a0precedents" in card
    for story in (0, 1):
        assert f'href="/events/e{story}-0"' in card
        assert f'href="/events/e{story}-1"' in card
        assert f'href="/stories/e{story}-0"' in card
        assert f'href="https://news.example/{story}-1"' in card
    assert "2019" in card
    assert "Harbour Post" in card
    assert "Ferries &lt;b&gt;stay&lt;/b&gt; moored" in card
    assert "Mayor of Oldmere thanks" not in card, "what the event's own story tells is known"


def test_an_event_without_a_precedent_has_no_prediction(harbours: Running) -> None:
    html = harbours.get("/events/e2-1/predictions").text
    assert 'class="precedent"' not in html
    assert "No other story tells what followed a similar event." in html
    russian = harbours.get("/events/e2-1/predictions", headers={"accept-language": "ru"}).text
    assert "Ни один другой сюжет" in russian


def test_a_row_of_the_api_says_what_the_page_shows(harbours: Running) -> None:
    asked = {"title": TOLD[2][0][0], "published": "2026-03-01T09:00:00Z"}
    (row,) = harbours.post("/v1/predict", json={"items": [asked]}).json()["items"]
    (effect,) = row["effects"]
    html = harbours.get(f"/events/{WAITING}/predictions").text
    assert [f'href="/events/{basis["target"]}"' in html for basis in effect["because"]] == [True, True]
    assert {basis["story"] for basis in effect["because"]} == {"e0-0", "e1-0"}
    assert (effect["after"], effect["text"]) in [titles for titles, _ in TOLD[:2]]


def test_a_reader_gets_from_an_event_to_the_precedents(browser: Browser, harbours: Running) -> None:
    pages = Pages(browser, harbours)
    page = pages.open(f"/events/{WAITING}", size=NARROW, scheme="dark")
    page.locator("#predictions .precedent").first.wait_for()
    assert "After Strong storm" in page.locator("#predictions").inner_text()
    assert grave_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    page.locator("#predictions .precedent .guess a").first.click()
    page.wait_for_url("**/events/e*-0")
    page.context.close()
    plain = pages.open(f"/events/{WAITING}", java_script_enabled=False)
    plain.get_by_role("link", name="Look for similar events").click()
    assert plain.locator(".precedent").count() == 2
    plain.context.close()
    assert pages.complaints == []
