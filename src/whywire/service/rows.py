"""Rows of the API that the graph does not have, and JSON Schemas of all rows for the OpenAPI description.

The rows of articles, events, links and claims are those of :mod:`whywire.graph.codec`; docs/formats.md describes each
field.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from whywire.elements import LinkKind, round_strength
from whywire.feeds.states import FeedHealth, shown_url
from whywire.graph.codec import ArticleRow, CorrectionRow, MentionRow, Row, correction_row, plain, time_text
from whywire.news.times import utc_text
from whywire.service.work_progress import Position, Work
from whywire.store import (
    ApiKey,
    CorrectionState,
    Counts,
    Feed,
    ListedCorrection,
    RecordedChange,
    StorySummary,
    TopicKind,
    Watch,
)

T = TypeVar("T")

EXAMPLE_ARTICLE: Row = {
    "id": "a-1",
    "url": "https://news.example/fire",
    "source": "Harbour Post",
    "published": "2026-03-04T10:00:00Z",
    "title": "Fire shuts the Calder Bay refinery",
    "text": "Petrol ran short because the fire had shut the refinery.",
    "language": "en",
}

EXAMPLES: dict[str, Row] = {
    "ArticleRow": EXAMPLE_ARTICLE,
    "EventRow": {
        "id": "e-4be81c8a4f0c",
        "title": "Fire shuts the Calder Bay refinery",
        "language": "en",
        "first_seen": "2026-03-04T10:00:00Z",
        "last_seen": "2026-03-04T12:30:00Z",
        "when": None,
        "story": "e-4be81c8a4f0c",
        "planned": False,
        "articles": ["a-1"],
        "named_by": 0,
        "mentions": [
            {
                "article": "a-1",
                "field": "title",
                "span": [0, 34],
                "kind": "headline",
                "words": "Fire shuts the Calder Bay refinery",
            }
        ],
    },
    "Taken": {"id": "a-1", "outcome": "new", "reason": None, "notes": []},
}
"""Examples of rows by the names of their types."""


class PageOf(Struct, Generic[T]):
    """A page of a list."""

    items: list[T]
    next: Annotated[str | None, Meta(description="Cursor of the next page, for `after`; null at the end.")]


class ArrivalRow(ArticleRow, kw_only=True):
    """An article that was accepted and is not in the graph yet."""

    status: Annotated[Literal["waiting", "set aside"], Meta(description="Set aside: the article failed too often.")]
    reason: Annotated[str | None, Meta(description="Why the article failed last.")]


class Taken(Struct):
    """What became of an article."""

    id: str
    outcome: Literal["new", "known", "copy", "replaced", "withdrawn"]
    reason: str | None
    notes: Annotated[
        list[str], Meta(description="What about it could not be used, such as a time that cannot be read.")
    ]


class RowTaken(Struct):
    """The outcome of one row of a bulk request."""

    row: Annotated[int, Meta(description="Number of the line, from 1.")]
    id: str | None
    outcome: Literal["new", "known", "copy", "conflict", "refused"]
    reason: str | None
    notes: list[str]


class MentionOfEvent(MentionRow, kw_only=True):
    """A mention and the id of its event."""

    event: str


class StoryRow(Struct):
    """A story in numbers."""

    id: str
    title: str
    lead: Annotated[str, Meta(description="Id of the event that gives the story its title.")]
    language: str
    first_seen: str | None
    last_seen: str | None
    events: int
    articles: int
    links: int
    outlets: int
    weight: Annotated[float, Meta(description="Strength times probability of its links, added up.")]
    first_listed: Annotated[
        str | None,
        Meta(description="As first_seen, but a report without a time, or with one to come, counts when it came."),
    ]
    last_listed: Annotated[str | None, Meta(description="As last_seen; see first_listed.")]


class ChangeRow(Struct):
    """One thing that an update changed."""

    id: int
    at: str
    kind: str
    subject: str
    object: str | None
    link_kind: LinkKind | None
    into: list[str]
    details: dict[str, Any]


class ChangePage(Struct):
    """A part of the history."""

    items: list[ChangeRow]
    next: Annotated[int | None, Meta(description="For `after`; null at the end.")]


class ListedCorrectionRow(CorrectionRow, kw_only=True):
    """A correction by a person, how far it is, and what it is about now."""

    state: Annotated[
        CorrectionState,
        Meta(description="Resting: its words are gone from the news. Refused: an update failed on it."),
    ]
    reason: Annotated[str | None, Meta(description="Why it was refused.")]
    events: Annotated[
        list[str | None],
        Meta(description="Ids of the events of its left and its right; null where its words are gone."),
    ]
    titles: Annotated[list[str | None], Meta(description="Titles of these events.")]


class StoreCounts(Struct):
    """How much a store holds."""

    articles: int
    events: int
    stories: int
    links: int
    claims: int
    waiting: Annotated[int, Meta(description="Accepted articles that no update has taken in yet.")]
    set_aside: Annotated[int, Meta(description="Articles that failed too often.")]
    changes: int


class WorkRow(Struct):
    """How far the articles are that came since nothing waited."""

    work: Annotated[
        Work | None, Meta(description="What the worker of this process does; null: it rests, or there is none.")
    ]
    done: Annotated[int, Meta(description="Articles that are read or in the graph.")]
    total: Annotated[int, Meta(description="These and the waiting ones.")]
    seconds_left: Annotated[float | None, Meta(description="Until nothing waits; null while that is unknown.")]


class Status(StoreCounts):
    """What the store holds, and how far it is."""

    version: str
    last_change: int
    leased: Annotated[int, Meta(description="Waiting articles that a worker of any process has.")]
    work: WorkRow


class SetAsideRow(Struct):
    """An article that failed too often, and why."""

    article: ArticleRow
    reason: str | None


class Retried(Struct):
    """How many articles wait again."""

    retried: int


class WatchRow(Struct):
    """A topic that is followed, and how far its webhook is."""

    id: str
    name: str
    kind: TopicKind
    value: Annotated[str, Meta(description="Words, a place, or the id of a story.")]
    made: str
    made_by: Annotated[str, Meta(description="Id of the key.")]
    webhook: Annotated[str | None, Meta(description="Scheme and host of the address; null if there is none.")]
    paused: bool
    delivered_at: Annotated[str | None, Meta(description="When changes were last handed over.")]
    failures: Annotated[int, Meta(description="Failed attempts in a row.")]
    next_try: str | None
    last_error: Annotated[str | None, Meta(description="Why the last attempt failed.")]


class WatchMade(WatchRow, kw_only=True):
    """A watch whose webhook was set, and the secret that signs what is sent."""

    secret: Annotated[str | None, Meta(description="Shown only now; null if no webhook was set.")]


class WatchTested(Struct):
    """Whether a receiver took a message."""

    taken: bool
    reason: Annotated[str | None, Meta(description="Why not.")]


class FeedRow(Struct):
    """A feed that is or was watched, and its health."""

    id: str
    url: Annotated[str, Meta(description="Without its query, which may hold a key.")]
    title: str
    origin: Annotated[
        Literal["added", "start", "elsewhere"],
        Meta(description="Added here, given to this service at its start, or watched by another program."),
    ]
    added: str | None
    added_by: Annotated[str | None, Meta(description="Id of the key that added it.")]
    paused: bool
    interval: Annotated[int | None, Meta(description="Minutes between looks; null: adapted.")]
    health: FeedHealth
    awaits_look: Annotated[bool, Meta(description="It is to be looked at now, or is being looked at.")]
    last_look: str | None
    last_success: str | None
    next_look: str | None
    articles: Annotated[int, Meta(description="Articles taken from it, new versions included.")]
    failures: Annotated[int, Meta(description="Failed looks in a row.")]
    error: Annotated[str | None, Meta(description="Why the last look failed.")]


class Refused(Struct):
    """A part of a request that could not be used, and why."""

    where: str
    reason: str


class FeedsImported(Struct):
    """What became of a list of feeds."""

    added: int
    known: Annotated[int, Meta(description="Feeds that were watched before.")]
    refused: list[Refused]


class Answers(Struct):
    """The given rows with their answers, in the same order; a row that cannot be used has an `error`."""

    items: list[dict[str, Any]]


def story_row(story: StorySummary) -> Row:
    """Return the row of a story (:class:`StoryRow`)."""
    return msgspec.to_builtins(story) | {  # type: ignore[no-any-return]
        "first_seen": time_text(story.first_seen),
        "last_seen": time_text(story.last_seen),
        "weight": round_strength(story.weight),
        "first_listed": story.first_listed and utc_text(story.first_listed),
        "last_listed": story.last_listed and utc_text(story.last_listed),
    }


def change_row(recorded: RecordedChange) -> Row:
    """Return the row of a change of the history (:class:`ChangeRow`)."""
    change = recorded.change
    return plain(
        ChangeRow(
            id=recorded.id,
            at=utc_text(recorded.at, "milliseconds"),
            kind=change.kind,
            subject=change.subject,
            object=change.object,
            link_kind=change.link_kind,
            into=list(change.into),
            details=dict(change.details),
        )
    )


def listed_correction_row(listed: ListedCorrection) -> Row:
    """Return the row of a correction of a store (:class:`ListedCorrectionRow`)."""
    return correction_row(listed.correction) | {
        "state": listed.state.value,
        "reason": listed.reason,
        "events": list(listed.events),
        "titles": list(listed.titles),
    }


def watch_row(watch: Watch, webhook: str | None) -> Row:
    """Return the row of a watch (:class:`WatchRow`).

    Args:
        webhook: its address as readers may see it.
    """
    return plain(
        WatchRow(
            id=watch.id,
            name=watch.name,
            kind=watch.topic.kind,
            value=watch.topic.value,
            made=utc_text(watch.made),
            made_by=watch.made_by,
            webhook=webhook,
            paused=watch.paused,
            delivered_at=utc_text(watch.delivered_at) if watch.delivered_at else None,
            failures=watch.failures,
            next_try=utc_text(watch.next_try) if watch.next_try else None,
            last_error=watch.last_error,
        )
    )


def counts_row(counts: Counts) -> Row:
    """Return the row of a store's counts (:class:`StoreCounts`)."""
    return plain(msgspec.convert(counts, StoreCounts, from_attributes=True))


def work_row(position: Position) -> Row:
    """Return the row of a worker's position (:class:`WorkRow`)."""
    row = plain(msgspec.convert(position, WorkRow, from_attributes=True))
    left = position.seconds_left
    return row | {"seconds_left": left and round(left, 1)}


def key_row(key: ApiKey) -> Row:
    """Return the row of a key, without its hash."""
    return {
        "id": key.id,
        "name": key.name,
        "scopes": list(key.scopes),
        "made": utc_text(key.made),
        "last_used": key.last_used and utc_text(key.last_used),
        "revoked": key.revoked and utc_text(key.revoked),
    }


def feed_row(feed: Feed, now: datetime, *, given: bool) -> Row:
    """Return the row of a feed (:class:`FeedRow`).

    Args:
        given: this service was given it at its start.
    """
    state = feed.state
    is_over = feed.paused or state.ended
    return plain(
        FeedRow(
            id=feed.id,
            url=shown_url(feed.url),
            title=state.title or feed.title,
            origin="added" if feed.added else "start" if given else "elsewhere",
            added=utc_text(feed.added) if feed.added else None,
            added_by=feed.added_by,
            paused=feed.paused,
            interval=feed.interval,
            health=feed.health(now),
            awaits_look=feed.awaits_look,
            last_look=utc_text(state.last_look) if state.last_look else None,
            last_success=utc_text(state.last_success) if state.last_success else None,
            next_look=None if is_over or state.next_fetch is None else utc_text(state.next_fetch),
            articles=state.articles,
            failures=state.failures,
            error=state.last_error or None,
        )
    )


COMPONENTS: dict[str, Any] = {}
"""The JSON Schemas of the rows in answers, by name; filled as routes are declared."""


def schema_of(row_type: Any) -> dict[str, Any]:
    """Add the JSON Schema of a row, and those that it needs, to ``COMPONENTS``; return a reference to it."""
    (reference,), schemas = msgspec.json.schema_components([row_type], ref_template="#/components/schemas/{name}")
    for name, schema in schemas.items():
        if schema.get("type") == "object":
            schema["additionalProperties"] = False
        if name in EXAMPLES:
            schema["examples"] = [EXAMPLES[name]]
    COMPONENTS.update(schemas)
    return reference


def is_row_type(candidate: object) -> bool:
    """Return whether an object is a type of rows, such as ``EventRow`` or ``PageOf[EventRow]``."""
    row_type = getattr(candidate, "__origin__", candidate)
    return isinstance(row_type, type) and issubclass(row_type, Struct)
