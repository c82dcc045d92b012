from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from made_up_week import made_up_graph
from opened_pages import OpenPages, opened

from whywire.graph.causal_graph import CausalGraph

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def graph() -> CausalGraph:
    """The made-up week; a graph never changes, so one serves all tests."""
    return made_up_graph()


@pytest.fixture
def pages(browser: Browser, graph: CausalGraph, tmp_path: Path) -> Iterator[OpenPages]:
    """The made-up week; a test fails if the page writes to the console or requests anything."""
    yield from opened(browser, graph, tmp_path)
