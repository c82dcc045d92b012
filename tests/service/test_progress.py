"""How far a batch of articles is, while a worker reads it: in the API, in the metrics and on pages."""

import json
import threading
import time

import pytest
from tests.fake_models import FakeDocuments, FakeLanguageModels
from tests.service.servers import running

from whywire.service.pages.wording import Wording
from whywire.service.settings import Settings
from whywire.service.work_progress import Position, Work, WorkProgress
from whywire.store.worker import READ_AT_ONCE

NDJSON = {"content-type": "application/x-ndjson"}


class HeldDocuments(FakeDocuments):
    """Reads some articles, and no further before it is let go."""

    def __init__(self, free: int) -> None:
        super().__init__()
        self.free, self.go_on = free, threading.Event()

    def logits(self, article):
        if not self.free:
            self.go_on.wait(60)
        self.free = max(0, self.free - 1)
        return super().logits(article)


class HeldModels(FakeLanguageModels):
    """Models that stop after some articles."""

    def __init__(self, folder, free: int) -> None:
        super().__init__(folder)
        self.held = HeldDocuments(free)

    def _documents(self):
        return self.held


def wait_until(done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def reading(tmp_path):
    """A service that has read the first articles of twenty and is held at the next."""
    models = HeldModels(tmp_path, free=READ_AT_ONCE)
    with running(Settings(store=tmp_path / "news.db", port=0), models) as one:
        rows = [{"id": f"a-{number}", "title": f"Report {number}"} for number in range(20)]
        body = "\n".join(map(json.dumps, rows)).encode()
        one.post("/v1/articles/bulk", content=body, headers=one.key("write") | NDJSON)
        try:
            wait_until(lambda: one.get("/v1/status").json()["work"]["done"] == READ_AT_ONCE)
            yield one
        finally:
            models.held.go_on.set()


def test_a_batch_that_is_read_shows_how_far_it_is_and_then_nothing(reading):
    status = reading.get("/v1/status").json()
    assert status["work"] == {"work": "reading", "done": READ_AT_ONCE, "total": 20, "seconds_left": None}
    assert (status["waiting"], status["leased"]) == (20, 20)
    assert 'whywire_store{what="leased"} 20.0' in reading.get("/metrics").text
    for path in ("/", "/status", "/status/work"):
        assert "Reading articles: 16 of 20" in reading.get(path).text
    assert "Чтение статей: 16 из 20" in reading.get("/", headers={"accept-language": "ru"}).text
    reading.context.models.held.go_on.set()
    reading.settle()
    wait_until(lambda: reading.get("/v1/status").json()["work"]["work"] is None)
    status = reading.get("/v1/status").json()
    assert status["work"] == {"work": None, "done": 0, "total": 0, "seconds_left": None}
    assert (status["articles"], status["leased"]) == (20, 0)
    assert "hx-trigger" not in reading.get("/status/work").text


def test_another_process_says_how_many_articles_wait_and_are_read(reading, tmp_path, fake_models):
    with running(Settings(store=tmp_path / "news.db", port=0, works=False), fake_models) as other:
        work = other.get("/v1/status").json()["work"]
        assert (work["work"], work["total"]) == (None, 20)
        assert "20\u00a0articles waiting; another process reads 20 of them." in other.get("/").text


@pytest.mark.browser
def test_the_line_on_the_home_page_renews_itself(reading, browser):
    page = browser.new_page(locale="en-GB")
    page.goto(reading.url)
    page.get_by_text("Reading articles: 16 of 20").wait_for()
    reading.context.models.held.go_on.set()
    page.locator("#work:not([hx-trigger])").wait_for(state="attached")
    assert page.locator("#work").inner_text().strip() == ""
    page.close()


def test_the_time_left_follows_the_pace_of_the_last_updates():
    progress = WorkProgress()
    progress.start("reading articles (en)", 16)(3.5)
    assert progress.position(200) == Position(Work.READING, 3, 200, None)
    progress.start("linking events (en)", 0)
    assert progress.position(200).work is Work.DECIDING
    progress.took_in(64, seconds=32.0)
    progress.begin()
    advance = progress.start("reading articles (en)", 16)
    advance(6)
    assert progress.position(136) == Position(Work.READING, 70, 200, 65.0)
    progress.begin()  # it failed
    assert progress.position(136).done == 64
    progress.took_in(64, seconds=64.0)
    assert progress.position(72).seconds_left == pytest.approx(0.75 * 72)
    progress.rest()
    assert progress.position(0) == Position(None, 0, 0, None)


@pytest.mark.parametrize(
    ("seconds", "english", "russian"),
    [
        (20, "less than a minute left", "осталось меньше минуты"),
        (61, "about 1\u00a0minute left", "осталось около 1\u00a0минуты"),
        (300, "about 5\u00a0minutes left", "осталось около 5\u00a0минут"),
        (7300, "about 2\u00a0hours left", "осталось около 2\u00a0часов"),
    ],
)
def test_the_time_left_in_words(seconds, english, russian):
    assert Wording("en").time_left(seconds) == english
    assert Wording("ru").time_left(seconds) == russian
