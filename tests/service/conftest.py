"""A service with quick models and an empty store, and one that holds the bundled example."""

from pathlib import Path

import pytest
from tests.fake_models import FakeLanguageModels
from tests.service.servers import Running, running

from whywire.service.settings import Settings


@pytest.fixture
def service(tmp_path: Path, fake_models: FakeLanguageModels) -> Running:
    """A service with an empty store."""
    with running(Settings(store=tmp_path / "news.db", port=0), fake_models) as one:
        yield one
