"""Stores on both databases."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.store.postgresql import PostgreSQL, running_server, why_not

from whywire.store import Store


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server; the test is skipped where none is installed."""
    if reason := why_not():
        pytest.skip(reason)
    with running_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'news.db'}"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.make_database()


@pytest.fixture
def open_store(url: str) -> Iterator[Callable[..., Store]]:
    """Opens the database of the test, as a process of its own would."""
    opened: list[Store] = []

    def open_one(**options: object) -> Store:
        opened.append(Store.open(url, **{"models": "rules", **options}))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    """An empty store."""
    return open_store()
