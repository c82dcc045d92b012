"""What a worker knows of a store to decide updates: in memory where articles lie, and the rest as it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, or_, select

from whywire.events.article_index import ArticleIndex, IndexedArticle, Position
from whywire.news import Article, Language
from whywire.pipeline import LANGUAGES
from whywire.store import queries, schema
from whywire.store.database import Database
from whywire.store.pair_keys import pair_key
from whywire.store.queries import LIVE
from whywire.store.reading_codec import decode_floats, decode_reading
from whywire.store.records import StaleStateError
from whywire.store.rows import claim_of, micros, published
from whywire.store.statements import among
from whywire.updating import ChangeKind, PredictionCache, State, text_key
from whywire.updating.predictions import LanguagePair

_INDEXED = tuple(
    schema.articles.c[name]
    for name in (
        "id",
        "published",
        "day_only",
        "inferred_from",
        "utc_offset",
        "language",
        "region",
        "crowd",
        "vector",
    )
)


@dataclass
class StoredIndex:
    """The articles of a store since a time, and the regions that they are in, whole.

    Args:
        at: the number of the last change that it knows.
        since: the time; ``None`` if it has all articles.
    """

    at: int
    since: datetime | None
    indices: dict[Language, ArticleIndex] = field(
        default_factory=lambda: {language: ArticleIndex() for language in LANGUAGES}
    )

    def hold(self, rows: Iterable[Row[Any]]) -> None:
        """Take in rows of ``articles``, whole regions."""
        own: dict[Language, list[Row[Any]]] = {language: [] for language in LANGUAGES}
        for row in rows:
            if row.vector is not None:
                own[Language(row.language)].append(row)
        for language, found in own.items():
            self.indices[language].load([*map(_indexed, found)], [Position(row.region, row.crowd) for row in found])


def load_index(connection: Connection, since: datetime | None) -> StoredIndex:
    """The index of the articles since a time, of all by default; those without a time are always among them."""
    table = schema.articles
    found = select(*_INDEXED)
    if since is not None:
        lately = or_(table.c.published >= micros(since), table.c.published == schema.NO_TIME)
        found = found.where(or_(lately, table.c.region.in_(select(table.c.region).where(lately))))
    index = StoredIndex(queries.last_change(connection), since)
    index.hold(connection.execute(found))
    return index


def catch_up(connection: Connection, index: StoredIndex) -> None:
    """Make in an index what others have committed since it was loaded or last caught up."""
    at = queries.last_change(connection)
    if at == index.at:
        return
    table, changes = schema.articles, schema.changes
    kinds = [ChangeKind.ARTICLE_REPLACED.value, ChangeKind.ARTICLE_WITHDRAWN.value]
    gone = connection.execute(
        select(changes.c.subject).where(changes.c.id > index.at, changes.c.kind.in_(kinds))
    ).scalars()
    lost = {*gone}
    for own in index.indices.values():
        own.forget(lost)
    moved = select(table.c.region).where(table.c.changed > index.at)
    index.hold(connection.execute(select(*_INDEXED).where(table.c.region.in_(moved))))
    index.at = at


class StoredState(State):
    """A state of a store: it has the index, and fetches the rest as an update asks for it.

    Every method that reads the store raises ``StaleStateError`` if another update was committed since the index was
    caught up.

    Args:
        models: version of the models whose answers are valid.
    """

    def __init__(self, database: Database, models: str, index: StoredIndex, answers: PredictionCache) -> None:
        super().__init__(index.indices, _StoredAnswers(answers, database, models))
        self.at = index.at
        self._database, self._models = database, models

    def fetch(self, articles: Collection[str]) -> None:
        """Load all about some articles, whole stories."""
        if not articles:
            return
        mentions, claims = schema.mentions, schema.claims
        with self._reading() as connection:
            names = {
                name
                for part in among(mentions.c.article, articles)
                for name in connection.execute(select(mentions.c.event).where(part).distinct()).scalars()
            }
            known = queries.articles_named(connection, articles)
            self.hold(
                known.values(),
                queries.events_named(connection, names).values(),
                queries.links_at(connection, names),
                [
                    claim_of(row)
                    for part in among(claims.c.article, articles)
                    for row in connection.execute(select(claims).where(part))
                ],
            )
            self.predictions.update(known_answers(connection, known.values(), self._models))

    def used_among(self, names: Collection[str]) -> set[str]:
        """Those of some ids that an event has or had."""
        table = schema.events
        with self._reading() as connection:
            return {
                name
                for part in among(table.c.id, names)
                for name in connection.execute(select(table.c.id).where(part)).scalars()
            }

    def stories_among(self, names: Collection[str]) -> set[str]:
        """Those of some ids that a story has."""
        table = schema.events
        with self._reading() as connection:
            return {
                name
                for part in among(table.c.story, names)
                for name in connection.execute(select(table.c.story).where(part, LIVE).distinct()).scalars()
            }

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._database.reading() as connection:
            if queries.last_change(connection) != self.at:
                raise StaleStateError("another update was committed meanwhile", hint="decide anew")
            yield connection


class _StoredAnswers(PredictionCache):
    """Answers some of which a store has."""

    def __init__(self, known: PredictionCache, database: Database, models: str) -> None:
        super().__init__(dict(known.readings), dict(known.relations), dict(known.strengths))
        self._database, self._models = database, models
        self._asked: set[LanguagePair] = set()

    def recall(self, pairs: Collection[LanguagePair]) -> None:
        wanted = {pair_key(pair): pair for pair in {*pairs} - self._asked}
        if not wanted:
            return
        self._asked |= {*wanted.values()}
        table = schema.pair_answers
        with self._database.reading() as connection:
            for part in among(table.c.pair_key, wanted):
                for row in connection.execute(select(table).where(part, table.c.models == self._models)):
                    if row.relations is not None:
                        self.relations[wanted[row.pair_key]] = decode_floats(row.relations)
                    if row.strength is not None:
                        self.strengths[wanted[row.pair_key]] = row.strength


def known_answers(connection: Connection, articles: Iterable[Article], models: str) -> PredictionCache:
    """The readings of these articles by models of a version."""
    table = schema.readings
    by_key = {text_key(article): article for article in articles}
    found = (
        row
        for part in among(table.c.text_key, by_key)
        for row in connection.execute(select(table).where(part, table.c.models == models))
    )
    return PredictionCache({row.text_key: decode_reading(row.reading, by_key[row.text_key]) for row in found})


def _indexed(row: Row[Any]) -> IndexedArticle:
    time = published(row.published, row.day_only, row.inferred_from, row.utc_offset)
    return IndexedArticle(row.id, time, np.frombuffer(row.vector, dtype=np.int8))
