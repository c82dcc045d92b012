"""The store: articles that come in, the graph that they grow, and its history, in a database."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import select, update

from whywire.elements import Claim, ClaimKind, Event, EvidenceKind, Link, LinkKind, Mention
from whywire.graph.causal_graph import CausalGraph
from whywire.news import Article, Language
from whywire.store import (
    checking,
    committing,
    copying,
    history,
    queries,
    queue,
    renewing,
    schema,
    schema_versions,
    search,
    states,
    subgraphs,
)
from whywire.store.database import Database
from whywire.store.feed_states import StoredFeedStates
from whywire.store.model_versions import models_version
from whywire.store.records import (
    Accepted,
    ApiKey,
    Arrival,
    Counts,
    Lease,
    Page,
    RecordedChange,
    SetAside,
    StorySummary,
)
from whywire.store.renewing import Renewal
from whywire.store.rows import api_key_of, api_key_row, micros
from whywire.store.states import StoredIndex, StoredState
from whywire.updating import Changes, PredictionCache

ACCEPTED_AT_ONCE = 1000
"""Articles accepted in one transaction."""


class Store:
    """A database of news and its causal graph; safe for several threads and processes.

    >>> with Store.open("news.db") as store:  # doctest: +SKIP
    ...     store.accept(articles)
    ...     store.stories(limit=10).items

    What is accepted is durable. An update is one transaction: a reader sees all of it or nothing. Every method that
    reads sees one snapshot.

    Args:
        database: with the tables of this version.
        models: version of the models whose answers are read and kept.

    Attributes:
        name: the address, without a password.
        feed_states: what is known of feeds that are watched.
    """

    def __init__(self, database: Database, models: str) -> None:
        self._database = database
        self.models = models
        self.name = database.name
        self.feed_states = StoredFeedStates(database)

    @classmethod
    def open(
        cls, url: str | Path, *, create: bool = True, read_only: bool = False, models: str | None = None
    ) -> Self:
        """Open a store, or make one.

        Args:
            url: a path of a file, ``sqlite:///…`` or ``postgresql://…`` (needs the extra *postgres*).
            create: make what is missing; otherwise a store that is not there is an error.
            read_only: make and change nothing; a file may be where nothing can be written.
            models: version of the models whose answers are kept; that of the embedded ones by default.

        Raises:
            InputError: there is no store, the address is none, or the store is of a newer version.
            OutputError: the database cannot be written.
            MissingExtraError: psycopg is not installed.
        """
        database = Database(url, create=create, read_only=read_only)
        try:
            schema_versions.prepare(database, create=create)
        except BaseException:
            database.close()
            raise
        return cls(database, models or models_version())

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Work coming in.

    def accept(self, articles: Iterable[Article], *, replace: bool = False) -> list[Accepted]:
        """Take articles in, to be worked on later; they are durable when this returns.

        Args:
            replace: one that differs from a known article with its id or url takes its place, and its id; otherwise
                it is left out.

        Returns:
            What became of each, in their order. The same article twice changes nothing.
        """
        given = list(articles)
        outcomes: list[Accepted] = []
        for start in range(0, len(given), ACCEPTED_AT_ONCE):
            with self._database.writing() as connection:
                outcomes += queue.accept(connection, given[start : start + ACCEPTED_AT_ONCE], _now(), replace=replace)
        return outcomes

    def withdraw(self, names: Iterable[str]) -> list[Accepted]:
        """Let articles be withdrawn, by their ids or urls; that is durable when this returns.

        An update takes each out of the graph, with all that it claims. One that waits is never taken in.

        Returns:
            What becomes of each, in their order.
        """
        with self._database.writing() as connection:
            return queue.withdraw(connection, list(names), _now())

    def arrival(self, article_id: str) -> Arrival | None:
        """The accepted article with this id, if no update has taken it in yet."""
        with self._database.reading() as connection:
            return queue.find(connection, article_id)

    def lease(self, worker: str, *, limit: int = 64, seconds: float = 120) -> Lease | None:
        """Lease the articles that have waited longest; ``None`` if none is free.

        Articles whose lease ran out are free again, after all others. The clocks of several machines should agree
        within seconds.
        """
        with self._database.writing() as connection:
            return queue.lease(connection, worker, limit, _now(), _now(seconds))

    def renew(self, lease: Lease, *, seconds: float = 120) -> None:
        """Let a lease last longer.

        Raises:
            LeaseLostError: it ran out, and another worker has articles of it.
        """
        with self._database.writing() as connection:
            queue.renew(connection, lease, _now(seconds))

    def release(self, lease: Lease) -> None:
        """Give the articles of a lease back."""
        with self._database.writing() as connection:
            queue.release(connection, lease)

    def fail(self, lease: Lease, article_id: str, reason: str, *, for_good: bool = False) -> Lease:
        """Give an article back because it failed; one that failed too often is set aside.

        Args:
            for_good: set it aside at once.

        Returns:
            The lease of the others.

        Raises:
            LeaseLostError: it ran out, and another worker has the article.
        """
        with self._database.writing() as connection:
            return queue.fail(connection, lease, article_id, reason, for_good=for_good)

    def workers(self) -> list[str]:
        """The names of the workers that hold leases."""
        with self._database.reading() as connection:
            return queue.workers(connection)

    def end_leases(self, workers: Collection[str]) -> None:
        """Let the leases of workers run out, of which it is known that they have ended."""
        with self._database.writing() as connection:
            queue.end_leases(connection, workers)

    def waiting(self) -> int:
        """The number of accepted articles that no update has taken in, leased ones among them."""
        with self._database.reading() as connection:
            return queue.waiting(connection)

    def set_aside(self) -> list[SetAside]:
        """The articles that failed too often, and why."""
        with self._database.reading() as connection:
            return queue.list_set_aside(connection)

    def retry(self, article_ids: Collection[str]) -> int:
        """Let articles that were set aside wait again; return how many."""
        with self._database.writing() as connection:
            return queue.retry(connection, article_ids)

    # Deciding.

    def index(self, *, since: datetime | None = None) -> StoredIndex:
        """Where articles lie, by which updates find the stories that change.

        Args:
            since: only articles since then and what their stories may reach to; all by default.
        """
        with self._database.reading() as connection:
            return states.load_index(connection, since)

    def catch_up(self, index: StoredIndex) -> None:
        """Make in an index what others have committed since it was loaded.

        Raises:
            InputError: other models have decided everything meanwhile.
        """
        with self._database.reading() as connection:
            renewing.check_models(connection, self.models)
            states.catch_up(connection, index)

    def state(self, index: StoredIndex, articles: Iterable[Article] = ()) -> StoredState:
        """What an update of some articles is decided by.

        Args:
            index: caught up.
            articles: those that come, are replaced or withdrawn.
        """
        with self._database.reading() as connection:
            state = StoredState(
                self._database, self.models, index, states.known_answers(connection, articles, self.models)
            )
            state.hold(queue.taken_in(connection, articles))
        return state

    def taken_in(self, articles: Iterable[Article]) -> list[Article]:
        """The articles that updates have taken in and that have an id or a url of these."""
        with self._database.reading() as connection:
            return queue.taken_in(connection, articles)

    def newest(self) -> datetime | None:
        """When the latest article was published, of those that updates have taken in; ``None`` without any."""
        with self._database.reading() as connection:
            return queries.newest(connection)

    def unread_articles(self) -> list[Article]:
        """Some of the articles that the models of this version have not read."""
        with self._database.reading() as connection:
            return renewing.unread_articles(connection, self.models)

    def is_of_other_models(self) -> bool:
        """Whether what the store holds was decided by models of another version."""
        with self._database.reading() as connection:
            return renewing.is_of_other_models(connection, self.models)

    def renewal(self) -> Renewal:
        """What to decide everything anew by, once these models have read all articles."""
        with self._database.reading() as connection:
            return renewing.load(connection, self.models)

    def commit_renewal(self, renewal: Renewal, changes: Changes) -> int:
        """Write what was decided anew, in one transaction, and forget what is claimed no more.

        Raises:
            StaleStateError: another update was committed since; nothing was written.
            OutputError: the database cannot be written.
        """
        with self._database.writing() as connection:
            return committing.commit(
                connection,
                renewal.complete(changes),
                None,
                decided_at=renewal.at,
                now=_now(),
                models=self.models,
                renews=True,
            )

    def known_answers(self, articles: Iterable[Article]) -> PredictionCache:
        """The readings of these articles that were kept before."""
        with self._database.reading() as connection:
            return states.known_answers(connection, articles, self.models)

    def keep_answers(self, answers: PredictionCache) -> None:
        """Keep what models answered, so that it is never asked again, whatever becomes of the update."""
        with self._database.writing() as connection:
            committing.keep_answers(connection, answers, self.models)

    def commit(self, changes: Changes, lease: Lease | None = None, *, decided_at: int) -> int:
        """Write the changes of an update in one transaction, and take its articles out of the queue.

        Args:
            decided_at: ``at`` of the state that the changes were decided by.

        Returns:
            The number of the last change.

        Raises:
            StaleStateError: another update was committed since; nothing was written.
            LeaseLostError: the lease ran out; nothing was written.
            OutputError: the database cannot be written.
        """
        with self._database.writing() as connection:
            return committing.commit(
                connection, changes, lease, decided_at=decided_at, now=_now(), models=self.models
            )

    # Reading.

    def article(self, id: str) -> Article | None:  # noqa: A002
        """The article with this id."""
        with self._database.reading() as connection:
            return queries.articles_named(connection, [id]).get(id)

    def articles(
        self,
        *,
        after: str | None = None,
        limit: int = 50,
        since: datetime | None = None,
        until: datetime | None = None,
        source: str | None = None,
        language: Language | None = None,
    ) -> Page[Article]:
        """Articles, latest first."""
        with self._database.reading() as connection:
            return queries.article_page(
                connection, after=after, limit=limit, since=since, until=until, source=source, language=language
            )

    def event(self, id: str) -> Event | None:  # noqa: A002
        """The event with this id; ``None`` if it has ended or never was."""
        with self._database.reading() as connection:
            return queries.events_named(connection, [id]).get(id)

    def resolve(self, event_id: str) -> tuple[str, ...]:
        """The events that hold the mentions of an event now: itself, those it was merged into or split, or none."""
        with self._database.reading() as connection:
            return queries.successors_of(connection, event_id)

    def events(
        self,
        *,
        after: str | None = None,
        limit: int = 50,
        since: datetime | None = None,
        until: datetime | None = None,
        story: str | None = None,
        language: Language | None = None,
    ) -> Page[Event]:
        """Events, last seen first."""
        with self._database.reading() as connection:
            return queries.event_page(
                connection, after=after, limit=limit, since=since, until=until, story=story, language=language
            )

    def links(
        self,
        *,
        after: str | None = None,
        limit: int = 50,
        kind: LinkKind | None = None,
        min_strength: float = 0,
        evidence: Collection[EvidenceKind] = (),
        event: str | None = None,
        include_closed: bool = True,
    ) -> Page[Link]:
        """Links, strongest first.

        Args:
            evidence: only links with evidence of one of these kinds.
            event: only links that start or end at this event.
        """
        with self._database.reading() as connection:
            return queries.link_page(
                connection,
                after=after,
                limit=limit,
                kind=kind,
                min_strength=min_strength,
                evidence=evidence,
                event=event,
                include_closed=include_closed,
            )

    def claims(
        self,
        *,
        after: str | None = None,
        limit: int = 50,
        article: str | None = None,
        event: str | None = None,
        kind: ClaimKind | None = None,
    ) -> Page[Claim]:
        """Claims, by id."""
        with self._database.reading() as connection:
            return queries.claim_page(connection, after=after, limit=limit, article=article, event=event, kind=kind)

    def claims_in(self, language: Language) -> list[tuple[Claim, Article]]:
        """All claims in a language, each with its article."""
        with self._database.reading() as connection:
            return queries.claims_in(connection, language)

    def mentions(
        self, *, after: str | None = None, limit: int = 50, event: str | None = None, article: str | None = None
    ) -> Page[tuple[Mention, str]]:
        """Mentions, each with the id of its event, by article and place."""
        with self._database.reading() as connection:
            return queries.mention_page(connection, after=after, limit=limit, event=event, article=article)

    def stories(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        language: Language | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> Page[StorySummary]:
        """Stories of two events or more that were reported on in a period, most important first."""
        with self._database.reading() as connection:
            return queries.story_page(
                connection, since=since, until=until, language=language, after=after, limit=limit
            )

    def story(self, id: str) -> CausalGraph:  # noqa: A002
        """The graph of a story; empty if there is none."""
        with self._database.reading() as connection:
            return subgraphs.story(connection, id)

    def around(self, event_ids: Collection[str], *, steps: int = 1) -> CausalGraph:
        """The graph of some events and those that so many links lead to, in either direction."""
        with self._database.reading() as connection:
            return subgraphs.around(connection, event_ids, steps)

    def graph(
        self, *, as_of: datetime | None = None, since: datetime | None = None, until: datetime | None = None
    ) -> CausalGraph:
        """The graph of everything, or of the events reported on in a period.

        Args:
            as_of: only what was published by then (:func:`whywire.graph.snapshots.as_of`).
        """
        with self._database.reading() as connection:
            return subgraphs.graph(connection, as_of=as_of, since=since, until=until)

    def search(self, words: str, *, limit: int = 20) -> list[Event]:
        """The events whose titles and headlines the words fit best, best first."""
        with self._database.reading() as connection:
            best = search.search(connection, words, limit)
            found = queries.events_named(connection, best)
            return [found[name] for name in best]

    def changes(
        self, *, after: int = 0, limit: int = 500, since: datetime | None = None, event: str | None = None
    ) -> list[RecordedChange]:
        """The history from after a change on, in its order.

        Args:
            since: only what was recorded since.
            event: only what happened to this event, also where it has ended (:meth:`history_of`).
        """
        with self._database.reading() as connection:
            return history.change_list(connection, after=after, limit=limit, since=since, event=event)

    def history_of(self, event_id: str, *, limit: int = 50) -> list[RecordedChange]:
        """What happened to an event and its links, and what was merged or split into it; the last first."""
        with self._database.reading() as connection:
            return history.history_of(connection, event_id, limit=limit)

    def last_change(self) -> int:
        """The number of the last change; 0 if there is none."""
        with self._database.reading() as connection:
            return queries.last_change(connection)

    def counts(self) -> Counts:
        """How much the store holds."""
        with self._database.reading() as connection:
            return queries.counts(connection)

    # Care.

    def check(self) -> list[str]:
        """What is wrong with the store, a sentence each; nothing if every invariant holds."""
        with self._database.reading() as connection:
            return checking.check(connection, self.models)

    def ensure_sound(self) -> None:
        """Raise where the file of the store was removed or replaced since it was opened, or damage was found in it.

        Raises:
            StoreAwayError: it was; nothing can be written until it is put right.
        """
        self._database.ensure_sound()

    def tidy(self) -> None:
        """At a quiet moment, do what a later commit would have to do: SQLite copies its log into its file."""
        self._database.tidy()

    def backup(self, path: str | Path) -> None:
        """Copy the store, as it is now, into a new file of SQLite, which is a store itself.

        Others may read and write meanwhile.

        Raises:
            InputError: the file is there.
            OutputError: it cannot be written.
        """
        copying.backup(self._database, Path(path))

    def restore(self, path: str | Path) -> None:
        """Copy a store of SQLite, such as :meth:`backup` wrote, into this one, which must be empty.

        Raises:
            InputError: there is no such store, or this one is not empty.
        """
        copying.restore(Path(path), self._database)

    # Keys.

    def add_key(self, key: ApiKey) -> None:
        """Keep a key of the service."""
        with self._database.writing() as connection:
            connection.execute(schema.api_keys.insert(), [api_key_row(key)])

    def keys(self) -> list[ApiKey]:
        """All keys, the oldest first."""
        with self._database.reading() as connection:
            found = select(schema.api_keys).order_by(schema.api_keys.c.made, schema.api_keys.c.id)
            return [api_key_of(row) for row in connection.execute(found)]

    def find_key(self, prefix: str) -> ApiKey | None:
        """The key with this prefix."""
        with self._database.reading() as connection:
            found = select(schema.api_keys).where(schema.api_keys.c.prefix == prefix)
            row = connection.execute(found).first()
            return None if row is None else api_key_of(row)

    def revoke_key(self, id: str, at: datetime) -> bool:  # noqa: A002
        """Revoke a key from a time on; return whether it was in force."""
        table = schema.api_keys
        with self._database.writing() as connection:
            own = update(table).where(table.c.id == id, table.c.revoked.is_(None))
            return bool(connection.execute(own.values(revoked=micros(at))).rowcount)

    def use_key(self, id: str, at: datetime) -> None:  # noqa: A002
        """Note when a key was used last."""
        with self._database.writing() as connection:
            table = schema.api_keys
            connection.execute(update(table).where(table.c.id == id).values(last_used=micros(at)))


def _now(seconds: float = 0) -> int:
    """Microseconds since 1970, so many seconds from now."""
    return int((time.time() + seconds) * 1_000_000)
