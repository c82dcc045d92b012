from __future__ import annotations

import pytest
from made_up_week import made_up_graph

from whywire.graph.causal_graph import CausalGraph


@pytest.fixture(scope="session")
def graph() -> CausalGraph:
    """The made-up week; a graph never changes, so one serves all tests."""
    return made_up_graph()
