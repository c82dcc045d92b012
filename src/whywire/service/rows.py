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
from whywire.graph.codec import ArticleRow, MentionRow, Row, plain, time_text
from whywire.store import ApiKey, Counts, RecordedChange, StorySummary

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


class Status(StoreCounts):
    """What the store holds, and how far it is."""

    version: str
    last_change: int


class SetAsideRow(Struct):
    """An article that failed too often, and why."""

    article: ArticleRow
    reason: str | None


class Retried(Struct):
    """How many articles wait again."""

    retried: int


class Answers(Struct):
    """The given rows with their answers, in the same order; a row that cannot be used has an `error`."""

    items: list[dict[str, Any]]


def story_row(story: StorySummary) -> Row:
    """Return the row of a story (:class:`StoryRow`)."""
    return msgspec.to_builtins(story) | {  # type: ignore[no-any-return]
        "first_seen": time_text(story.first_seen),
        "last_seen": time_text(story.last_seen),
        "weight": round_strength(story.weight),
        "first_listed": story.first_listed and _utc(story.first_listed),
        "last_listed": story.last_listed and _utc(story.last_listed),
    }


def change_row(recorded: RecordedChange) -> Row:
    """Return the row of a change of the history (:class:`ChangeRow`)."""
    change = recorded.change
    return plain(
        ChangeRow(
            id=recorded.id,
            at=_utc(recorded.at, "milliseconds"),
            kind=change.kind,
            subject=change.subject,
            object=change.object,
            link_kind=change.link_kind,
            into=list(change.into),
            details=dict(change.details),
        )
    )


def counts_row(counts: Counts) -> Row:
    """Return the row of a store's counts (:class:`StoreCounts`)."""
    return plain(msgspec.convert(counts, StoreCounts, from_attributes=True))


def key_row(key: ApiKey) -> Row:
    """Return the row of a key, without its hash."""
    return {
        "id": key.id,
        "name": key.name,
        "scopes": list(key.scopes),
        "made": _utc(key.made),
        "last_used": key.last_used and _utc(key.last_used),
        "revoked": key.revoked and _utc(key.revoked),
    }


def _utc(time: datetime, digits: str = "seconds") -> str:
    return time.isoformat(timespec=digits).replace("+00:00", "Z")


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
