"""The rows of the API as OpenAPI describes them; docs/formats.md says what each field holds."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

T = TypeVar("T")

WholeNumber = Annotated[
    int, BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
]
"""An integer of a strict model, which JSON may also write as 5.0."""

EXAMPLE_EVENT: dict[str, Any] = {
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
}

EXAMPLE_ARTICLE: dict[str, Any] = {
    "id": "a-1",
    "url": "https://news.example/fire",
    "source": "Harbour Post",
    "published": "2026-03-04T10:00:00Z",
    "title": "Fire shuts the Calder Bay refinery",
    "text": "Petrol ran short because the fire had shut the refinery.",
    "language": "en",
}


class Strict(BaseModel):
    """A row with exactly these fields."""

    model_config = ConfigDict(extra="forbid")


class PageOf(Strict, Generic[T]):
    """A page of a list."""

    items: list[T]
    next: str | None = Field(description="Cursor of the next page, for `after`; null at the end.")


class ArticleRow(Strict):
    """An article; what is not known is missing."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE_ARTICLE]})

    id: str
    title: str
    language: str
    url: str = ""
    source: str = ""
    published: str = ""
    published_from: str = ""
    text: str = ""
    links: list[str] = []
    also: list[str] = []


class ArrivalRow(ArticleRow):
    """An article that was accepted and is not in the graph yet."""

    status: Literal["waiting", "set aside"] = Field(description="Set aside: it failed too often.")
    reason: str | None = Field(description="Why it failed last.")


class ArticleGiven(BaseModel):
    """An article that comes in. Other fields are ignored."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE_ARTICLE]})

    title: str = Field(pattern=r"\w")
    id: str | int | None = None
    url: str | None = None
    source: str | None = None
    published: str | int | None = None
    published_from: str | None = None
    text: str | None = None
    language: str | None = None
    links: list[str] | None = None
    also: list[str] | None = None


class Taken(Strict):
    """What became of an article."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "a-1", "outcome": "new", "reason": None, "notes": []}]}
    )

    id: str
    outcome: Literal["new", "known", "copy", "replaced", "withdrawn"]
    reason: str | None
    notes: list[str] = Field(description="What about it could not be used, such as a time that cannot be read.")


class RowTaken(Strict):
    """What became of a row of a bulk."""

    row: int = Field(description="Number of the line, from 1.")
    id: str | None
    outcome: Literal["new", "known", "copy", "conflict", "refused"]
    reason: str | None
    notes: list[str]


class MentionRow(Strict):
    """Words that describe an event."""

    article: str
    field: Literal["title", "text"]
    span: list[int]
    kind: Literal["headline", "statement", "cause", "effect"]
    words: str


class MentionOfEvent(MentionRow):
    """A mention and its event."""

    event: str


class When(Strict):
    """When an event happened, and the words that say so."""

    start: str
    end: str
    precision: Literal["day", "week", "month", "year"]
    words: str
    article: str
    field: Literal["title", "text"]
    span: list[int]


class EventRow(Strict):
    """An event and its mentions."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE_EVENT]})

    id: str
    title: str
    language: str
    first_seen: str | None
    last_seen: str | None
    when: When | None
    story: str | None
    planned: bool
    articles: list[str]
    named_by: int = 0
    mentions: list[MentionRow] = []


class LinkRow(Strict):
    """A link and its evidence."""

    source: str
    target: str
    kind: Literal["causes", "refutes"]
    probability: float = Field(ge=0, le=1)
    strength: float = Field(ge=0, le=100)
    order: Literal["forward", "same_time", "unknown", "said"]
    closed_by: str | None
    evidence: list[dict[str, Any]]
    judged: float = 0
    denied_by: list[dict[str, Any]] = []


class ClaimRow(Strict):
    """What a sentence claims, denies or imagines."""

    id: str
    kind: Literal["causal", "denial", "counterfactual"]
    article: str
    event: str
    field: Literal["title", "text"]
    sentence: list[int]
    quote: str
    probability: float
    cause: list[int] | None = None
    effect: list[int] | None = None
    signals: list[list[int]] = []
    antecedent: list[int] | None = None
    consequent: list[int] | None = None
    derived: str = ""


class StoryRow(Strict):
    """A story in numbers."""

    id: str
    title: str
    lead: str = Field(description="Id of the event that gives it its title.")
    language: str
    first_seen: str | None
    last_seen: str | None
    events: int
    articles: int
    links: int
    outlets: int
    strength: float = Field(description="Of its links together.")


class GraphRow(Strict):
    """A causal graph."""

    events: list[EventRow]
    links: list[LinkRow]
    claims: list[ClaimRow]
    articles: list[ArticleRow]


class ChangeRow(Strict):
    """One thing that an update changed."""

    id: int
    at: str
    kind: str
    subject: str
    object: str | None
    link_kind: Literal["causes", "refutes"] | None
    into: list[str]
    details: dict[str, Any]


class ChangePage(Strict):
    """A part of the history."""

    items: list[ChangeRow]
    next: int | None = Field(description="For `after`; null at the end.")


class Status(Strict):
    """What the store holds, and how far it is."""

    version: str
    articles: int
    events: int
    stories: int
    links: int
    claims: int
    waiting: int = Field(description="Accepted articles that no update has taken in yet.")
    set_aside: int = Field(description="Articles that failed too often.")
    changes: int
    last_change: int


class SetAsideRow(Strict):
    """An article that failed too often, and why."""

    article: ArticleRow
    reason: str | None


class Retried(Strict):
    """How many articles wait again."""

    retried: int


class Answers(Strict):
    """The rows of a question with their answers, in their order; one that cannot be used has an `error`."""

    items: list[dict[str, Any]]
