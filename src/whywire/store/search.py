"""Search of events by words: an inverted index of the stems of titles and headlines.

A stem is the first five letters of a word, as everywhere in Whywire, so one index serves both languages and both
databases alike.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from whywire.elements import Event, MentionKind
from whywire.store.rows import Row
from whywire.store.schema import articles, events, terms
from whywire.store.statements import among, replace_rows

STEM_CHARS = 5
"""Letters of a stem; see :func:`whywire.news.stems.stems`."""

MAX_WORDS = 16
"""Words of a question that count."""

COMMON = 2_000
"""A term of more events than this only ranks what rarer terms find, where there are rarer ones."""

IN_TITLE, IN_HEADLINE = 2, 1
"""Weights of a term in an event's title, and in another headline on it."""

_WORD = re.compile(r"[^\W_]{2,}")


def terms_of(text: str) -> set[str]:
    """The stems of a text; short words are terms too, for a reader may look for *EU*."""
    return {word[:STEM_CHARS] for word in _WORD.findall(text.lower())}


def index_events(connection: Connection, changed: Sequence[Event]) -> None:
    """Make the terms of these events again."""
    headlines: defaultdict[str, set[str]] = defaultdict(set)
    articles_of = {
        event.id: {one.article for one in event.mentions if one.kind is MentionKind.HEADLINE} for event in changed
    }
    for event_id, title in _titles(connection, articles_of):
        headlines[event_id] |= terms_of(title)
    rows: list[Row] = []
    for event in changed:
        own = terms_of(event.title)
        rows += [
            {"term": term, "event": event.id, "weight": IN_TITLE if term in own else IN_HEADLINE}
            for term in sorted(own | headlines[event.id])
        ]
    replace_rows(connection, terms, terms.c.event, [event.id for event in changed], rows)


def forget_events(connection: Connection, ended: Sequence[str]) -> None:
    """Remove the terms of events that are no more."""
    replace_rows(connection, terms, terms.c.event, ended, [])


def search(connection: Connection, words: str, limit: int) -> list[str]:
    """The ids of the events that the words fit best, best first."""
    wanted = sorted(terms_of(words), key=lambda term: (-len(term), term))[:MAX_WORDS]
    if not wanted:
        return []
    counted = select(terms.c.term, func.count()).where(terms.c.term.in_(wanted)).group_by(terms.c.term)
    holders = {term: int(count) for term, count in connection.execute(counted)}
    if not holders:
        return []
    total = max(connection.execute(select(func.max(articles.c.number))).scalar() or 0, *holders.values())
    idf = {term: math.log((1 + total) / (1 + count)) + 1 for term, count in holders.items()}
    rare = [term for term, count in holders.items() if count <= COMMON] or [
        min(holders, key=lambda one: holders[one])
    ]
    scores: defaultdict[str, float] = defaultdict(float)
    found = select(terms.c.term, terms.c.event, terms.c.weight)
    for term, event, weight in connection.execute(found.where(terms.c.term.in_(rare))):
        scores[event] += idf[term] * weight
    if common := [term for term in holders if term not in rare]:
        for part in among(terms.c.event, scores):
            for term, event, weight in connection.execute(found.where(part, terms.c.term.in_(common))):
                scores[event] += idf[term] * weight
    best = sorted(scores, key=lambda event: (-round(scores[event], 6), event))[: limit * 4]
    reported = {
        row.id: (row.reports, row.last_seen)
        for part in among(events.c.id, best)
        for row in connection.execute(select(events.c.id, events.c.reports, events.c.last_seen).where(part))
    }
    best.sort(key=lambda event: (round(-scores[event], 6), *(-one for one in reported[event]), event))
    return best[:limit]


def _titles(connection: Connection, articles_of: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Events with the titles of these articles."""
    names = {article for own in articles_of.values() for article in own}
    titles = {
        row.id: row.title
        for part in among(articles.c.id, names)
        for row in connection.execute(select(articles.c.id, articles.c.title).where(part))
    }
    return [(event, titles[article]) for event, own in articles_of.items() for article in sorted(own)]
