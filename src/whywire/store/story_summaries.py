"""Stories summed up: rows of ``stories``, made again for each story that an update touches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from math import fsum
from typing import Any

from sqlalchemy import Connection, delete, distinct, func, select

from whywire.elements import time_range
from whywire.store.rows import Row, micros, seen
from whywire.store.schema import NO_TIME, articles, events, links, mentions, stories
from whywire.store.statements import among, upsert


def sum_up(connection: Connection, touched: Collection[str]) -> None:
    """Make the rows of these stories again; a story of less than two events has none."""
    rows = summaries(connection, touched)
    for part in among(stories.c.id, {*touched} - {row["id"] for row in rows}):
        connection.execute(delete(stories).where(part))
    upsert(connection, stories, rows)


def summaries(connection: Connection, names: Collection[str]) -> list[Row]:
    """The rows of these stories, of those that have two events or more."""
    members: defaultdict[str, list[Any]] = defaultdict(list)
    columns = (
        *(events.c.id, events.c.title, events.c.language, events.c.story, events.c.reports, events.c.headline),
        *(events.c.first_seen, events.c.last_seen, events.c.seen),
    )
    for part in among(events.c.story, names):
        for row in connection.execute(select(*columns).where(part, events.c.ended.is_(None))):
            members[row.story].append(row)
    members = defaultdict(list, {story: rows for story, rows in members.items() if len(rows) > 1})
    story_of = {row.id: story for story, rows in members.items() for row in rows}
    degrees: Counter[str] = Counter()
    strengths: defaultdict[str, list[float]] = defaultdict(list)
    joined = {
        (row.source, row.target, row.kind): row.strength
        for column in (links.c.source, links.c.target)
        for part in among(column, story_of)
        for row in connection.execute(
            select(links.c.source, links.c.target, links.c.kind, links.c.strength).where(
                part, links.c.ended.is_(None)
            )
        )
    }
    for (source, target, _), strength in joined.items():
        degrees.update((source, target))
        story = story_of.get(source)
        if story and story == story_of.get(target):
            strengths[story].append(strength)
    sources = _sources(connection, members)
    return [_row(story, rows, degrees, strengths[story], *sources[story]) for story, rows in members.items()]


def _sources(connection: Connection, names: Collection[str]) -> dict[str, tuple[int, int]]:
    """The numbers of articles and of outlets of stories."""
    outlet = func.coalesce(articles.c.source, articles.c.id)
    found = (
        select(events.c.story, func.count(distinct(articles.c.id)), func.count(distinct(outlet)))
        .join(mentions, mentions.c.event == events.c.id)
        .join(articles, articles.c.id == mentions.c.article)
        .where(events.c.ended.is_(None))
        .group_by(events.c.story)
    )
    return {
        story: (reports, outlets)
        for part in among(events.c.story, names)
        for story, reports, outlets in connection.execute(found.where(part))
    }


def _row(story: str, rows: list[Any], degrees: Counter[str], strengths: list[float], count: int, outlets: int) -> Row:
    in_time = sorted(rows, key=lambda row: (row.first_seen == NO_TIME, row.first_seen, row.id))
    lead = max(in_time, key=lambda row: (row.headline, row.reports + degrees[row.id]))
    first, last = time_range(time for row in rows for time in seen(row))
    return {
        "id": story,
        "title": lead.title,
        "lead": lead.id,
        "language": lead.language,
        "first_seen": micros(first.at) if first else NO_TIME,
        "last_seen": micros(last.at) if last else NO_TIME,
        "seen": [(time.day_only, time.inferred_from) if time else (False, None) for time in (first, last)],
        "events": len(rows),
        "articles": count,
        "links": len(strengths),
        "outlets": outlets,
        "strength": fsum(strengths),
        "reports": sum(row.reports for row in rows),
    }
