"""``whywire.open_store``, ``update``, ``withdraw``, ``doctor``, ``backup`` and ``restore``: graphs in a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from whywire.api.news_input import NewsInput, usable_news
from whywire.correction import Correction
from whywire.errors import InputError
from whywire.news import Article, Problem, to_row, without_duplicates
from whywire.news.text_files import LONGEST_LINE
from whywire.progress import Progress

if TYPE_CHECKING:
    from whywire.building import Build
    from whywire.engines import Models
    from whywire.second_opinions.adviser import Adviser
    from whywire.store import Accepted, Store

StoreInput: TypeAlias = "Store | str | Path"
"""A store, or the address of one: the path of a file, ``sqlite:///…`` or ``postgresql://…``."""

_SCHEMES = ("sqlite:", "postgresql:", "postgresql+psycopg:", "postgres:")
_SQLITE_BEGINNING = b"SQLite format 3\x00"
_LEFT_OUT = ("conflict", "refused")
_HINTS = {"conflict": "; `whywire update --replace` puts it in the place of that one"}


@dataclass(frozen=True)
class StoreUpdate:
    """What an update of a store did.

    Args:
        outcomes: how many articles were *new*, *known*, *copy*, *replaced*, *conflict* or *refused*; after a
            withdrawal, how many were *withdrawn* or *unknown*.
        changes: the numbers of changes of articles, events and links, by kind.
        problems: what was wrong with the input, and articles that were left out.
        set_aside: articles of the store that failed too often, and why.
    """

    outcomes: dict[str, int]
    changes: dict[str, int]
    problems: list[Problem]
    set_aside: list[Problem]


def open_store(url: str | Path, *, create: bool = True, read_only: bool = False) -> Store:
    """Open a database of news and its graph, or make one; needs the extra *service*.

    >>> with whywire.open_store("news.db") as store:
    ...     for story in store.stories(limit=10).items:
    ...         print(story.title, story.links)

    Args:
        url: the path of a file of SQLite, ``sqlite:///…``, or ``postgresql://…`` (extra *postgres*).
        create: make a missing store; otherwise a missing store is an error.
        read_only: create and change nothing; the file may be on a read-only disk.

    Raises:
        InputError: there is no store, it is of an unknown version, or the address is not that of a store.
        OutputError: the database cannot be written.
        MissingExtraError: SQLAlchemy, Alembic or psycopg is not installed.
    """
    from whywire.store import Store

    return Store.open(url, create=create, read_only=read_only)


def update(
    news: NewsInput,
    store: StoreInput,
    *,
    replace: bool = False,
    news_only: bool = False,
    strict: bool = False,
    longest_line: int = LONGEST_LINE,
    models: Models | None = None,
    second_reader: Adviser | None = None,
    progress: Progress | None = None,
) -> StoreUpdate:
    """Take news into a store: its events, stories and links grow, and their changes are recorded.

    Articles that the store already has change nothing, so the same news may come twice. An update that was stopped is
    finished by running it again.

    >>> done = whywire.update("today.jsonl", "news.db")
    >>> done.outcomes["new"], done.changes["link added"]

    Args:
        news: paths, articles or rows, as for :func:`build`; if empty, only the articles that wait are taken in.
        store: a store, or its address; a missing store is made.
        replace: an article that differs from the stored one with its id or url replaces it and takes over its id; the
            claims of the old version end. Otherwise it is left out and listed as a problem.
        news_only: leave out horoscopes, listings, offers and the like; they are listed as problems.
        strict: raise at the first row that cannot be used, instead of listing it as a problem.
        longest_line: the most characters that a line of a file may have.
        models: loaded models, or the engine that runs them elsewhere; the embedded ones by default.
        second_reader: a chat model that is asked about what is uncertain (:func:`whywire.second_reader`). What it
            answers is kept in the store and holds in later updates, also in those without it.
        progress: shows the progress of the work.

    Raises:
        InputError: a path cannot be read, no item is an article, or the store cannot be used.
        OutputError: the database cannot be written.
        MissingExtraError: SQLAlchemy, Alembic or psycopg is not installed.
    """
    articles, problems = usable_news(news, news_only=news_only, strict=strict, longest_line=longest_line)
    with opened_store(store) as opened:
        return take_in(
            articles, problems, opened, replace=replace, models=models, adviser=second_reader, progress=progress
        )


def withdraw(
    articles: str | Iterable[str],
    store: StoreInput,
    *,
    models: Models | None = None,
    second_reader: Adviser | None = None,
    progress: Progress | None = None,
) -> StoreUpdate:
    """Take articles and their claims out of the graph of a store; their texts stay in the history.

    Articles that wait are taken in as well, except those that are withdrawn. A withdrawn article that comes again
    later is taken in again.

    >>> done = whywire.withdraw("https://post.example/fire", "news.db")
    >>> done.outcomes, done.changes

    Args:
        articles: ids or urls; those that the store does not have are listed as problems.
        store: a store, or its address.
        models: loaded models, or the engine that runs them elsewhere; the embedded ones by default.
        second_reader: as for :func:`update`.
        progress: shows the progress of the work.

    Raises:
        InputError: there is no store, or it cannot be used.
        OutputError: the database cannot be written.
        MissingExtraError: SQLAlchemy, Alembic or psycopg is not installed.
    """
    names = [articles] if isinstance(articles, str) else list(articles)
    with opened_store(store, create=False) as opened:
        accepted = opened.withdraw(names)
        unknown = [Problem(withdrawal.article_id, withdrawal.reason) for withdrawal in accepted if withdrawal.reason]
        return _worked_off(opened, accepted, unknown, models, second_reader, progress)


def take_in(
    articles: list[Article],
    problems: list[Problem],
    store: Store,
    *,
    replace: bool = False,
    models: Models | None = None,
    adviser: Adviser | None = None,
    progress: Progress | None = None,
) -> StoreUpdate:
    """Take articles into a store, with all articles that wait there.

    Args:
        problems: what was wrong with the input.
        replace: as for :func:`update`.
    """
    versions, superseded = without_duplicates(articles)
    accepted = store.accept(versions, replace=replace)
    left_out = [
        Problem(article.place or article.id, f"{done.reason}{_HINTS.get(done.outcome, '')}", row=to_row(article))
        for article, done in zip(versions, accepted, strict=True)
        if done.outcome in _LEFT_OUT
    ]
    return _worked_off(store, accepted, [*problems, *superseded, *left_out], models, adviser, progress)


def _worked_off(
    store: Store,
    accepted: list[Accepted],
    problems: list[Problem],
    models: Models | None,
    adviser: Adviser | None,
    progress: Progress | None,
) -> StoreUpdate:
    """Take in all articles that wait in a store."""
    from whywire.store import Worker

    changes: Counter[str] = Counter()
    for done in Worker(store, models, adviser=adviser).work_all(progress):
        changes.update(change.kind.value for change in done.history)
        problems = [*problems, *done.problems]
    aside = [
        Problem(arrival.article.place or arrival.article.id, arrival.reason or "") for arrival in store.set_aside()
    ]
    outcomes = Counter(done.outcome.value for done in accepted)
    return StoreUpdate(dict(outcomes), dict(changes), problems, aside)


def build_into(
    store: StoreInput,
    articles: list[Article],
    problems: list[Problem],
    corrections: Iterable[Correction] = (),
    *,
    models: Models | None = None,
    adviser: Adviser | None = None,
    progress: Progress | None = None,
) -> Build:
    """Build the graph of articles in an empty store.

    Args:
        problems: what was wrong with the input.
        corrections: by persons, to be kept in the store.
    """
    with opened_store(store) as opened:
        counts = opened.counts()
        if counts.articles or counts.waiting:
            raise InputError("the store has articles", where=opened.name, hint="`whywire update` adds to them")
        for correction in corrections:
            opened.correct(correction)
        done = take_in(articles, problems, opened, models=models, adviser=adviser, progress=progress)
        graph = opened.graph()
        sentences = []
        if adviser is not None:
            from whywire.second_opinions.writing import kept_sentence

            kept = (kept_sentence(graph, story, opened.chat_answers, [adviser.model]) for story in graph.stories())
            sentences = [sentence for sentence in kept if sentence]
    from whywire.building import Build
    from whywire.graph.build_folder import sizes

    return Build(graph, [*done.problems, *done.set_aside], sizes(graph), sentences=sentences)


def doctor(store: StoreInput) -> list[str]:
    """Check every invariant of a store.

    >>> whywire.doctor("news.db")
    []

    Returns:
        What is wrong, a sentence each; empty if all is well.

    Raises:
        InputError: there is no store, or it cannot be read.
        MissingExtraError: SQLAlchemy, Alembic or psycopg is not installed.
    """
    with opened_store(store, read_only=True) as opened:
        return opened.check()


def backup(store: StoreInput, path: str | Path) -> None:
    """Copy the present state of a store, which may be in use, into a new file of SQLite, which is itself a store.

    >>> whywire.backup("postgresql://localhost/news", "monday.db")

    Raises:
        InputError: there is no store, or the file exists already.
        OutputError: the file cannot be written.
        MissingExtraError: SQLAlchemy, Alembic or psycopg is not installed.
    """
    with opened_store(store, read_only=True) as opened:
        opened.backup(path)


def restore(path: str | Path, store: StoreInput) -> None:
    """Copy a backup into a new or empty store (SQLite or PostgreSQL).

    >>> whywire.restore("monday.db", "postgresql://localhost/news")

    Raises:
        InputError: there is no such backup, or the store is not empty.
        OutputError: the store cannot be written.
        MissingExtraError: SQLAlchemy, Alembic or psycopg is not installed.
    """
    with opened_store(store) as opened:
        opened.restore(path)


def is_store(source: object) -> bool:
    """Whether this is the address of a store: a url of a database, or the path of a file of SQLite."""
    if isinstance(source, str) and source.startswith(_SCHEMES):
        return True
    if not isinstance(source, str | Path) or not str(source):
        return False
    path = Path(source)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE_BEGINNING)) == _SQLITE_BEGINNING


@contextmanager
def opened_store(store: StoreInput, *, create: bool = True, read_only: bool = False) -> Iterator[Store]:
    """A store, or the store at an address while the block runs."""
    if isinstance(store, str | Path):
        with open_store(store, create=create, read_only=read_only) as opened:
            yield opened
    else:
        yield store
