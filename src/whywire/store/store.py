"""The store: a database of articles, their causal graph, and its history."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection

from whywire.engines import PredictionCache
from whywire.news import Article, Problem
from whywire.store import (
    annotators,
    api_keys,
    campaigns,
    checking,
    committing,
    copying,
    correcting,
    feeds,
    inputs,
    model_answers,
    partitions,
    queries,
    queue,
    reprocessing,
    schema_versions,
    search,
    states,
    subgraphs,
    topics,
    votes,
    watch_list,
)
from whywire.store.chat_answers import StoredChatAnswers
from whywire.store.database import Database
from whywire.store.feeds import StoredFeedStates
from whywire.store.records import Accepted, Lease
from whywire.store.reprocessing import Reprocessing
from whywire.store.states import StoredIndex, StoredState
from whywire.updating import Changes

ACCEPTED_AT_ONCE = 1000
"""Articles accepted in one transaction."""

_DECIDING = 0x7768797769726502
"""Key of the advisory lock of PostgreSQL that lets one process at a time decide."""

P = ParamSpec("P")
R = TypeVar("R")


def _reads(query: Callable[Concatenate[Connection, P], R]) -> Callable[Concatenate[Store, P], R]:
    """Make a method of a function that reads; it runs in a transaction, or in that of the snapshot."""

    @wraps(query)
    def method(store: Store, /, *args: P.args, **options: P.kwargs) -> R:
        with store.reading() as connection:
            return query(connection, *args, **options)

    return method


def _writes(change: Callable[Concatenate[Connection, P], R]) -> Callable[Concatenate[Store, P], R]:
    """Make a method of a function that writes; it runs in a transaction."""

    @wraps(change)
    def method(store: Store, /, *args: P.args, **options: P.kwargs) -> R:
        with store.writing() as connection:
            return change(connection, *args, **options)

    return method


class Store:
    """A database of news and its causal graph; safe for several threads and processes.

    >>> with Store.open("news.db") as store:  # doctest: +SKIP
    ...     store.accept(articles)
    ...     store.stories(limit=10).items

    Accepted articles are durable. An update is one transaction: a reader sees all of it or nothing. Every method that
    reads sees one snapshot. Methods without a body here are functions of other files, each run in a transaction.

    Args:
        database: with the tables of this version.
        models: version of the models whose answers are read and kept.

    Attributes:
        name: the address, without a password.
        feed_states: the states of watched feeds.
        known_feed_states: the same, but only of feeds that the store has.
        chat_answers: what chat models answered, and what was spent on them.
    """

    def __init__(self, database: Database, models: str) -> None:
        self._database = database
        self._snapshot: Connection | None = None
        self.models = models
        self.name = database.name
        self.feed_states = StoredFeedStates(database)
        self.known_feed_states = StoredFeedStates(database, known_only=True)
        self.chat_answers = StoredChatAnswers(database)

    @classmethod
    def open(
        cls, url: str | Path, *, create: bool = True, read_only: bool = False, models: str | None = None
    ) -> Self:
        """Open a store, or make one.

        Args:
            url: a path of a file, ``sqlite:///…`` or ``postgresql://…`` (needs the extra *postgres*).
            create: make a missing store; otherwise a missing store is an error.
            read_only: create and change nothing; the file may be on a read-only disk.
            models: version of the models whose answers are kept; that of the embedded ones by default.

        Raises:
            InputError: there is no store, the address is not that of a store, or the store is of an unknown version.
            OutputError: the database cannot be written.
            MissingExtraError: psycopg is not installed.
        """
        database = Database(url, create=create, read_only=read_only)
        try:
            schema_versions.prepare(database, create=create)
        except BaseException:
            database.close()
            raise
        return cls(database, models or model_answers.models_version())

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[Self]:
        """A view of the store in which all reading methods see the same state; for one thread."""
        with self._database.reading() as connection:
            frozen = copy.copy(self)
            frozen._snapshot = connection
            yield frozen

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that reads, or that of the snapshot."""
        return nullcontext(self._snapshot) if self._snapshot is not None else self._database.reading()

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction that writes."""
        return self._database.writing()

    # The queue of articles, and the leases of workers.

    def accept(self, articles: Iterable[Article], *, replace: bool = False) -> list[Accepted]:
        """Accept articles, to be taken into the graph later; they are durable when this returns.

        Args:
            replace: an article that differs from a known one with its id or url replaces it, and takes over its id;
                otherwise it is left out.

        Returns:
            What became of each article, in the given order. Accepting an article twice changes nothing.
        """
        given = list(articles)
        outcomes: list[Accepted] = []
        for start in range(0, len(given), ACCEPTED_AT_ONCE):
            with self.writing() as connection:
                outcomes += queue.accept(connection, given[start : start + ACCEPTED_AT_ONCE], replace=replace)
        return outcomes

    withdraw = _writes(queue.withdraw)
    arrival = _reads(queue.arrival)
    waiting = _reads(queue.waiting)
    leased = _reads(queue.leased)
    next_rank = _reads(queue.next_rank)
    set_aside = _reads(queue.set_aside)
    retry = _writes(queue.retry)
    lease = _writes(queue.lease)
    renew = _writes(queue.renew)
    release = _writes(queue.release)
    fail = _writes(queue.fail)
    workers = _reads(queue.workers)
    end_leases = _writes(queue.end_leases)
    taken_in = _reads(queue.taken_in)

    # News that is filled in, and partitions of the graph.

    begin_input = _writes(inputs.begin)
    take_input = _writes(inputs.take)
    unfinished_inputs = _reads(inputs.unfinished)
    count_rejected = _reads(inputs.count_rejected)
    partition = _reads(partitions.partition)
    partition_names = _reads(partitions.names)
    partition_changes = _reads(partitions.last_changes)

    def rejected(self) -> Iterator[Problem]:
        """What was wrong with the news that was filled in, in the order in which it was met."""
        last = 0
        while some := self._some_rejected(after=last):
            yield from (problem for _, problem in some)
            last, _ = some[-1]

    _some_rejected = _reads(inputs.some_rejected)

    # Corrections by persons.

    hide_link = _writes(correcting.hide_link)
    tell_apart = _writes(correcting.tell_apart)
    correct = _writes(correcting.add)
    take_back = _writes(correcting.take_back)
    refuse_correction = _writes(correcting.refuse)
    waiting_correction = _reads(correcting.waiting)
    correction = _reads(correcting.correction)
    corrections = _reads(correcting.all_corrections)

    # Deciding.

    def turn(self, wait: Callable[[], object]) -> AbstractContextManager[None]:
        """The turn to decide: on PostgreSQL one process at a time has it, so that none decides in vain.

        Args:
            wait: called until it is this one's turn; an exception that it raises ends the waiting.
        """
        return self._database.turn(_DECIDING, wait)

    index = _reads(states.load_index)

    def catch_up(self, index: StoredIndex) -> None:
        """Bring an index up to date with what other workers have committed.

        Raises:
            InputError: meanwhile everything was decided by other models.
        """
        with self.reading() as connection:
            reprocessing.check_models(connection, self.models)
            states.catch_up(connection, index)

    def state(self, index: StoredIndex, articles: Iterable[Article] = ()) -> StoredState:
        """The state from which an update of some articles is decided.

        Args:
            index: up to date (:meth:`catch_up`).
            articles: the articles to be added, replaced or withdrawn.
        """
        with self.reading() as connection:
            answers = model_answers.known_answers(connection, articles, self.models)
            state = StoredState(self._database, self.models, index, answers)
            state.hold(queue.taken_in(connection, articles))
        return state

    oldest = _reads(queries.oldest)
    newest = _reads(queries.newest)

    def known_answers(self, articles: Iterable[Article]) -> PredictionCache:
        """The stored readings of these articles."""
        with self.reading() as connection:
            return model_answers.known_answers(connection, articles, self.models)

    def keep_answers(self, answers: PredictionCache) -> None:
        """Keep answers of models, so that they need not be asked again if the update fails."""
        with self.writing() as connection:
            model_answers.keep_answers(connection, answers, self.models)

    def commit(self, changes: Changes, lease: Lease | None = None, *, decided_at: int) -> int:
        """Write the changes of an update in one transaction, and take its articles out of the queue.

        Args:
            decided_at: ``at`` of the state from which the changes were decided.

        Returns:
            The number of the last change.

        Raises:
            StaleStateError: another update was committed since; nothing was written.
            LeaseLostError: the lease ran out; nothing was written.
            OutputError: the database cannot be written.
        """
        with self.writing() as connection:
            return committing.commit(connection, changes, lease, decided_at=decided_at, models=self.models)

    # Deciding everything again by other models.

    def is_of_other_models(self) -> bool:
        """Whether models of another version decided what the store holds."""
        with self.reading() as connection:
            return reprocessing.is_of_other_models(connection, self.models)

    def unread_articles(self) -> list[Article]:
        """The first of the articles that the models of this version have not read."""
        with self.reading() as connection:
            return reprocessing.unread_articles(connection, self.models)

    def reprocessing(self) -> Reprocessing:
        """The state from which everything is decided again, once these models have read all articles."""
        with self.reading() as connection:
            return reprocessing.load(connection, self.models)

    def commit_reprocessing(self, begun: Reprocessing, changes: Changes) -> int:
        """Write what was decided again, in one transaction, and remove claims that are no longer made.

        Raises:
            StaleStateError: another update was committed since; nothing was written.
            OutputError: the database cannot be written.
        """
        with self.writing() as connection:
            return committing.commit(
                connection, begun.complete(changes), None, decided_at=begun.at, models=self.models, is_rebuild=True
            )

    # Reading.

    article = _reads(queries.article)
    articles = _reads(queries.articles)
    articles_named = _reads(queries.articles_named)
    event = _reads(queries.event)
    resolve = _reads(queries.resolve)
    events = _reads(queries.events)
    links = _reads(queries.links)
    claims = _reads(queries.claims)
    mentions = _reads(queries.mentions)
    stories = _reads(queries.stories)
    stories_named = _reads(queries.stories_named)
    story_choices = _reads(queries.story_choices)
    outlets_of_stories = _reads(queries.outlets_of_stories)
    last_listed = _reads(queries.last_listed)
    strongest_links = _reads(queries.strongest_links)
    stories_of = _reads(queries.stories_of)
    story = _reads(subgraphs.story)
    around = _reads(subgraphs.around)
    asked_about = _reads(subgraphs.asked_about)
    is_small = _reads(subgraphs.is_small)
    about = _reads(subgraphs.about)
    graph_with = _reads(subgraphs.graph_with)
    graph = _reads(subgraphs.graph)
    search_stories = _reads(search.search_stories)
    search = _reads(search.search)
    changes = _reads(queries.changes)
    history_of = _reads(queries.history_of)
    last_change = _reads(queries.last_change)
    counts = _reads(queries.counts)

    # Maintenance.

    def check(self) -> list[str]:
        """Return what is wrong with the store, a sentence each; empty if every invariant holds."""
        with self.reading() as connection:
            return checking.check(connection, self.models)

    def ensure_sound(self) -> None:
        """Check that the file of the store is still the one that was opened, and that no damage was found in it.

        Raises:
            StoreAwayError: the file was removed or replaced, or is damaged; nothing can be written until that is
                mended.
        """
        self._database.ensure_sound()

    def tidy(self) -> None:
        """Have SQLite copy its log into its file, at a quiet moment, before a commit has to."""
        self._database.tidy()

    def backup(self, path: str | Path) -> None:
        """Copy the present state of the store into a new file of SQLite, which is itself a store.

        Other processes may read and write meanwhile.

        Raises:
            InputError: the file exists already.
            OutputError: the file cannot be written.
        """
        copying.backup(self._database, Path(path))

    def restore(self, path: str | Path) -> None:
        """Copy a store of SQLite, such as :meth:`backup` wrote, into this one, which must be empty.

        Raises:
            InputError: there is no such store, or this one is not empty.
        """
        copying.restore(Path(path), self._database)

    # Keys of the service.

    add_key = _writes(api_keys.add)
    keys = _reads(api_keys.all_keys)
    find_key = _reads(api_keys.find)
    revoke_key = _writes(api_keys.revoke)
    use_key = _writes(api_keys.use)

    # What readers follow.

    title_of_topic = _reads(topics.title_of)
    latest_news = _reads(topics.latest_news)
    news_after = _reads(topics.news_after)
    add_watch = _writes(watch_list.add)
    watches = _reads(watch_list.all_watches)
    find_watch = _reads(watch_list.find)
    rename_watch = _writes(watch_list.rename)
    redirect_watch = _writes(watch_list.redirect)
    pause_watch = _writes(watch_list.pause)
    remove_watch = _writes(watch_list.remove)
    has_due_webhooks = _reads(watch_list.has_due_webhooks)
    lease_webhooks = _writes(watch_list.lease_webhooks)
    webhook_took = _writes(watch_list.webhook_took)
    webhook_failed = _writes(watch_list.webhook_failed)

    # Annotation.

    add_campaign = _writes(campaigns.add)
    campaign = _reads(campaigns.find)
    change_campaign = _writes(campaigns.change)
    remove_campaign = _writes(campaigns.remove)
    add_items = _writes(campaigns.add_items)
    items = _reads(campaigns.items)
    items_page = _reads(campaigns.items_page)
    item = _reads(campaigns.item)
    join_campaign = _writes(annotators.join)
    annotator = _reads(annotators.annotator)
    exclude_annotator = _writes(annotators.exclude)
    erase_annotator = _writes(annotators.erase)
    ask_annotator = _writes(annotators.ask)
    take_answer = _writes(annotators.answer)
    import_votes = _writes(annotators.import_votes)
    votes_page = _reads(votes.votes_page)
    votes = _reads(votes.all_votes)
    campaigns = _reads(campaigns.all_campaigns)
    annotators = _reads(annotators.all_annotators)

    # Feeds.

    feed = _reads(feeds.feed)
    subscriptions = _reads(feeds.subscriptions)
    name_feeds = _writes(feeds.name_feeds)
    add_feeds = _writes(feeds.add_feeds)
    change_feed = _writes(feeds.change_feed)
    ask_for_look = _writes(feeds.ask_for_look)
    remove_feed = _writes(feeds.remove_feed)
    feed_watcher = _reads(feeds.feed_watcher)
    take_watch = _writes(feeds.take_watch)
    end_watch = _writes(feeds.end_watch)
    feeds = _reads(feeds.all_feeds)
