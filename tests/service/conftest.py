"""A service with quick models and an empty store, and one that holds the bundled example."""

from collections.abc import Iterator

import pytest
from tests.conftest import ROOT
from tests.fake_models import FakeLanguageModels
from tests.service.servers import Running, running

from whywire.service.settings import Settings
from whywire.store import Store, Worker


@pytest.fixture
def service(tmp_path, fake_models: FakeLanguageModels) -> Iterator[Running]:
    """A service with an empty store, and a key that may do everything."""
    with running(Settings(store=tmp_path / "news.db", port=0), fake_models) as one:
        yield one


@pytest.fixture(scope="session")
def example_store(tmp_path_factory, example, fake_models):
    """A database that holds the bundled example."""
    path = tmp_path_factory.mktemp("store") / "news.db"
    with Store.open(path) as store:
        store.accept(example)
        Worker(store, fake_models).work_all()
    return path


@pytest.fixture(scope="module")
def served_example(example_store, fake_models) -> Iterator[Running]:
    """A service that holds the bundled example, for tests that only read."""
    with running(Settings(store=example_store, port=0, requests_per_minute=1e9), fake_models) as one:
        yield one


@pytest.fixture(scope="session")
def example_lines() -> bytes:
    """The rows of the bundled example."""
    return (ROOT / "examples" / "news.jsonl").read_bytes()
