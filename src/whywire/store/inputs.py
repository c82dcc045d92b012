"""Files that a backfill reads: how far each is, and what was wrong with its rows.

How far a file is changes in the transaction that accepts the articles of its rows. So however often a backfill is
killed, each row is accepted or rejected once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, delete, func, insert, select, update

from whywire.elements import short_hash
from whywire.errors import InputError
from whywire.graph.build_folder import problem_row
from whywire.news import Article, Problem, to_row
from whywire.news.sources import STANDARD_INPUT
from whywire.news.text_files import place_of
from whywire.store import queue
from whywire.store.records import Accepted, Outcome
from whywire.store.schema import inputs, rejected
from whywire.store.statements import upsert

AT_ONCE = 1000
"""Problems read in one transaction."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of news, and how far it is read.

    Args:
        path: absolute.
        size: in bytes; ``None`` if it is a pipe, which cannot be read again.
        modified: nanoseconds since 1970.
        done: the number of rows that were accepted or rejected.
        finished: whether these are all.
    """

    path: str
    size: int | None
    modified: int | None
    done: int = 0
    finished: bool = False

    @classmethod
    def of(cls, file: Path | str) -> Self:
        """A file of which nothing was read yet; ``-`` is standard input."""
        path = Path(file)
        if file == STANDARD_INPUT or not path.is_file():
            return cls(str(file), None, None)
        status = path.stat()
        return cls(place_of(path.absolute()), status.st_size, status.st_mtime_ns)

    @property
    def id(self) -> str:
        """A key of the file."""
        return short_hash(self.path)


def begin(connection: Connection, file: InputFile) -> InputFile:
    """How far a file is; a file that changed since it was read, and a pipe, are read from their beginning.

    What was wrong with the rows of a file that changed is forgotten, and that it changed is listed.
    """
    row = connection.execute(select(inputs).where(inputs.c.id == file.id)).first()
    known = row and InputFile(row.path, row.size, row.modified, row.done, row.finished)
    if known and file.size is not None and (known.size, known.modified) == (file.size, file.modified):
        return known
    upsert(connection, inputs, [_row(file)])
    if known:
        connection.execute(delete(rejected).where(rejected.c.input == file.id))
    if known and file.size is not None:
        reason = f"the file changed after {known.done:,} rows of it were read: it is read again from its beginning"
        reject(connection, [Problem(file.path, reason, kept=True)], file)
    return file


def take(
    connection: Connection,
    file: InputFile,
    articles: Sequence[Article],
    problems: Iterable[Problem],
    reached: InputFile,
) -> list[Accepted]:
    """Accept articles of the next rows of a file, and keep what was wrong with these rows; both or neither.

    Args:
        file: as far as it was.
        reached: as far as it is now.

    Raises:
        InputError: another process reads the file too, and was here first.
    """
    unmoved = (inputs.c.id == file.id) & (inputs.c.done == file.done) & ~inputs.c.finished
    moved = connection.execute(update(inputs).where(unmoved).values(done=reached.done, finished=reached.finished))
    if not moved.rowcount:
        raise InputError("another process fills in this file", where=file.path, hint="wait until it has ended")
    outcomes = queue.accept(connection, articles, by_time=True)
    left_out = [*map(_left_out, articles, outcomes)]
    reject(connection, [*problems, *filter(None, left_out)], file)
    return outcomes


def reject(connection: Connection, problems: Iterable[Problem], file: InputFile | None = None) -> None:
    """Keep problems, of rows of a file or of articles that an update took in."""
    rows = [{"input": file and file.id, "problem": json.dumps(problem_row(problem))} for problem in problems]
    if rows:
        connection.execute(insert(rejected), rows)


def unfinished(connection: Connection) -> list[str]:
    """The paths of the files of which only a part was read."""
    rows = connection.execute(select(inputs.c.path).where(~inputs.c.finished).order_by(inputs.c.path))
    return [*rows.scalars()]


def count_rejected(connection: Connection) -> int:
    """The number of problems of all files that were read."""
    return int(connection.execute(select(func.count()).select_from(rejected)).scalar_one())


def some_rejected(connection: Connection, *, after: int = 0) -> list[tuple[int, Problem]]:
    """The next problems in the order in which they were met, each with its number.

    Args:
        after: the number of the problem before.
    """
    rows = connection.execute(select(rejected).where(rejected.c.id > after).order_by(rejected.c.id).limit(AT_ONCE))
    return [(row.id, Problem(**json.loads(row.problem))) for row in rows]


def _left_out(article: Article, done: Accepted) -> Problem | None:
    """The problem that an article, or the version that it replaces, is left out; ``None`` if neither is."""
    place = article.place or article.id
    if done.outcome in (Outcome.CONFLICT, Outcome.REFUSED):
        return Problem(place, str(done.reason), row=to_row(article))
    if done.earlier is None:
        return None
    reason = f"{done.earlier.title!r} is left out: a later version came: {place}"
    return Problem(done.earlier.place or done.earlier.id, reason, row=to_row(done.earlier))


def _row(file: InputFile) -> dict[str, object]:
    return {
        "id": file.id,
        "path": file.path,
        "size": file.size,
        "modified": file.modified,
        "done": file.done,
        "finished": file.finished,
    }
