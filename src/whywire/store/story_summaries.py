"""Summaries of stories: rows of ``stories`` and ``story_facets``, rewritten for each story that an update changes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from math import fsum
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Subquery,
    Text,
    and_,
    cast,
    exists,
    func,
    literal,
    select,
    union_all,
)

from whywire.elements import LinkKind, time_range
from whywire.graph.codec import Row
from whywire.news import Published
from whywire.news.times import AHEAD
from whywire.pairs.reports import Report
from whywire.store.rows import MICROSECOND, exactness, micros, published
from whywire.store.schema import (
    IN_FORCE,
    LIVE,
    NO_TIME,
    articles,
    changes,
    events,
    links,
    mentions,
    stories,
    story_facets,
)
from whywire.store.statements import among, delete_among, replace_rows, rows_among, upsert
from whywire.store.story_facets import facet_rows
from whywire.updating import ChangeKind

HEAD_CHARS = 1500
"""Characters of an article that hold its lead."""


def sum_up(connection: Connection, touched: Collection[str]) -> None:
    """Rewrite the rows of these stories; a story with fewer than two events has none."""
    rows, facets = summaries(connection, touched)
    delete_among(connection, stories.c.id, {*touched} - {row["id"] for row in rows})
    upsert(connection, stories, rows)
    replace_rows(connection, story_facets, story_facets.c.story, [row["id"] for row in rows], facets)


def summaries(connection: Connection, names: Collection[str]) -> tuple[list[Row], list[Row]]:
    """The rows of ``stories`` and of ``story_facets`` of these stories, without those of fewer than two events."""
    rows: list[Row] = []
    facets: list[Row] = []
    for part in among(events.c.story, names):
        for row, of_story in _summaries(connection, part):
            rows.append(row)
            facets += of_story
    return rows, facets


def _summaries(connection: Connection, of_stories: ColumnElement[bool]) -> Iterator[tuple[Row, list[Row]]]:
    """Yield the rows of each of the stories that a condition on ``events.story`` names."""
    times = _times(connection, of_stories)
    told = _articles(connection, of_stories)
    weights = _weights(connection, of_stories)
    for lead in connection.execute(_leads(of_stories)):
        first, last = time_range(times[lead.story])
        reports = told[lead.story]
        listed = [at for report in reports if (at := report.listed) is not None] or [NO_TIME]
        yield (
            {
                "id": lead.story,
                "title": lead.title,
                "lead": lead.id,
                "language": lead.language,
                "first_seen": micros(first.at) if first else NO_TIME,
                "last_seen": micros(last.at) if last else NO_TIME,
                "seen": exactness(first, last),
                "events": lead.events,
                "articles": len(reports),
                "links": len(weights[lead.story]),
                "outlets": len({report.outlet or report.id for report in reports}),
                "weight": fsum(weights[lead.story]),
                "reports": lead.all_reports,
                "first_listed": min(listed),
                "last_listed": max(listed),
            },
            [*facet_rows(lead.story, [report.outlet for report in reports], [report.report for report in reports])],
        )


def _leads(of_stories: ColumnElement[bool]) -> Any:
    """The lead of each story, with the numbers of events and reports: the event with most reports and links.

    Events that a headline mentions are preferred, then those that no report refutes; ties go to the earliest event.
    """
    refuted = exists().where(links.c.source == events.c.id, links.c.kind == LinkKind.REFUTES.value, IN_FORCE)
    degrees = _degrees(of_stories)
    links_of = func.coalesce(degrees.c.links, 0)
    best_first = (
        *(events.c.headline.desc(), refuted, (events.c.reports + links_of).desc()),
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


class _Told(NamedTuple):
    """An article of a story.

    Args:
        published: its time, or ``NO_TIME``.
        came: when the history first has it; ``None`` if it does not.
    """

    id: str
    outlet: str | None
    published: int
    came: int | None
    report: Report

    @property
    def listed(self) -> int | None:
        """The time under which the article is listed; ``None`` if there is none."""
        believed = self.came is None or self.published <= self.came + AHEAD // MICROSECOND
        return self.published if self.published != NO_TIME and believed else self.came


def _articles(connection: Connection, of_stories: ColumnElement[bool]) -> dict[str, list[_Told]]:
    """The articles of stories."""
    named = select(events.c.story, mentions.c.article).join(mentions, mentions.c.event == events.c.id)
    pairs = connection.execute(named.where(of_stories, LIVE).distinct()).all()
    ids = {article for _, article in pairs}
    added = select(changes.c.subject, func.min(changes.c.at).label("at")).group_by(changes.c.subject)
    added = added.where(changes.c.kind == ChangeKind.ARTICLE_ADDED.value)
    came = {row.subject: row.at for row in rows_among(connection, added, changes.c.subject, ids)}
    text = func.substr(articles.c.text, 1, HEAD_CHARS).label("head")
    columns = articles.c.id, articles.c.source, articles.c.published, articles.c.title, text
    told = {
        row.id: _Told(row.id, row.source, row.published, came.get(row.id), Report.of(row.title, row.head))
        for row in rows_among(connection, select(*columns), articles.c.id, ids)
    }
    found: defaultdict[str, list[_Told]] = defaultdict(list)
    for story, article in sorted(pairs):
        found[story].append(told[article])
    return found
