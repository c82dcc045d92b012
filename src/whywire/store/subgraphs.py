"""Causal graphs of parts of a store: a story, the neighbourhood of events, a period, or everything.

Every id in a graph resolves: links come with the claims and articles that are their evidence, the events that closed
them, and the events that the headlines of those articles describe.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import Connection, func, select

from whywire.answers.question import Question, QuestionType
from whywire.answers.similarity import MOST_EVENTS, articles_telling, term_weights
from whywire.elements import Claim, ClaimEvidence, Event, Link, LinkKind
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.snapshots import as_of as snapshot
from whywire.news import Article
from whywire.news.duplicates import in_canonical_order
from whywire.pipeline import graph_of
from whywire.store import queries, schema, search
from whywire.store.rows import article_of, claim_of, link_of, micros
from whywire.store.schema import IN_FORCE, LIVE
from whywire.store.statements import rows_among

MAX_WHOLE = 20_000
"""The graph of a store with up to this many events is used whole: a few hundred megabytes."""

SEARCHED = 100
"""In a larger store an event is looked for among this many that fit its words."""


def story(connection: Connection, id: str) -> CausalGraph:  # noqa: A002
    """The graph of a story: its events, the links among them, and all claims of their articles; empty if unknown."""
    rows = connection.execute(select(schema.events).where(schema.events.c.story == id, LIVE)).all()
    return _inside(connection, queries.events_of(connection, rows))


def graph_with(connection: Connection, *, events: Iterable[Event] = (), links: Iterable[Link] = ()) -> CausalGraph:
    """The graph of these events and links, as they were read from the store."""
    links = list(links)
    given = {event.id: event for event in events}
    ends = {end for link in links for end in (link.source, link.target)} - given.keys()
    return _complete(connection, given | queries.events_named(connection, ends), links)


def around(connection: Connection, event_ids: Collection[str], *, steps: int = 1) -> CausalGraph:
    """The graph of some events and of those within ``steps`` links of them, in either direction."""
    reached = queries.events_named(connection, event_ids)
    border: Collection[str] = list(reached)
    links: dict[object, Link] = {}
    for _ in range(steps):
        crossing = queries.links_at(connection, border)
        links |= {(link.source, link.target, link.kind): link for link in crossing}
        border = {end for link in crossing for end in (link.source, link.target)} - reached.keys()
        reached |= queries.events_named(connection, border)
    return _complete(connection, reached, links.values())


def asked_about(connection: Connection, question: Question) -> CausalGraph:
    """The part of the graph from which a question has the answers that the whole graph gives.

    It has the events that share most of the question's terms, with and without links; the events that links join them
    with, and what led to these; and the claims of their articles.
    """
    found = search.asked_about(connection, term_weights(question), question.language, limit=MOST_EVENTS)
    linked = found.effects if question.type is QuestionType.CAUSE else found.causes
    nearest = queries.events_named(connection, {*found.events, *linked})
    answers = {end for link in queries.links_at(connection, linked) for end in (link.source, link.target)}
    starts, at_answers = set(linked), queries.links_at(connection, answers)
    links = [link for link in at_answers if link.target in answers or link.source in starts]
    ends = {end for link in links for end in (link.source, link.target)} - nearest.keys()
    telling = articles_telling(nearest[name] for name in found.events)
    return _complete(connection, nearest | queries.events_named(connection, ends), links, telling)


def is_small(connection: Connection) -> bool:
    """Whether the store has at most ``MAX_WHOLE`` events."""
    some = select(schema.events.c.id).where(LIVE).limit(MAX_WHOLE + 1).subquery()
    return int(connection.execute(select(func.count()).select_from(some)).scalar_one()) <= MAX_WHOLE


def about(connection: Connection, *words: str) -> CausalGraph:
    """The graph in which to look for events with some words, and for what led to them and followed.

    Of a large store it has the events that fit the words best, all that led to them, and the neighbours of both.

    Args:
        words: for an event each: its id, its title, or words of its headlines.
    """
    if is_small(connection):
        return everything(connection)
    found = {*words}.union(*([event.id for event in search.search(connection, one, limit=SEARCHED)] for one in words))
    return around(connection, _with_causes(connection, found))


def _with_causes(connection: Connection, event_ids: Collection[str]) -> set[str]:
    """Some events, and those from which open causal links lead to them, step by step."""
    table = schema.links
    causal = select(table.c.source).where(
        IN_FORCE, table.c.kind == LinkKind.CAUSES.value, table.c.closed_by.is_(None)
    )
    reached = border = {*event_ids}
    while border:
        border = {row.source for row in rows_among(connection, causal, table.c.target, border)} - reached
        reached = reached | border
    return reached


def graph(
    connection: Connection,
    *,
    as_of: datetime | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> CausalGraph:
    """The graph of everything, or of the events reported on in a period.

    Args:
        as_of: only what was published by then (:func:`whywire.graph.snapshots.as_of`).
    """
    if since is None and until is None:
        selected = everything(connection)
    else:
        table = schema.events
        conditions = [LIVE, table.c.first_seen > schema.NO_TIME]
        if since is not None:
            conditions.append(table.c.last_seen >= micros(since))
        if until is not None:
            conditions.append(table.c.first_seen <= micros(until))
        rows = connection.execute(select(table).where(*conditions)).all()
        selected = _inside(connection, queries.events_of(connection, rows))
    return selected if as_of is None else snapshot(selected, as_of)


def of_articles(connection: Connection, names: Collection[str]) -> CausalGraph:
    """The graph of what some articles tell: their events and claims, and the links to these events.

    An event from which a link leads to them is in it too.
    """
    mentioning = rows_among(connection, select(schema.mentions.c.event).distinct(), schema.mentions.c.article, names)
    events = queries.events_named(connection, {row.event for row in mentioning})
    links = [link for link in queries.links_at(connection, events) if link.target in events]
    causes = queries.events_named(connection, {link.source for link in links} - events.keys())
    return _complete(connection, events | causes, links, names)


def everything(connection: Connection) -> CausalGraph:
    """The graph of all that is in the store."""
    articles, events, links, claims = elements(connection)
    return _in_order(articles, events, links, claims)


def elements(connection: Connection) -> tuple[list[Article], list[Event], list[Link], list[Claim]]:
    """All articles, events, links and claims."""
    return (
        [article_of(row) for row in connection.execute(select(schema.articles).order_by(schema.articles.c.number))],
        queries.all_events(connection),
        [link_of(row) for row in connection.execute(select(schema.links).where(IN_FORCE))],
        [claim_of(row) for row in connection.execute(select(schema.claims).order_by(schema.claims.c.number))],
    )


def _inside(connection: Connection, events: Iterable[Event]) -> CausalGraph:
    """The graph of these events and the links among them."""
    members = {event.id: event for event in events}
    links = queries.links_at(connection, members)
    inside = [link for link in links if link.source in members and link.target in members]
    return _complete(connection, members, inside)


def _complete(
    connection: Connection, events: dict[str, Event], links: Iterable[Link], telling: Collection[str] = ()
) -> CausalGraph:
    """The graph of events and links with all that these refer to.

    Args:
        telling: articles of which it has all claims; by default it has those of the events.
    """
    links = list(links)
    pieces = (piece for link in links for piece in (*link.evidence, *link.denied_by))
    evidence = {piece.claim for piece in pieces if isinstance(piece, ClaimEvidence)}
    claims = queries.claims_of(connection, () if telling else events, evidence, telling)
    referred = {claim.event for claim in claims} | {link.closed_by for link in links if link.closed_by}
    events |= queries.events_named(connection, referred - events.keys())
    names = {name for event in events.values() for name in event.articles}
    articles = queries.articles_named(connection, names.union(telling))
    return _in_order(articles.values(), events.values(), links, claims)


def _in_order(
    articles: Iterable[Article], events: Iterable[Event], links: Iterable[Link], claims: Iterable[Claim]
) -> CausalGraph:
    """Sort as a build does; claims come in the order in which they were read."""
    ordered = in_canonical_order(articles)
    place = {article.id: number for number, article in enumerate(ordered)}
    sorted_claims = sorted(claims, key=lambda claim: (place[claim.article], claim.field == "text", claim.sentence))
    return graph_of(ordered, events, links, sorted_claims)
