"""The pages in a real browser: what a person sees, clicks, types and hears."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.graph.made_up_week import HOSTILE_TITLE, made_up_graph
from tests.service.pages.conftest import NARROW, PHONE, SPLIT, Pages
from tests.service.servers import Running

from whywire.store.feeds import feed_id

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = next(event for event in made_up_graph().events if event.title == HOSTILE_TITLE)

PATHS = [
    "/?day=all",
    "/?day=2020-01-01",
    "/?day=all&outlet=Coast+Courier&q=embankment",
    "/?day=all&place=Nowhere",
    "/api",
    "/stories/e1",
    f"/stories/{HOSTILE.story}",
    "/stories/e1?as_of=2026-03-03",
    "/events/e1",
    f"/events/{HOSTILE.id}",
    f"/events/{SPLIT}",
    "/why",
    "/why?q=Why+did+the+embankment+give+way%3F",
    "/why?q=Why+did+the+embankment+give+way%3F&as_of=2026-03-04",
    "/changes",
    "/watches?kind=story&value=e1&name=Embankment",
    "/corrections",
    "/bench?sentence=Fuel+ran+short+because+the+fire+closed+the+refinery.",
    "/bench?left=Storm+cuts+power&right=Schools+close+after+power+cut",
    "/status",
    "/feeds",
    f"/feeds/{feed_id('https://feeds.example/a.xml')}",
    "/guide",
    "/annotate",
]


def grave_violations(page: Page) -> list[str]:
    """What axe finds that is serious or critical."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found
        for node in one["nodes"]
        if one["impact"] in ("serious", "critical")
    ]


def shown_links(page: Page) -> int:
    """How many links the list shows."""
    return page.locator("#links > li:visible").count()


def drawn_links(page: Page) -> int:
    """How many links the graph shows."""
    shown = "storyGraph.cy.edges().filter((edge) => edge.style('display') !== 'none').length"
    count: int = page.evaluate(shown)
    return count


SAMPLE = [
    "/?day=all&outlet=Coast+Courier",
    "/api",
    "/stories/e1",
    "/why?q=Why+did+the+embankment+give+way%3F",
    "/changes",
]
"""Pages that between them have every element: for what differs in colours or widths alone."""


@pytest.mark.parametrize(
    ("path", "scheme"), [*((path, "light") for path in PATHS), *((path, "dark") for path in SAMPLE)]
)
def test_nothing_serious_keeps_a_screen_reader_out(pages: Pages, path: str, scheme: str) -> None:
    page = pages.open(path, scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(300)
    assert grave_violations(page) == []


@pytest.mark.parametrize(("path", "size"), [*((path, NARROW) for path in PATHS), *((path, PHONE) for path in SAMPLE)])
def test_a_phone_never_scrolls_sideways(pages: Pages, path: str, size: dict[str, int]) -> None:
    page = pages.open(path, size=size)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_from_the_day_to_the_sentence_that_says_so(pages: Pages) -> None:
    page = pages.open("/?day=all")
    page.get_by_role("link", name="Embankment").first.click()
    page.get_by_role("heading", name="In short").wait_for()
    assert "Embankment" in page.locator("h1").inner_text()
    page.locator("#links-part > summary").click()
    page.locator("#links summary").first.click()
    body = page.locator("#links .link-body").first
    body.locator("mark[data-roles~=cause]").first.wait_for()
    assert "strength" in body.inner_text().lower()
    with page.expect_navigation():
        body.locator(".ends a").first.click()
    assert "/events/" in page.url
    page.get_by_role("heading", name="What may follow").wait_for()


def test_the_graph_opens_links_and_events(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    where = """(find) => {
      const box = document.getElementById("graph").getBoundingClientRect();
      const isInside = (one) => {
        const { x, y } = one.isEdge() ? one.renderedMidpoint() : one.renderedPosition();
        return x > 0 && y > 0 && x < box.width - 80 && y < box.height - 80;
      };
      const element = storyGraph.cy[find]().filter(isInside)[0];
      const { x, y } = element.isEdge() ? element.renderedMidpoint() : element.renderedPosition();
      return { x: box.x + x, y: box.y + y };
    }"""
    page.evaluate("document.getElementById('graph').scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(200)
    spot = page.evaluate(where, "edges")
    page.mouse.click(spot["x"], spot["y"])
    page.locator("#links details[open] mark, #links details[open] .card").first.wait_for()
    assert re.search(r"#link-\w+\.\w+$", page.url)
    page.evaluate("document.getElementById('graph').scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(200)
    spot = page.evaluate(where, "nodes")
    with page.expect_navigation():
        page.mouse.click(spot["x"], spot["y"])
    assert "/events/" in page.url


def test_filters_act_on_the_graph_and_the_list_at_once(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    page.locator("#links-part > summary").click()
    links = shown_links(page)
    assert drawn_links(page) == links
    assert not page.locator("#filters button").is_visible()
    page.locator("#min-strength").fill("70")
    assert 0 < shown_links(page) == drawn_links(page) < links
    assert "70 and stronger" in page.locator("#min-strength-value").inner_text()
    assert "hidden by the filters" in page.locator("#hidden-links").inner_text()
    page.locator("#min-strength").fill("0")
    assert shown_links(page) == links
    page.get_by_label("Said: a sentence states it").uncheck()
    page.get_by_label("Shown: two headlines").uncheck()
    assert 0 < shown_links(page) == drawn_links(page) < links


def test_a_chain_is_shown_in_the_graph(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    page.locator("#structure-part > summary").click()
    page.locator(".chains li").first.get_by_role("button", name="Show in the graph").click()
    assert page.evaluate("storyGraph.cy.edges('.highlighted').length") == 2
    assert page.evaluate("storyGraph.cy.nodes('[^of]').not('.dimmed').length") == 3


def test_a_slider_goes_back_to_any_day(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    rows = page.locator(".timeline-row").count()
    slider = page.get_by_role("slider", name="As known on")
    slider.focus()
    slider.press("ArrowLeft")
    page.get_by_text("As known at the end of").wait_for()
    assert "as_of=" in page.url
    assert 0 < page.locator(".timeline-row").count() <= rows
    page.wait_for_timeout(100)
    page.keyboard.press("Home")
    page.locator("h1", has_text="Three days").wait_for()
    page.evaluate("setTimeout(() => history.go(-2))")  # the page reloads itself, which `go_back` does not expect
    page.locator("h1", has_text="Embankment").wait_for()
    page.get_by_text("As known at the end of").wait_for(state="detached")
    page.locator("#graph canvas").first.wait_for()
    assert page.locator(".timeline-row").count() == rows


def test_everything_can_be_reached_by_the_keyboard(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    reached = []
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.localName"))
        if reached[-1] == "summary":
            break
    assert {"graph", "summary"} <= set(reached)
    page.keyboard.press("Enter")
    assert page.locator("#links-part[open]").count() == 1
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.localName"))
        if reached[-1] == "summary":
            break
    assert {"min-strength", "summary"} <= set(reached)
    page.keyboard.press("Enter")
    assert page.locator("#links details[open]").count() == 1
    page.locator("#graph").focus()
    before = page.evaluate("storyGraph.cy.pan().x")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("storyGraph.cy.pan().x") != before


def test_without_a_script_everything_is_there_but_the_graph(pages: Pages) -> None:
    page = pages.open("/stories/e1", java_script_enabled=False)
    page.locator("#links-part > summary").click()
    links = shown_links(page)
    page.locator("#links summary").first.click()
    page.locator("#links .link-body mark").first.wait_for()
    page.locator("#filters").get_by_label("Implied").uncheck()
    page.locator("#filters").get_by_label("Shown").uncheck()
    page.locator("#filters button").click()
    page.locator("#links-part > summary").click()
    assert 0 < shown_links(page) < links
    page.locator(".as-of [type=date]").fill("2026-03-03")
    page.locator(".as-of button").click()
    page.get_by_text("As known at the end of 3").wait_for()
    page.locator("#ask").fill("Why did the embankment give way?")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Answers").wait_for()
    page.locator(".as-of [type=date]").fill("2026-03-04")
    page.locator(".as-of button").click()
    page.get_by_text("As known at the end of 4").wait_for()
    assert "embankment" in page.locator("h1").inner_text()
    page.goto(pages.service.url + "/events/e1")
    page.get_by_role("link", name="Look for similar events").click()
    page.get_by_role("heading", name="What may follow").wait_for()
    page.goto(pages.service.url + "/bench")
    page.get_by_role("button", name="Read it").click()
    page.locator("#reading mark").first.wait_for()


def test_a_question_is_answered_with_the_sentence(pages: Pages) -> None:
    page = pages.open("/")
    page.get_by_role("searchbox").fill("Why did the embankment give way?")
    page.get_by_role("button", name="Ask why").click()
    answer = page.locator(".answers > li").first
    assert "rain" in answer.locator(".answer").inner_text()
    assert "clay core" in answer.locator("blockquote").first.inner_text()
    assert page.locator("#ask").input_value() == "Why did the embankment give way?"


def test_a_slider_answers_a_question_as_of_any_day(pages: Pages) -> None:
    page = pages.open("/why?q=Why+did+the+embankment+give+way%3F")
    page.locator(".answers > li").first.wait_for()
    page.get_by_role("slider", name="As known on").focus()
    page.keyboard.press("Home")
    page.get_by_text("As known at the end of").wait_for()
    assert "as_of=" in page.url
    assert "q=Why" in page.url
    assert page.locator(".answers > li").count() == 0
    page.get_by_role("link", name="Show what is known now").click()
    page.locator(".answers > li").first.wait_for()


def test_the_bench_reads_and_relates_in_place(pages: Pages) -> None:
    page = pages.open("/bench")
    page.locator("#sentence").fill("Fuel ran short because the fire closed the refinery.")
    page.get_by_role("button", name="Read it").click()
    assert "fire" in page.locator("#reading mark[data-roles=cause]").inner_text()
    page.get_by_role("button", name="Relate them").click()
    page.locator("#relation .answer").wait_for()
    assert "left=" in page.url


def test_hostile_text_is_only_ever_text(pages: Pages) -> None:
    for path in (f"/events/{HOSTILE.id}", f"/stories/{HOSTILE.story}", "/changes", "/why?q=queue", "/?day=all"):
        page = pages.open(path)
        page.wait_for_timeout(200)
        assert page.evaluate("window.hacked") is None
        assert page.locator("img").count() == 0
        assert page.locator("a[href^='javascript' i]").count() == 0
    page = pages.open("/why?q=" + "%3Cscript%3Ewindow.hacked%3Dtrue%3C/script%3E")
    assert page.evaluate("window.hacked") is None
    assert "<script>" in page.locator("h1").inner_text()


def test_russian_is_spoken_where_it_is_preferred(pages: Pages) -> None:
    page = pages.open("/stories/e1", locale="ru-RU")
    assert page.locator("html").get_attribute("lang") == "ru"
    page.get_by_role("heading", name="Главные события").wait_for()
    assert "событи" in page.locator("#selection-status").inner_text()
    assert "привело к" in page.locator(".legend").inner_text()
    page.get_by_role("button", name="English").click()
    page.get_by_role("heading", name="Main events").wait_for()
    assert page.url.endswith("/stories/e1")
    page.get_by_role("button", name="Русский").click()
    page.get_by_role("heading", name="Главные события").wait_for()


def test_colours_can_be_chosen_and_stay(pages: Pages) -> None:
    page = pages.open("/stories/e1")
    paper = "getComputedStyle(document.body).backgroundColor"
    card = "storyGraph.cy.nodes()[0].style('background-color')"
    light = page.evaluate(paper), page.evaluate(card)
    page.get_by_role("button", name="Dark theme").click()
    page.locator("html[data-theme=dark]").wait_for()
    dark = page.evaluate(paper), page.evaluate(card)
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    page.goto(pages.service.url + "/status")
    assert page.evaluate(paper) == dark[0]


def test_what_was_merged_and_closed_is_listed_as_such(pages: Pages) -> None:
    page = pages.open("/changes")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for heading in ("Events merged into others", "Events split", "Links closed by a refutation"):
        page.get_by_role("heading", name=heading).first.wait_for()
    page.get_by_role("link", name="Rain over the dam").first.click()
    page.get_by_text("was merged into it").wait_for()


@pytest.mark.parametrize("script", [True, False])
def test_the_history_of_an_event_opens_by_the_keyboard(pages: Pages, script: bool) -> None:
    page = pages.open("/events/e1", java_script_enabled=script)
    history = page.locator("#history")
    assert not history.get_by_text("Rain over the dam").is_visible()
    history.locator("summary").focus()
    page.keyboard.press("Enter")
    history.get_by_text("Rain over the dam").wait_for()
    history.get_by_role("link", name="Rain over the dam").click()
    page.get_by_text("was merged into it").wait_for()


def test_a_feed_that_fails_says_why(pages: Pages) -> None:
    page = pages.open("/status")
    assert "failing: 1" in page.locator("main").inner_text()
    page.get_by_role("link", name="All feeds").click()
    row = page.get_by_role("row", name="Harbour")
    assert "failing" in row.inner_text()
    assert "3\u00a0failures: 404 Not Found" in row.inner_text()
    row.get_by_role("link").click()
    page.get_by_text("It is tried again, less and less often").wait_for()


def test_a_page_says_when_news_comes_in(browser: Browser, service: Running) -> None:
    article: dict[str, Any] = {"title": "Storm cuts power to the bay", "published": "2026-03-04T10:00:00Z"}
    key = service.key("write")
    assert service.post("/v1/articles", json=article, headers=key).status_code in (200, 201, 202)
    service.settle()
    opened = Pages(browser, service)
    page = opened.open("/changes")
    page.wait_for_timeout(300)
    assert page.locator("#live").inner_text() == ""
    later = {"title": "Schools stay closed after power cut", "published": "2026-03-05T10:00:00Z"}
    service.post("/v1/articles", json=later, headers=key)
    page.get_by_role("link", name="Show it").click()
    page.get_by_text("+2 articles").wait_for()
    page.context.close()
    assert opened.complaints == []
