"""The part of a store that updates are decided by: the stories that were reported on lately, and what they touch.

A store grows for years, and an article is compared with those of the days around it alone. So of the older stories
only those are loaded that a link joins with a later one; they are *finished* (:mod:`whywire.updating.state`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, and_, func, or_, select

from whywire.elements import Claim, Event, Link, LinkKind
from whywire.news import Article, Language
from whywire.store import queries, schema
from whywire.store.queries import IN_FORCE, LIVE
from whywire.store.rows import article_of, claim_of, micros
from whywire.store.statements import among
from whywire.store.subgraphs import elements
from whywire.updating.state import Beyond


@dataclass(frozen=True)
class Part:
    """A part of a store, or all of it.

    Args:
        ended: the ids of events that are no more, of those that the articles of this part had.
    """

    articles: list[Article]
    events: list[Event]
    links: list[Link]
    claims: list[Claim]
    ended: list[str]
    beyond: Beyond


def everything(connection: Connection) -> Part:
    """All of a store."""
    table = schema.events
    ended = connection.execute(select(table.c.id).where(table.c.ended.is_not(None))).scalars()
    return Part(*elements(connection), list(ended), Beyond())


def has_older(connection: Connection, time: datetime) -> bool:
    """Whether any article is older than a time."""
    found = select(schema.articles.c.id).where(~_is_since(time)).limit(1)
    return connection.execute(found).first() is not None


def since(connection: Connection, time: datetime) -> Part:
    """The stories with a report since a time, whole, and the finished ones that links join them with."""
    articles = schema.articles
    lately = connection.execute(select(articles.c.id).where(_is_since(time))).scalars()
    open_events, open_articles, open_stories = _whole_stories(connection, lately)
    links = queries.links_at(connection, open_events)
    joined = {end for link in links for end in (link.source, link.target)} - open_events
    events, finished, _ = _whole_stories(connection, _articles_of(connection, joined))
    denials = _denials(connection, events)
    links += [link for link in denials if link.source not in open_events and link.target not in open_events]
    own_events = open_events | events
    deniers = {end for link in links for end in (link.source, link.target)} - own_events
    counts = _counts(connection)
    for language, number in _counts(connection, open_articles).items():
        counts[language] -= number
    return Part(
        articles=_select(
            connection, articles, articles.c.id, open_articles | finished, articles.c.number, article_of
        ),
        events=list(queries.events_named(connection, own_events).values()),
        links=links,
        claims=_select(
            connection, schema.claims, schema.claims.c.article, open_articles, schema.claims.c.number, claim_of
        ),
        ended=_ended(connection, open_events),
        beyond=Beyond(
            finished=finished,
            deniers=queries.events_named(connection, deniers),
            stories=_stories_elsewhere(connection, open_events, open_stories),
            counts=counts,
        ),
    )


def _is_since(time: datetime) -> ColumnElement[bool]:
    """The condition that an article is of a time or later; one without a time is as old as those it came with."""
    table = schema.articles
    later = table.c.published >= micros(time)
    first = select(func.min(table.c.number)).where(later).scalar_subquery()
    return or_(later, and_(table.c.published == schema.NO_TIME, table.c.number >= first))


def _whole_stories(connection: Connection, articles: Iterable[str]) -> tuple[set[str], set[str], set[str]]:
    """The events and articles of the stories that these articles are in, and these stories."""
    events: set[str] = set()
    stories: set[str] = set()
    seen: set[str] = set()
    border = {*articles}
    mentions, table = schema.mentions, schema.events
    while border:
        seen |= border
        found = _values(connection, mentions.c.event, mentions.c.article, border) - events
        new_stories = _values(connection, table.c.story, table.c.id, found) - stories - {None}
        stories |= new_stories
        found |= _values(connection, table.c.id, table.c.story, new_stories, LIVE)
        events |= found
        border = _articles_of(connection, found) - seen
    return events, seen, stories


def _articles_of(connection: Connection, events: Collection[str]) -> set[str]:
    return _values(connection, schema.mentions.c.article, schema.mentions.c.event, events)


def _denials(connection: Connection, events: Collection[str]) -> list[Link]:
    """The refutations of these events."""
    table = schema.links
    rows = [
        row
        for part in among(table.c.source, events)
        for row in connection.execute(select(table).where(part, IN_FORCE, table.c.kind == LinkKind.REFUTES.value))
    ]
    return queries.links_of(connection, rows)


def _ended(connection: Connection, events: Collection[str]) -> list[str]:
    """The events whose mentions are in these now."""
    table = schema.successors
    found: set[str] = set()
    border: Collection[str] = events
    while border:
        border = _values(connection, table.c.event, table.c.into, border) - found
        found |= border
    return sorted(found)


def _stories_elsewhere(connection: Connection, events: Collection[str], own: Collection[str]) -> set[str]:
    """The ids of other stories that are ids of these events, and so must not be given again."""
    table = schema.events
    return _values(connection, table.c.story, table.c.story, events, LIVE) - {*own}


def _counts(connection: Connection, articles: Collection[str] | None = None) -> dict[Language, int]:
    """How many articles there are, or of these, of each language."""
    table = schema.articles
    counted = select(table.c.language, func.count()).group_by(table.c.language)
    found: dict[Language, int] = {}
    for statement in [counted] if articles is None else [counted.where(part) for part in among(table.c.id, articles)]:
        for language, number in connection.execute(statement):
            found[Language(language)] = found.get(Language(language), 0) + int(number)
    return found


def _values(
    connection: Connection,
    wanted: ColumnElement[Any],
    column: Column[Any],
    values: Collection[str],
    *conditions: ColumnElement[bool],
) -> set[Any]:
    """The values of a column in the rows in which another has one of these values."""
    return {
        value
        for part in among(column, values)
        for value in connection.execute(select(wanted).where(part, *conditions).distinct()).scalars()
    }


def _select(
    connection: Connection, table: Table, column: Column[Any], values: Collection[str], order: Column[Any], make: Any
) -> list[Any]:
    """The elements of the rows in which a column has one of these values."""
    rows = [row for part in among(column, values) for row in connection.execute(select(table).where(part))]
    return [make(row) for row in sorted(rows, key=lambda row: getattr(row, order.name))]
