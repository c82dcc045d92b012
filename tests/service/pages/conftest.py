"""A service that holds a made-up week with hostile titles, and opens its pages in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from tests.graph.made_up_week import HOSTILE_TITLE, made_up_graph
from tests.service.servers import Running, running

from whywire.feeds.states import FeedState
from whywire.service.settings import Settings
from whywire.store import Store, Topic, TopicKind, Watch
from whywire.updating import Change, ChangeKind, Changes

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
DESK = {"width": 1280, "height": 900}

MERGED, SPLIT = "e-merged", "e-split"
"""Ids of events that are no more."""


@dataclass
class Pages:
    """Opens pages of a service; whatever the browser complains about is collected."""

    browser: Browser
    service: Running
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str, *, size: dict[str, int] = DESK, scheme: str = "light", **options: Any) -> Page:
        """Open a page in a browser of its own; ``options`` are those of a context."""
        context = self.browser.new_context(viewport=size, color_scheme=scheme, **{"locale": "en-GB", **options})
        page = context.new_page()
        page.on("request", self._check_address)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.service.url + path)
        return page

    def _check_address(self, request: Any) -> None:
        if not request.url.startswith((self.service.url, "data:,")):
            self.complaints.append(f"asked for {request.url}")


@pytest.fixture(scope="session")
def week_store(tmp_path_factory):
    """A database that holds the made-up week, with an event that was merged and one that was split."""
    path = tmp_path_factory.mktemp("week") / "news.db"
    graph = made_up_graph()
    first, second = graph.events[:2]
    gone = [replace(first, id=name, mentions=()) for name in (MERGED, SPLIT)]
    added = Changes(
        articles=tuple(graph.articles.values()),
        events=(*graph.events, *gone),
        links=graph.links,
        claims=graph.claims,
        history=tuple(
            Change(ChangeKind.EVENT_ADDED, event.id, details={"title": event.title}) for event in graph.events
        ),
    )
    link = next(link for link in graph.links if link.closed_by)
    ends = {"source": graph.event(link.source).title, "target": graph.event(link.target).title, "strength": 40}
    ended = Changes(
        ended={MERGED: (first.id,), SPLIT: (first.id, second.id)},
        history=(
            Change(ChangeKind.EVENT_MERGED, MERGED, into=(first.id,), details={"title": "Rain over the dam"}),
            Change(ChangeKind.EVENT_SPLIT, SPLIT, into=(first.id, second.id), details={"title": "Flood and rain"}),
            Change(ChangeKind.LINK_CLOSED, link.source, link.target, link.kind, details=ends),
        ),
    )
    followed = (Topic(TopicKind.WORDS, HOSTILE_TITLE), Topic(TopicKind.STORY, "e1"))
    with Store.open(path) as store:
        store.commit(added, decided_at=0)
        for number, topic in enumerate(followed):
            webhook = "https://hooks.example/a/b" if topic.kind is TopicKind.STORY else None
            made = datetime(2026, 3, 12, number, tzinfo=UTC)
            store.add_watch(Watch(f"w-{number}", HOSTILE_TITLE, topic, made, "k", webhook, paused=True))
        store.commit(ended, decided_at=store.last_change())
        failing = FeedState("https://feeds.example/a.xml", "https://feeds.example/a.xml", title="Harbour <b>Post</b>")
        store.feed_states.save(replace(failing, failures=3, last_error="404 Not Found"))
        works = replace(failing, url="https://feeds.example/b.xml", title="")
        store.feed_states.save(replace(works, last_success=datetime(2026, 3, 12, 6, tzinfo=UTC)))
    return path


@pytest.fixture(scope="module")
def week(week_store, fake_models) -> Iterator[Running]:
    """A service that holds the made-up week, for tests that only read."""
    with running(Settings(store=week_store, port=0, works=False, requests_per_minute=1e6), fake_models) as one:
        yield one


@pytest.fixture
def pages(browser: Browser, week: Running) -> Iterator[Pages]:
    """Pages of the made-up week; a test fails if the browser complains or asks for anything elsewhere."""
    opened = Pages(browser, week)
    yield opened
    for context in browser.contexts:
        context.close()
    assert opened.complaints == []
