"""Search of events and stories by words: an inverted index of the stems of all words that articles use of events.

A second index has the places that these words name.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from functools import cache
from math import fsum
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, func, select

from whywire.elements import Event, LinkKind, MentionKind
from whywire.graph.codec import Row
from whywire.news import Article, Language
from whywire.news.gazetteer import Place
from whywire.news.places import places_in
from whywire.store import queries
from whywire.store.records import StorySummary
from whywire.store.schema import IN_FORCE, articles, event_places, events, headline_terms, links, mentions, terms
from whywire.store.statements import replace_rows, rows_among
from whywire.store.terms import COMMON, holders_of, indexed, searched_terms, terms_of

SEARCHED = 100
"""How many events decide which stories match."""

IN_TITLE, IN_MENTION = 2, 1
"""Weights of a term in an event's title, and in another headline or mention."""

AT_ONCE = 500
"""Events whose terms are looked up at a time, best first, until no other can be among the best."""


def index_events(connection: Connection, changed: Sequence[Event]) -> None:
    """Write the terms and the places of these events."""
    named = select(articles.c.id, articles.c.title, articles.c.text)
    told = {mention.article for event in changed for mention in event.mentions}
    texts = {row.id: row for row in rows_among(connection, named, articles.c.id, told)}
    words = {event.id: mentioned(event, texts) for event in changed}
    of_terms = [row for event in changed for row in term_rows(event.id, event.title, words[event.id])]
    of_places = [row for event in changed for row in place_rows(event.id, f"{event.title}\n{words[event.id]}")]
    replace_rows(connection, terms, terms.c.event, [*words], of_terms)
    replace_rows(connection, event_places, event_places.c.event, [*words], of_places)


def place_key(place: Place) -> str:
    """The value of a place in ``event_places``."""
    return "/".join(place)


def place_rows(event: str, told: str) -> list[Row]:
    """The rows of ``event_places`` of an event, by its id: the places that words name, and those that hold them."""
    listed = {place for words in told.splitlines() for place in places_in(words).listed}
    keys = {place_key(place[:size]) for place in listed for size in range(1, len(place) + 1)}
    return [{"place": key, "event": event} for key in sorted(keys)]


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
    """Remove the terms and the places of ended events."""
    for table in (terms, event_places):
        replace_rows(connection, table, table.c.event, ended, [])


def index_headlines(connection: Connection, changed: Sequence[Article]) -> None:
    """Write the terms of the headlines of these articles."""
    rows = [row for article in changed for row in headline_rows(article.id, article.title)]
    replace_rows(connection, headline_terms, headline_terms.c.article, [article.id for article in changed], rows)


def headline_rows(article: str, title: str) -> list[Row]:
    """The rows of ``headline_terms`` of an article, by its id and title."""
    return [{"term": term, "article": article} for term in sorted(terms_of(title))]


def forget_headlines(connection: Connection, withdrawn: Collection[str]) -> None:
    """Remove the terms of withdrawn articles."""
    replace_rows(connection, headline_terms, headline_terms.c.article, withdrawn, [])


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
    for term, event, weight in connection.execute(postings.where(terms.c.term.in_(rare))).all():
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


class AskedAbout(NamedTuple):
    """Ids of the events that share most of a question's terms, best first.

    Args:
        events: of all events.
        causes: of events that a causal link in force starts at.
        effects: of events that one ends at.
    """

    events: list[str]
    causes: list[str]
    effects: list[str]


def asked_about(
    connection: Connection, weights: Mapping[str, float], language: Language, *, limit: int
) -> AskedAbout:
    """The events that share most of some weighted terms with their mentions and headlines; ties go by id.

    The order is that of :func:`whywire.answers.similarity.events_asked_about`. Rare terms select events, whose other
    terms are looked up, best first, until no further event can be among the best.

    Args:
        weights: of distinctive terms (0 to 1).
        limit: events in each of the lists.
    """
    weight_of = {indexed(term): weight for term, weight in weights.items()}
    counts = _holders(connection, [*weight_of])
    waiting = sorted(counts, key=lambda term: (counts[term], term))
    ranks = _Ranks([(term, weight_of[term]) for term in waiting])
    selected: defaultdict[str, int] = defaultdict(int)
    found = AskedAbout([], [], [])
    while waiting:
        few = [term for term in waiting if counts[term] <= COMMON] or waiting[:1]
        waiting = waiting[len(few) :]
        _add_holding(connection, ranks, selected, few)
        found, least = _best_shares(connection, ranks, waiting, selected, language, limit)
        if least > fsum(weight_of[term] for term in waiting):
            break
    return found


class _Ranks:
    """Ranks events by the terms that they share with a question.

    Shared terms are bits of a number: the lower ones those of title and mentions, the upper ones those of headlines.

    Args:
        weights: of the terms.
    """

    def __init__(self, weights: Sequence[tuple[str, float]]) -> None:
        self._weights = [weight for _, weight in weights]
        self._of_mentions = (1 << len(weights)) - 1
        self.own = {term: 1 << place for place, (term, _) in enumerate(weights)}
        self.headlines = {term: bit << len(weights) for term, bit in self.own.items()}
        self.rank = cache(self._rank)

    def _rank(self, shared: int) -> tuple[float, float]:
        """Where events stand that share these terms: the lower, the earlier."""
        own = shared & self._of_mentions
        return -self._weight(own | shared >> len(self._weights)), -self._weight(own)

    def _weight(self, terms: int) -> float:
        return fsum(weight for place, weight in enumerate(self._weights) if terms >> place & 1)


def _best_shares(
    connection: Connection,
    ranks: _Ranks,
    common: Sequence[str],
    selected: Mapping[str, int],
    language: Language,
    limit: int,
) -> tuple[AskedAbout, float]:
    """The best of the selected events, and the share of the last in the list that ends lowest.

    Args:
        common: terms that are not yet in ``selected``.
    """
    at_best = sum(ranks.own[term] for term in common)
    ordered = sorted((*ranks.rank(shared | at_best), event) for event, shared in selected.items())
    best: tuple[list[tuple[float, float, str]], ...] = ([], [], [])
    for start in range(0, len(ordered), AT_ONCE):
        if all(len(one) >= limit and one[limit - 1] < ordered[start] for one in best):
            break
        part = defaultdict(int, {event: selected[event] for *_, event in ordered[start : start + AT_ONCE]})
        if common:
            _add_holding(connection, ranks, part, common, [*part])
        in_language = select(events.c.id).where(events.c.language == language.value)
        spoken = {row.id for row in rows_among(connection, in_language, events.c.id, [*part])}
        among = (spoken, _linked(connection, links.c.source, spoken), _linked(connection, links.c.target, spoken))
        for one, members in zip(best, among, strict=True):
            one += [(*ranks.rank(part[event]), event) for event in members]
            one.sort()
            del one[limit:]
    least = min(-one[limit - 1][0] if len(one) >= limit else 0.0 for one in best)
    return AskedAbout(*([event for *_, event in one] for one in best)), least


def _linked(connection: Connection, end: Column[Any], members: Collection[str]) -> set[str]:
    """Those of some events at which an open causal link starts, or ends."""
    open_causal = select(end.label("event")).where(
        IN_FORCE, links.c.kind == LinkKind.CAUSES.value, links.c.closed_by.is_(None)
    )
    return {row.event for row in rows_among(connection, open_causal, end, members)}


def _holders(connection: Connection, wanted: Sequence[str]) -> Counter[str]:
    """How often each term is in the index; terms that are not there are missing."""
    found: Counter[str] = Counter()
    for table in (terms, headline_terms):
        counted = select(table.c.term, func.count()).where(table.c.term.in_(wanted)).group_by(table.c.term)
        found.update({term: int(count) for term, count in connection.execute(counted)})
    return found


def _add_holding(
    connection: Connection,
    ranks: _Ranks,
    shared: MutableMapping[str, int],
    wanted: Sequence[str],
    among: Collection[str] | None = None,
) -> None:
    """Add terms to what events share that have them.

    Args:
        among: only these events, which may be none; ``None`` stands for all.
    """
    own = select(terms.c.term, terms.c.event).where(terms.c.term.in_(wanted))
    of_headlines = select(headline_terms.c.term, headline_terms.c.article).where(headline_terms.c.term.in_(wanted))
    told = select(mentions.c.article, mentions.c.event).distinct()
    telling: defaultdict[str, list[str]] = defaultdict(list)
    if among is not None:
        of_events = rows_among(connection, own, terms.c.event, among)
        for article, event in rows_among(connection, told, mentions.c.event, among):
            telling[article].append(event)
        of_articles = [*rows_among(connection, of_headlines, headline_terms.c.article, telling)]
    else:
        of_events = iter(connection.execute(own).all())
        of_articles = [*connection.execute(of_headlines).all()]
        for article, event in rows_among(connection, told, mentions.c.article, {row.article for row in of_articles}):
            telling[article].append(event)
    for term, event in of_events:
        shared[event] |= ranks.own[term]
    for term, article in of_articles:
        for event in telling[article]:
            shared[event] |= ranks.headlines[term]
