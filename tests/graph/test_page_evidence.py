"""What the page says of evidence: said, shown or implied, in which words, and what is only planned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from made_up_week import HOSTILE_TITLE, link_between
from opened_pages import OpenPages, go_to, open_filters, opened, until, visible_links

from whywire.elements import ImpliedEvidence, Mention, MentionKind, Order
from whywire.graph.causal_graph import CausalGraph

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GYM = "Families were moved to the school gym"


@pytest.fixture
def fragments(browser: Browser, graph: CausalGraph, tmp_path: Path) -> Iterator[OpenPages]:
    """The made-up week, with an evacuation named by a fragment of its text, and an inquiry that is planned."""
    moved = next(event for event in graph.events if event.title.startswith("Some 4,000"))
    article = graph.articles[moved.articles[0]]
    start = article.text.index(GYM)
    named = replace(
        moved,
        title=GYM,
        mentions=(
            *moved.mentions,
            Mention(article.id, "text", (start, start + len(GYM)), MentionKind.EFFECT),
        ),
    )
    events = tuple(
        named if event is moved else replace(event, planned=event.title.startswith("Regional assembly"))
        for event in graph.events
    )
    yield from opened(browser, replace(graph, events=events), tmp_path)


def test_line_styles_show_the_most_reliable_kind_of_evidence(pages: OpenPages, graph: CausalGraph) -> None:
    page = pages.open()

    def stroke(source: str, target: str) -> list[str]:
        edge = f"graphView.cy.getElementById('link {link_between(graph, source, target)}')"
        return page.evaluate(
            f"['line-style', 'line-dash-pattern', 'target-arrow-shape'].map((name) => String({edge}.style(name)))"
        )

    said = stroke("Three days", "Embankment")
    shown = stroke("Embankment", "Rail line")
    implied = stroke("Three days", "Bread")
    refuted = stroke("Social media", "Upper dam")
    assert said[0] == "solid"
    assert shown[0] == implied[0] == "dashed"
    assert shown[1] != implied[1]
    assert (said[2], refuted[2]) == ("triangle", "tee")
    legend = page.locator(".legend").inner_text()
    for words in ("said in a sentence", "shown by headlines", "implied by an article", "refuted or corrected by"):
        assert words in legend


def test_all_links_are_shown_until_the_user_chooses_kinds_of_evidence(pages: OpenPages, graph: CausalGraph) -> None:
    page = pages.open()
    implied = link_between(graph, "Three days", "Bread")
    all_links = visible_links(page)
    assert implied in all_links
    open_filters(page)
    page.get_by_label("Implied by an article").uncheck()
    assert visible_links(page) == all_links - {implied}
    page.get_by_label("Shown by headlines").uncheck()
    assert visible_links(page) == {
        link_between(graph, "Three days", "Embankment"),
        link_between(graph, "Embankment", "Some 4,000"),
    }
    page.get_by_label("Implied by an article").check()
    assert implied in visible_links(page)
    assert "10 links hidden by the filters" in page.locator("#story").inner_text()


def test_an_implied_link_shows_both_mentions_with_their_articles(pages: OpenPages, graph: CausalGraph) -> None:
    page = pages.open(f"#link/{link_between(graph, 'Three days', 'Bread')}")
    panel = page.locator("#panel")
    assert panel.locator("blockquote mark").all_text_contents() == [
        "Three days of rain soak the Orlen valley",
        "Bread prices edge up in Castra markets",
    ]
    assert panel.locator(".article-line a").count() == 2
    assert "Articles that imply it (1)" in panel.inner_text()
    assert "Headlines that show it" not in panel.inner_text()


def test_a_link_of_all_kinds_of_evidence_names_them_all(browser: Browser, graph: CausalGraph, tmp_path: Path) -> None:
    place = link_between(graph, "Three days", "Embankment")
    link = graph.links[place]
    ends = (graph.event(link.source).mentions[0], graph.event(link.target).mentions[0])
    links = list(graph.links)
    links[place] = replace(link, evidence=(*link.evidence, ImpliedEvidence(*ends, 0.3)))
    for shown in opened(browser, replace(graph, links=tuple(links)), tmp_path):
        text = shown.open(f"#link/{place}").locator("#panel").inner_text()
        assert "said in a sentence · shown by headlines · implied by an article" in text


@pytest.mark.parametrize("order", Order)
def test_every_order_has_a_label(browser: Browser, graph: CausalGraph, tmp_path: Path, order: Order) -> None:
    links = (replace(graph.links[0], order=order), *graph.links[1:])
    for shown in opened(browser, replace(graph, links=links), tmp_path):
        hints = shown.open("#link/0").locator("#panel .hint").all_inner_texts()
        assert any(hint.startswith("Order in time: ") for hint in hints)


def test_without_implied_links_there_is_no_filter_for_them(
    browser: Browser, graph: CausalGraph, tmp_path: Path
) -> None:
    place = link_between(graph, "Three days", "Bread")
    links = graph.links[:place] + graph.links[place + 1 :]
    for shown in opened(browser, replace(graph, links=links), tmp_path):
        page = shown.open()
        assert page.get_by_label("Implied by an article").count() == 0


def test_what_is_planned_is_marked_everywhere(fragments: OpenPages, graph: CausalGraph) -> None:
    page = fragments.open()
    inquiry = next(n for n, event in enumerate(graph.events) if event.title.startswith("Regional assembly"))
    node = f"graphView.cy.getElementById('event {inquiry}')"
    assert page.evaluate(f"{node}.style('border-style')") == "dashed"
    assert "planned" in page.evaluate(f"graphView.cy.getElementById('caption {inquiry}').data('label')")
    assert page.locator(".timeline-row", has_text="Regional assembly").locator(".tag.planned").count() == 1
    assert page.locator(".timeline-row .tag.planned").count() == 1
    go_to(page, f"#{graph.events[inquiry].id}")
    assert "Planned or announced" in page.locator("#panel").inner_text()


def test_mentions_are_shown_with_their_articles(fragments: OpenPages, graph: CausalGraph) -> None:
    moved = next(event for event in graph.events if event.title.startswith("Some 4,000"))
    page = fragments.open(f"#{moved.id}")
    cards = page.locator("#panel .card", has=page.locator(".mentions"))
    assert cards.count() == 1
    assert cards.locator(".article-line a").inner_text() == "Some 4,000 people leave their homes in Lower Orlen"
    assert cards.locator(".mentions li").all_inner_texts() == [f"{GYM} as an effect"]


def test_search_finds_words_of_mentions_and_shows_them(fragments: OpenPages) -> None:
    page = fragments.open()
    hit = page.locator("#stories .match")
    page.locator("#search").fill("school GYM families")
    assert hit.count() == 1
    assert hit.locator(".matching-mention").count() == 0, "the title has these words itself"
    page.locator("#search").fill("gym EVACUATED")
    assert hit.locator(".matching-mention").inner_text() == "“Lower Orlen evacuated”"
    assert hit.locator(".matching-mention b").inner_text() == "evacuated"
    page.locator("#search").fill("families evacuated nowhere")
    assert hit.count() == 0


@pytest.mark.parametrize("hostile", [HOSTILE_TITLE, "</script><img src=x onerror=alert(1)> 😀"])
def test_a_mention_found_by_search_is_only_ever_text(
    browser: Browser, graph: CausalGraph, tmp_path: Path, hostile: str
) -> None:
    first = graph.events[0]
    text = f"Before it {hostile} and after it."
    articles = dict(graph.articles)
    articles[first.articles[0]] = replace(articles[first.articles[0]], text=text)
    mention = Mention(first.articles[0], "text", (0, len(text)), MentionKind.STATEMENT)
    told = replace(first, mentions=(*first.mentions, mention))
    for shown in opened(browser, replace(graph, articles=articles, events=(told, *graph.events[1:])), tmp_path):
        page = shown.open()
        page.locator("#search").fill("img")
        found = page.locator("#stories .match", has_text=first.title).locator(".matching-mention")
        assert "img" in found.locator("b").inner_text()
        page.locator("#stories .match", has_text=first.title).click()
        until(page, "!document.getElementById('panel').hidden")
        assert page.locator("#panel .mentions q").inner_text().strip("“”") == text
        assert page.locator("img").count() == 0
        assert page.evaluate("window.hacked") is None
