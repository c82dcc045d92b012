"""Search of events and stories by words: an inverted index of the stems of all words that articles use of events.

A second index has the places that these words name.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from whywire.elements import Event, MentionKind
from whywire.graph.codec import Row
from whywire.news.gazetteer import Place
from whywire.news.places import places_in
from whywire.store import queries
from whywire.store.records import StorySummary
from whywire.store.schema import articles, event_places, events, terms
from whywire.store.statements import replace_rows, rows_among
from whywire.store.terms import COMMON, holders_of, searched_terms, terms_of

SEARCHED = 100
"""How many events decide which stories match."""

IN_TITLE, IN_MENTION = 2, 1
"""Weights of a term in an event's title, and in another headline or mention."""


def index_events(connection: Connection, changed: Sequence[Event]) -> None:
    """Write the terms and the places of these events."""
    named = select(articles.c.id, articles.c.title, articles.c.text)
    told = {mention.article for event in changed for mention in event.mentions}
    texts = {row.id: row for row in rows_among(connection, named, articles.c.id, told)}
    rows: list[Row] = []
    places: list[Row] = []
    for event in changed:
        in_title, told_in = terms_of(event.title), {event.title, *_told_in(event, texts)}
        rows += [
            {"term": term, "event": event.id, "weight": IN_TITLE if term in in_title else IN_MENTION}
            for term in sorted({term for words in told_in for term in terms_of(words)})
        ]
        keys = {key for words in told_in for place in places_in(words).listed for key in _place_keys(place)}
        places += [{"place": key, "event": event.id} for key in sorted(keys)]
    replace_rows(connection, terms, terms.c.event, [event.id for event in changed], rows)
    replace_rows(connection, event_places, event_places.c.event, [event.id for event in changed], places)


def place_key(place: Place) -> str:
    """The value of a place in ``event_places``."""
    return "/".join(place)


def _place_keys(place: Place) -> set[str]:
    """The keys of a place and of the places that hold it."""
    return {place_key(place[:size]) for size in range(1, len(place) + 1)}


def _told_in(event: Event, texts: Mapping[str, Any]) -> Iterator[str]:
    """The headlines of an event, and the words of its other mentions; ``texts`` are rows of ``articles`` by id."""
    for mention in event.mentions:
        article = texts[mention.article]
        whole = mention.kind is MentionKind.HEADLINE
        yield article.title if whole else getattr(article, mention.field)[slice(*mention.span)]


def forget_events(connection: Connection, ended: Sequence[str]) -> None:
    """Remove the terms and the places of ended events."""
    for table in (terms, event_places):
        replace_rows(connection, table, table.c.event, ended, [])


def search(connection: Connection, words: str, *, limit: int = 20) -> list[Event]:
    """The events whose titles and mentions match the words best, best first."""
    best = _best(connection, words, limit)
    events_by_id = queries.events_named(connection, best)
    return [events_by_id[event_id] for event_id in best]


def search_stories(connection: Connection, words: str, *, limit: int = 20) -> list[StorySummary]:
    """The stories whose events match the words best, those with most of such events first."""
    found = search(connection, words, limit=SEARCHED)
    score: Counter[str] = Counter()
    for place, event in enumerate(found):
        if event.story is not None:
            score[event.story] += SEARCHED - place
    best = [story for story, _ in score.most_common(limit)]
    summaries = {story.id: story for story in queries.stories_named(connection, best)}
    return [summaries[story] for story in best if story in summaries]


def _best(connection: Connection, words: str, limit: int) -> list[str]:
    holders = holders_of(connection, searched_terms(words))
    if not holders:
        return []
    total = max(connection.execute(select(func.max(articles.c.number))).scalar() or 0, *holders.values())
    idf = {term: math.log((1 + total) / (1 + count)) + 1 for term, count in holders.items()}
    rare = [term for term, count in holders.items() if count <= COMMON] or [min(holders, key=holders.__getitem__)]
    scores: defaultdict[str, float] = defaultdict(float)
    postings = select(terms.c.term, terms.c.event, terms.c.weight)
    for term, event, weight in connection.execute(postings.where(terms.c.term.in_(rare))):
        scores[event] += idf[term] * weight
    if common := [term for term in holders if term not in rare]:
        of_common = postings.where(terms.c.term.in_(common))
        for term, event, weight in rows_among(connection, of_common, terms.c.event, [*scores]):
            scores[event] += idf[term] * weight
    best = sorted(scores, key=lambda event: (-round(scores[event], 6), event))[: limit * 4]
    importance = select(events.c.id, events.c.reports, events.c.last_seen)
    reported = {row.id: (row.reports, row.last_seen) for row in rows_among(connection, importance, events.c.id, best)}
    best.sort(key=lambda event: (round(-scores[event], 6), *(-number for number in reported[event]), event))
    return best[:limit]
