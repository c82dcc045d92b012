"""The state from which a worker decides updates: positions of articles in memory, the rest loaded when needed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, or_, select

from whywire.correction import Correction
from whywire.engines import PredictionCache
from whywire.events.article_index import ArticleIndex, Position
from whywire.events.story_linkage import IndexedArticle
from whywire.news import Language
from whywire.pipeline import LANGUAGES
from whywire.store import correcting, queries, schema
from whywire.store.database import Database
from whywire.store.model_answers import StoredAnswers, known_answers
from whywire.store.records import NarrowStateError, StaleStateError
from whywire.store.rows import claim_of, micros, published
from whywire.store.schema import LIVE
from whywire.store.statements import rows_among
from whywire.updating import ChangeKind, State

_INDEXED = tuple(
    schema.articles.c[name]
    for name in [
        "id",
        "published",
        "day_only",
        "inferred_from",
        "utc_offset",
        "language",
        "story",
        "crowd",
        "vector",
    ]
)


@dataclass
class StoredIndex:
    """The articles of a store since a time, and all other articles of their stories.

    Args:
        at: the number of the last change that the index includes.
        since: the time; ``None`` if the index has all articles.
    """

    at: int
    since: datetime | None
    indices: dict[Language, ArticleIndex] = field(
        default_factory=lambda: {language: ArticleIndex() for language in LANGUAGES}
    )

    def reaches(self, since: datetime | None) -> bool:
        """Whether the index has all articles since a time; ``None`` stands for all articles."""
        return self.since is None or (since is not None and self.since <= since)

    def hold(self, rows: Iterable[Any]) -> None:
        """Add rows of ``articles``, all of each story."""
        rows_of: dict[Language, list[Any]] = {language: [] for language in LANGUAGES}
        for row in rows:
            if row.vector is not None:
                rows_of[Language(row.language)].append(row)
        for language, of_language in rows_of.items():
            positions = [Position(row.story, row.crowd) for row in of_language]
            self.indices[language].load([*map(_indexed, of_language)], positions)


def load_index(connection: Connection, *, since: datetime | None = None) -> StoredIndex:
    """The positions of articles, by which updates find the stories that change.

    Args:
        since: only articles since then or without a time, and all others of their stories; all by default.
    """
    table = schema.articles
    statement = select(*_INDEXED)
    if since is not None:
        lately = or_(table.c.published >= micros(since), table.c.published == schema.NO_TIME)
        statement = statement.where(or_(lately, table.c.story.in_(select(table.c.story).where(lately))))
    index = StoredIndex(queries.last_change(connection), since)
    index.hold(connection.execute(statement))
    return index


def catch_up(connection: Connection, index: StoredIndex) -> None:
    """Bring an index up to date with what other workers have committed."""
    at = queries.last_change(connection)
    if at == index.at:
        return
    table, changes = schema.articles, schema.changes
    kinds = [ChangeKind.ARTICLE_REPLACED.value, ChangeKind.ARTICLE_WITHDRAWN.value]
    gone = select(changes.c.subject).where(changes.c.id > index.at, changes.c.kind.in_(kinds))
    lost = {*connection.execute(gone).scalars()}
    for articles_of_language in index.indices.values():
        articles_of_language.forget(lost)
    moved = select(table.c.story).where(table.c.changed > index.at)
    index.hold(connection.execute(select(*_INDEXED).where(table.c.story.in_(moved))))
    index.at = at


class StoredState(State):
    """The state of a store: the index, and whatever else an update needs, loaded on demand.

    Every method that reads the store raises ``StaleStateError`` if another update was committed since the index was
    brought up to date.

    Args:
        models: version of the models whose answers are valid.
    """

    def __init__(self, database: Database, models: str, index: StoredIndex, answers: PredictionCache) -> None:
        super().__init__(index.indices, StoredAnswers(answers, database, models))
        self.at, self._index = index.at, index
        self._database, self._models = database, models

    def require(self, since: float) -> None:
        """Raise ``NarrowStateError`` if the index does not have all articles since a time."""
        if since == np.inf:
            return  # nothing changes
        needed = None if since == -np.inf else datetime.fromtimestamp(since, UTC)
        if not self._index.reaches(needed):
            raise NarrowStateError(needed)

    def fetch(self, articles: Collection[str]) -> None:
        """Load some articles with their events, links, claims and readings."""
        if not articles:
            return
        mentions, claims = schema.mentions, schema.claims
        with self._reading() as connection:
            mentioning = rows_among(connection, select(mentions.c.event).distinct(), mentions.c.article, articles)
            names = {row.event for row in mentioning}
            stored = queries.articles_named(connection, articles)
            self.hold(
                stored.values(),
                queries.events_named(connection, names).values(),
                queries.links_at(connection, names),
                [*map(claim_of, rows_among(connection, select(claims), claims.c.article, articles))],
            )
            self.predictions.update(known_answers(connection, stored.values(), self._models))

    def corrections_of(self, articles: Collection[str]) -> list[Correction]:
        """Return the corrections in force that are about some articles."""
        with self._reading() as connection:
            return correcting.in_force(connection, articles)

    def used_among(self, names: Collection[str]) -> set[str]:
        """Return which of the ids belong to an event, or once did."""
        table = schema.events
        with self._reading() as connection:
            return {row.id for row in rows_among(connection, select(table.c.id), table.c.id, names)}

    def stories_among(self, names: Collection[str]) -> set[str]:
        """Return which of the ids belong to a story."""
        table = schema.events
        with self._reading() as connection:
            live = select(table.c.story).where(LIVE).distinct()
            return {row.story for row in rows_among(connection, live, table.c.story, names)}

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._database.reading() as connection:
            if queries.last_change(connection) != self.at:
                raise StaleStateError("another update was committed meanwhile", hint="decide again")
            yield connection


def _indexed(row: Any) -> IndexedArticle:
    time = published(row.published, row.day_only, row.inferred_from, row.utc_offset)
    return IndexedArticle(row.id, time, np.frombuffer(row.vector, dtype=np.int8))
