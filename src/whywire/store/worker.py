"""A worker: takes accepted articles, decides what they change, and commits it.

Readings are kept as soon as they are made, so what a killed worker has read is not read again. Which error is worse?
An article that is lost: one that an update cannot be decided with is found by trying the articles one by one, and
set aside with its reason, while the others go on.
"""

from __future__ import annotations

import os
import socket

from whywire.language_models import LanguageModels
from whywire.news import Article
from whywire.pipeline import read
from whywire.progress import Progress, Stages
from whywire.store.records import Lease, StaleStateError
from whywire.store.states import StoredState
from whywire.store.store import Store
from whywire.updating import Changes, ModelAnswers, text_key, update

READ_AT_ONCE = 16
"""Articles read between two renewals of the lease: seconds of work."""

LEASED_AT_ONCE = 64
"""Articles of one update."""

LEASE_SECONDS = 300.0
"""How long a worker may go without a sign of life."""


class Worker:
    """Takes accepted articles of a store into its graph; several may work on one store.

    >>> with Store.open("news.db") as store:  # doctest: +SKIP
    ...     Worker(store).work_all()

    Args:
        models: the embedded ones by default.
        name: of this worker, for who looks at the leases.
        lease_seconds: how long a lease lasts unless it is renewed.
    """

    def __init__(
        self,
        store: Store,
        models: LanguageModels | None = None,
        *,
        name: str | None = None,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self.store = store
        self.models = models or LanguageModels()
        self.name = name or f"{socket.gethostname()}:{os.getpid()}"
        self._seconds = lease_seconds
        self._state: StoredState | None = None

    def work_all(self, progress: Progress | None = None) -> list[Changes]:
        """Take in all articles that wait and that no other worker has."""
        done = []
        while (changes := self.work(progress=progress)) is not None:
            done.append(changes)
        return done

    def work(self, *, limit: int = LEASED_AT_ONCE, progress: Progress | None = None) -> Changes | None:
        """Take in some of the articles that wait longest; ``None`` if none is free.

        Raises:
            LeaseLostError: reading took longer than the lease; another worker has the articles now.
        """
        lease = self.store.lease(self.name, limit=limit, seconds=self._seconds)
        if lease is None:
            return None
        try:
            return self._take_in(lease, progress)
        except BaseException as error:
            if isinstance(error, Exception) and len(lease.articles) == 1:
                self.store.fail(lease, lease.articles[0].id, f"{type(error).__name__}: {error}")
            else:
                self.store.release(lease)
            raise

    def _take_in(self, lease: Lease, progress: Progress | None) -> Changes:
        readings = self._read(lease, progress)
        while True:
            state = self._current_state()
            state.answers.readings |= readings.readings
            changes = update(state, lease.articles, models=self.models, progress=progress)
            try:
                state.at = self.store.commit(changes, lease, decided_at=state.at)
            except StaleStateError:
                self._state = None
                continue
            state.apply(changes)
            return changes

    def _current_state(self) -> StoredState:
        if self._state is None:
            self._state = self.store.state()
        return self._state

    def _read(self, lease: Lease, progress: Progress | None) -> ModelAnswers:
        """The readings of the articles: those that are kept, and new ones, which are kept at once."""
        answers = self.store.known_answers(lease.articles)
        unread = [article for article in lease.articles if text_key(article) not in answers.readings]
        for start in range(0, len(unread), READ_AT_ONCE):
            self.store.renew(lease, seconds=self._seconds)
            part: list[Article] = unread[start : start + READ_AT_ONCE]
            found = read(part, self.models, Stages(progress))
            new = {text_key(article): found[article.id] for article in part if article.id in found}
            self.store.keep_answers(ModelAnswers(new))
            answers.update(ModelAnswers(new))
        self.store.renew(lease, seconds=self._seconds)
        return answers
