"""Opens pages in a real browser, for tests of what a person sees, clicks and types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page import render_page
from whywire.graph.passages import WrittenSentence

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 1000}


@dataclass
class OpenPages:
    """Opens a page in the browser and collects its requests and console messages."""

    browser: Browser
    path: Path
    requests: list[str] = field(default_factory=list)
    console_messages: list[str] = field(default_factory=list)

    def open(self, address: str = "", *, size: dict[str, int] = DESK, scheme: str = "light") -> Page:
        context = self.browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.console_messages.append(message.text))
        page.on("pageerror", lambda error: self.console_messages.append(str(error)))
        page.goto(self.path.as_uri() + address)
        return page


def opened(
    browser: Browser, graph: CausalGraph, folder: Path, sentences: Sequence[WrittenSentence] = ()
) -> Iterator[OpenPages]:
    path = folder / "report.html"
    page = render_page(graph, title="A made-up week", summary={"version": "0.1.0"}, sentences=sentences)
    path.write_text(page, encoding="utf-8")
    shown = OpenPages(browser, path)
    yield shown
    for context in browser.contexts:
        context.close()
    assert shown.console_messages == []
    assert {url.split("#")[0] for url in shown.requests} <= {path.as_uri(), "data:,"}


def story_of(graph: CausalGraph, place: int) -> str:
    return f"#story/{graph.stories()[place].lead.id}"


SHOWN = "graphView.cy.edges().filter((edge) => edge.style('display') !== 'none')"
"""The links the graph shows; Cytoscape.js answers `:visible` from a cache that lags a frame behind."""


def visible_links(page: Page) -> set[int]:
    """Indices of the links the graph shows."""
    return set(page.evaluate(f"{SHOWN}.map((edge) => edge.data('index'))"))


def click_in_graph(page: Page, element: str) -> None:
    """Click on the canvas where an event or link is drawn."""
    spot = page.evaluate(
        """(id) => {
          const element = graphView.cy.getElementById(id);
          const { x, y } = element.isEdge() ? element.renderedMidpoint() : element.renderedPosition();
          const box = document.getElementById("graph").getBoundingClientRect();
          return { x: box.x + x, y: box.y + y };
        }""",
        element,
    )
    page.mouse.click(spot["x"], spot["y"])


def until(page: Page, holds: str) -> None:
    """Wait until an expression holds. The page's policy forbids the browser's own way of waiting for one."""
    for _ in range(100):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never came true: {holds}")


def open_filters(page: Page) -> None:
    """Show the controls that filter links."""
    page.get_by_text("Filter links").click()


def go_to(page: Page, address: str) -> None:
    """Change the address as following a link would, and wait for the page to have answered."""
    page.evaluate(
        """(address) => new Promise((answered) => {
          if (location.hash === address) { answered(); return; }
          window.addEventListener("hashchange", () => answered(), { once: true });
          location.hash = address;
        })""",
        address,
    )
