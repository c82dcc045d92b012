"""``whywire.backfill``: large amounts of old news taken into a store, in the order of their times.

The files are read first, row by row, into the queue of the store. Then the queue is worked off in windows of time. So
the order of the rows does not matter, and memory does not grow with their number. How far a file is read is kept in
the transaction that accepts its articles; so whenever the process is killed, the next goes on where it was.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from whywire.api.partition_folder import PartitionFolder
from whywire.api.stores import StoreInput, opened_store
from whywire.engines import Models
from whywire.errors import InputError
from whywire.news import Article, Problem, without_duplicates
from whywire.news.newsworthy import NewsFilter
from whywire.news.row_files import SourceRow
from whywire.news.sources import list_files, read_items, read_rows
from whywire.news.text_files import LONGEST_LINE
from whywire.progress import NoProgress, Progress

if TYPE_CHECKING:
    from whywire.second_opinions.adviser import Adviser
    from whywire.store import Store, Worker

WINDOW = timedelta(days=7)
"""How much news is worked off before partitions are looked at."""

TAKEN_AT_ONCE = 256
"""Articles of one update."""

READ_ROWS, READ_CHARACTERS = 500, 4_000_000
"""The most rows that are accepted in one transaction, and the characters of their articles from which on none is
added."""

WAIT_SECONDS = 0.5
"""How often the queue is looked at while another process has the rest of a window."""


@dataclass(frozen=True)
class Backfill:
    """What a backfill did.

    Args:
        outcomes: how many of the articles that it read were *new*, *known*, *copy*, *replaced*, *conflict* or
            *refused*.
        changes: the numbers of changes of articles, events and links, by kind.
        partitions: the folders that it wrote, in that order; a folder may be among them twice.
        rejected: the number of problems with rows, of this backfill and those before (`Store.rejected` lists them).
        set_aside: articles of the store that failed too often, and why.
        unfinished: files that an earlier backfill began and nobody has read to their end.
    """

    outcomes: dict[str, int]
    changes: dict[str, int]
    partitions: list[Path]
    rejected: int
    set_aside: list[Problem]
    unfinished: list[str]


def backfill(
    news: Sequence[Path | str] | Path | str,
    store: StoreInput,
    *,
    partitions: Path | str | None = None,
    by: str = "month",
    news_only: bool = False,
    longest_line: int = LONGEST_LINE,
    models: Models | None = None,
    second_reader: Adviser | None = None,
    progress: Progress | None = None,
) -> Backfill:
    """Take large amounts of old news into a store, in the order of their times, with little memory.

    If it is stopped or killed, the same call goes on where it was. Of several versions of an article the latest
    stays, and of two with one time the one that came first; the others are listed. The graph is that of a
    :func:`build` of the articles that stay.

    >>> done = whywire.backfill("archive", "news.db", partitions="months")
    >>> done.outcomes["new"], done.partitions[0]

    Args:
        news: files and folders, as for :func:`build`; if empty, only what waits in the store is taken in. A file that
            was read to its end is not read again unless it changed.
        store: a store, or its address; a missing store is made.
        partitions: a folder for the graph in parts (docs/formats.md): each is written when the news of its time is
            taken in, and again at the end if later news changed it.
        by: how long a part is: ``day``, ``month`` or ``year``.
        news_only: leave out horoscopes, listings, offers and the like; they are listed with the rejected rows.
        longest_line: the most characters that a line of a file may have.
        models: loaded models, or the engine that runs them elsewhere; the embedded ones by default.
        second_reader: as for :func:`update`. Its budget is that of a day, however long the backfill takes.
        progress: shows the progress of the work.

    Raises:
        InputError: a path, the store or ``by`` cannot be used, another process fills in the same file, or the folder
            holds other graphs than the partitions of this store.
        OutputError: the database or the folder cannot be written.
        MissingExtraError: SQLAlchemy, Alembic or psycopg is not installed, or what a file's format needs.
    """
    files = list_files(news)
    with opened_store(store) as opened:
        from whywire.store import Worker
        from whywire.store.partitions import Period

        if by not in {*Period}:
            raise InputError(f"no length of a part: {by!r}", hint=f"known are {', '.join(Period)}")
        folder = None if partitions is None else PartitionFolder(Path(partitions), Period(by), opened)
        shown = progress or NoProgress()
        outcomes = _read_files(files, opened, NewsFilter.load() if news_only else None, longest_line, shown)
        changes = _work_off(Worker(opened, models, adviser=second_reader), folder, shown)
        aside = [Problem(one.article.place or one.article.id, one.reason or "") for one in opened.set_aside()]
        written = folder.written if folder else []
        left = opened.unfinished_inputs()
        return Backfill(dict(outcomes), dict(changes), written, opened.count_rejected(), aside, left)


def rejected_of(store: StoreInput) -> Iterator[Problem]:
    """What was wrong with the news that was filled in to a store, in the order in which it was met."""
    with opened_store(store, read_only=True) as opened:
        yield from opened.rejected()


def _read_files(
    files: Sequence[Path | str], store: Store, kept: NewsFilter | None, longest_line: int, progress: Progress
) -> Counter[str]:
    """Accept the articles of files from where each is; return what became of how many."""
    from whywire.store.inputs import InputFile

    outcomes: Counter[str] = Counter()
    advance = progress.start("reading files", len(files))
    for path in files:
        file = store.begin_input(InputFile.of(path))
        rows = iter(()) if file.finished else read_rows(path, skip=file.done, longest_line=longest_line)
        while not file.finished:
            articles, problems, count = _next_rows(rows)
            if kept is not None:
                articles, dropped = kept.split(articles)
                problems += dropped
            versions, superseded = without_duplicates(articles)
            reached = replace(file, done=file.done + count, finished=not count)
            accepted = store.take_input(file, versions, [*problems, *superseded], reached)
            outcomes.update(done.outcome.value for done in accepted)
            file = reached
        advance(1)
    return outcomes


def _next_rows(rows: Iterator[SourceRow | Problem]) -> tuple[list[Article], list[Problem], int]:
    """The articles of the next rows and what is wrong with these, and how many rows they are; 0 at the end."""
    articles: list[Article] = []
    problems: list[Problem] = []
    count = characters = 0
    for row in rows:
        count += 1
        for item in read_items(row):
            if isinstance(item, Article):
                articles.append(item)
                characters += len(item.text)
            else:
                problems.append(item)
        if count == READ_ROWS or characters >= READ_CHARACTERS:
            break
    return articles, problems, count


def _work_off(worker: Worker, folder: PartitionFolder | None, progress: Progress) -> Counter[str]:
    """Take in all that waits, window by window, and write partitions; return the numbers of changes by kind."""
    from whywire.store.queue import FIRST_RANK, LAST_RANK
    from whywire.store.rows import MICROSECOND, moment
    from whywire.store.worker import REACH

    store, changes = worker.store, Counter[str]()
    advance = progress.start("taking in articles", store.waiting())
    while (rank := store.next_rank()) is not None:
        end = rank + WINDOW // MICROSECOND
        waiting = store.waiting(before=end)  # to count all that waits would take longer the more there is
        for done in worker.working(limit=TAKEN_AT_ONCE, before=end):
            changes.update(change.kind.value for change in done.history)
            before, waiting = waiting, store.waiting(before=end)
            advance(before - waiting)
        rank = store.next_rank()
        if rank is not None and rank < end:
            time.sleep(WAIT_SECONDS)  # another process has them
        elif folder is not None and rank is not None and FIRST_RANK < rank < LAST_RANK:
            folder.write_ended(moment(rank) - REACH)
    if folder is not None:
        folder.write_changed()
    return changes
