"""What is decided again when the models are others: their readings name other mentions and claim other things.

Ids stay: an event continues the one before of which it holds most mentions. One none of whose mentions was read again
is merged into the event of the headline of its first article.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from whywire.elements import Event, MentionKind
from whywire.errors import InputError
from whywire.news import Article
from whywire.pipeline import LANGUAGES
from whywire.store import queries, schema
from whywire.store.rows import article_of
from whywire.store.states import known_answers
from whywire.store.subgraphs import elements
from whywire.updating import Change, ChangeKind, Changes, State

UNREAD_AT_ONCE = 16
"""Articles read between two times that their readings are kept."""


@dataclass(frozen=True)
class Renewal:
    """A state to decide everything anew by.

    Args:
        state: with new readings, and of the events before what these readings still hold.
        at: the number of the last change.
        lost: events none of whose mentions is in a reading now.
    """

    state: State
    at: int
    lost: Sequence[Event]

    def complete(self, decided: Changes) -> Changes:
        """The changes, with the lost events merged into those of the headlines of their first articles."""
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
    """Some of the articles that these models have not read."""
    table, readings = schema.articles, schema.readings
    read = select(readings.c.text_key).where(readings.c.models == models, readings.c.text_key == table.c.text_key)
    languages = [language.value for language in LANGUAGES]
    found = select(table).where(table.c.language.in_(languages), ~read.exists()).order_by(table.c.number)
    return [article_of(row) for row in connection.execute(found.limit(UNREAD_AT_ONCE))]


def is_of_other_models(connection: Connection, models: str) -> bool:
    """Whether what the store holds was decided by other models."""
    before = connection.execute(select(schema.head.c.models)).scalar()
    return before is not None and before != models


def check_models(connection: Connection, models: str) -> None:
    """Stop a program whose models are not those that the store was decided by.

    Raises:
        InputError: they are others.
    """
    if is_of_other_models(connection, models):
        raise InputError("everything was decided by other models meanwhile", hint="start this program again")


def load(connection: Connection, models: str) -> Renewal:
    """The state to decide everything anew by, once these models have read all articles."""
    articles, events, links, _ = elements(connection)
    ended = connection.execute(select(schema.events.c.id).where(schema.events.c.ended.is_not(None))).scalars()
    state = State(predictions=known_answers(connection, articles, models))
    readings = (reading for article in articles if (reading := state.reading(article)) is not None)
    known = {one.mention for reading in readings for one in reading.mentions}
    own: list[Event] = []
    lost: list[Event] = []
    for event in events:
        mentions = tuple(one for one in event.mentions if one in known or event.language not in LANGUAGES)
        if mentions:
            own.append(replace(event, mentions=mentions, named_by=-1))  # so that it differs from what is decided now
        else:
            lost.append(event)
    state.hold(articles, own, links)
    state.ended |= {*ended, *(event.id for event in lost)}
    return Renewal(state, queries.last_change(connection), lost)
