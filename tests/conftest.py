"""What many tests need: the bundled example, articles made up by Hypothesis, and a browser."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tests.fake_models import FakeLanguageModels
from tests.store.postgresql import PostgreSQL, running_server, why_not
from whywire.news import Article, Language, Published, read_news

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

os.environ.setdefault("WHYWIRE_CACHE", str(ROOT / "build" / "cache"))  # not in the home of whoever runs the tests

settings.register_profile("whywire", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=25)
settings.load_profile("whywire")

SENTENCES = [
    "Fuel ran short in the north because the fire had closed the refinery.",
    "Had the alarm been working, the night crew would have left in time.",
    "Dr. A. B. Reed said the dam held: “Nobody was hurt.”",
    "Из-за пожара на заводе в регионе не хватает топлива.",
    "Если бы дамбу укрепили весной, город бы не затопило.",
    "قال المسؤول إن المصنع أغلق",
    "<b>Prices</b> rose 3.5% & fell again…",
]

titles = st.one_of(st.sampled_from(SENTENCES), st.text(min_size=1, max_size=60)).filter(lambda title: title.strip())
texts = st.lists(st.one_of(st.sampled_from(SENTENCES), st.text(max_size=80)), max_size=4).map("\n".join)
times = st.one_of(
    st.none(),
    st.builds(
        lambda hours, day_only: Published(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=hours), day_only),
        st.integers(0, 20).map(lambda days: days * 8),
        st.just(False),
    ),
)
articles = st.builds(
    Article,
    id=st.uuids().map(str),
    title=titles.map(lambda title: " ".join(title.split()) or "x"),
    text=texts,
    language=st.sampled_from(Language),
    source=st.one_of(st.none(), st.sampled_from(["Harbour Post", "Верхнереченск сегодня"])),
    published=times,
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that open a browser, and those that start PostgreSQL."""
    for item in items:
        needed = {*getattr(item, "fixturenames", ())}
        params = item.callspec.params.values() if hasattr(item, "callspec") else ()
        for name in ("browser", "postgresql"):
            if name in needed or any(value == name for value in params if isinstance(value, str)):
                item.add_marker(name)


@pytest.fixture(scope="session")
def folder_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Make a folder of a name once a run of tests: the first worker process that asks for it does, others wait."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make_once(name: str, make: Callable[[Path], None]) -> Path:
        folder, done = shared / f"once-{name}", shared / f"once-{name}.done"
        with (shared / f"once-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                make(folder)
                done.touch()
        return folder

    return make_once


@pytest.fixture(scope="session")
def example() -> list[Article]:
    """The articles of the bundled example."""
    return [item for item in read_news(ROOT / "examples" / "news.jsonl") if isinstance(item, Article)]


@pytest.fixture(scope="session")
def fake_models() -> FakeLanguageModels:
    """Models of a few rules, where what a model says is not the subject."""
    return FakeLanguageModels()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server; the test is skipped where none is installed."""
    if reason := why_not():
        pytest.skip(reason)
    with running_server() as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser; for one file of tests only, because while it runs no other event loop can in this thread."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None or find_spec("playwright") is None:
        without = pytest.fail if os.environ.get("CI") else pytest.skip
        without("Chromium or the package playwright is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()
