"""Terms: the stems by which events and stories are found.

A stem is the first five letters of a word, as everywhere in Whywire, so one index serves both languages and both
databases.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from sqlalchemy import ColumnElement, Connection, false, func, select

from whywire.answers.similarity import distinctive_terms
from whywire.news.stems import SHORTEST
from whywire.store.schema import LIVE, events, stories, terms

STEM_CHARS = 5
"""Letters of a stem; see :func:`whywire.news.stems.stems`."""

TERM_CHARS = 8
"""Characters of an indexed number."""

MAX_WORDS = 16
"""The most words of a search that count, and of a topic that is followed."""

COMMON = 2_000
"""A term with more events than this does not select: it is looked up in what rarer terms select, or ranks it."""

_WORD = re.compile(r"[^\W_]{2,}")


def terms_of(text: str) -> set[str]:
    """The stems of a text, short words included, and its distinctive terms: a reader may search for *to* or *EU*."""
    return {word[:STEM_CHARS] for word in _WORD.findall(text.lower())} | {*map(indexed, distinctive_terms(text))}


def indexed(term: str) -> str:
    """A distinctive term as it stands in the index: acronyms in capitals, since *US* is not *us*."""
    return term.upper() if term.isalpha() and len(term) < SHORTEST else term[:TERM_CHARS]


def searched_terms(words: str) -> list[str]:
    """The terms of a search, the longest first, without those over the limit."""
    return sorted(terms_of(words), key=lambda term: (-len(term), term))[:MAX_WORDS]


def holders_of(connection: Connection, wanted: Collection[str]) -> dict[str, int]:
    """How many events have each of these terms; terms without events are missing."""
    counted = select(terms.c.term, func.count()).where(terms.c.term.in_(wanted)).group_by(terms.c.term)
    return {term: int(count) for term, count in connection.execute(counted)}


def stories_with(connection: Connection, words: str) -> Iterator[ColumnElement[bool]]:
    """Yield conditions that the events of a story have all of these words.

    The rarest word selects the stories, unless it is common; the others are looked up in these.
    """
    wanted = searched_terms(words)
    holders = holders_of(connection, wanted) if wanted else {}
    if len(holders) < len(wanted):
        yield false()
        return
    for place, term in enumerate(sorted(wanted, key=lambda term: (holders[term], term))):
        of_term = select(events.c.story).join(terms, terms.c.event == events.c.id).where(LIVE, terms.c.term == term)
        selects = place == 0 and holders[term] <= COMMON
        yield stories.c.id.in_(of_term) if selects else of_term.where(events.c.story == stories.c.id).exists()
