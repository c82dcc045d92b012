"""The page of a story of hundreds of events: the part worth seeing first, the rest on request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from opened_pages import PHONE, OpenPages, go_to, open_filters, opened, until

from whywire.elements import Event, Evidence, HeadlineEvidence, ImpliedEvidence, Link, LinkKind, Mention, Order
from whywire.elements import MentionKind as Kind
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.main_events import main_events
from whywire.graph.page import render_page
from whywire.news.article import Article, Published
from whywire.news.language import Language

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LINKED, ALONE = 120, 30


def headline(number: int) -> Mention:
    return Mention(f"a{number}", "title", (0, len(f"Event {number}")), Kind.HEADLINE)


def twin(number: int) -> Mention:
    return replace(headline(number), article=f"b{number}")


def link(source: int, target: int, strength: float, *, implied: bool = False) -> Link:
    evidence: Evidence = HeadlineEvidence(f"a{source}", f"a{target}", 0.5)
    if implied:
        evidence = ImpliedEvidence(headline(source), headline(target), 0.5)
    return Link(f"e{source}", f"e{target}", LinkKind.CAUSES, 1.0, strength, Order.UNKNOWN, (evidence,))


def one_story(*links: Link, events: int) -> CausalGraph:
    articles = {f"a{n}": Article(f"a{n}", f"Event {n}") for n in range(events)}
    return CausalGraph(
        articles,
        tuple(
            Event(f"e{n}", f"Event {n}", Language.ENGLISH, None, None, (f"a{n}",), "e0", (headline(n),))
            for n in range(events)
        ),
        links,
    )


CHAIN = [link(n, n + 1, 20 + n / 2, implied=90 <= n < 100) for n in range(LINKED - 1)]

LARGE = one_story(*CHAIN, events=LINKED + ALONE)

MAIN = {int(event.id[1:]) for event in main_events(LARGE.stories()[0])}


@pytest.fixture
def large(browser: Browser, tmp_path: Path) -> Iterator[OpenPages]:
    """A chain that is strongest at its end and implied in its second quarter, and events without links."""
    yield from opened(browser, LARGE, tmp_path)


def drawn(page: Page) -> list[int]:
    return sorted(page.evaluate("graphView.cy.nodes('[^of]').map((node) => node.data('index'))"))


def numbers(page: Page) -> list[int]:
    """The events drawn, by the numbers in their titles."""
    return sorted(
        page.evaluate(
            "graphView.cy.nodes('[^of]').map((node) => Number(data.events[node.data('index')].id.slice(1)))"
        )
    )


def test_it_opens_with_its_main_events(large: OpenPages) -> None:
    page = large.open()
    assert set(numbers(page)) == MAIN
    assert page.locator("#selection-status").inner_text() == "12 of 150 events shown: the main ones"


def test_more_and_all_are_shown_on_request_and_the_main_ones_again(large: OpenPages) -> None:
    page = large.open()
    page.get_by_role("button", name="Show more").first.click()
    assert numbers(page) == list(range(LINKED - 40, LINKED))
    assert "those of the strongest links" in page.locator("#selection-status").inner_text()
    page.get_by_role("button", name="Show more").first.click()
    assert numbers(page) == list(range(LINKED - 80, LINKED))
    page.get_by_role("button", name="Show all").focus()
    page.keyboard.press("Enter")
    assert numbers(page) == list(range(LINKED))
    assert page.locator("#selection-status").inner_text() == "All 120 events with links shown"
    assert page.locator("#all-events").is_hidden()
    until(page, "document.activeElement.id === 'graph'")
    page.get_by_role("button", name="Main events only").click()
    assert set(numbers(page)) == MAIN


def test_events_with_links_behind_main_ones_without_can_be_shown(browser: Browser, tmp_path: Path) -> None:
    graph = one_story(*(link(n, n + 1, 50) for n in range(10, 17)), events=18)
    reports = {f"b{n}": Article(f"b{n}", f"Event {n}") for n in range(10)}
    told_twice = (
        replace(event, articles=(*event.articles, f"b{n}"), mentions=(*event.mentions, twin(n))) if n < 10 else event
        for n, event in enumerate(graph.events)
    )
    graph = replace(graph, articles={**graph.articles, **reports}, events=tuple(told_twice))
    for shown in opened(browser, graph, tmp_path):
        page = shown.open()
        assert len(numbers(page)) == 12
        assert not set(range(10, 18)) <= set(numbers(page))
        assert page.locator("#selection-status").inner_text() == "12 of 18 events shown: the main ones"
        page.get_by_role("button", name="Show all").click()
        assert set(range(10, 18)) <= set(numbers(page))
        assert page.locator("#selection-status").inner_text() == "All 8 events with links shown"


def test_events_without_links_are_drawn_only_on_request(large: OpenPages) -> None:
    page = large.open()
    page.get_by_label("Also events without links (30)").check()
    assert set(numbers(page)) == {*MAIN, *range(LINKED, LINKED + ALONE)}
    page.get_by_label("Also events without links").uncheck()
    assert set(numbers(page)) == MAIN
    go_to(page, f"#e{LINKED + 3}")
    assert page.locator("#panel .event-title.large").inner_text() == f"Event {LINKED + 3}"
    assert len(drawn(page)) == len(MAIN)


def test_an_opened_event_is_drawn_with_its_neighbours(large: OpenPages) -> None:
    page = large.open()
    page.get_by_role("button", name="Show more").first.click()
    page.locator("#search").fill("event 10")
    page.locator("#stories .match", has_text="Event 10").first.click()
    until(page, "graphView.cy.nodes('.highlighted').length === 1")
    assert set(numbers(page)) == {9, 10, 11, *range(LINKED - 40, LINKED)}
    assert "and those you opened" in page.locator("#selection-status").inner_text()
    go_to(page, "#link/30")
    assert set(numbers(page)) >= {9, 10, 11, 29, 30, 31, 32}
    assert page.evaluate("graphView.cy.edges('.highlighted').map((edge) => edge.data('index'))") == [30]
    page.get_by_role("button", name="Show more").first.click()
    assert page.evaluate("graphView.cy.edges('.highlighted').length") == 1


def test_the_strongest_links_that_pass_the_filters_are_drawn(large: OpenPages) -> None:
    page = large.open()
    page.get_by_role("button", name="Show more").first.click()
    open_filters(page)
    implied = page.get_by_label("Implied by an article")
    assert implied.is_checked()
    implied.uncheck()
    assert numbers(page) == [*range(LINKED - 50, 91), *range(100, LINKED)][-40:]
    implied.check()
    assert numbers(page) == list(range(LINKED - 40, LINKED))


def test_a_link_that_continues_is_preferred_to_a_slightly_stronger_one(browser: Browser, tmp_path: Path) -> None:
    star = [link(0, 1, 90), *(link(1, n, 50) for n in range(2, 41))]
    elsewhere = [link(n, n + 1, 60) for n in range(41, 81, 2)]
    strong = link(81, 82, 80)
    for shown in opened(browser, one_story(*star, *elsewhere, strong, events=83), tmp_path):
        page = shown.open()
        page.get_by_role("button", name="Show more").first.click()
        found = numbers(page)
        assert {0, 1, 81, 82} <= set(found)
        assert set(found).isdisjoint(range(41, 81))


@pytest.mark.parametrize("size", [None, PHONE], ids=["desk", "phone"])
def test_no_card_covers_another(browser: Browser, tmp_path: Path, size: dict[str, int] | None) -> None:
    """Components are placed side by side, cycles and pairs in both directions included."""
    links = [link(n, 7 * n % 61, 30 + n) for n in range(1, 60) if 7 * n % 61 != n]
    links += [link(70 + n, 71 + n, 40 + n) for n in range(0, 30, 3)]
    for shown in opened(browser, one_story(*links, events=110), tmp_path):
        page = shown.open("#story/e0", **({"size": size} if size else {}))
        page.locator("#all-events").click()
        page.get_by_label("Also events without links").check()
        covering = page.evaluate(
            """() => {
              const boxes = graphView.cy.nodes('[^of]').map((node) => node.boundingBox({ includeLabels: false }));
              return boxes.filter((a, i) => boxes.some((b, j) => i < j
                && a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2)).length;
            }"""
        )
        assert (len(drawn(page)), covering) == (110, 0)
        assert page.evaluate("document.documentElement.scrollWidth === innerWidth")


MADE = [link(0, 3, 80), link(3, 4, 60), link(0, 7, 90), link(9, 5, 70), link(7, 9, 50), link(2, 10, 40)]
"""Links of a story of twelve events, one of them backward in time; six events have no link to a main event."""


@pytest.mark.parametrize("size", [None, PHONE], ids=["desk", "phone"])
def test_main_events_are_one_picture_in_order_of_time(
    browser: Browser, tmp_path: Path, size: dict[str, int] | None
) -> None:
    for shown in opened(browser, in_order_of_time(one_story(*MADE, events=12)), tmp_path):
        page = shown.open("#story/e0", **({"size": size} if size else {}))
        drawn = page.evaluate(
            """() => {
              const box = document.getElementById("graph");
              return {
                zoom: graphView.cy.zoom(),
                hidden: graphView.cy.elements().filter((one) => {
                  const { x1, x2, y1, y2 } = one.renderedBoundingBox();
                  return x1 < -2 || y1 < -2 || x2 > box.clientWidth + 2 || y2 > box.clientHeight + 2;
                }).length,
                places: Object.fromEntries(graphView.cy.nodes("[^of]").map((node) =>
                  [data.events[node.data("index")].id, node.position()])),
                faded: graphView.cy.nodes(".unlinked").length,
              };
            }"""
        )
        assert drawn["hidden"] == drawn["faded"] == 0
        assert drawn["zoom"] > 0.6
        axis = "y" if size else "x"
        along = [drawn["places"][name][axis] for name in (f"e{n}" for n in (*range(5), *range(6, 10), 5, 10, 11))]
        assert along == sorted(along), "in order of time, but the cause of the sixth is told before it"
        for one in MADE:
            assert drawn["places"][one.source][axis] < drawn["places"][one.target][axis]


def in_order_of_time(graph: CausalGraph) -> CausalGraph:
    """The graph with an hour between the reports of its events."""
    times = [Published(datetime(2026, 3, 4, 6, tzinfo=UTC) + timedelta(hours=n)) for n in range(len(graph.events))]
    events = (replace(event, first_seen=at, last_seen=at) for event, at in zip(graph.events, times, strict=True))
    return replace(graph, events=tuple(events))


def test_a_finger_on_the_whole_picture_scrolls_the_page(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(
        render_page(in_order_of_time(one_story(*MADE, events=12)), title="A week", summary={}), encoding="utf-8"
    )
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri() + "#story/e0")
    page.locator("#graph").scroll_into_view_if_needed()
    before, address = page.evaluate("scrollY"), page.url
    touches = context.new_cdp_session(page)
    for kind, y in (("touchStart", 600), *(("touchMove", y) for y in range(590, 290, -10)), ("touchEnd", None)):
        points = [] if y is None else [{"x": 200, "y": y}]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    until(page, f"scrollY > {before} + 200")
    assert page.url == address
    page.wait_for_timeout(200)  # for the page to come to rest
    height = page.evaluate(
        """() => document.getElementById("graph").getBoundingClientRect().y
          + graphView.cy.nodes("[^of]").map((node) => node.renderedPosition().y)[7]"""
    )
    page.touchscreen.tap(200, height)
    until(page, "location.hash.startsWith('#e')")
    context.close()
