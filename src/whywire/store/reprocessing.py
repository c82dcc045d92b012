"""Deciding everything again when the models change, since their readings give other mentions and other claims.

Ids stay: an event continues the earlier event with which it shares most mentions. An earlier event that has no
mention in the new readings is merged into the event of its first article's headline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from whywire.elements import Event, MentionKind
from whywire.errors import InputError
from whywire.news import Article
from whywire.pipeline import LANGUAGES
from whywire.store import correcting, queries, schema
from whywire.store.model_answers import known_answers
from whywire.store.rows import article_of
from whywire.store.subgraphs import elements
from whywire.updating import Change, ChangeKind, Changes, State

UNREAD_AT_ONCE = 16
"""Articles read in one step."""


@dataclass(frozen=True)
class Reprocessing:
    """The state from which everything is decided again.

    Args:
        state: the new readings, and the earlier events with only those of their mentions that are in these readings.
        at: the number of the last change.
        lost: events that have no mention in the new readings.
    """

    state: State
    at: int
    lost: Sequence[Event]

    def complete(self, decided: Changes) -> Changes:
        """Add to the changes: each lost event is merged into the event of its first article's headline."""
        headline_event = {
            mention.article: event.id
            for event in decided.events
            for mention in event.mentions
            if mention.kind is MentionKind.HEADLINE
        }
        into = {event.id: (headline_event[event.articles[0]],) for event in self.lost}
        merged = (
            Change(ChangeKind.EVENT_MERGED, event.id, into=into[event.id], details={"title": event.title})
            for event in self.lost
        )
        dropped = {key for key in self.state.links if not into.keys().isdisjoint(key[:2])}
        return replace(
            decided,
            ended={**decided.ended, **into},
            dropped=tuple(sorted({*decided.dropped, *dropped})),
            history=(*decided.history, *merged),
        )


def unread_articles(connection: Connection, models: str) -> list[Article]:
    """The first articles, up to ``UNREAD_AT_ONCE``, that these models have not read."""
    table, readings = schema.articles, schema.readings
    read = select(readings.c.text_key).where(readings.c.models == models, readings.c.text_key == table.c.text_key)
    languages = [language.value for language in LANGUAGES]
    unread = select(table).where(table.c.language.in_(languages), ~read.exists()).order_by(table.c.number)
    return [article_of(row) for row in connection.execute(unread.limit(UNREAD_AT_ONCE))]


def is_of_other_models(connection: Connection, models: str) -> bool:
    """Whether other models decided what the store holds."""
    before = connection.execute(select(schema.head.c.models)).scalar()
    return before is not None and before != models


def check_models(connection: Connection, models: str) -> None:
    """Raise ``InputError`` unless the store was decided by these models."""
    if is_of_other_models(connection, models):
        raise InputError("meanwhile everything was decided by other models", hint="start this program again")


def load(connection: Connection, models: str) -> Reprocessing:
    """Load the state from which everything is decided again, once these models have read all articles."""
    articles, events, links, _ = elements(connection)
    ended = connection.execute(select(schema.events.c.id).where(schema.events.c.ended.is_not(None))).scalars()
    state = State(predictions=known_answers(connection, articles, models))
    readings = (reading for article in articles if (reading := state.reading(article)) is not None)
    read_again = {candidate.mention for reading in readings for candidate in reading.mentions}
    kept: list[Event] = []
    lost: list[Event] = []
    for event in events:
        mentions = tuple(
            mention for mention in event.mentions if mention in read_again or event.language not in LANGUAGES
        )
        if mentions:
            kept.append(replace(event, mentions=mentions, named_by=-1))  # never equal to a new event
        else:
            lost.append(event)
    state.hold(articles, kept, links)
    state.corrections = {one.id: one for one in correcting.in_force(connection)}
    state.ended |= {*ended, *(event.id for event in lost)}
    return Reprocessing(state, queries.last_change(connection), lost)
