from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from made_up_week import made_up_graph
from opened_pages import OpenPages, opened

from whywire.graph.causal_graph import CausalGraph

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def graph() -> CausalGraph:
    """The made-up week; a graph never changes, so one serves all tests."""
    return made_up_graph()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None or find_spec("playwright") is None:
        without = pytest.fail if os.environ.get("CI") else pytest.skip
        without("Chromium or the package playwright is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def pages(browser: Browser, graph: CausalGraph, tmp_path: Path) -> Iterator[OpenPages]:
    """The made-up week; a test fails if the page writes to the console or requests anything."""
    yield from opened(browser, graph, tmp_path)
