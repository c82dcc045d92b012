"""Summaries of stories: rows of ``stories``, rewritten for each story that an update changes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection
from math import fsum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Subquery,
    Text,
    and_,
    cast,
    distinct,
    func,
    literal,
    select,
    union_all,
)

from whywire.elements import time_range
from whywire.graph.codec import Row
from whywire.news import Published
from whywire.store.rows import exactness, micros, published
from whywire.store.schema import IN_FORCE, LIVE, NO_TIME, articles, events, links, mentions, stories
from whywire.store.statements import among, delete_among, upsert


def sum_up(connection: Connection, touched: Collection[str]) -> None:
    """Rewrite the rows of these stories; a story with fewer than two events has no row."""
    rows = summaries(connection, touched)
    delete_among(connection, stories.c.id, {*touched} - {row["id"] for row in rows})
    upsert(connection, stories, rows)


def summaries(connection: Connection, names: Collection[str]) -> list[Row]:
    """The rows of these stories, without those that have fewer than two events."""
    return [row for part in among(events.c.story, names) for row in _summaries(connection, part)]


def _summaries(connection: Connection, of_stories: ColumnElement[bool]) -> list[Row]:
    """The rows of the stories that a condition on ``events.story`` names."""
    times = _times(connection, of_stories)
    sources = _sources(connection, of_stories)
    weights = _weights(connection, of_stories)
    rows = []
    for lead in connection.execute(_leads(of_stories)):
        first, last = time_range(times[lead.story])
        count, outlets = sources[lead.story]
        rows.append(
            {
                "id": lead.story,
                "title": lead.title,
                "lead": lead.id,
                "language": lead.language,
                "first_seen": micros(first.at) if first else NO_TIME,
                "last_seen": micros(last.at) if last else NO_TIME,
                "seen": exactness(first, last),
                "events": lead.events,
                "articles": count,
                "links": len(weights[lead.story]),
                "outlets": outlets,
                "weight": fsum(weights[lead.story]),
                "reports": lead.all_reports,
            }
        )
    return rows


def _leads(of_stories: ColumnElement[bool]) -> Any:
    """The lead of each story, with the numbers of events and reports: the event with most reports and links.

    Events that a headline mentions are preferred; ties go to the earliest event.
    """
    degrees = _degrees(of_stories)
    links_of = func.coalesce(degrees.c.links, 0)
    best_first = (
        *(events.c.headline.desc(), (events.c.reports + links_of).desc()),
        *(events.c.first_seen == NO_TIME, events.c.first_seen, events.c.id),
    )
    ranked = (
        select(
            *(events.c.id, events.c.story, events.c.title, events.c.language),
            func.row_number().over(partition_by=events.c.story, order_by=best_first).label("place"),
            func.count().over(partition_by=events.c.story).label("events"),
            func.sum(events.c.reports).over(partition_by=events.c.story).label("all_reports"),
        )
        .outerjoin(degrees, degrees.c.event == events.c.id)
        .where(of_stories, LIVE)
        .subquery()
    )
    return select(ranked).where(ranked.c.place == 1, ranked.c.events > 1).order_by(ranked.c.story)


def _degrees(of_stories: ColumnElement[bool]) -> Subquery:
    """The number of links of each event of the stories; events without links are missing."""
    ends = union_all(
        *(
            select(end.label("event")).join(events, events.c.id == end).where(of_stories, LIVE, IN_FORCE)
            for end in (links.c.source, links.c.target)
        )
    ).subquery()
    return select(ends.c.event, func.count(literal(1)).label("links")).group_by(ends.c.event).subquery()


def _times(connection: Connection, of_stories: ColumnElement[bool]) -> dict[str, list[Published | None]]:
    """The times of reports of the events of stories."""
    times: defaultdict[str, list[Published | None]] = defaultdict(list)
    exact = cast(events.c.seen, Text)  # JSON has no equality in PostgreSQL
    columns = events.c.story, events.c.first_seen, events.c.last_seen
    grouped = select(*columns, func.min(exact).label("seen")).where(of_stories, LIVE).group_by(*columns, exact)
    for row in connection.execute(grouped):
        first, last = json.loads(row.seen)
        times[row.story] += published(row.first_seen, *first), published(row.last_seen, *last)
    return times


def _weights(connection: Connection, of_stories: ColumnElement[bool]) -> dict[str, list[float]]:
    """The weights of the links inside stories."""
    weights: defaultdict[str, list[float]] = defaultdict(list)
    target = events.alias()
    inside = (
        select(events.c.story, links.c.weight)
        .join(links, links.c.source == events.c.id)
        .join(target, and_(target.c.id == links.c.target, target.c.story == events.c.story))
        .where(of_stories, LIVE, target.c.ended.is_(None), IN_FORCE)
    )
    for story, weight in connection.execute(inside):
        weights[story].append(weight)
    return weights


def _sources(connection: Connection, of_stories: ColumnElement[bool]) -> dict[str, tuple[int, int]]:
    """The numbers of articles and of outlets of stories."""
    outlet = func.coalesce(articles.c.source, articles.c.id)
    counts = (
        select(events.c.story, func.count(distinct(articles.c.id)), func.count(distinct(outlet)))
        .join(mentions, mentions.c.event == events.c.id)
        .join(articles, articles.c.id == mentions.c.article)
        .where(of_stories, LIVE)
        .group_by(events.c.story)
    )
    return {story: (reports, outlets) for story, reports, outlets in connection.execute(counts)}
