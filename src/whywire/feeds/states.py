"""The state of each feed, and where it is stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from whywire.errors import InputError
from whywire.news import Problem
from whywire.output import append_lines, json_text, open_output

OVERDUE = timedelta(days=1)
"""A feed that has been due for longer than this is not being watched."""


class FeedHealth(StrEnum):
    """The health of a feed."""

    NEW = "new"
    OK = "ok"
    FAILING = "failing"
    ENDED = "ended"
    UNWATCHED = "unwatched"
    PAUSED = "paused"


def shown_url(url: str) -> str:
    """Return the address of a feed without its query, which may hold a key, for messages and pages."""
    return url.partition("?")[0]


class Seen(NamedTuple):
    """What is remembered of an entry; unknown hashes are empty.

    Args:
        key: the id of the entry's article (`whywire.feeds.schedule.entry_key`).
        version: a hash of the entry's title, text and time of update.
        guid: a hash of the entry's guid.
    """

    key: str
    version: str = ""
    guid: str = ""


@dataclass(frozen=True, slots=True)
class FeedState:
    """What is known of a feed after the last look.

    Args:
        url: the address that the user gave, which identifies the feed.
        address: where the feed is fetched. It differs from ``url`` if the feed moved for good or a page named the
            feed.
        title: the title that the feed gives itself.
        etag: ``ETag`` of the last document of which all entries were handed over. It is sent to ask for a newer
            document.
        modified: ``Last-Modified`` of that document.
        interval: seconds between looks, adapted to how often the feed has new entries.
        next_fetch: time of the next look; ``None`` if there was no look yet.
        failures: number of failed looks in a row.
        last_error: the reason of the last failure; empty after a success.
        last_look: time of the last look.
        last_success: time of the last look at which the feed was read or had not changed.
        ended: the server says that the feed is gone for good; it is not asked again.
        articles: number of articles handed over, new versions included.
        seen: the entries that were handed over, newest first.
    """

    url: str
    address: str
    title: str = ""
    etag: str = ""
    modified: str = ""
    interval: float = 0.0
    next_fetch: datetime | None = None
    failures: int = 0
    last_error: str = ""
    last_look: datetime | None = None
    last_success: datetime | None = None
    ended: bool = False
    articles: int = 0
    seen: tuple[Seen, ...] = ()

    def health(self, now: datetime) -> FeedHealth:
        """Return the health of the feed; the feed must not be paused."""
        if self.ended:
            return FeedHealth.ENDED
        if self.next_fetch and self.next_fetch + OVERDUE < now:
            return FeedHealth.UNWATCHED
        if self.failures:
            return FeedHealth.FAILING
        return FeedHealth.OK if self.last_success else FeedHealth.NEW


ASKED_AGAIN = timedelta(minutes=1)
"""The shortest time between two looks at a feed, also if somebody asks for a look."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A feed that is to be watched, and how.

    Args:
        url: the address that the user gave.
        paused: the feed is not looked at.
        interval: seconds between looks; ``None`` adapts the interval to how often the feed has new entries.
        asked: when somebody asked for a look.
    """

    url: str
    paused: bool = False
    interval: float | None = None
    asked: datetime | None = None

    def awaits_look(self, state: FeedState) -> bool:
        """Return whether the first look, or a look that somebody asked for, has not ended yet."""
        is_new = not (state.last_success or state.failures)
        return not self.paused and (is_new or self._is_asked(state))

    def is_due(self, state: FeedState, now: datetime) -> bool:
        """Return whether it is time to look."""
        if self.paused:
            return False
        if self._is_asked(state):
            return state.last_look is None or state.last_look + ASKED_AGAIN <= now
        return not state.ended and (state.next_fetch is None or state.next_fetch <= now)

    def _is_asked(self, state: FeedState) -> bool:
        return self.asked is not None and (state.last_look is None or state.last_look < self.asked)


@dataclass(frozen=True, slots=True)
class FeedLook:
    """The result of a look at a feed.

    Args:
        state: the feed's state after the look.
        articles: the number of articles that were handed over.
        problems: what was wrong with the feed's document, its entries, or their pages.
    """

    state: FeedState
    articles: int = 0
    problems: tuple[Problem, ...] = ()


class FeedStates(Protocol):
    """Stores states. It is called by one thread at a time."""

    def load(self) -> Iterable[FeedState]:
        """Return all stored states."""

    def save(self, state: FeedState) -> None:
        """Store a state in place of the state with the same ``url``; it is durable when this function returns."""


class StatesInMemory:
    """Keeps states in memory."""

    def __init__(self) -> None:
        self._states: dict[str, FeedState] = {}

    def load(self) -> Iterable[FeedState]:
        """Return all states."""
        return list(self._states.values())

    def save(self, state: FeedState) -> None:
        """Keep a state in place of the state with the same ``url``."""
        self._states[state.url] = state


_VERSION = 2
_OF_ONE_OBJECT = 1
"""The version that earlier programs wrote: all states in one object, which was written anew for each of them."""

_TIMES = ("next_fetch", "last_look", "last_success")

UNKNOWN = -1
"""The number of lines of a file that this process has not written."""

FEW_LINES = 100
"""A file with no more lines than this is not worth to be written anew."""


class StateFile(StatesInMemory):
    """Keeps states as JSON Lines: a line with the version, then states, of which the last of a feed counts.

    A saved state is one more line, on disk when the call returns. If the process is killed while it writes, that line
    is unfinished and does not count. The file is written anew, as a whole, at the first call, and when most of its
    lines are out of date. Only one process may use it at a time.

    Raises:
        InputError: the file exists and is not a file of states.
        OutputError: on saving, the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._states = {state.url: state for state in _read(path)}
        self._lines = UNKNOWN

    def save(self, state: FeedState) -> None:
        """Append this state, in place of the state with the same ``url``."""
        super().save(state)
        is_new = self._lines == UNKNOWN or not self._path.is_file()
        if is_new or self._lines > max(FEW_LINES, 2 * len(self._states)):
            self._write_anew()
        else:
            append_lines(self._path, json_text(state_row(state)) + "\n")
            self._lines += 1

    def _write_anew(self) -> None:
        with open_output(self._path) as file:
            file.write(json_text({"version": _VERSION}) + "\n")
            file.writelines(json_text(state_row(kept)) + "\n" for kept in self._states.values())
        self._lines = len(self._states)


def _read(path: Path) -> list[FeedState]:
    try:
        text = path.read_text(encoding="utf-8")
        first, _, rest = text.partition("\n")
        head = json.loads(text if '"feeds"' in first else first)
        if head["version"] not in (_VERSION, _OF_ONE_OBJECT):
            raise InputError(f"written by another version ({head['version']})", where=str(path))
        if head["version"] == _OF_ONE_OBJECT:
            rows = head["feeds"]
        else:
            rows = [json.loads(line) for line in rest.split("\n")[:-1]]  # the last may be unfinished
        return [state_from_row(row) for row in rows]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", where=str(path)) from error
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise InputError(
            "not a feed-state file", where=str(path), hint="name another, or remove it to start again"
        ) from error


def state_row(state: FeedState) -> dict[str, object]:
    """Return a state as JSON, without empty fields."""
    times = {name: time.isoformat() for name in _TIMES if (time := getattr(state, name))}
    named = {"url": state.url, "address": state.address}
    values = {field.name: getattr(state, field.name) for field in fields(state)}
    return named | {name: value for name, value in (values | times).items() if value}


def state_from_row(row: Mapping[str, Any]) -> FeedState:
    """Return the state of a row of :func:`state_row`.

    Raises:
        ValueError, LookupError, TypeError: the row is not a state.
    """
    times = {name: datetime.fromisoformat(row[name]) for name in _TIMES if name in row}
    names = {field.name for field in fields(FeedState)}
    if not isinstance(row["url"], str) or not row.keys() <= names:
        raise ValueError("the row is not a state")
    return FeedState(**{**row, **times, "seen": tuple(map(_seen, row.get("seen", ())))})


def _seen(row: str | list[str]) -> Seen:
    return Seen(row) if isinstance(row, str) else Seen(*row)  # a key alone, as earlier versions wrote it
