"""How long the page takes from a click to the drawn graph, for stories of hundreds of events.

    python lab/experiments/page_drawing.py
    python lab/experiments/page_drawing.py --events 300 1000 --links 1.5

Makes up stories in which each event follows from one reported shortly before it, and half of them from a second one
too, opens the page in Chromium (package playwright), and measures in the page: from the click on the story to two
frames later, of the part it opens with and after *Show all*. Times are of this machine; what can be compared is how
many times as long everything takes as the opening part does, both of one run.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from whywire.elements import Event, HeadlineEvidence, Link, LinkKind, Order
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page import render_page
from whywire.news import Article, Language, Published

if TYPE_CHECKING:
    from playwright.sync_api import Page

START = datetime(2026, 3, 4, tzinfo=UTC)
RECENT = 12
"""How many events back a cause stands, on average."""

TITLE = "Report {number}: the council of the lower valley closes another bridge after the flood"

CLICKED = """(id) => new Promise((drawn) => {
  const start = performance.now();
  document.querySelector(id).click();
  const settled = () => requestAnimationFrame(() => requestAnimationFrame(() => drawn(performance.now() - start)));
  if (id.startsWith("#")) settled();
  else window.addEventListener("hashchange", settled, { once: true });
})"""


def main() -> None:
    """Print a line a size."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--events", type=int, nargs="+", default=[300, 1000])
    options.add_argument("--links", type=float, default=1.5, help="links an event")
    options.add_argument("--runs", type=int, default=5, help="the quickest of so many counts")
    chosen = options.parse_args()
    for size in chosen.events:
        opening, everything, amount = _measured(size, round(size * chosen.links), chosen.runs)
        print(
            f"{size} events, {round(size * chosen.links)} links: the first {amount} {opening:.0f} ms, "
            f"all {everything:.0f} ms, {everything / opening:.1f} times as long",
            flush=True,
        )


def made_up_story(events: int, links: int) -> CausalGraph:
    """Return one story of so many events and links, and a small one that the page opens beside it."""
    rng = random.Random(7)
    pairs: dict[tuple[int, int], None] = {}
    for target in range(1, events):
        pairs[_earlier(target, rng), target] = None
    while len(pairs) < links:
        target = rng.randrange(1, events)
        pairs[_earlier(target, rng), target] = None
    pairs |= {(events, events + 1): None}
    times = [Published(START + timedelta(hours=number)) for number in range(events + 2)]
    stories = ["e0"] * events + [f"e{events}"] * 2
    articles = [Article(f"a{n}", TITLE.format(number=n), published=time) for n, time in enumerate(times)]
    return CausalGraph(
        {one.id: one for one in articles},
        tuple(
            Event(f"e{n}", one.title, Language.ENGLISH, one.published, one.published, (one.id,), story)
            for n, (one, story) in enumerate(zip(articles, stories, strict=True))
        ),
        tuple(
            Link(
                f"e{source}",
                f"e{target}",
                LinkKind.CAUSES,
                0.9,
                float(rng.randrange(20, 100)),
                Order.FORWARD,
                (HeadlineEvidence(f"a{source}", f"a{target}", 0.9),),
            )
            for source, target in pairs
        ),
    )


def _earlier(target: int, rng: random.Random) -> int:
    return max(0, target - 1 - int(rng.expovariate(1 / RECENT)))


def _measured(events: int, links: int, runs: int) -> tuple[float, float, int]:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(render_page(made_up_story(events, links), title="Drawing", summary={}), encoding="utf-8")
        chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        found = [_times(page, f"{path.as_uri()}#story/e{events}") for _ in range(runs)]
        amount = int(page.evaluate("selectedSubgraph(data.stories[0], initialSelection(), passesKind).events.length"))
        browser.close()
    opening, everything = zip(*found, strict=True)
    return min(opening), min(everything), amount


def _times(page: Page, address: str) -> tuple[float, float]:
    page.goto("about:blank")
    page.goto(address)
    opening = page.evaluate(CLICKED, ".entry[href='#story/e0']")
    return opening, page.evaluate(CLICKED, "#all-events")


if __name__ == "__main__":
    main()
