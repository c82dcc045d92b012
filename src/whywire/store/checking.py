"""Checks of the invariants of a store, for ``whywire doctor``.

What must hold of every causal graph (ids resolve, each mention is in one event, claims quote their articles, links
join two events that have their evidence) is checked by making the graph of everything, in which no ended event is.
What only a store must hold is checked by queries for rows that should not be there.
"""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
from sqlalchemy import Connection, and_, exists, func, not_, select, text
from sqlalchemy.sql import Select

from whywire.annotation.campaigns import count_answers
from whywire.engines import text_key
from whywire.errors import WhywireError
from whywire.pipeline import LANGUAGES
from whywire.store import campaigns, schema, story_summaries, subgraphs, votes
from whywire.store.reading_codec import decode_reading
from whywire.store.records import Action
from whywire.store.rows import article_of, url_hash
from whywire.store.schema_versions import LATEST, current_revision
from whywire.updating import ChangeKind

MAX_NAMED = 3
"""The most ids named for each kind of fault."""


def check(connection: Connection, models: str) -> list[str]:
    """Return what is wrong with a store, a sentence each; empty if all is well.

    Args:
        models: version of the models whose readings are decoded.
    """
    wrong = [*_database(connection), *_rows(connection)]
    if not wrong:
        wrong = [*_articles(connection, models), *_stories(connection), *_cycles(connection), *_graph(connection)]
        wrong += _campaigns(connection)
    return wrong


def _database(connection: Connection) -> Iterator[str]:
    revision = current_revision(connection)
    if revision != LATEST:
        yield f"the schema is of version {revision}, not {LATEST}"
    if connection.dialect.name != "sqlite":
        return  # PostgreSQL checks its pages and keys by itself
    for (fault,) in connection.execute(text("PRAGMA integrity_check")):
        if fault != "ok":
            yield f"the file is damaged: {fault}"
    for row in connection.execute(text("PRAGMA foreign_key_check")):
        yield f"a row of {row[0]} refers to a row of {row[2]} that is not there"


def _rows(connection: Connection) -> Iterator[str]:
    for message, unwanted in _unwanted():
        names = [" -> ".join(map(str, row)) for row in connection.execute(unwanted.limit(MAX_NAMED + 1))]
        if names:
            more = " and others" if len(names) > MAX_NAMED else ""
            yield f"{message}: {', '.join(names[:MAX_NAMED])}{more}"


def _unwanted() -> Iterator[tuple[str, Select[tuple[object, ...]]]]:
    """Yield what is wrong with rows that should not be there, and a query for them."""
    events, mentions, claims = schema.events, schema.mentions, schema.claims
    arrivals, articles, head = schema.arrivals, schema.articles, schema.head
    successors, terms, copies, changes = schema.successors, schema.terms, schema.copies, schema.changes
    ended = events.c.ended.is_not(None)
    has_mentions = exists().where(mentions.c.event == events.c.id)
    has_successors = exists().where(successors.c.event == events.c.id)
    last = select(head.c.last_change).scalar_subquery()

    yield "more than one head", select(head.c.id).where(head.c.id != 1)
    yield "changes after the last one", select(changes.c.id).where(changes.c.id > last)
    for table in (articles, events, claims):
        yield (
            f"{table.name} written by an update that is not recorded",
            select(table.c.id).where(table.c.changed > last),
        )
    yield "events without mentions", select(events.c.id).where(schema.LIVE, not_(has_mentions))
    yield "ended events that still have mentions", select(events.c.id).where(ended, has_mentions)
    gone = exists().where(changes.c.subject == events.c.id, changes.c.kind == ChangeKind.EVENT_ENDED.value)
    yield "ended events that lead nowhere", select(events.c.id).where(ended, not_(has_successors), not_(gone))
    yield "events that have not ended, but have successors", select(events.c.id).where(schema.LIVE, has_successors)
    reports = func.count(mentions.c.article.distinct())
    yield (
        "events whose number of reports is not that of their mentions",
        select(events.c.id)
        .join(mentions, mentions.c.event == events.c.id)
        .group_by(events.c.id, events.c.reports)
        .having(reports != events.c.reports),
    )
    yield (
        "mentions beyond the end of their article's text",
        select(mentions.c.article, mentions.c.start)
        .join(articles, articles.c.id == mentions.c.article)
        .where(mentions.c.field == "text", mentions.c.end > func.length(articles.c.text)),
    )
    yield (
        "accepted articles that wait though an update took them in",
        select(arrivals.c.article).where(
            ~arrivals.c.set_aside,
            arrivals.c.action == Action.ADD.value,
            arrivals.c.article.in_(select(articles.c.id)),
            arrivals.c.lease.is_(None),
        ),
    )
    yield (
        "leased articles without a worker",
        select(arrivals.c.article).where(arrivals.c.lease.is_not(None), arrivals.c.worker.is_(None)),
    )
    yield "copies that are articles as well", select(copies.c.id).where(copies.c.id == copies.c.article)
    for table, what in ((terms, "search terms"), (schema.event_places, "places")):
        yield (
            f"{what} of events that have ended",
            select(table.c.event).join(events, events.c.id == table.c.event).where(ended).distinct(),
        )


def _articles(connection: Connection, models: str) -> Iterator[str]:
    """Wrong hashes, and readings that are missing or cannot be decoded."""
    table, readings = schema.articles, schema.readings
    of_words = and_(readings.c.text_key == table.c.text_key, readings.c.models == models)
    with_readings = select(table, readings.c.reading).outerjoin(readings, of_words)
    unread = 0
    for row in connection.execute(with_readings.execution_options(yield_per=500)):
        article = article_of(row)
        if row.text_key != text_key(article) or row.url_hash != url_hash(article.url):
            yield f"the hashes of an article are not those of its words: {article.id}"
        if row.reading is None:
            unread += article.language in LANGUAGES
            continue
        try:
            decode_reading(row.reading, article)
        except ValueError as error:
            yield f"the reading of an article cannot be read: {article.id}: {error}"
    if unread:
        yield f"{unread:,} articles have no reading by models of version {models}"


def _stories(connection: Connection) -> Iterator[str]:
    """Summaries of stories that do not fit their events."""
    names = select(schema.events.c.story).where(schema.LIVE, schema.events.c.story.is_not(None)).distinct()
    rows, facets = story_summaries.summaries(connection, {*connection.execute(names).scalars()})
    expected = {row["id"]: row for row in rows}
    stored = {row.id: row for row in connection.execute(select(schema.stories))}
    for name in sorted(expected.keys() ^ stored.keys())[:MAX_NAMED]:
        yield f"a story without a summary, or a summary without a story: {name}"
    for name in sorted(expected.keys() & stored.keys()):
        if any(getattr(stored[name], key) != value for key, value in expected[name].items() if key != "seen"):
            yield f"the summary of a story is not that of its events: {name}"
    wanted = {tuple(row[column.name] for column in schema.story_facets.columns) for row in facets}
    for row in sorted(wanted ^ {tuple(row) for row in connection.execute(select(schema.story_facets))})[:MAX_NAMED]:
        yield f"a facet of a story is not that of its articles: {row[2]}: {row[0]} {row[1]}"


def _cycles(connection: Connection) -> Iterator[str]:
    """Ended events that are among their own successors."""
    rows = connection.execute(select(schema.successors.c.event, schema.successors.c.into))
    for circle in nx.strongly_connected_components(nx.DiGraph(map(tuple, rows))):
        if len(circle) > 1:
            yield f"ended events succeed each other in a circle: {', '.join(sorted(circle)[:MAX_NAMED])}"


def _campaigns(connection: Connection) -> Iterator[str]:
    """Items and votes that cannot be read or do not fit each other, and items that were counted wrongly."""
    table = schema.campaign_items
    for listed in campaigns.all_campaigns(connection):
        campaign = listed.campaign
        try:
            items = campaigns.items(connection, campaign.id)
            given = votes.all_votes(connection, campaign.id)
        except ValueError as error:
            yield f"a campaign cannot be read: {campaign.id}: {error}"
            continue
        for vote in given:
            if fault := next(items[vote.item].faults(vote.answer), None):
                yield f"an answer does not fit its item: {campaign.id}: {vote.item}: {vote.person}: {fault}"
        counts = count_answers(campaign.rules, items, given)
        stored = select(table.c.id, table.c.answers, table.c.finished).where(table.c.campaign == campaign.id)
        for row in connection.execute(stored):
            if counts[row.id] != (row.answers, row.finished):
                yield f"the answers to an item of a campaign were counted wrongly: {campaign.id}: {row.id}"


def _graph(connection: Connection) -> Iterator[str]:
    try:
        subgraphs.everything(connection)
    except WhywireError as error:
        yield str(error)
    except (ValueError, LookupError, TypeError) as error:
        yield f"rows that are no events, links or claims: {error}"
