"""Reads articles, events, links, claims, mentions, stories and the history: by page, or by id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Select, and_, func, or_, select

from whywire.elements import Claim, ClaimKind, Event, EvidenceKind, Link, LinkKind, Mention, MentionKind
from whywire.graph.restating import restates
from whywire.news import Article, Language
from whywire.news.times import AHEAD
from whywire.store import schema
from whywire.store.cursors import latest_page, page_of
from whywire.store.records import ANY_STORY, Counts, Facet, FacetKind, Page, RecordedChange, StoryFilter, StorySummary
from whywire.store.rows import (
    EVIDENCE_BITS,
    article_of,
    change_of,
    claim_of,
    event_of,
    link_of,
    mention_of,
    micros,
    moment,
    story_of,
)
from whywire.store.schema import IN_FORCE, LIVE
from whywire.store.statements import among, rows_among
from whywire.store.story_facets import facet_value
from whywire.store.terms import stories_with
from whywire.updating import ChangeKind

_OF_ARTICLES = tuple(kind for kind in ChangeKind if kind.value.startswith("article "))
COUNTED_STORIES = 1000
"""The most stories whose facets are counted."""

_ENDS = (ChangeKind.EVENT_MERGED, ChangeKind.EVENT_SPLIT)


def article(connection: Connection, id: str) -> Article | None:  # noqa: A002
    """The article with this id."""
    return articles_named(connection, [id]).get(id)


def event(connection: Connection, id: str) -> Event | None:  # noqa: A002
    """The event with this id; ``None`` if it has ended or never was."""
    return events_named(connection, [id]).get(id)


def articles_named(connection: Connection, ids: Collection[str]) -> dict[str, Article]:
    """Articles by id."""
    table = schema.articles
    return {row.id: article_of(row) for row in rows_among(connection, select(table), table.c.id, ids)}


def articles(
    connection: Connection,
    *,
    after: str | None = None,
    limit: int = 50,
    since: datetime | None = None,
    until: datetime | None = None,
    source: str | None = None,
    language: Language | None = None,
) -> Page[Article]:
    """Articles, latest first; an article with a time in the future is listed like one without a time."""
    table = schema.articles
    statement = select(table).where(*_between(table.c.published, table.c.published, since, until))
    return latest_page(
        connection,
        _only(statement, (table.c.source, source), (table.c.language, language)),
        table.c.published,
        table.c.id,
        until=_latest_believed(),
        after=after,
        limit=limit,
        make=lambda rows: [*map(article_of, rows)],
    )


def events_named(connection: Connection, ids: Collection[str]) -> dict[str, Event]:
    """Events that have not ended, by id."""
    table = schema.events
    rows = rows_among(connection, select(table).where(LIVE), table.c.id, ids)
    return {event.id: event for event in events_of(connection, [*rows])}


def titles_of(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """The titles of events, ended ones too, by id."""
    table = schema.events
    return {row.id: row.title for row in rows_among(connection, select(table.c.id, table.c.title), table.c.id, ids)}


def events_of(connection: Connection, rows: Sequence[Any]) -> list[Event]:
    """The events of rows of ``events``, with their mentions."""
    table = schema.mentions
    return _with_mentions(rows, rows_among(connection, select(table), table.c.event, [row.id for row in rows]))


def all_events(connection: Connection) -> list[Event]:
    """All events that have not ended."""
    rows = connection.execute(select(schema.events).where(LIVE)).all()
    return _with_mentions(rows, connection.execute(select(schema.mentions)))


def _with_mentions(rows: Iterable[Any], mention_rows: Iterable[Any]) -> list[Event]:
    mentions_of: defaultdict[str, list[Mention]] = defaultdict(list)
    for row in mention_rows:
        mentions_of[row.event].append(mention_of(row))
    return [event_of(row, mentions_of[row.id]) for row in rows]


def events(
    connection: Connection,
    *,
    after: str | None = None,
    limit: int = 50,
    since: datetime | None = None,
    until: datetime | None = None,
    story: str | None = None,
    language: Language | None = None,
) -> Page[Event]:
    """Events, last seen first; an event whose last report has a time in the future is placed by its first report."""
    table = schema.events
    statement = select(table).where(LIVE, *_between(table.c.first_seen, table.c.last_seen, since, until))
    return latest_page(
        connection,
        _only(statement, (table.c.story, story), (table.c.language, language)),
        table.c.last_seen,
        table.c.id,
        earlier=table.c.first_seen,
        until=_latest_believed(),
        after=after,
        limit=limit,
        make=lambda rows: events_of(connection, rows),
    )


def resolve(connection: Connection, event_id: str) -> tuple[str, ...]:
    """The live events that hold the mentions of an event now: itself, or those it was merged or split into."""
    table = schema.successors
    current: list[str] = []
    seen, waiting = {event_id}, [event_id]
    while waiting:
        rows = connection.execute(
            select(schema.events.c.id, schema.events.c.ended).where(schema.events.c.id.in_(waiting))
        )
        ended = {row.id: row.ended for row in rows}
        current += [name for name in waiting if name in ended and ended[name] is None]
        into = select(table.c.into).where(table.c.event.in_(waiting)).order_by(table.c.event, table.c.position)
        waiting = [name for name in dict.fromkeys(connection.execute(into).scalars()) if name not in seen]
        seen.update(waiting)
    return tuple(current)


def links(
    connection: Connection,
    *,
    after: str | None = None,
    limit: int = 50,
    kind: LinkKind | None = None,
    min_strength: float = 0,
    evidence: Collection[EvidenceKind] = (),
    event: str | None = None,
    include_closed: bool = True,
) -> Page[Link]:
    """Links in force, those of the greatest weight first.

    Args:
        evidence: only links with evidence of one of these kinds.
        event: only links that start or end at this event.
    """
    table = schema.links
    statement = _only(select(table).where(IN_FORCE), (table.c.kind, kind))
    if min_strength > 0:
        statement = statement.where(table.c.strength >= min_strength)
    if evidence:
        bits = sum(EVIDENCE_BITS[EvidenceKind(name)] for name in {*evidence})
        statement = statement.where(table.c.evidence_kinds.bitwise_and(bits) != 0)
    if event is not None:
        statement = statement.where(or_(table.c.source == event, table.c.target == event))
    if not include_closed:
        statement = statement.where(table.c.closed_by.is_(None))
    keys = [(table.c.weight, True), (table.c.source, False), (table.c.target, False), (table.c.kind, False)]
    return page_of(connection, statement, keys, after=after, limit=limit, make=lambda rows: [*map(link_of, rows)])


def links_at(connection: Connection, event_ids: Collection[str]) -> list[Link]:
    """The links in force that start or end at one of these events."""
    table = schema.links
    rows = {
        (row.source, row.target, row.kind): row
        for column in (table.c.source, table.c.target)
        for row in rows_among(connection, select(table).where(IN_FORCE), column, event_ids)
    }
    return [*map(link_of, rows.values())]


def claims(
    connection: Connection,
    *,
    after: str | None = None,
    limit: int = 50,
    article: str | None = None,
    event: str | None = None,
    kind: ClaimKind | None = None,
) -> Page[Claim]:
    """Claims, by id."""
    table = schema.claims
    statement = _only(select(table), (table.c.article, article), (table.c.event, event), (table.c.kind, kind))
    return page_of(
        connection,
        statement,
        [(table.c.id, False)],
        after=after,
        limit=limit,
        make=lambda rows: [*map(claim_of, rows)],
    )


def claims_of(
    connection: Connection, events: Collection[str], ids: Collection[str], articles: Collection[str] = ()
) -> list[Claim]:
    """The claims of these events and articles, and those with these ids, in the order in which they were read."""
    table = schema.claims
    rows = {
        row.number: row
        for column, values in ((table.c.event, events), (table.c.id, ids), (table.c.article, articles))
        for row in rows_among(connection, select(table), column, values)
    }
    return [claim_of(rows[number]) for number in sorted(rows)]


def mentions(
    connection: Connection,
    *,
    after: str | None = None,
    limit: int = 50,
    event: str | None = None,
    article: str | None = None,
) -> Page[tuple[Mention, str]]:
    """Mentions with the ids of their events, by article and place."""
    table = schema.mentions
    statement = _only(select(table), (table.c.event, event), (table.c.article, article))
    keys = [(column, False) for column in table.primary_key]

    def make(rows: list[Any]) -> list[tuple[Mention, str]]:
        return [(mention_of(row), row.event) for row in rows]

    return page_of(connection, statement, keys, after=after, limit=limit, make=make)


def stories(
    connection: Connection,
    wanted: StoryFilter = ANY_STORY,
    *,
    after: str | None = None,
    limit: int = 50,
) -> Page[StorySummary]:
    """Stories of two events or more, most important first.

    The importance of a story is the sum of the weights of its links.
    """
    table = schema.stories
    statement = select(table).where(*_passing(connection, wanted))
    keys = [(column, True) for column in (table.c.weight, table.c.events, table.c.reports, table.c.id)]
    return page_of(connection, statement, keys, after=after, limit=limit, make=lambda rows: [*map(story_of, rows)])


def story_choices(
    connection: Connection, wanted: StoryFilter = ANY_STORY, *, limit: int = 100
) -> dict[FacetKind, list[Facet]]:
    """The most frequent facets of each kind of stories that pass a filter, each with the number of these stories.

    Of more than ``COUNTED_STORIES`` only the most important ones are counted, so that it stays quick.
    """
    table, story = schema.story_facets, schema.stories.c
    passing = (
        select(story.id).where(*_passing(connection, wanted)).order_by(story.weight.desc()).limit(COUNTED_STORIES)
    )
    names = connection.execute(passing).scalars().all()
    count = func.count()
    counted = select(table.c.kind, func.min(table.c.name), count).where(table.c.story.in_(names))
    found: dict[FacetKind, list[Facet]] = {kind: [] for kind in FacetKind}
    for kind, name, number in connection.execute(
        counted.group_by(table.c.kind, table.c.value).order_by(count.desc(), table.c.value)
    ):
        found[FacetKind(kind)].append(Facet(name, number))
    return {kind: facets[:limit] for kind, facets in found.items()}


def outlets_of_stories(connection: Connection, names: Collection[str]) -> dict[str, list[Facet]]:
    """The outlets of stories, those with most reports first."""
    table = schema.story_facets
    statement = select(table).where(table.c.kind == FacetKind.OUTLET.value)
    found: defaultdict[str, list[Facet]] = defaultdict(list)
    for row in rows_among(connection, statement, table.c.story, names):
        found[row.story].append(Facet(row.name, row.reports))
    return {story: sorted(outlets, key=lambda one: (-one.count, one.name)) for story, outlets in found.items()}


def last_listed(connection: Connection, until: datetime) -> datetime | None:
    """The latest time under which a story is listed, up to a time; ``None`` if there is none."""
    column = schema.stories.c.last_listed
    latest = connection.execute(select(func.max(column)).where(column <= micros(until))).scalar()
    return None if latest is None or latest == schema.NO_TIME else moment(latest)


def stories_named(connection: Connection, names: Collection[str]) -> list[StorySummary]:
    """The stories with these ids, in no particular order."""
    rows = rows_among(connection, select(schema.stories), schema.stories.c.id, names)
    return [*map(story_of, rows)]


def strongest_links(connection: Connection, names: Collection[str]) -> dict[str, tuple[Link, str, str]]:
    """The causal link of the greatest weight inside each of these stories, with the titles of its source and target.

    The weight of a link of the lead counts twice. A link whose titles restate each other comes only where there is no
    other. Stories without an open causal link are missing.
    """
    table, named, told = schema.links, schema.events, schema.stories
    events = {
        row.id: row
        for row in rows_among(
            connection,
            select(named.c.id, named.c.story, named.c.title, named.c.language).where(LIVE),
            named.c.story,
            names,
        )
    }
    leads = {row.id: row.lead for row in rows_among(connection, select(told.c.id, told.c.lead), told.c.id, names)}
    joining = select(table).where(IN_FORCE, table.c.closed_by.is_(None), table.c.kind == LinkKind.CAUSES.value)
    inside: defaultdict[str, list[tuple[bool, float, str, str, Any]]] = defaultdict(list)
    for row in rows_among(connection, joining, table.c.source, events):
        story = events[row.source].story
        if story in leads and row.target in events and events[row.target].story == story:
            weight = row.weight * (2 if leads[story] in (row.source, row.target) else 1)
            source, target = events[row.source], events[row.target]
            twice = restates(source.title, target.title, Language(source.language))
            inside[story].append((twice, -weight, row.source, row.target, row))
    strongest = {story: min(given)[-1] for story, given in inside.items()}
    return {
        story: (link_of(row), events[row.source].title, events[row.target].title) for story, row in strongest.items()
    }


def stories_of(
    connection: Connection, *, events: Collection[str] = (), articles: Collection[str] = ()
) -> dict[str, tuple[str, str]]:
    """The story of each event and of each article's headline: its id and title, or those of the event if it is alone.

    Args:
        events: ids, of ended events too; these are in the story of an event that has their mentions now.
        articles: ids.
    """
    mentions, named = schema.mentions, schema.events
    live = {row.id for row in rows_among(connection, select(named.c.id).where(LIVE), named.c.id, events)}
    of = {name: name if name in live else (resolve(connection, name) or (name,))[0] for name in events}
    headlines = select(mentions.c.article, mentions.c.event).where(mentions.c.kind == MentionKind.HEADLINE.value)
    of |= {row.article: row.event for row in rows_among(connection, headlines, mentions.c.article, articles)}
    told = select(named.c.id, named.c.story, named.c.title, schema.stories.c.title.label("story_title"))
    told = told.outerjoin(schema.stories, schema.stories.c.id == named.c.story)
    found = {}
    for row in rows_among(connection, told, named.c.id, {*of.values()}):
        known = row.story_title is not None
        found[row.id] = (row.story, row.story_title) if known else (row.id, row.title)
    return {name: found[event] for name, event in of.items() if event in found}


def oldest(connection: Connection) -> datetime | None:
    """When the first article was published; ``None`` if no article has a time."""
    published = schema.articles.c.published
    first = connection.execute(select(func.min(published)).where(published > schema.NO_TIME)).scalar()
    return None if first is None else moment(first)


def newest(connection: Connection) -> datetime | None:
    """When the latest article was published; ``None`` if no article has a time."""
    latest = connection.execute(select(func.max(schema.articles.c.published))).scalar()
    return None if latest is None or latest == schema.NO_TIME else moment(latest)


def last_change(connection: Connection) -> int:
    """The number of the last change; 0 if there is none."""
    return int(connection.execute(select(schema.head.c.last_change)).scalar_one())


def counts(connection: Connection) -> Counts:
    """The numbers of articles, events, links and the rest."""

    def count(table: Any, *conditions: ColumnElement[bool]) -> int:
        statement: Select[Any] = select(func.count()).select_from(table).where(*conditions)
        return int(connection.execute(statement).scalar_one())

    models = select(schema.readings.c.models, func.count()).group_by(schema.readings.c.models)
    return Counts(
        articles=count(schema.articles),
        events=count(schema.events, LIVE),
        stories=count(schema.stories),
        links=count(schema.links, IN_FORCE),
        claims=count(schema.claims),
        waiting=count(schema.arrivals, ~schema.arrivals.c.set_aside),
        set_aside=count(schema.arrivals, schema.arrivals.c.set_aside),
        changes=last_change(connection),
        models={version: int(number) for version, number in connection.execute(models)},
    )


def changes(
    connection: Connection,
    *,
    after: int = 0,
    limit: int = 500,
    since: datetime | None = None,
    event: str | None = None,
) -> list[RecordedChange]:
    """The history after a change, in its order.

    Args:
        since: only changes recorded at or after this time.
        event: only changes of this event, even if it has ended (:func:`history_of`).
    """
    table = schema.changes
    begin = table.c.id > after
    if since is not None:  # times never fall, so the first change since then says where to begin
        late = select(table.c.id).where(table.c.at >= micros(since)).order_by(table.c.at, table.c.id).limit(1)
        first = connection.execute(late).scalar()
        if first is None:
            return []
        begin = and_(begin, table.c.id >= first)
    if event is None:
        return list(map(change_of, connection.execute(select(table).where(begin).order_by(table.c.id).limit(limit))))
    rows = _of_event(connection, event, begin, table.c.id, limit)
    return [change_of(rows[number]) for number in sorted(rows)[:limit]]


def history_of(connection: Connection, event_id: str, *, limit: int = 50) -> list[RecordedChange]:
    """Changes of an event and its links, and of events that were merged or split into it; the latest first."""
    rows = _of_event(connection, event_id, None, schema.changes.c.id.desc(), limit)
    return [change_of(rows[number]) for number in sorted(rows, reverse=True)[:limit]]


def _of_event(
    connection: Connection, event: str, begin: ColumnElement[bool] | None, order: Any, limit: int
) -> dict[int, Any]:
    """Rows of changes of an event, by their numbers: up to ``limit`` for each way in which a change may name it.

    Each way is a separate statement, so that each uses an index.
    """
    table = schema.changes
    statement = select(table).order_by(order).limit(limit)
    if begin is not None:
        statement = statement.where(begin)
    return {row.id: row for named in _named(connection, event) for row in connection.execute(statement.where(named))}


def _named(connection: Connection, event: str) -> Iterator[ColumnElement[bool]]:
    """Conditions, one for each way in which a change may name an event.

    The event may be the subject, the object (of a link, or of an article that it lost), or the successor of an ended
    event.
    """
    table, ended = schema.changes, schema.successors
    yield and_(table.c.subject == event, table.c.kind.not_in(_OF_ARTICLES))
    yield table.c.object == event
    gone = connection.execute(select(ended.c.event).where(ended.c.into == event)).scalars().all()
    for part in among(table.c.subject, gone):
        yield and_(part, table.c.kind.in_(_ENDS))


def _only(statement: Select[Any], *wanted: tuple[Column[Any], str | None]) -> Select[Any]:
    """Add the condition that columns have these values; ``None`` stands for any."""
    for column, value in wanted:
        if value is not None:
            statement = statement.where(column == str(value))
    return statement


def _passing(connection: Connection, wanted: StoryFilter) -> Iterator[ColumnElement[bool]]:
    """Conditions that a story passes a filter."""
    table, facets = schema.stories, schema.story_facets
    yield from _between(table.c.first_listed, table.c.last_listed, wanted.since, wanted.until)
    if wanted.language is not None:
        yield table.c.language == wanted.language.value
    for kind in FacetKind:
        if name := getattr(wanted, kind.value):
            of_name = facets.c.kind == kind.value, facets.c.value == facet_value(kind, name)
            yield table.c.id.in_(select(facets.c.story).where(*of_name))
    yield from stories_with(connection, wanted.words)


def _latest_believed() -> int:
    """The latest plausible time of a report, in microseconds since 1970."""
    return micros(datetime.now(UTC) + AHEAD)


def _between(first: Any, last: Any, since: datetime | None, until: datetime | None) -> Iterable[ColumnElement[bool]]:
    """Conditions that the time from ``first`` to ``last`` overlaps a period; an unknown time overlaps none."""
    if since is not None:
        yield last >= micros(since)
    if until is not None:
        yield first <= micros(until)
        yield first > schema.NO_TIME
