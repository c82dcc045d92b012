"""Stores on both databases."""

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.store.postgresql import PostgreSQL

from whywire.language_models import LanguageModels
from whywire.news import Article
from whywire.store import Store
from whywire.updating import Changes, State, update


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


@pytest.fixture(scope="session")
def updates(example: list[Article], fake_models: LanguageModels) -> list[tuple[list[Article], Changes]]:
    """The example in batches, and what each changes."""
    state, decided = State(), []
    articles = random.Random(0).sample(example, len(example))  # out of order, so that events merge and split
    for start in range(0, len(articles), 20):
        batch = articles[start : start + 20]
        changes = update(state, batch, models=fake_models)
        state.apply(changes)
        decided.append((batch, changes))
    return decided


@pytest.fixture(scope="session")
def final(updates: list[tuple[list[Article], Changes]]) -> State:
    """The state after all updates."""
    state = State()
    for _, changes in updates:
        state.apply(changes)
    return state


def commit_all(store: Store, updates: list[tuple[list[Article], Changes]]) -> int:
    """Accept and commit the articles of all updates; returns the last change."""
    last = store.last_change()
    for batch, changes in updates:
        store.accept(batch)
        lease = store.lease("test", limit=len(batch))
        last = store.commit(changes, lease, decided_at=last)
    return last


@pytest.fixture(scope="session")
def example_file(tmp_path_factory: pytest.TempPathFactory, updates: list[tuple[list[Article], Changes]]) -> Path:
    """A database of SQLite with the example, which nobody opens."""
    path = tmp_path_factory.mktemp("example") / "news.db"
    with Store.open(path, models="rules") as store:
        commit_all(store, updates)
    return path


@pytest.fixture(scope="session")
def example_database(postgresql: PostgreSQL, updates: list[tuple[list[Article], Changes]]) -> str:
    """The url of a database of PostgreSQL with the example, which nobody opens."""
    url = postgresql.make_database()
    with Store.open(url, models="rules") as store:
        commit_all(store, updates)
    return url


def copy_of_example(request: pytest.FixtureRequest, kind: str, folder: Path) -> str:
    """The address of a copy of the database with the example."""
    if kind == "sqlite":
        return str(shutil.copy(request.getfixturevalue("example_file"), folder / "news.db"))
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.make_database(request.getfixturevalue("example_database"))


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def example_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with the example, which tests only read."""
    with Store.open(
        copy_of_example(request, request.param, tmp_path_factory.mktemp("read")), models="rules"
    ) as store:
        yield store


@pytest.fixture
def filled(url: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store with the example, which a test may change."""
    kind = "sqlite" if url.startswith("sqlite") else "postgresql"
    with Store.open(copy_of_example(request, kind, tmp_path), models="rules") as store:
        yield store
