"""What readers follow, and how far their webhooks are.

A message is kept before it is sent, and sent until the receiver takes it: the same bytes at every attempt, whichever
process makes it. Only then does the next one begin. So every change is handed over at least once, and in order.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Update, delete, exists, func, or_, select, update

from whywire.errors import InputError
from whywire.store.queries import last_change
from whywire.store.records import Topic, TopicChange, TopicKind, Watch
from whywire.store.rows import micros, moment, now
from whywire.store.schema import head, watches
from whywire.store.topics import Later, later_news, news_among

MAX_WATCHES = 1000

CHANGES_AT_ONCE = 50
"""The most changes of a message."""

LOOKED_AT = 100
"""The most watches for which it is decided in one transaction whether something is new."""

_FREE: dict[str, Any] = {"lease": None, "leased_until": 0}
_SOUND: dict[str, Any] = {"failures": 0, "failing_since": None, "next_try": 0, "last_error": None}


def add(connection: Connection, watch: Watch) -> Watch:
    """Add a watch, which begins after the last change; return it as it was stored.

    Raises:
        InputError: there are as many as there may be.
    """
    if connection.execute(select(func.count()).select_from(watches)).scalar_one() >= MAX_WATCHES:
        raise InputError(f"there are {MAX_WATCHES:,} watches", hint="remove one that nobody needs")
    row = {
        "id": watch.id,
        "name": watch.name,
        "kind": watch.topic.kind.value,
        "value": watch.topic.value,
        "made": micros(watch.made),
        "made_by": watch.made_by,
        "webhook": watch.webhook,
        "secret": watch.secret,
        "paused": watch.paused,
        "delivered": last_change(connection),
        **_SOUND,
        **_FREE,
    }
    connection.execute(watches.insert(), [row])
    return _watch(connection.execute(_named(watch.id)).one())


def all_watches(connection: Connection) -> list[Watch]:
    """All watches, the latest first."""
    return [*map(_watch, connection.execute(select(watches).order_by(watches.c.made.desc(), watches.c.id)))]


def find(connection: Connection, id: str) -> Watch | None:  # noqa: A002
    """The watch with this id; ``None`` if there is none."""
    row = connection.execute(_named(id)).first()
    return None if row is None else _watch(row)


def rename(connection: Connection, id: str, name: str) -> None:  # noqa: A002
    """Give a watch another name."""
    connection.execute(_of(id).values(name=name))


def redirect(connection: Connection, id: str, webhook: str | None, secret: str | None) -> None:  # noqa: A002
    """Give a watch another webhook, or none; a watch that had none begins after the last change."""
    had_none = _of(id).where(watches.c.webhook.is_(None))
    connection.execute(had_none.values(delivered=last_change(connection)))
    given = {"webhook": webhook, "secret": secret, "paused": False, "message": None, "reaches": None}
    connection.execute(_of(id).values(**given, **_SOUND, **_FREE))


def pause(connection: Connection, id: str, *, paused: bool) -> None:  # noqa: A002
    """Send nothing for a watch, or again what is new since the last change handed over."""
    connection.execute(_of(id).values(paused=paused, **_SOUND, **_FREE))


def remove(connection: Connection, id: str) -> bool:  # noqa: A002
    """Remove a watch; return whether there was one."""
    return bool(connection.execute(delete(watches).where(watches.c.id == id)).rowcount)


def has_due_webhooks(connection: Connection) -> bool:
    """Whether there may be something to send now."""
    return bool(connection.execute(select(exists().where(*_due()))).scalar())


def lease_webhooks(
    connection: Connection,
    make_message: Callable[[Watch, Sequence[TopicChange]], str],
    *,
    limit: int = 16,
    seconds: float = 120,
) -> list[Watch]:
    """Lease watches with something to send, each with its ``message``.

    A watch of which nothing is new has its position moved to the last change. The clocks of the machines should agree
    to within seconds.

    Args:
        make_message: makes a message of changes.
        limit: the most watches.
        seconds: how long nobody else sends for them.
    """
    due = select(watches).where(*_due()).order_by(watches.c.delivered, watches.c.id).limit(LOOKED_AT)
    later: dict[int, Later] = {}
    leased: list[Watch] = []
    for row in connection.execute(due.with_for_update(skip_locked=True)).all():
        watch, values = _watch(row), {}
        if watch.message is None:
            if watch.delivered not in later:
                later[watch.delivered] = later_news(connection, watch.delivered)
            news, reaches = news_among(connection, watch.topic, later[watch.delivered], limit=CHANGES_AT_ONCE)
            if not news:
                connection.execute(_of(watch.id).values(delivered=reaches))
                continue
            values = {"message": make_message(watch, news), "reaches": reaches}
        values |= {"lease": uuid.uuid4().hex, "leased_until": now(seconds)}
        connection.execute(_of(watch.id).values(values))
        leased.append(_watch(connection.execute(_named(watch.id)).one()))
        if len(leased) == limit:
            break
    return leased


def webhook_took(connection: Connection, watch: Watch) -> bool:
    """Record that the receiver took the message of a leased watch; return whether the lease still held."""
    done = {"delivered": watch.reaches, "delivered_at": now(), "message": None, "reaches": None}
    return bool(connection.execute(_leased(watch).values(**done, **_SOUND, **_FREE)).rowcount)


def webhook_failed(
    connection: Connection, watch: Watch, reason: str, *, since: datetime, next_try: datetime, gives_up: bool
) -> bool:
    """Record that the message of a leased watch was not taken; return whether the lease still held.

    Args:
        since: when the first of the attempts in a row failed.
        next_try: when to try again.
        gives_up: pause the watch instead.
    """
    failed = {
        "failures": watch.failures + 1,
        "failing_since": micros(since),
        "next_try": micros(next_try),
        "last_error": reason,
        "paused": gives_up,
    }
    return bool(connection.execute(_leased(watch).values(**failed, **_FREE)).rowcount)


def _due() -> list[ColumnElement[bool]]:
    """The conditions that something may be sent for a watch now."""
    last = select(head.c.last_change).scalar_subquery()
    return [
        watches.c.webhook.is_not(None),
        ~watches.c.paused,
        watches.c.next_try <= now(),
        watches.c.leased_until < now(),
        or_(watches.c.message.is_not(None), watches.c.delivered < last),
    ]


def _named(id: str) -> Any:  # noqa: A002
    return select(watches).where(watches.c.id == id)


def _of(id: str) -> Update:  # noqa: A002
    return update(watches).where(watches.c.id == id)


def _leased(watch: Watch) -> Update:
    return _of(watch.id).where(watches.c.lease == watch.lease)


def _watch(row: Any) -> Watch:
    def time(at: int | None) -> datetime | None:
        return moment(at) if at else None

    return Watch(
        id=row.id,
        name=row.name,
        topic=Topic(TopicKind(row.kind), row.value),
        made=moment(row.made),
        made_by=row.made_by,
        webhook=row.webhook,
        secret=row.secret,
        paused=row.paused,
        delivered=row.delivered,
        delivered_at=time(row.delivered_at),
        message=row.message,
        reaches=row.reaches,
        failures=row.failures,
        failing_since=time(row.failing_since),
        next_try=time(row.next_try),
        last_error=row.last_error,
        lease=row.lease,
    )
