"""Feeds that are watched: who added them, how they are to be watched, their states, and which process watches.

A feed that somebody added is watched by one process at a time, which holds the watch for a while and renews it. A
feed that a program was given at its start is watched by that program; here it has its state, and may be paused and
timed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, or_, select, update

from whywire.errors import InputError
from whywire.feeds.schedule import MINUTE
from whywire.feeds.states import FeedState, Subscription, state_from_row, state_row
from whywire.graph.codec import Row
from whywire.store.database import Database
from whywire.store.records import Feed
from whywire.store.rows import hashed, moment, now
from whywire.store.schema import feed_watch, feeds
from whywire.store.statements import insert_missing, rows_among

MAX_FEEDS = 10_000
"""Feeds of a store. How to watch them is read every second."""


_SHOWN = [column for column in feeds.columns if column is not feeds.c.seen]
"""The columns of a :class:`Feed`; what was seen may be a megabyte."""


class StoredFeedStates:
    """Keeps states of feeds in a store (:class:`whywire.feeds.states.FeedStates`).

    Args:
        known_only: a state is saved only while the store has its feed, so that a look that ends after somebody
            removed the feed does not bring it back.
    """

    def __init__(self, database: Database, *, known_only: bool = False) -> None:
        self._database = database
        self._known_only = known_only

    def load(self) -> Iterable[FeedState]:
        """All saved states."""
        with self._database.reading() as connection:
            rows = connection.execute(select(feeds.c.state, feeds.c.seen).order_by(feeds.c.id))
            return [state_from_row({**row.state, "seen": row.seen}) for row in rows if row.state]

    def save(self, state: FeedState) -> None:
        """Save a state in place of the earlier one of the same ``url``; it is durable when this returns."""
        row = state_row(state)
        values = {"seen": row.pop("seen", []), "state": row}
        with self._database.writing() as connection:
            if not self._known_only:
                name_feeds(connection, [state.url])
            connection.execute(update(feeds).where(feeds.c.id == feed_id(state.url)).values(values))


def feed_id(url: str) -> str:
    """The id of the feed with this address."""
    return hashed(url)


def all_feeds(connection: Connection) -> list[Feed]:
    """All feeds, by their ids."""
    return [*map(_feed, connection.execute(select(*_SHOWN).order_by(feeds.c.id)))]


def subscriptions(connection: Connection) -> list[tuple[Subscription, bool]]:
    """How each feed is to be watched, and whether somebody added it."""
    columns = (feeds.c.url, feeds.c.paused, feeds.c.interval, feeds.c.asked, feeds.c.added)
    rows = connection.execute(select(*columns).order_by(feeds.c.id))
    return [(_subscription(row), row.added is not None) for row in rows]


def feed(connection: Connection, id: str) -> Feed | None:  # noqa: A002
    """The feed with this id; ``None`` if there is none."""
    row = connection.execute(select(*_SHOWN).where(feeds.c.id == id)).first()
    return None if row is None else _feed(row)


def name_feeds(connection: Connection, urls: Iterable[str]) -> None:
    """Make feeds known that a program was given; those that are known stay as they are."""
    rows = [{"id": feed_id(url), "url": url, "title": "", "paused": False} for url in sorted(set(urls))]
    insert_missing(connection, feeds, rows)


def add_feeds(connection: Connection, titles: dict[str, str], by: str | None) -> list[str]:
    """Add feeds, to be watched until they are removed; those that were added before stay as they are.

    Args:
        titles: the addresses of the feeds with their titles, which may be empty.
        by: the id of the key that adds them.

    Returns:
        The addresses that were not added before.

    Raises:
        InputError: the store would have too many feeds; none is added.
    """
    name_feeds(connection, titles)
    if connection.execute(select(func.count()).select_from(feeds)).scalar_one() > MAX_FEEDS:
        raise InputError(f"a store has at most {MAX_FEEDS:,} feeds", hint="remove some first")
    ids = {feed_id(url): url for url in titles}
    new = [row.id for row in rows_among(connection, select(feeds), feeds.c.id, ids) if row.added is None]
    for id_ in new:
        values = {"title": titles[ids[id_]], "added": now(), "added_by": by, "asked": now()}
        connection.execute(update(feeds).where(feeds.c.id == id_).values(values))
    return [ids[id_] for id_ in new]


def change_feed(connection: Connection, id: str, values: Row) -> bool:  # noqa: A002
    """Set ``paused`` or ``interval`` (minutes; ``None`` adapts it) of a feed; return whether there is such a feed."""
    return bool(connection.execute(update(feeds).where(feeds.c.id == id).values(values)).rowcount)


def ask_for_look(connection: Connection, id: str) -> bool:  # noqa: A002
    """Have a feed looked at as soon as possible; return whether there is such a feed."""
    return change_feed(connection, id, {"asked": now()})


def remove_feed(connection: Connection, id: str) -> bool:  # noqa: A002
    """Remove a feed with its state; return whether there was such a feed."""
    return bool(connection.execute(delete(feeds).where(feeds.c.id == id)).rowcount)


def feed_watcher(connection: Connection) -> str | None:
    """The name of the process that holds the watch; ``None`` if none does."""
    return connection.execute(select(feed_watch.c.process).where(feed_watch.c.until > now())).scalar()


def take_watch(connection: Connection, process: str, *, seconds: float, dead: Sequence[str] = ()) -> bool:
    """Take or renew the watch for some seconds; return whether this process holds it now.

    Args:
        dead: processes that have ended, whose watch does not count.
    """
    insert_missing(connection, feed_watch, [{"id": 1, "process": "", "until": 0}])
    free = or_(feed_watch.c.until <= now(), feed_watch.c.process.in_([process, *dead]))
    return bool(
        connection.execute(update(feed_watch).where(free).values(process=process, until=now(seconds))).rowcount
    )


def end_watch(connection: Connection, process: str) -> None:
    """Give the watch up if this process holds it."""
    connection.execute(update(feed_watch).where(feed_watch.c.process == process).values(until=0))


def _feed(row: Any) -> Feed:
    return Feed(
        id=row.id,
        title=row.title,
        state=state_from_row(row.state) if row.state else FeedState(row.url, address=row.url),
        subscription=_subscription(row),
        added=row.added and moment(row.added),
        added_by=row.added_by,
    )


def _subscription(row: Any) -> Subscription:
    interval = None if row.interval is None else MINUTE * row.interval
    return Subscription(row.url, row.paused, interval, row.asked and moment(row.asked))
