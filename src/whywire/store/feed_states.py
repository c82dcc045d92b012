"""States of feeds, kept in a store."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select

from whywire.feeds.states import FeedState, state_from_row, state_row
from whywire.store.database import Database
from whywire.store.rows import hashed
from whywire.store.schema import feed_states
from whywire.store.statements import upsert


class StoredFeedStates:
    """Keeps states of feeds in a store (:class:`whywire.feeds.states.FeedStates`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self) -> Iterable[FeedState]:
        """All saved states."""
        with self._database.reading() as connection:
            rows = connection.execute(select(feed_states.c.state).order_by(feed_states.c.url_hash)).scalars()
            return [state_from_row(row) for row in rows]

    def save(self, state: FeedState) -> None:
        """Save a state in place of the earlier one of the same ``url``; it is durable when this returns."""
        with self._database.writing() as connection:
            upsert(connection, feed_states, [{"url_hash": hashed(state.url), "state": state_row(state)}])
