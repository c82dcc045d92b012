"""What a store returns besides articles, events, links and claims; and its errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from whywire.errors import InputError, WhywireError
from whywire.news import Article, Language, Published
from whywire.updating import Change

T = TypeVar("T")


class StoreAwayError(InputError):
    """The database cannot be used now: it cannot be reached, its file was removed or replaced, or it is damaged."""


class StaleStateError(WhywireError):
    """Changes were decided by a state that is no longer the latest: load the state again and decide again."""


class LeaseLostError(WhywireError):
    """A lease ran out, and another worker may have its articles."""


class Outcome(StrEnum):
    """What became of an article that was handed to a store."""

    NEW = "new"
    KNOWN = "known"
    """The store has it already, or has accepted it."""
    COPY = "copy"
    """It equals a known article but for its id, which will be listed there."""
    REPLACED = "replaced"
    """It will replace the known article with its id or url, whose id it has."""
    WITHDRAWN = "withdrawn"
    """It will be withdrawn."""
    UNKNOWN = "unknown"
    """There is no such article to withdraw."""
    CONFLICT = "conflict"
    """Another article has its id or its url; it is left out."""
    REFUSED = "refused"
    """It cannot be stored; it is left out."""


class Action(StrEnum):
    """What an update is to do with an accepted article."""

    ADD = "add"
    REPLACE = "replace"
    """Replace the article with its id, or add it where there is none."""
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of an article, and why where it is left out."""

    article_id: str
    outcome: Outcome
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """Articles that one worker has for itself until a time.

    Args:
        id: of this lease.
        worker: the name of the worker.
        articles: in the order in which they were accepted; those to be withdrawn as they are so far.
        until: when it ends unless it is renewed.
        actions: what is to be done with the articles, by their ids; to be added are those that are not named.
        suspect: whether a worker died while it had them.
    """

    id: str
    worker: str
    articles: tuple[Article, ...]
    until: datetime
    actions: Mapping[str, Action] = field(default_factory=dict)
    suspect: bool = False

    @property
    def arriving(self) -> list[Article]:
        """The articles that are to be in the graph afterwards."""
        return [*self.having(Action.ADD), *self.having(Action.REPLACE)]

    def having(self, action: Action) -> list[Article]:
        """The articles with which this is to be done."""
        return [article for article in self.articles if self.actions.get(article.id, Action.ADD) is action]


@dataclass(frozen=True, slots=True)
class Arrival:
    """An accepted article that no update has taken in yet.

    Args:
        set_aside: it failed too often to be tried again by itself.
        reason: why it failed last.
    """

    article: Article
    set_aside: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list, and the cursor of the next part; ``None`` at the end."""

    items: list[T]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class StorySummary:
    """A story of two events or more, in numbers.

    Args:
        lead: id of the event that gives it its title.
        first_seen, last_seen: times of its earliest and its latest report.
        events, articles, links: their numbers.
        outlets: the number of sources of its articles; one without a source counts for itself.
        strength: of its links together: what stories are sorted by.
    """

    id: str
    title: str
    lead: str
    language: Language
    first_seen: Published | None
    last_seen: Published | None
    events: int
    articles: int
    links: int
    outlets: int
    strength: float


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change of the history, with its number and when it was recorded."""

    id: int
    at: datetime
    change: Change


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a store holds.

    Args:
        waiting: accepted articles that no update has taken in yet, those set aside not among them.
        models: the number of readings by the version of the models.
    """

    articles: int
    events: int
    stories: int
    links: int
    claims: int
    waiting: int
    set_aside: int
    changes: int
    models: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key for the service, of which only a hash is kept.

    Args:
        prefix: the beginning of the key, by which it is found.
        scopes: what it allows.
    """

    id: str
    name: str
    prefix: str
    hash: str
    scopes: tuple[str, ...]
    made: datetime
    revoked: datetime | None = None
    last_used: datetime | None = None
