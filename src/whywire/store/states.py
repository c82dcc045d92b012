"""The state that updates are decided by, loaded from a store in bulk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Table, select

from whywire.errors import InputError
from whywire.news import Article, Language
from whywire.pipeline import LANGUAGES
from whywire.store import queries, schema
from whywire.store.reading_codec import decode_floats, decode_reading
from whywire.store.rows import article_of, claim_of, key_of
from whywire.store.statements import among
from whywire.store.subgraphs import elements
from whywire.updating import Changes, ModelAnswers, State, text_key
from whywire.updating.changes import Settled


class StoredState(State):
    """A state of a store.

    Attributes:
        at: the number of its last change.
    """

    at = 0


def load(connection: Connection, models: str) -> StoredState:
    """Load everything, with the answers of models of this version.

    Raises:
        InputError: articles were read by other models.
    """
    articles, events, links, claims = elements(connection)
    ended = connection.execute(select(schema.events.c.id).where(schema.events.c.ended.is_not(None))).scalars()
    settled = all_settled(connection)
    answers = all_answers(connection, articles, models)
    unread = sum(one.language in LANGUAGES and text_key(one) not in answers.readings for one in articles)
    if unread:
        raise InputError(
            f"{unread:,} articles were read by other models than those of version {models}",
            hint="`whywire update` reads them again",
        )
    state = StoredState(articles, events, links, claims, answers, ended, settled)
    state.at = queries.last_change(connection)
    return state


def catch_up(connection: Connection, state: StoredState, models: str) -> None:
    """Make in a state what others have committed since it was loaded or last caught up.

    Pairs that others asked their models about are not among it: an answer that is needed again is asked again.
    """
    at = queries.last_change(connection)
    if at == state.at:
        return

    def changed(table: Table) -> list[Any]:
        return list(connection.execute(select(table).where(table.c.changed > state.at)))

    articles = [article_of(row) for row in sorted(changed(schema.articles), key=lambda row: row.number)]
    event_rows, link_rows = changed(schema.events), changed(schema.links)
    gone = [row for row in link_rows if row.ended is not None]
    state.apply(
        Changes(
            articles=tuple(articles),
            answers=known_answers(connection, [one for one in articles if one.id not in state.articles], models),
            claims=tuple(map(claim_of, changed(schema.claims))),
            events=tuple(queries.events_of(connection, [row for row in event_rows if row.ended is None])),
            ended={row.id: () for row in event_rows if row.ended is not None and row.id in state.events},
            links=tuple(queries.links_of(connection, [row for row in link_rows if row.ended is None])),
            dropped=tuple(key for row in gone if (key := key_of(row)) in state.links),
            settled=all_settled(connection),
        )
    )
    state.ended |= {row.id: True for row in event_rows if row.ended is not None}
    state.at = at


def all_settled(connection: Connection) -> dict[Language, Settled]:
    """What the articles of each language were decided by when all of them were."""
    rows = connection.execute(select(schema.settled))
    return {Language(row.language): Settled(row.articles, row.cut) for row in rows}


def all_answers(connection: Connection, articles: Iterable[Article], models: str) -> ModelAnswers:
    """The answers of models of a version: readings of these articles, and all pairs."""
    by_key = {text_key(article): article for article in articles}
    answers = ModelAnswers()
    table = schema.readings
    for row in connection.execute(select(table.c.text_key, table.c.reading).where(table.c.models == models)):
        if article := by_key.get(row.text_key):
            answers.readings[row.text_key] = decode_reading(row.reading, article)
    pairs = schema.pair_answers
    for row in connection.execute(select(pairs).where(pairs.c.models == models)):
        key = Language(row.language), (row.first, row.second)
        if row.relations is not None:
            answers.relations[key] = decode_floats(row.relations)
        if row.strength is not None:
            answers.strengths[key] = row.strength
    return answers


def known_answers(connection: Connection, articles: Iterable[Article], models: str) -> ModelAnswers:
    """The readings of these articles by models of a version."""
    table = schema.readings
    by_key = {text_key(article): article for article in articles}
    found = (
        row
        for part in among(table.c.text_key, by_key)
        for row in connection.execute(select(table).where(part, table.c.models == models))
    )
    return ModelAnswers({row.text_key: decode_reading(row.reading, by_key[row.text_key]) for row in found})
