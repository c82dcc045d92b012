"""The page in a real browser: what a user sees, clicks and types."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from made_up_week import (
    DAM_SENTENCE,
    DENIAL_SENTENCE,
    EMOJI_SENTENCE,
    HEBREW_TITLE,
    HOSTILE_TITLE,
    RUSSIAN_SENTENCE,
    link_between,
)
from opened_pages import (
    DESK,
    PHONE,
    SHOWN,
    OpenPages,
    click_in_graph,
    go_to,
    open_filters,
    opened,
    story_of,
    until,
    visible_links,
)

from whywire.elements import Event
from whywire.graph.causal_graph import CausalGraph
from whywire.news.article import Article
from whywire.news.language import Language

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


def marked(panel: Locator, role: str) -> str:
    return "".join(panel.locator(f'blockquote mark[data-roles~="{role}"]').all_text_contents())


def test_the_page_opens_on_the_largest_story(pages: OpenPages) -> None:
    page = pages.open()
    assert page.locator("h1").inner_text() == "A made-up week"
    assert page.locator("#counts").inner_text().split("\n") == [
        "39 articles",
        "29 events",
        "24 links",
        "5 claims",
    ]
    assert page.locator("#stories .entry-title").all_inner_texts()[0] == "Embankment above Lower Orlen gives way"
    assert page.locator("#story h2").inner_text() == "Embankment above Lower Orlen gives way"
    assert "12 events · 19 articles · 13 links" in page.locator("#story .facts").first.inner_text()
    assert len(visible_links(page)) == 13


def test_a_story_opens_with_its_graph_links_and_timeline(pages: OpenPages, graph: CausalGraph) -> None:
    page = pages.open()
    page.get_by_role("link", name="Crane topples").first.click()
    page.locator("#story h2", has_text="Crane topples").wait_for()
    assert page.locator(".link-row").count() == 7
    assert page.locator(".timeline-row").count() == 8
    assert len(visible_links(page)) == 7
    assert page.locator(".timeline-row .event-title").last.inner_text() == HEBREW_TITLE
    refutation = page.locator(".link-row.refutes")
    assert "refuted or corrected by" in refutation.inner_text()
    assert page.locator("#stories [aria-current]").inner_text().startswith("Crane topples")
    page.go_back()
    page.locator("#story h2", has_text="Embankment above").wait_for()


def test_hostile_titles_are_only_ever_text(pages: OpenPages, graph: CausalGraph) -> None:
    hostile = next(event for event in graph.events if event.title == HOSTILE_TITLE)
    page = pages.open(f"#{hostile.id}")
    assert page.locator("#panel .event-title.large").inner_text() == HOSTILE_TITLE
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert page.locator("#panel a[href^='javascript']").count() == 0
    assert page.locator("#panel .article-line a").count() == 0
    page.locator("#search").fill("&")
    assert page.locator("#stories .match").inner_text() == HOSTILE_TITLE
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize(
    ("source", "target", "sentence", "cause", "effect", "signal"),
    [
        (
            "Three days",
            "Embankment",
            DAM_SENTENCE,
            "three days of rain had soaked its clay core",
            "The embankment gave way",
            "because",
        ),
        (
            "На заводе",
            "Отгрузка",
            RUSSIAN_SENTENCE,
            "остановки плавильного цеха",
            "завод «Северолит» сократил отгрузку алюминия вдвое",
            "Из-за",
        ),
        (
            "<script>",
            "Island",
            EMOJI_SENTENCE,
            "The quay closure",
            "empty shelves across the islands",
            "led to",
        ),
    ],
)
def test_an_edge_shows_the_sentence_with_its_parts(
    pages: OpenPages,
    graph: CausalGraph,
    source: str,
    target: str,
    sentence: str,
    cause: str,
    effect: str,
    signal: str,
) -> None:
    place = link_between(graph, source, target)
    story = next(n for n, story in enumerate(graph.stories()) if graph.links[place] in story.links)
    page = pages.open(story_of(graph, story))
    click_in_graph(page, f"link {place}")
    panel = page.locator("#panel")
    panel.locator("blockquote").wait_for()
    assert page.url.endswith(f"#link/{place}")
    assert panel.locator("blockquote").text_content() == sentence
    assert (marked(panel, "cause"), marked(panel, "effect"), marked(panel, "signal")) == (
        cause,
        effect,
        signal,
    )
    assert panel.locator(".roles").inner_text().split() == ["cause", "effect", "signal"]
    styles = {
        page.evaluate(
            "(role) => getComputedStyle(document.querySelector(`blockquote mark[data-roles~=${role}]`))"
            ".textDecorationStyle",
            role,
        )
        for role in ("cause", "effect", "signal")
    }
    assert len(styles) == 3, "the parts differ by more than colour"
    link = graph.links[place]
    assert f"Strength {link.strength:.0f} · high" in panel.inner_text()
    probability = re.search(r"Probability (\d\.\d\d)", panel.inner_text())
    assert probability is not None
    assert float(probability[1]) == pytest.approx(link.probability, abs=0.006)


def test_sources_are_linked_safely(pages: OpenPages, graph: CausalGraph) -> None:
    page = pages.open(f"#link/{link_between(graph, 'Three days', 'Embankment')}")
    pair = page.locator("#panel .pair a")
    assert pair.all_inner_texts() == [graph.events[0].title, graph.events[1].title]
    assert [link.get_attribute("href") for link in pair.all()] == [
        "https://coast.example/e1-1",
        "https://coast.example/e2-1",
    ]
    assert {link.get_attribute("rel") for link in pair.all()} == {"noopener noreferrer"}
    assert {link.get_attribute("target") for link in pair.all()} == {"_blank"}
    assert "Coast Courier · 3 Mar 2026, 04:10" in page.locator("#panel").inner_text()


def test_the_panel_says_how_sure_the_order_is_and_what_was_refuted(pages: OpenPages, graph: CausalGraph) -> None:
    page = pages.open()
    for source, target, words in (
        ("Three days", "Embankment", "came before"),
        ("Some 4,000", "Schools", "too coarse"),
        ("Aluminium", "Drinks", "no time"),
        ("Social media", "Drivers", "This link is closed: later denied by"),
        ("Social media", "Upper dam", "refuted or corrected by"),
    ):
        go_to(page, f"#link/{link_between(graph, source, target)}")
        assert words in page.locator("#panel").inner_text()


def test_an_event_shows_its_time_and_the_words_that_state_it(pages: OpenPages) -> None:
    page = pages.open()
    go_to(page, "#e1")
    assert "Happened 27 Feb – 1 Mar 2026 (“Three days”)" in page.locator("#panel").inner_text().replace("\u2009", " ")


def test_an_event_shows_articles_neighbours_and_counterfactuals(pages: OpenPages) -> None:
    page = pages.open()
    click_in_graph(page, "event 1")
    panel = page.locator("#panel")
    panel.locator(".event-title.large").wait_for()
    assert page.url.endswith("#e2")
    text = panel.inner_text()
    for heading in ("What led to it", "What it led to", "Articles (4)", "Counterfactuals in these articles"):
        assert heading in text
    assert panel.locator("blockquote").all_text_contents() == [DAM_SENTENCE, DENIAL_SENTENCE]
    assert marked(panel, "antecedent") == "the spillway had been cleared in February"
    assert marked(panel, "consequent") == "the village would have stayed dry"
    panel.get_by_role("link", name="Three days of rain").click()
    panel.get_by_text("Cause and effect", exact=True).wait_for()


def test_the_slider_hides_weak_links(pages: OpenPages, graph: CausalGraph) -> None:
    page = pages.open()
    story = graph.stories()[0]
    open_filters(page)
    slider = page.get_by_label("Minimum strength")
    slider.focus()
    slider.fill("76")
    strong = {place for place, link in enumerate(graph.links) if link in story.links and link.strength >= 76}
    assert visible_links(page) == strong
    assert page.locator(".link-row").count() == len(strong) == 5
    assert "8 links hidden by the filters" in page.locator("#story").inner_text()
    page.keyboard.press("ArrowRight")
    until(page, f"{SHOWN}.length === 4")
    assert page.locator(".scale .segment").all_inner_texts() == ["none", "low", "medium", "high"]


def test_filters_are_closed_at_first_and_open_in_the_next_story_while_they_hide_links(pages: OpenPages) -> None:
    page = pages.open()
    slider = page.get_by_label("Minimum strength")
    assert slider.is_hidden()
    open_filters(page)
    slider.fill("76")
    page.get_by_role("link", name="Crane topples").first.click()
    page.locator("#story h2", has_text="Crane topples").wait_for()
    assert slider.input_value() == "76"
    assert slider.is_visible()


def test_the_terms_of_the_page_are_explained_on_it(pages: OpenPages) -> None:
    page = pages.open("#link/0")
    guide = page.locator("#guide")
    assert guide.locator("dl").is_hidden()
    guide.locator("summary").click()
    for term in ("Event", "Story", "Link", "Strength", "Probability", "Evidence"):
        assert guide.locator("dt", has_text=term).is_visible()
    assert "none up to 20, low up to 50, medium up to 80, high up to 100" in guide.inner_text()
    page.get_by_text("What do these numbers mean?").click()
    assert page.locator("#panel dt").all_inner_texts() == ["Strength", "Probability", "Evidence"]


@pytest.mark.parametrize(
    ("probability", "words"), [(1.0, "> 0.99"), (0.994, "> 0.99"), (0.5, "0.50"), (0.014, "0.01"), (0.001, "< 0.01")]
)
def test_no_probability_is_shown_as_certain(
    browser: Browser, graph: CausalGraph, tmp_path: Path, probability: float, words: str
) -> None:
    links = (replace(graph.links[0], probability=probability), *graph.links[1:])
    for shown in opened(browser, replace(graph, links=links), tmp_path):
        assert f"Probability {words}" in shown.open("#link/0").locator("#panel .measure").inner_text()


def test_causes_and_refutations_can_be_hidden(pages: OpenPages, graph: CausalGraph) -> None:
    page = pages.open()
    open_filters(page)
    page.get_by_label("Causes").uncheck()
    assert visible_links(page) == {link_between(graph, "Social media", "Upper dam")}
    page.get_by_label("Refutations").uncheck()
    assert visible_links(page) == set()
    assert "No link passes these filters" in page.locator("#story").inner_text()


def test_search_and_language_narrow_the_list_of_stories(pages: OpenPages) -> None:
    page = pages.open()
    page.locator("#search").fill("insulin")
    assert page.locator("#stories .entry-title").all_inner_texts() == [
        "Crane topples onto the main quay at Port Sollis"
    ]
    assert page.locator("#stories .match").inner_text() == "Air force flies insulin to the Sollis islands"
    page.locator("#search").fill("")
    page.locator("#language").select_option("ru")
    assert page.locator("#stories-heading").inner_text().lower() == "stories (1)"
    assert page.locator("#single-events .entry-title").all_inner_texts() == [
        "В Заречье открылась выставка старинных карт"
    ]
    page.locator("#search").fill("nothing like it")
    assert "No story matches" in page.locator("#stories").inner_text()


def test_an_event_without_links_opens_too(pages: OpenPages) -> None:
    page = pages.open()
    page.get_by_role("link", name="Meridian orchestra").click()
    page.locator("#panel .event-title.large").wait_for()
    assert "Articles (1)" in page.locator("#panel").inner_text()


def test_the_keyboard_is_enough(pages: OpenPages) -> None:
    page = pages.open()
    row = page.locator(".link-row").first
    row.focus()
    page.keyboard.press("Enter")
    page.locator("#panel blockquote").wait_for()
    until(page, "document.activeElement.id === 'panel-title'")
    page.keyboard.press("Tab")
    until(page, "document.activeElement.id === 'close'")
    page.keyboard.press("Escape")
    page.locator("#panel").wait_for(state="hidden")
    until(page, "document.activeElement === document.querySelector('.link-row')")

    page.locator("#graph").focus()
    zoom, x = page.evaluate("[graphView.cy.zoom(), graphView.cy.pan().x]")
    page.keyboard.press("+")
    until(page, f"graphView.cy.zoom() > {zoom}")
    page.keyboard.press("0")
    page.keyboard.press("ArrowLeft")
    until(page, f"graphView.cy.pan().x > {x}")
    reached = page.evaluate(
        "[...document.querySelectorAll('a, button, input, select, summary')].every((e) => e.tabIndex >= 0)"
    )
    assert reached


def test_zoom_buttons(pages: OpenPages) -> None:
    page = pages.open()
    start = page.evaluate("graphView.cy.zoom()")
    page.get_by_role("button", name="Zoom in").click()
    closer = page.evaluate("graphView.cy.zoom()")
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Fit").click()
    assert closer > start
    view = page.evaluate("[graphView.cy.extent(), graphView.cy.elements().boundingBox()]")
    assert view[0]["x1"] <= view[1]["x1"]
    assert view[1]["x2"] <= view[0]["x2"]


def test_the_wheel_scrolls_the_page_and_zooms_only_with_control(pages: OpenPages) -> None:
    page = pages.open()
    start = page.evaluate("graphView.cy.zoom()")
    page.locator("#graph").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    until(page, f"graphView.cy.zoom() > {start}")
    page.keyboard.up("Control")
    closer = page.evaluate("graphView.cy.zoom()")
    page.mouse.wheel(0, 300)
    until(page, "window.scrollY > 0")
    assert page.evaluate("graphView.cy.zoom()") == closer


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_follow_the_system_and_the_button(pages: OpenPages, scheme: str) -> None:
    page = pages.open(scheme=scheme)

    def lightness() -> tuple[float, float]:
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        card = page.evaluate("graphView.cy.nodes()[0].style('background-color')")
        return tuple(sum(map(int, re.findall(r"\d+", colour)[:3])) / 765 for colour in (paper, card))  # type: ignore[return-value]

    before = lightness()
    assert all(value < 0.3 for value in before) if scheme == "dark" else all(value > 0.9 for value in before)
    page.locator("#theme").click()
    after = lightness()
    assert all(value > 0.9 for value in after) if scheme == "dark" else all(value < 0.3 for value in after)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_is_wider_than_the_screen(pages: OpenPages, size: dict[str, int]) -> None:
    page = pages.open(size=size)
    for address in ("", "#story/e2", "#story/e13", "#e16", "#e20", "#link/0"):
        go_to(page, address)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"], address
        assert page.evaluate("byId('panel').scrollWidth <= byId('panel').clientWidth"), address


def test_a_phone_shows_one_thing_at_a_time(pages: OpenPages) -> None:
    page = pages.open(size=PHONE)
    assert page.locator("#story-list").is_visible()
    assert page.locator("#story").is_hidden()
    page.get_by_role("link", name="Embankment above").first.click()
    page.locator("#story h2").wait_for()
    assert page.locator("#story-list").is_hidden()
    page.locator(".link-row").first.click()
    page.locator("#close").click()
    page.get_by_role("link", name="All stories").click()
    page.locator("#stories").wait_for()


def test_an_unknown_address_shows_the_list_of_stories(pages: OpenPages) -> None:
    page = pages.open("#link/999")
    for address in ("#gone", "#story/gone", "#link/x", "#%E0%A4%A", "#story/e26"):
        assert page.locator("#story h2").inner_text().startswith("Embankment")
        assert page.locator("#panel").is_hidden()
        go_to(page, address)
    assert page.locator("#panel").is_hidden()


LEADING_NOWHERE = [
    "#link/length",
    "#link/__proto__",
    "#event/constructor",
    "#story/toString",
    "#link/-1",
    "#link/1.5",
    "#link/%E0%A4%A",
    "#story/%E0%A4%A",
    "#link/constructor",
    "#link/",
    "#link/01",
    "#link/%201",
    f"#link/{'9' * 400}",
    "#event/e2",
    "#story/",
    "#__proto__",
    "#e2%0A",
]


@pytest.mark.parametrize("address", LEADING_NOWHERE[:8])
def test_a_page_opened_at_an_unknown_address_works(pages: OpenPages, address: str) -> None:
    page = pages.open(address)
    assert_the_start(page)
    page.get_by_role("link", name="Crane topples").first.click()
    page.locator("#story h2", has_text="Crane topples").wait_for()
    page.locator("#search").fill("insulin")
    assert page.locator("#stories .match").count() == 1
    assert pages.console_messages == []


def test_an_unknown_address_shows_the_first_view(pages: OpenPages) -> None:
    page = pages.open()
    for address in LEADING_NOWHERE:
        go_to(page, "#link/20")
        assert page.locator("#story h2").inner_text().startswith("На заводе"), address
        assert page.locator("#panel-title").is_visible()
        go_to(page, address)
        assert_the_start(page)
        assert pages.console_messages == [], address


def assert_the_start(page: Page) -> None:
    """The page shows what it shows without an address, and can be used."""
    assert page.locator("#story h2").inner_text() == "Embankment above Lower Orlen gives way"
    assert page.locator("#panel").is_hidden()
    assert page.evaluate("document.body.dataset.view") == "list"
    assert len(visible_links(page)) == 13


@pytest.mark.parametrize("name", ["link/0", "story/e2", "__proto__", "100% ё#"])
def test_an_event_is_found_under_any_id(browser: Browser, tmp_path: Path, name: str) -> None:
    articles = {"a": Article("a", "One event"), "b": Article("b", "Another event")}
    events = tuple(
        Event(event, articles[article].title, Language.ENGLISH, None, None, (article,))
        for event, article in ((name, "a"), ("e2", "b"))
    )
    for shown in opened(browser, CausalGraph(articles, events), tmp_path):
        page = shown.open()
        page.get_by_role("link", name="One event").click()
        assert page.locator("#panel .event-title.large").inner_text() == "One event"


def test_an_empty_graph_has_a_page_that_says_so(browser: Browser, tmp_path: Path) -> None:
    for shown in opened(browser, CausalGraph(), tmp_path):
        page = shown.open()
        assert "No events were found" in page.locator("#story").inner_text()
        shown.open(size=PHONE)


def test_a_graph_without_stories_says_so(browser: Browser, graph: CausalGraph, tmp_path: Path) -> None:
    alone = tuple(replace(event, story=None) for event in graph.events)
    for shown in opened(browser, replace(graph, events=alone, links=()), tmp_path):
        page = shown.open()
        assert "No two events were found to be connected" in page.locator("#story").inner_text()
        assert page.locator("#single-events .entry").count() == 15
        page.get_by_role("button", name="Show more (14 left)").click()
        assert page.locator("#single-events .entry").count() == 29
        page.locator("#single-events .entry").first.click()
        page.locator("#panel .event-title.large").wait_for()


def test_a_story_without_links_shows_its_timeline(browser: Browser, graph: CausalGraph, tmp_path: Path) -> None:
    for shown in opened(browser, replace(graph, links=()), tmp_path):
        page = shown.open()
        story = page.locator("#story")
        assert "12 events" in story.inner_text()
        assert "no links" in story.inner_text()
        assert page.locator("#graph").count() == page.locator("#links").count() == 0
        assert page.locator(".timeline-row").count() == 12
        page.locator(".timeline-row").nth(1).click()
        page.locator("#panel .event-title.large").wait_for()
        assert graph.events[1].title in page.locator("#panel").inner_text()


def test_the_graph_shows_links_inside_the_story_only(browser: Browser, graph: CausalGraph, tmp_path: Path) -> None:
    """A link to another story, and events without links, are shown where they are at home."""
    events = tuple(replace(event, story="e13") if event.id == "e1" else event for event in graph.events)
    links = tuple(link for link in graph.links if "e3" not in (link.source, link.target))
    across = links.index(graph.links[link_between(graph, "Three days", "Embankment")])
    for shown in opened(browser, replace(graph, events=events, links=links), tmp_path):
        page = shown.open(story_of(graph, 0))
        assert page.evaluate("[0, 1].map((event) => graphView.contains('event', event))") == [False, True]
        assert "shown" in page.locator("#selection-status").inner_text()
        go_to(page, f"#link/{across}")
        assert "CAUSE AND EFFECT" in page.locator("#panel").inner_text().upper()
        go_to(page, "#e3")
        assert "Some 4,000" in page.locator("#panel").inner_text()
