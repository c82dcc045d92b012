"""What is remembered of each feed, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, Protocol

from whywire.news import Problem

OVERDUE = timedelta(days=1)
"""A feed that is watched is looked at within a day of its time, unless nothing ran."""


class FeedHealth(StrEnum):
    """How a feed is."""

    NEW = "new"
    OK = "ok"
    FAILING = "failing"
    ENDED = "ended"
    UNWATCHED = "unwatched"


def shown_url(url: str) -> str:
    """The address of a feed as messages and pages may show it: its query may hold a key."""
    return url.partition("?")[0]


class Seen(NamedTuple):
    """What is remembered of an entry; the hashes are empty where nothing is known.

    Args:
        key: the id of its article (`whywire.feeds.schedule.entry_key`).
        version: a hash of its title, text and time of update.
        guid: a hash of what its feed calls it.
    """

    key: str
    version: str = ""
    guid: str = ""


@dataclass(frozen=True, slots=True)
class FeedState:
    """What is known of a feed after it was last asked for.

    Args:
        url: the address the user gave; it names the feed for good.
        address: where it is asked for: another than ``url`` once it moved for good, or a page named it.
        title: as the feed gives it.
        etag: the version last read completely, as its server calls it; sent to get only a newer one.
        modified: when that version was made, as its server writes it.
        interval: seconds between looks, adapted to how often something is new.
        next_fetch: when to look again; ``None`` for a feed never asked for.
        failures: how often in a row it could not be read.
        last_error: why, the last time; empty once it was read again.
        last_success: when it was last read, or its server said that nothing is new.
        ended: its server says that it is gone for good; it is not asked for again.
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
    last_success: datetime | None = None
    ended: bool = False
    seen: tuple[Seen, ...] = ()

    def is_due(self, now: datetime) -> bool:
        """Whether it is time to look."""
        return not self.ended and (self.next_fetch is None or self.next_fetch <= now)

    def health(self, now: datetime) -> FeedHealth:
        """How the feed is: unwatched if nobody has looked at it for a day after it was due."""
        if self.ended:
            return FeedHealth.ENDED
        if self.next_fetch and self.next_fetch + OVERDUE < now:
            return FeedHealth.UNWATCHED
        if self.failures:
            return FeedHealth.FAILING
        return FeedHealth.OK if self.last_success else FeedHealth.NEW


@dataclass(frozen=True, slots=True)
class FeedLook:
    """One look at a feed.

    Args:
        state: of the feed after it.
        articles: how many were handed over.
        problems: what was wrong with the feed's document, its entries, or their pages.
    """

    state: FeedState
    articles: int = 0
    problems: tuple[Problem, ...] = ()


class FeedStates(Protocol):
    """Where states are kept. Its calls come one at a time."""

    def load(self) -> Iterable[FeedState]:
        """All states that were saved."""

    def save(self, state: FeedState) -> None:
        """Keep a state in place of that of the same ``url``; it is durable when this returns."""


class StatesInMemory:
    """Keeps states for as long as the process lives."""

    def __init__(self) -> None:
        self._states: dict[str, FeedState] = {}

    def load(self) -> Iterable[FeedState]:
        """All states that were saved."""
        return list(self._states.values())

    def save(self, state: FeedState) -> None:
        """Keep a state in place of that of the same ``url``."""
        self._states[state.url] = state
