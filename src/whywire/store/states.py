"""The state that updates are decided by, loaded from a store in bulk, whole or from a time on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, select

from whywire.elements import Event
from whywire.errors import InputError
from whywire.events.article_reports import report_of
from whywire.news import Article, Language
from whywire.pipeline import LANGUAGES
from whywire.store import open_part, queries, schema
from whywire.store.reading_codec import decode_floats, decode_reading
from whywire.store.rows import article_of, claim_of, key_of
from whywire.store.statements import among
from whywire.updating import ChangeKind, Changes, ModelAnswers, State, text_key
from whywire.updating.changes import Settled


class StoredState(State):
    """A state of a store.

    Attributes:
        at: the number of its last change.
        since: of earlier stories it has only finished ones; ``None`` if it has everything.
    """

    at = 0
    since: datetime | None = None


def load(connection: Connection, models: str, since: datetime | None = None) -> StoredState:
    """Load the stories with a report since a time, or everything, with the answers of models of this version.

    Raises:
        InputError: articles were read by other models.
    """
    if since is not None and not open_part.has_older(connection, since):
        since = None
    part = open_part.everything(connection) if since is None else open_part.since(connection, since)
    answers = known_answers(connection, part.articles, models)
    _add_pair_answers(connection, answers, models, of=None if since is None else part.articles)
    unread = sum(one.language in LANGUAGES and text_key(one) not in answers.readings for one in part.articles)
    if unread:
        raise InputError(
            f"{unread:,} articles were read by other models than those of version {models}",
            hint="`whywire update` reads them again",
        )
    settled = all_settled(connection)
    state = StoredState(
        part.articles, part.events, part.links, part.claims, answers, part.ended, settled, part.beyond
    )
    state.at, state.since = queries.last_change(connection), since
    return state


def catch_up(connection: Connection, state: StoredState, models: str) -> bool:
    """Make in a state what others have committed since it was loaded or last caught up.

    Pairs that others asked their models about are not among it: an answer that is needed again is asked again.

    Returns:
        Whether that was possible: not if others changed what is not in the state, which must be loaded anew then.
    """
    at = queries.last_change(connection)
    if at == state.at:
        return True

    def changed(table: Table) -> list[Any]:
        return list(connection.execute(select(table).where(table.c.changed > state.at)))

    articles = [article_of(row) for row in sorted(changed(schema.articles), key=lambda row: row.number)]
    event_rows, link_rows = changed(schema.events), changed(schema.links)
    events = queries.events_of(connection, [row for row in event_rows if row.ended is None])
    gone_since = _gone_since(connection, state)
    if not (_holds(state, articles, events, link_rows) and state.finished.isdisjoint(gone_since)):
        return False
    gone = [row for row in link_rows if row.ended is not None]
    state.apply(
        Changes(
            articles=tuple(articles),
            gone=gone_since & state.articles.keys(),
            answers=known_answers(connection, articles, models),
            claims=tuple(map(claim_of, changed(schema.claims))),
            events=tuple(events),
            ended={row.id: () for row in event_rows if row.ended is not None and row.id in state.events},
            links=tuple(queries.links_of(connection, [row for row in link_rows if row.ended is None])),
            dropped=tuple(key for row in gone if (key := key_of(row)) in state.links),
            settled=all_settled(connection),
        )
    )
    state.ended |= {row.id: True for row in event_rows if row.ended is not None}
    state.at = at
    return True


def _gone_since(connection: Connection, state: StoredState) -> frozenset[str]:
    """The ids of articles that others have replaced or withdrawn."""
    table, kinds = schema.changes, [ChangeKind.ARTICLE_REPLACED.value, ChangeKind.ARTICLE_WITHDRAWN.value]
    found = select(table.c.subject).where(table.c.id > state.at, table.c.kind.in_(kinds))
    return frozenset(connection.execute(found).scalars())


def _holds(state: State, articles: Iterable[Article], events: Iterable[Event], links: Iterable[Any]) -> bool:
    """Whether all that others changed is of articles and events that a state has."""
    if not state.finished:
        return True
    known = state.articles.keys() - state.finished | {article.id for article in articles}
    names = state.events.keys() | {event.id for event in events}
    return all(known.issuperset(event.articles) for event in events) and all(
        row.source in names and row.target in names for row in links if row.ended is None
    )


def all_settled(connection: Connection) -> dict[Language, Settled]:
    """What the articles of each language were decided by when all of them were."""
    rows = connection.execute(select(schema.settled))
    return {Language(row.language): Settled(row.articles, row.cut) for row in rows}


def all_answers(connection: Connection, articles: Iterable[Article], models: str) -> ModelAnswers:
    """The answers of models of a version: readings of these articles, and all pairs."""
    answers = known_answers(connection, articles, models)
    _add_pair_answers(connection, answers, models, of=None)
    return answers


def _add_pair_answers(
    connection: Connection, answers: ModelAnswers, models: str, *, of: Iterable[Article] | None
) -> None:
    """Add what models of a version answered on pairs.

    Args:
        of: only pairs of these articles, and of their mentions; all by default.
    """
    texts = {" ".join(one.words.split()) for reading in answers.readings.values() for one in reading.mentions}
    texts |= {text for article in of or () for text in (article.title, report_of(article).key)}
    pairs = schema.pair_answers
    for row in connection.execute(select(pairs).where(pairs.c.models == models)):
        if of is not None and not (row.first in texts and row.second in texts):
            continue
        key = Language(row.language), (row.first, row.second)
        if row.relations is not None:
            answers.relations[key] = decode_floats(row.relations)
        if row.strength is not None:
            answers.strengths[key] = row.strength


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
