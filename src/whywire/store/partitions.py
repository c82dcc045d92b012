"""Partitions of a store's graph: what the articles of a day, a month or a year tell.

An article belongs to the day on which it was published, in UTC. A link is in the partition of each article that tells
of its effect, so the partitions together have all links. An event that articles of several partitions tell of is in
each of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from sqlalchemy import BigInteger, ColumnElement, Connection, Select, func, literal_column, select

from whywire.graph.causal_graph import CausalGraph
from whywire.news.article_rows import read_published
from whywire.store import subgraphs
from whywire.store.rows import EPOCH, MICROSECOND, micros
from whywire.store.schema import IN_FORCE, LIVE, NO_TIME, articles, changes, claims, events, links, mentions
from whywire.updating import ChangeKind

_COME = [ChangeKind.ARTICLE_ADDED.value, ChangeKind.ARTICLE_COPIED.value]
_GONE = [ChangeKind.ARTICLE_REPLACED.value, ChangeKind.ARTICLE_WITHDRAWN.value]

UNDATED = "undated"
"""The partition of articles without a time."""

_DAY = timedelta(days=1) // MICROSECOND
_FIRST = (EPOCH - datetime.min.replace(tzinfo=UTC)) // MICROSECOND
"""Microseconds before 1970 that times can have, so that days are counted from 0 on."""

_DAY_NUMBER = (articles.c.published + literal_column(f"{_FIRST}")) // literal_column(f"{_DAY}", BigInteger)
"""Written out, because PostgreSQL takes two parameters for two expressions, and would not group by this one."""


class Period(StrEnum):
    """How long a partition is."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"

    def name_of(self, day: date | None) -> str:
        """The name of the partition of a day, such as ``2024-03``; ``None`` stands for an unknown day."""
        return UNDATED if day is None else day.isoformat()[: {"day": 10, "month": 7, "year": 4}[self]]

    def span_of(self, name: str) -> tuple[datetime, datetime] | None:
        """When a partition begins and ends, by its name; ``None`` for that of unknown days.

        Raises:
            ValueError: no partition has this name.
        """
        if name == UNDATED:
            return None
        begin = datetime.fromisoformat((name + "-01-01")[:10]).replace(tzinfo=UTC)
        if self.name_of(begin.date()) != name:
            raise ValueError(f"no {self} has the name {name}")
        far = begin + {"day": timedelta(days=1), "month": timedelta(days=31), "year": timedelta(days=366)}[self]
        return begin, datetime.fromisoformat((self.name_of(far.date()) + "-01-01")[:10]).replace(tzinfo=UTC)


def partition(connection: Connection, by: Period, name: str) -> CausalGraph:
    """The graph of a partition."""
    span = by.span_of(name)
    at = articles.c.published
    within = at == NO_TIME if span is None else (at >= micros(span[0])) & (at < micros(span[1]))
    return subgraphs.of_articles(connection, [*connection.execute(select(articles.c.id).where(within)).scalars()])


def names(
    connection: Connection, by: Period, *, since: datetime | None = None, until: datetime | None = None
) -> list[str]:
    """The names of the partitions that have articles, in order.

    Args:
        since, until: only of articles with a time, from the first to before the last.
    """
    at, wanted = articles.c.published, select(_DAY_NUMBER).distinct()
    if since is not None:
        wanted = wanted.where(at >= micros(since))
    if until is not None:
        wanted = wanted.where(at < micros(until), at > NO_TIME)
    return sorted({by.name_of(_day(number)) for number in connection.execute(wanted).scalars()})


def last_changes(connection: Connection, by: Period) -> dict[str, int]:
    """The number of the last change of each partition, by its name: of anything that is or was in its graph."""
    last: dict[str, int] = {}
    for statement in _changes():
        for number, change in connection.execute(statement):
            name = by.name_of(_day(number))
            last[name] = max(last.get(name, 0), change)
    for number, details in connection.execute(_left()):
        published = read_published(details["before"])
        name = by.name_of(published.at.date() if published else None)
        last[name] = max(last.get(name, 0), number)
    return last


def _day(number: int) -> date | None:
    return None if number < 0 else date.min + timedelta(days=number)


def _changes() -> Iterator[Select[int, int]]:
    """Days, and the last change of what the articles of each tell."""
    effect = links.join(mentions, mentions.c.event == links.c.target)
    told = articles.c.id == mentions.c.article
    come = (changes.c.subject == articles.c.id) & changes.c.kind.in_(_COME)
    yield _by_day(changes.c.id).join_from(articles, changes, come)
    yield _by_day(claims.c.changed).join_from(articles, claims, claims.c.article == articles.c.id)
    yield _by_day(events.c.changed).select_from(mentions.join(events).join(articles, told)).where(LIVE)
    yield _by_day(links.c.changed).select_from(effect.join(articles, told))
    for other in (links.c.source, links.c.closed_by):
        others = effect.join(events, events.c.id == other)
        yield _by_day(events.c.changed).select_from(others.join(articles, told)).where(IN_FORCE)


def _by_day(changed: ColumnElement[int]) -> Select[int, int]:
    return select(_DAY_NUMBER, func.max(changed)).group_by(_DAY_NUMBER)


def _left() -> Select[int, dict[str, dict[str, str]]]:
    """Articles that were replaced or withdrawn."""
    return select(changes.c.id, changes.c.details).where(changes.c.kind.in_(_GONE))
