"""The queue of accepted articles: a worker leases them, and the update that takes them in removes them.

No accepted article is lost: if a worker dies with it or fails on it, it is tried again, and in the end set aside and
listed. None is taken in twice: an update is committed only while its worker holds the lease. If an article is
replaced or withdrawn while a worker has it, the worker loses the lease, its update fails, and is made again.

The articles of a worker that died are suspect. They are leased after all others: together the first time, so that a
worker can find the one that kills processes (:mod:`whywire.store.processes`), and then one by one.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace as with_values
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, select, text, update

from whywire.graph.codec import Row
from whywire.news import Article
from whywire.news.duplicates import is_later
from whywire.news.urls import url_key
from whywire.store.records import Accepted, Action, Arrival, Lease, LeaseLostError, Outcome
from whywire.store.rows import UNSTORABLE, article_of, micros, moment, now, payload, url_hash
from whywire.store.schema import MAX_KEY_CHARS, arrivals, articles, copies
from whywire.store.statements import in_parts, rows_among, upsert
from whywire.updating.arrivals import sort_arrivals

MAX_FAILURES = 3
"""Failures after which an article is set aside."""

ALONE, MAX_ABANDONED = 4, 15
"""Numbers of expired leases after which an article is leased alone, and set aside. Workers also die for other reasons
than articles, so this limit is higher than that of failures."""

FIRST_RANK, LAST_RANK = -(2**62), 2**62
"""The ranks, in which articles are leased, of news that comes live and of old news without a time; the rank of other
old news is its time."""

_FREE: Row = {"lease": None, "worker": None, "leased_until": 0}
"""The columns of an article that no worker has."""

_LEASED = arrivals.c.lease > ""
"""An article that a worker has, or had when it died. SQLite finds these by the index, where it would look through the
whole queue for leases that are not null."""

_ACCEPTING = 0x7768797769726501
"""Key of the advisory lock of PostgreSQL that lets one process at a time accept articles."""


def accept(
    connection: Connection, given: Sequence[Article], *, replace: bool = False, by_time: bool = False
) -> list[Accepted]:
    """Put new articles, copies and replacements into the queue; return what became of each.

    Args:
        replace: an article takes the place of a different known article with the same id or url.
        by_time: the articles are old news: they are leased by their times, after those that come live, and replace
            only earlier versions.
    """
    _wait_for_turn(connection)
    usable = [article for article in given if _refusal(article) is None]
    by_id, by_url, by_copy, leaving = _known(connection, usable)
    outcomes: list[Accepted] = []
    rows: dict[str, Row] = {}
    for article in given:
        if reason := _refusal(article):
            outcomes.append(Accepted(article.id, Outcome.REFUSED, reason))
            continue
        sorting = sort_arrivals([article], by_id, by_url, by_copy, [article.id])
        if sorting.replaced:
            version = sorting.replaced[0]
            earlier = None if version.id in leaving else by_id[version.id]
            if earlier and not (is_later(version, earlier) if by_time else replace):
                sorting = sort_arrivals([article], by_id, by_url, by_copy)
        if sorting.replaced:
            outcomes.append(Accepted(version.id, Outcome.REPLACED if earlier else Outcome.NEW, earlier=earlier))
            by_id[version.id] = version
            if version.url is not None:
                by_url[url_key(version.url)] = version.id
            leaving.discard(version.id)
            rows[version.id] = _row(version, Action.REPLACE, by_time)
        elif sorting.problems:
            outcomes.append(Accepted(article.id, Outcome.CONFLICT, sorting.problems[0].reason))
        elif not (sorting.new or sorting.copied):
            outcomes.append(Accepted(article.id, Outcome.KNOWN))
        else:
            copy_of = sorting.copied[0].id if sorting.copied else None
            reason = f"a copy of {copy_of}" if copy_of else None
            outcomes.append(Accepted(article.id, Outcome.COPY if copy_of else Outcome.NEW, reason))
            by_id.setdefault(article.id, article)
            if article.url is not None:
                by_url.setdefault(url_key(article.url), article.id)
            rows[article.id] = _row(article, Action.ADD, by_time)
    upsert(connection, arrivals, [*rows.values()], key=arrivals.c.article)
    return outcomes


def withdraw(connection: Connection, names: Iterable[str]) -> list[Accepted]:
    """Have articles withdrawn, by id or url; the request is durable when this returns.

    An update takes each article and its claims out of the graph. An article that still waits is never taken in.

    Returns:
        What becomes of each article, in the given order.
    """
    names = list(names)
    _wait_for_turn(connection)
    by_id, by_url, by_copy, leaving = _known(connection, [Article(name, "", url=name) for name in names])
    outcomes: list[Accepted] = []
    rows: list[Row] = []
    for name in names:
        article_id = name if name in by_id else by_copy.get(name) or by_url.get(url_key(name))
        if article_id is None:
            outcomes.append(Accepted(name, Outcome.UNKNOWN, "there is no such article"))
            continue
        outcomes.append(Accepted(article_id, Outcome.WITHDRAWN))
        if article_id not in leaving:
            rows.append(_row(by_id[article_id], Action.WITHDRAW))
            leaving.add(article_id)
    upsert(connection, arrivals, rows, key=arrivals.c.article)
    return outcomes


def arrival(connection: Connection, article_id: str) -> Arrival | None:
    """The waiting article with this id; ``None`` if there is none, or it is to be withdrawn."""
    named = arrivals.c.article == article_id
    row = connection.execute(select(arrivals).where(named, arrivals.c.action != Action.WITHDRAW.value)).first()
    return None if row is None else _arrival(row)


def lease(
    connection: Connection, worker: str, *, limit: int = 64, seconds: float = 120, before: int | None = None
) -> Lease | None:
    """Lease the articles of the lowest rank; ``None`` if none is free.

    News that comes live is leased in the order in which it came, then old news in the order of its times. Articles
    whose lease ran out are free again, after all others. The clocks of the machines should agree to within seconds.

    Args:
        before: only articles whose rank is before this one.
    """
    until = now(seconds)
    _count_deaths(connection)
    free = select(arrivals).where(~arrivals.c.set_aside, arrivals.c.leased_until < now())
    if before is not None:
        free = free.where(arrivals.c.rank < before)
    free = free.order_by(arrivals.c.rank, arrivals.c.id).limit(limit).with_for_update(skip_locked=True)
    rows = (
        connection.execute(free.where(arrivals.c.abandoned == 0)).all()
        or connection.execute(free.where(arrivals.c.abandoned < ALONE)).all()
        or connection.execute(
            free.order_by(None).order_by(arrivals.c.abandoned, arrivals.c.rank, arrivals.c.id).limit(1)
        ).all()
    )
    if not rows:
        return None
    name = uuid.uuid4().hex
    _set(connection, arrivals.c.id, [row.id for row in rows], lease=name, worker=worker, leased_until=until)
    actions = {row.article: Action(row.action) for row in rows}
    leased = tuple(msgspec.convert(row.content, Article) for row in rows)
    suspect, by_time = rows[0].abandoned > 0, rows[-1].rank > FIRST_RANK
    return Lease(name, worker, leased, moment(until), actions, suspect=suspect, by_time=by_time)


def _count_deaths(connection: Connection) -> None:
    """Count expired leases, and set aside the articles that too many workers died with."""
    over = select(arrivals.c.id).where(_LEASED, arrivals.c.leased_until < now())
    lost = connection.execute(over.with_for_update(skip_locked=True)).scalars().all()
    _set(connection, arrivals.c.id, lost, **_FREE, abandoned=arrivals.c.abandoned + 1)
    worn = arrivals.c.abandoned >= MAX_ABANDONED
    reason = f"{MAX_ABANDONED} workers died while they had it"
    for part in in_parts(lost):
        hopeless = update(arrivals).where(arrivals.c.id.in_(part), worn)
        connection.execute(hopeless.values(set_aside=True, reason=reason))


def renew(connection: Connection, held: Lease, *, seconds: float = 120) -> None:
    """Extend a lease until this number of seconds from now.

    Raises:
        LeaseLostError: the lease ran out, and another worker has some of its articles.
    """
    extended = update(arrivals).where(arrivals.c.lease == held.id)
    done = connection.execute(extended.values(leased_until=now(seconds)))
    if done.rowcount != len(held.articles):
        raise _lost(held)


def release(connection: Connection, held: Lease) -> None:
    """Give the articles of a lease back."""
    connection.execute(update(arrivals).where(arrivals.c.lease == held.id).values(_FREE))


def fail(connection: Connection, held: Lease, article_id: str, reason: str, *, for_good: bool = False) -> Lease:
    """Give an article of a lease back because it failed; set it aside if it failed too often.

    Args:
        for_good: set it aside at once.

    Returns:
        The lease of the other articles.

    Raises:
        LeaseLostError: the lease ran out, and another worker has the article.
    """
    failed = (arrivals.c.lease == held.id) & (arrivals.c.article == article_id)
    failures = connection.execute(select(arrivals.c.failures).where(failed)).scalar()
    if failures is None:
        raise _lost(held)
    connection.execute(
        update(arrivals)
        .where(failed)
        .values(
            **_FREE,
            failures=failures + 1,
            set_aside=for_good or failures + 1 >= MAX_FAILURES,
            reason=reason,
        )
    )
    return with_values(held, articles=tuple(article for article in held.articles if article.id != article_id))


def finish(connection: Connection, held: Lease, left_out: dict[str, str]) -> None:
    """Take the articles of a lease out of the queue; set aside those that the update left out.

    Raises:
        LeaseLostError: the lease ran out and was taken by another worker.
    """
    leased = select(arrivals.c.article).where(arrivals.c.lease == held.id).with_for_update()
    rest = set(connection.execute(leased).scalars())
    if not rest <= {article.id for article in held.articles} or len(rest) < len(held.articles):
        raise _lost(held)
    for article_id in sorted(rest & left_out.keys()):
        values = {**_FREE, "set_aside": True, "reason": left_out[article_id]}
        connection.execute(update(arrivals).where(arrivals.c.article == article_id).values(values))
    connection.execute(delete(arrivals).where(arrivals.c.lease == held.id))


def workers(connection: Connection) -> list[str]:
    """The names of the workers that hold leases."""
    held = select(arrivals.c.worker).where(_LEASED, arrivals.c.leased_until > 0).distinct()
    return sorted(name for name in connection.execute(held).scalars() if name)


def end_leases(connection: Connection, names: Collection[str]) -> None:
    """Expire the leases of workers that are known to be dead."""
    for part in in_parts(names):
        connection.execute(update(arrivals).where(arrivals.c.worker.in_(part)).values(leased_until=0))


def waiting(connection: Connection, *, before: int | None = None) -> int:
    """The number of accepted articles that no update has taken in, including leased ones.

    Args:
        before: only articles whose rank is before this one.
    """
    counted = select(func.count()).select_from(arrivals).where(~arrivals.c.set_aside)
    if before is not None:
        counted = counted.where(arrivals.c.rank < before)
    return connection.execute(counted).scalar_one()


def next_rank(connection: Connection) -> int | None:
    """The lowest rank of the articles that wait, including leased ones; ``None`` if none waits."""
    first = select(arrivals.c.rank).where(~arrivals.c.set_aside).order_by(arrivals.c.rank).limit(1)
    return connection.execute(first).scalar()


def leased(connection: Connection) -> int:
    """The number of waiting articles that a worker has."""
    held = select(func.count()).select_from(arrivals).where(_LEASED, arrivals.c.leased_until > now())
    return connection.execute(held).scalar_one()


def set_aside(connection: Connection) -> list[Arrival]:
    """The articles that failed too often, and why."""
    rows = connection.execute(select(arrivals).where(arrivals.c.set_aside).order_by(arrivals.c.id))
    return [_arrival(row) for row in rows]


def retry(connection: Connection, article_ids: Collection[str]) -> int:
    """Put articles that were set aside back into the queue; return how many."""
    done = 0
    for part in in_parts(article_ids):
        statement = update(arrivals).where(arrivals.c.article.in_(part), arrivals.c.set_aside)
        done += connection.execute(statement.values(set_aside=False, failures=0, abandoned=0)).rowcount
    return done


def taken_in(connection: Connection, given: Iterable[Article]) -> list[Article]:
    """The stored articles that share an id or a url with these articles, or list one of them as a copy."""
    ids, hashes = _names(given)
    originals = {row.article for row in rows_among(connection, select(copies.c.article), copies.c.id, ids)}
    articles_by_id = {
        row.id: article_of(row)
        for column, values in ((articles.c.id, ids | originals), (articles.c.url_hash, hashes))
        for row in rows_among(connection, select(articles), column, values)
    }
    return list(articles_by_id.values())


def _names(given: Iterable[Article]) -> tuple[set[str], set[str]]:
    """Return the ids of articles, and the hashes of their urls."""
    listed = list(given)
    return {article.id for article in listed}, {key for article in listed if (key := url_hash(article.url))}


def _known(
    connection: Connection, given: Sequence[Article]
) -> tuple[dict[str, Article], dict[str, str], dict[str, str], set[str]]:
    """Return the stored and waiting articles that these articles may be versions or copies of.

    Returns:
        These articles by id; their ids by url key, and by the ids of their copies; the ids of those to be withdrawn.
    """
    ids, hashes = _names(given)
    by_id = {article.id: article for article in taken_in(connection, given)}
    queued = {
        row.id: row
        for column, values in ((arrivals.c.article, ids), (arrivals.c.url_hash, hashes))
        for row in rows_among(connection, select(arrivals), column, values)
    }
    leaving: set[str] = set()
    for _, row in sorted(queued.items()):
        article = msgspec.convert(row.content, Article)
        match Action(row.action):
            case Action.ADD:
                by_id.setdefault(article.id, article)
            case Action.REPLACE:
                by_id[article.id] = article
            case Action.WITHDRAW:
                by_id[article.id] = Article(article.id, "", url=article.url, also=article.also)  # equal to no other
                leaving.add(article.id)
    by_copy = {copy: article.id for article in by_id.values() for copy in article.also if copy in ids}
    by_url: dict[str, str] = {}
    for article in by_id.values():
        if article.url is not None:
            by_url.setdefault(url_key(article.url), article.id)
    return by_id, by_url, by_copy, leaving


def _row(article: Article, action: Action, by_time: bool = False) -> Row:
    at = micros(article.published.at) if article.published else LAST_RANK
    return {
        "article": article.id,
        "url_hash": url_hash(article.url),
        "content": payload(article),
        "action": action.value,
        "accepted": now(),
        "rank": at if by_time else FIRST_RANK,
        **_FREE,
        "abandoned": 0,
        "failures": 0,
        "set_aside": False,
        "reason": None,
    }


def _wait_for_turn(connection: Connection) -> None:
    """Wait until no other process accepts articles; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ACCEPTING})


def _refusal(article: Article) -> str | None:
    """Why an article cannot be stored; ``None`` if it can be."""
    words: Iterable[str | None] = (
        *(article.id, article.title, article.text, article.url, article.source, article.place),
        *article.links,
        *article.also,
    )
    if any(word and UNSTORABLE.search(word) for word in words):
        return "it contains a NUL or half of a surrogate pair, which no database can store"
    for name, keys in (("id", (article.id,)), ("outlet", (article.source or "",)), ("copy's id", article.also)):
        longest = max(map(len, keys), default=0)
        if longest > MAX_KEY_CHARS:
            return f"its {name} has {longest:,} characters, and may have {MAX_KEY_CHARS}"
    return None


def _set(connection: Connection, column: object, values: Sequence[object], **new: object) -> None:
    for part in in_parts(values):
        connection.execute(update(arrivals).where(column.in_(part)).values(new))  # type: ignore[attr-defined]


def _arrival(row: Any) -> Arrival:
    return Arrival(msgspec.convert(row.content, Article), row.set_aside, row.reason)


def _lost(held: Lease) -> LeaseLostError:
    return LeaseLostError("the lease ran out", where=held.id, hint="lease articles again")
