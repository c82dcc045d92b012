"""Search of events and stories by words: an inverted index of the stems of all words that articles have for events.

A stem is the first five letters of a word, as everywhere in Whywire, so one index serves both languages and both
databases.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from whywire.elements import Event, MentionKind
from whywire.graph.codec import Row
from whywire.store import queries
from whywire.store.records import StorySummary
from whywire.store.schema import articles, events, terms
from whywire.store.statements import replace_rows, rows_among

STEM_CHARS = 5
"""Letters of a stem; see :func:`whywire.news.stems.stems`."""

MAX_WORDS = 16
"""The most words of a search that count."""

SEARCHED = 100
"""How many events decide which stories match."""

COMMON = 2_000
"""A term with more events than this only ranks the events that rarer terms select, if there are rarer terms."""

IN_TITLE, IN_MENTION = 2, 1
"""Weights of a term in an event's title, and in another headline or mention."""

_WORD = re.compile(r"[^\W_]{2,}")


def terms_of(text: str) -> set[str]:
    """The stems of a text, short words included: a reader may search for *EU*."""
    return {word[:STEM_CHARS] for word in _WORD.findall(text.lower())}


def index_events(connection: Connection, changed: Sequence[Event]) -> None:
    """Write the terms of these events."""
    named = select(articles.c.id, articles.c.title, articles.c.text)
    told = {mention.article for event in changed for mention in event.mentions}
    texts = {row.id: row for row in rows_among(connection, named, articles.c.id, told)}
    rows = [row for event in changed for row in term_rows(event.id, event.title, mentioned(event, texts))]
    replace_rows(connection, terms, terms.c.event, [event.id for event in changed], rows)


def mentioned(event: Event, texts: Mapping[str, Any]) -> str:
    """The words of an event's mentions, those of a headline whole.

    Args:
        texts: what has a ``title`` and a ``text``, by the id of the article.
    """
    words = []
    for mention in event.mentions:
        article = texts[mention.article]
        whole = mention.kind is MentionKind.HEADLINE
        words.append(article.title if whole else getattr(article, mention.field)[slice(*mention.span)])
    return "\n".join(words)


def term_rows(event: str, title: str, mentioned: str) -> list[Row]:
    """The rows of ``terms`` of an event.

    Args:
        event: its id.
        mentioned: the words of its mentions.
    """
    in_title = terms_of(title)
    return [
        {"term": term, "event": event, "weight": IN_TITLE if term in in_title else IN_MENTION}
        for term in sorted(in_title | terms_of(mentioned))
    ]


def forget_events(connection: Connection, ended: Sequence[str]) -> None:
    """Remove the terms of ended events."""
    replace_rows(connection, terms, terms.c.event, ended, [])


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
    wanted = sorted(terms_of(words), key=lambda term: (-len(term), term))[:MAX_WORDS]
    if not wanted:
        return []
    counted = select(terms.c.term, func.count()).where(terms.c.term.in_(wanted)).group_by(terms.c.term)
    holders = {term: int(count) for term, count in connection.execute(counted)}
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
