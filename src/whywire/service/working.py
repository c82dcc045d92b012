"""``whywire.work``: a worker of a store as a process of its own, beside any number of services."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from whywire.api.stores import StoreUpdate, update
from whywire.api.watch import missing_package
from whywire.engines import Models
from whywire.progress import Progress, Stopped, stopping_when
from whywire.second_opinions.adviser import Adviser
from whywire.service.background import BackgroundWorker, FeedThread
from whywire.service.settings import Settings
from whywire.service.telemetry import Metrics, logger
from whywire.service.work_progress import WorkProgress
from whywire.store import Store, Worker

STOP_SECONDS = 20.0
"""How long feeds that are being looked at may take to end."""


def work(
    store: str | Path,
    *,
    once: bool = False,
    models: Models | None = None,
    second_reader: Adviser | None = None,
    progress: Progress | None = None,
) -> StoreUpdate | None:
    """Take the articles that wait in a store into its graph, until SIGTERM or Ctrl-C asks to stop.

    Several workers may share a store, and services that leave the work to others (``serve`` with ``works=False``).
    The store has what is to be done and who does it: what a worker had that was killed, another one does. Of all
    processes, one watches the feeds of the store. Call it in the main thread.

    >>> whywire.work("postgresql://localhost/news")

    Args:
        store: a path, or an address such as ``postgresql://…``; a missing file is created.
        once: return when nothing waits, instead of waiting for more; feeds are not watched.
        models: loaded models, or the engine that runs them elsewhere; the embedded ones by default.
        second_reader: a chat model that is asked about what is uncertain (:func:`whywire.second_reader`).
        progress: shows the progress of the work, with ``once``; otherwise each update is logged.

    Returns:
        With ``once``, what changed; ``None`` if it was stopped.

    Raises:
        InputError: the store cannot be opened.
        WhywireError: with ``once``, a model, the cluster or the database cannot be used; otherwise that is logged,
            and it goes on when they are back.
        MissingExtraError: the extra *service* (for PostgreSQL also *postgres*) is not installed.
    """
    with Store.open(store) as opened:
        if once:
            return _work_once(opened, models, second_reader, progress)
        _work_on(Worker(opened, models, adviser=second_reader), store)
        return None


def _work_once(
    store: Store, models: Models | None, second_reader: Adviser | None, progress: Progress | None
) -> StoreUpdate | None:
    asked: list[int] = []
    with _on_stop_signal(lambda: asked.append(1)):
        try:
            with stopping_when(lambda: bool(asked)):
                return update([], store, models=models, second_reader=second_reader, progress=progress)
        except Stopped:
            return None


def _work_on(worker: Worker, address: str | Path) -> None:
    store, position = worker.store, WorkProgress()

    def report() -> None:
        at = position.position(store.waiting())
        logger.info("progress", extra={"done": at.done, "total": at.total, "seconds_left": at.seconds_left})

    working = BackgroundWorker(worker, Metrics(), position, report)
    feeds = FeedThread(Settings(store=address), store, working.wake) if missing_package() is None else None
    with _on_stop_signal(working.stop):
        if feeds is not None:
            feeds.start()
        try:
            working.run()
        finally:
            if feeds is not None:
                feeds.stop()
                feeds.join(STOP_SECONDS)


@contextmanager
def _on_stop_signal(stop: Callable[[], object]) -> Iterator[None]:
    """Call a function when SIGTERM or Ctrl-C asks this process to stop."""
    before = {number: signal.signal(number, lambda *_: stop()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
