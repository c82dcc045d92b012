"""A worker: takes accepted articles into the graph of a store.

Readings are stored as soon as they are made, so that no text is read again after a worker was killed. If an update
fails, its articles are tried one by one, and an article that keeps failing is set aside with the reason. The articles
of a worker that died wait until no others do, and are tried in a forked process first
(:mod:`whywire.store.processes`), so that an article kills at most one worker.

A worker keeps the positions of the articles of the last days in memory, and loads earlier ones when an older article
comes, so its memory does not grow with the store.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice

from whywire.engines import Models, PredictionCache, engine_of, text_key
from whywire.errors import WhywireError
from whywire.events.candidates import WINDOW
from whywire.news import Article
from whywire.pipeline import LANGUAGES
from whywire.progress import Progress, Stages, stop_if_asked
from whywire.second_opinions.adviser import Adviser
from whywire.second_opinions.questions import SecondReader
from whywire.second_opinions.recollection import Recollection
from whywire.second_opinions.writing import write_sentence
from whywire.store.processes import CAN_TRY, dead_processes, deadly_articles, process_name
from whywire.store.records import Action, Lease, LeaseLostError, NarrowStateError, StaleStateError, StoreAwayError
from whywire.store.states import StoredIndex, StoredState
from whywire.store.store import Store
from whywire.updating import Changes, State, renew, update

READ_AT_ONCE = 16
"""Articles read before their readings are stored, for each process of the engine: seconds of work."""

LEASED_AT_ONCE = 64
"""Articles of one update, for each process of the engine."""

TURN_SECONDS = 0.05
"""How often a worker looks whether it is its turn to decide."""

LEASED_FIRST = 10_000
"""The most articles of the first update of a store: what fits into a gigabyte or two."""

LEASE_SECONDS = 300.0
"""How long a lease lasts unless it is renewed. Workers notice at once if a worker on their own machine has died."""

REACH = 2 * WINDOW + timedelta(days=1)
"""An article affects articles that were published up to this long before it, and rarely earlier ones. It changes the
crowds of articles within the window, and so whether these are alike to articles a window further away. The extra day
allows for times that are known only to the day."""

WIDE_SECONDS = 3600.0
"""How long an index is kept that had to go back further: to the first article, for an article without a time, which
may be near anything."""

ASKED_AGAIN = 3
"""How often a chat model is asked again about a story that it could not be asked about."""

KEPT = timedelta(days=14)
"""How far back articles are kept in memory, so that late articles need no query."""


class Worker:
    """Takes accepted articles of a store into its graph; several workers may share a store.

    >>> with Store.open("news.db") as store:  # doctest: +SKIP
    ...     Worker(store).work_all()

    Args:
        models: the embedded ones, in this process, by default.
        adviser: a chat model that is asked about what is uncertain, and when nothing waits writes a sentence on each
            story that changed. Its answers are kept in the store, and what was spent is shared by all its processes.
            Without it, what is uncertain is decided by answers that the store has kept.
        name: of this worker, recorded with its leases; made of machine and process by default.
        lease_seconds: how long a lease lasts unless it is renewed.
    """

    def __init__(
        self,
        store: Store,
        models: Models | None = None,
        *,
        adviser: Adviser | None = None,
        name: str | None = None,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self.store = store
        self.engine = engine_of(models)
        self.name = name or process_name()
        self._seconds = lease_seconds
        self._adviser = adviser and replace(adviser, kept=store.chat_answers)
        self._index: StoredIndex | None = None
        self._wide_until = 0.0
        self._begun = False
        self._one_by_one = 0
        self._to_give_back: Lease | None = None
        self._to_write: dict[str, None] = {}  # ids of events of stories that changed, in order
        self._put_off: dict[str, int] = {}  # how often a chat model was asked again about the stories of articles
        self._answers_put_off = 0

    def work_all(self, progress: Progress | None = None) -> list[Changes]:
        """Take in all articles that wait and that no other worker has.

        The first articles of a store are taken in by one update, which is faster. An update that fails is tried again
        article by article.

        Raises:
            WhywireError: the store or a model cannot be used.
            Exception: tidying up failed after all articles were taken in.
        """
        counts = self.store.counts()
        of_new_store = self.working(progress, limit=max(self._at_once, min(counts.waiting, LEASED_FIRST)))
        return [*islice(of_new_store, 0 if counts.articles else 1), *self.working(progress)]

    def working(
        self, progress: Progress | None = None, *, limit: int | None = None, before: int | None = None
    ) -> Iterator[Changes]:
        """Yield what each update changes, until no article waits that no other worker has; as :meth:`work_all`.

        Args:
            limit: the most articles of an update, ``LEASED_AT_ONCE`` for each process of the engine by default.
            before: only articles whose rank (:func:`whywire.store.queue.lease`) is before this one.
        """
        while True:
            while corrected := self._correct(progress):
                yield corrected
            lease = self._lease(limit or self._at_once, before)
            if lease is None:
                self._rest()
                while (changes := self._ask_again(progress)) is not None:
                    yield changes
                while self._write():
                    stop_if_asked()
                return
            try:
                changes = self._work_on(lease, progress)
            except LeaseLostError:
                continue  # an article was replaced meanwhile, or another worker has them
            except WhywireError:
                raise
            except Exception:
                changes = None  # its articles are tried one by one, or set aside
            if changes is not None:
                yield changes

    def work(self, *, limit: int | None = None, progress: Progress | None = None) -> Changes | None:
        """Apply a correction that waits, else take in up to ``limit`` of the articles that wait longest.

        On PostgreSQL, workers of several processes take turns: one decides while others read.

        Args:
            limit: ``LEASED_AT_ONCE`` for each process of the engine by default.

        Returns:
            What changed; ``None`` if nothing waits that no other worker has.

        Raises:
            LeaseLostError: reading took longer than the lease; another worker has the articles now.
            Exception: the update failed. Its articles are given back, and the next calls try them one by one; an
                article that failed too often is set aside.
        """
        if corrected := self._correct(progress):
            return corrected
        limit = limit or self._at_once
        while (lease := self._lease(limit)) is not None:
            if changes := self._work_on(lease, progress):
                return changes
        self._rest()
        if (asked := self._ask_again(progress)) is not None:
            return asked
        self._write()
        return None

    def _correct(self, progress: Progress | None) -> Changes | None:
        """Apply the correction that waits longest, or undo it if it was taken back; ``None`` if none waits.

        One that the update fails on is refused, and the next is tried.
        """
        if self.store.waiting_correction() is None:
            return None
        with self.store.turn(_wait):
            return self._correct_in_turn(progress)

    def _correct_in_turn(self, progress: Progress | None) -> Changes | None:
        while (correction := self.store.waiting_correction()) is not None:
            state = self._state_about(self.store.articles_named(correction.articles).values())
            try:
                changes = update(
                    state, [], corrections=[correction], models=self.engine, reader=self._reader, progress=progress
                )
                return self._note_put_off(self._commit(state, changes), sorted(correction.articles))
            except StaleStateError:
                continue
            except WhywireError:
                raise
            except Exception as error:
                self.store.refuse_correction(correction.id, f"{type(error).__name__}: {error}")
        return None

    def _ask_again(self, progress: Progress | None) -> Changes | None:
        """Decide a story again about which the chat model could not be asked; ``None`` if it still cannot be.

        What came last is asked about first. What cannot be asked about again and again is given up.
        """
        while self._put_off and self._adviser is not None and self._adviser.may_ask():
            with self.store.turn(_wait):
                name, tries = next(reversed(self._put_off.items()))
                articles = self.store.articles_named([name])
                if not articles:  # it was withdrawn
                    del self._put_off[name]
                    continue
                state = self._state_about(articles.values())
                try:
                    changes = update(
                        state, [], again=articles, models=self.engine, reader=self._reader, progress=progress
                    )
                    changes = self._commit(state, changes)
                except StaleStateError:
                    continue
                except StoreAwayError:
                    raise
                except BaseException:
                    del self._put_off[name]
                    raise
            del self._put_off[name]
            if self._was_put_off() and tries + 1 < ASKED_AGAIN:
                self._put_off = {name: tries + 1} | self._put_off
            return changes
        return None

    def _was_put_off(self) -> bool:
        """Whether the chat model could not be asked since this was looked at last."""
        before = self._answers_put_off
        self._answers_put_off = self._adviser.tally.put_off if self._adviser else 0
        return self._answers_put_off > before

    def _note_put_off(self, changes: Changes, about: Iterable[str] = ()) -> Changes:
        """Note the stories that were decided, and those of some articles, if the chat model could not be asked."""
        if self._was_put_off():
            stories = [story[0] for one in changes.regroupings.values() for story in one.stories]
            self._put_off |= dict.fromkeys([*stories, *about], 0)
        return changes

    def _state_about(self, articles: Iterable[Article]) -> StoredState:
        """The state from which the stories of some articles are decided again."""
        dated = [article for article in articles if article.published]  # the others are in every index
        return self.store.state(self._current_index(self._since(dated)))

    @property
    def _reader(self) -> SecondReader | None:
        """The chat model, or without one what was answered before."""
        return self._adviser or Recollection.of(self.store.chat_answers)

    @property
    def _at_once(self) -> int:
        return LEASED_AT_ONCE * self.engine.processes

    def _lease(self, limit: int, before: int | None = None) -> Lease | None:
        if self._to_give_back is not None:  # the database was away when the lease should have been released
            self.store.release(self._to_give_back)
            self._to_give_back = None
        if dead := dead_processes(self.store.workers()):
            self.store.end_leases(dead)
        if self._one_by_one:
            self._one_by_one, limit = self._one_by_one - 1, 1
        return self.store.lease(self.name, limit=limit, seconds=self._seconds, before=before)

    def _work_on(self, lease: Lease, progress: Progress | None) -> Changes | None:
        """Take in the articles of a lease; ``None`` if all were set aside because a process dies of them."""
        try:
            if lease.suspect and CAN_TRY and not self.engine.isolates:
                lease = self._without_deadly(lease, progress)
            return self._take_in(lease, progress) if lease.articles else None
        except BaseException as error:
            try:
                self._give_back(lease, error)
            except WhywireError:
                self._to_give_back = lease
            raise

    def _without_deadly(self, lease: Lease, progress: Progress | None) -> Lease:
        """Set aside the articles of a suspect lease that a forked process dies of; return the lease of the others.

        The fork reads and decides them without the store, which it cannot use.
        """
        known = self.store.known_answers(lease.arriving)  # what was read before a worker died is not read again
        work = partial(update, State(predictions=known), models=self.engine)
        trying = Stages(progress).stage("trying again", "what a worker died with")
        with self._held(lease), trying as advance:
            deadly = deadly_articles(lease.arriving, work, lambda: advance(0))
        for article, died_by in deadly:
            reason = f"a worker died of it ({signal.Signals(died_by).name}), and so did one that had it alone"
            lease = self.store.fail(lease, article.id, reason, for_good=True)
        return lease

    def _give_back(self, lease: Lease, error: BaseException) -> None:
        at_fault = isinstance(error, Exception) and not isinstance(error, WhywireError)
        if at_fault and len(lease.articles) == 1:
            self.store.fail(lease, lease.articles[0].id, f"{type(error).__name__}: {error}")
        else:
            if at_fault:
                self._one_by_one = len(lease.articles)
            self.store.release(lease)

    def _take_in(self, lease: Lease, progress: Progress | None) -> Changes | None:
        """Read the articles, set aside those that cannot be read, and take in the others, if there are any."""
        with self._held(lease):
            new, unreadable = self._read(lease, progress)
        for name, reason in unreadable.items():
            lease = self.store.fail(lease, name, reason, for_good=True)
        if not lease.articles:
            return None
        with self._held(lease), self.store.turn(_wait):
            return self._decide(lease, new, progress)

    def _decide(self, lease: Lease, new: PredictionCache, progress: Progress | None) -> Changes:
        while True:
            changing = [*lease.having(Action.REPLACE), *lease.having(Action.WITHDRAW)]
            since = self._since([*lease.arriving, *self.store.taken_in(changing)])
            state = self.store.state(self._current_index(since), lease.articles)
            state.predictions.update(new)
            try:
                changes = update(
                    state,
                    lease.arriving,
                    replacing={article.id for article in lease.having(Action.REPLACE)},
                    withdrawn={article.id for article in lease.having(Action.WITHDRAW)},
                    models=self.engine,
                    reader=self._reader,
                    progress=progress,
                )
                changes.predictions.update(new)
                return self._note_put_off(self._commit(state, changes, lease))
            except NarrowStateError as error:
                self._index = None
                self._index = self.store.index(since=error.since)
                self._wide_until = time.monotonic() + WIDE_SECONDS
            except StaleStateError:
                continue

    @contextmanager
    def _held(self, lease: Lease) -> Iterator[None]:
        """Renew a lease while the block runs; whether it was lost shows when the update is committed."""
        done = threading.Event()

        def renew() -> None:
            while not done.wait(self._seconds / 4):
                try:
                    self.store.renew(lease, seconds=self._seconds)
                except LeaseLostError:
                    return
                except WhywireError:
                    continue  # the database is away

        thread = threading.Thread(target=renew, name="lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _commit(self, state: StoredState, changes: Changes, lease: Lease | None = None) -> Changes:
        """Commit changes, and apply them to the index from which they were decided."""
        at = self.store.commit(changes, lease, decided_at=state.at)
        if self._adviser is not None:
            changed = [event.id for event in changes.events] + [link.source for link in changes.links]
            self._to_write |= dict.fromkeys(changed)
        state.apply(changes)
        if self._index is not None:
            self._index.at = at
        return changes

    def _write(self) -> bool:
        """Write a sentence on a story that changed, for nothing waits that is more urgent; whether one was tried."""
        if self._adviser is None or not self._to_write or not self._adviser.may_ask():
            return False
        event = next(iter(self._to_write))
        name, _ = self.store.stories_of(events=[event]).get(event, (event, ""))
        graph = self.store.story(name)
        written = {event, *(event.id for event in graph.events)}
        self._to_write = {event: None for event in self._to_write if event not in written}
        for story in graph.stories():
            if story.id == name:
                write_sentence(graph, story, self._adviser)
        self._was_put_off()  # the sentence waits until the story changes
        return True

    def _current_index(self, since: datetime | None) -> StoredIndex:
        """The index of all articles since a time, up to date with all that was committed."""
        if self._index is None or not self._index.reaches(since):
            self._index = None  # so that its memory can be used again
            if not self._begun and self.store.is_of_other_models():
                self._reprocess()
            self._begun = True
            self._index = self.store.index(since=since)
        self.store.catch_up(self._index)
        return self._index

    def _since(self, articles: Sequence[Article]) -> datetime | None:
        """The time from which articles are needed to decide the stories of some; ``None`` if all are needed."""
        if any(article.published is None for article in articles if article.language in LANGUAGES):
            return None
        times = [article.published.at for article in articles if article.published]
        newest = self.store.newest()
        latest = max([*times, *([newest] if newest else [])], default=None)
        return None if latest is None else min([_before(latest, KEPT), *(_before(time, REACH) for time in times)])

    def _rest(self) -> None:
        """Tidy up when nothing waits; drop an index that goes back more than twice as far as needed lately."""
        self.store.tidy()
        newest = self.store.newest()
        if self._index is not None and newest and time.monotonic() > self._wide_until:
            furthest = _before(newest, 2 * max(KEPT, REACH))
            if self._index.since is None or self._index.since < furthest:
                self._index = None

    def _reprocess(self) -> None:
        """Read all articles with these models, and decide everything again."""
        while unread := self.store.unread_articles():
            readings, unreadable = self.engine.read(unread, Stages(None))
            for name, reason in unreadable.items():
                raise WhywireError(reason, where=name, hint="withdraw the article")
            self.store.keep_answers(PredictionCache({text_key(article): readings[article.id] for article in unread}))
        begun = self.store.reprocessing()
        changes = renew(begun.state, models=self.engine, reader=self._reader)
        with suppress(StaleStateError):  # another worker has done so, or will
            self.store.commit_reprocessing(begun, changes)

    def _read(self, lease: Lease, progress: Progress | None) -> tuple[PredictionCache, dict[str, str]]:
        """Read the articles of a lease.

        Readings of several articles are stored at once. That of a single article, which takes a second at most, is
        stored with its update, which saves two transactions.

        Returns:
            The readings that are still to be stored, with the update; and the articles that the engine cannot read,
            by id, with the reason.
        """
        stored = self.store.known_answers(lease.arriving).readings
        unread = [article for article in lease.arriving if text_key(article) not in stored]
        unreadable: dict[str, str] = {}
        size = READ_AT_ONCE * self.engine.processes
        for start in range(0, len(unread), size):
            part = unread[start : start + size]
            readings, lost = self.engine.read(part, Stages(progress))
            unreadable |= lost
            new = PredictionCache(
                {text_key(article): readings[article.id] for article in part if article.id in readings}
            )
            if len(lease.articles) == 1:
                return new, unreadable
            self.store.keep_answers(new)
        return PredictionCache(), unreadable


def _wait() -> None:
    stop_if_asked()
    time.sleep(TURN_SECONDS)


def _before(time: datetime, duration: timedelta) -> datetime:
    """Subtract a duration from a time, or from now if the time is later: outlets' clocks may be wrong by years."""
    return min(time, datetime.now(UTC)) - duration
