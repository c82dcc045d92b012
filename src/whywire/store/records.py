"""Records that a store returns besides articles, events, links and claims; and its errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from whywire.annotation.campaigns import Campaign, Standing
from whywire.annotation.items import Item
from whywire.correction import Correction
from whywire.errors import InputError, WhywireError
from whywire.feeds.schedule import MINUTE
from whywire.feeds.states import FeedHealth, FeedState, Subscription
from whywire.news import Article, Language, Published
from whywire.updating import Change

T = TypeVar("T")


class StoreAwayError(InputError):
    """The database cannot be used now: it cannot be reached, its file was removed or replaced, or it is damaged."""


class StaleStateError(WhywireError):
    """Another update was committed since the state was loaded: load the state again and decide again."""


class NarrowStateError(StaleStateError):
    """What changes reaches further back than the index of articles.

    Args:
        since: the index must have all articles since then; ``None`` stands for all articles.
    """

    def __init__(self, since: datetime | None) -> None:
        super().__init__("the index of articles does not go back far enough", hint="load more and decide again")
        self.since = since


class LeaseLostError(WhywireError):
    """A lease ran out, and another worker may have its articles."""


class AnswerRefusedError(InputError):
    """The item was not given to this person, or its answer cannot be changed any more."""


class Outcome(StrEnum):
    """What became of an article that was handed to a store."""

    NEW = "new"
    KNOWN = "known"
    """The store already has the article, or has accepted it."""
    COPY = "copy"
    """The article equals a known one except for its id, which will be listed with the known article."""
    REPLACED = "replaced"
    """The article will replace the known one with the same id or url, and take over the known id."""
    WITHDRAWN = "withdrawn"
    """The article will be withdrawn."""
    UNKNOWN = "unknown"
    """There is no such article to withdraw."""
    CONFLICT = "conflict"
    """A different article has the same id or url; this one is left out."""
    REFUSED = "refused"
    """The article cannot be stored, and is left out."""


class Action(StrEnum):
    """What an update must do with an accepted article."""

    ADD = "add"
    REPLACE = "replace"
    """Replace the article with its id, or add it if there is none."""
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of an article, and the reason if it is left out or is a copy.

    Args:
        earlier: the version that it replaces.
    """

    article_id: str
    outcome: Outcome
    reason: str | None = None
    earlier: Article | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """Articles that are reserved for one worker until a time.

    Args:
        id: of this lease.
        worker: the name of the worker.
        articles: in the order in which they were accepted; articles to be withdrawn are in their present version.
        until: when the lease ends unless it is renewed.
        actions: what to do with the articles, by id; articles that are missing here are added.
        suspect: whether a worker died while it had these articles.
        by_time: whether they are old news (:func:`whywire.store.queue.accept`).
    """

    id: str
    worker: str
    articles: tuple[Article, ...]
    until: datetime
    actions: Mapping[str, Action] = field(default_factory=dict)
    suspect: bool = False
    by_time: bool = False

    @property
    def arriving(self) -> list[Article]:
        """The articles that are to be in the graph afterwards."""
        return [*self.having(Action.ADD), *self.having(Action.REPLACE)]

    def having(self, action: Action) -> list[Article]:
        """The articles that this action applies to."""
        return [article for article in self.articles if self.actions.get(article.id, Action.ADD) is action]


@dataclass(frozen=True, slots=True)
class Arrival:
    """An accepted article that no update has taken in yet.

    Args:
        set_aside: the article failed too often, and is not tried again unless somebody asks for it.
        reason: why the article failed last.
    """

    article: Article
    set_aside: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A page of a list, and the cursor of the next page; ``None`` on the last page."""

    items: list[T]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class StorySummary:
    """A story of two events or more, in numbers.

    Args:
        lead: id of the event that gives the story its title.
        first_seen, last_seen: times of its earliest and its latest report.
        events, articles, links: how many it has.
        outlets: the number of outlets of its articles; an article without an outlet counts as one.
        weight: the sum of the weights of its links; stories are sorted by it.
        first_listed, last_listed: the period under which it is listed: a report counts at its time, or at the time it
            came if it has none or one to come; ``None`` if that is unknown as well.
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
    weight: float
    first_listed: datetime | None
    last_listed: datetime | None

    @property
    def came(self) -> datetime | None:
        """When its last report without a believed time came, if that is not within the times of the others."""
        if self.last_listed is None or self.last_seen is None:
            return self.last_listed
        return None if self.last_seen.at <= self.last_listed <= self.last_seen.until else self.last_listed


class FacetKind(StrEnum):
    """By what stories can be chosen besides their time, language and words."""

    OUTLET = "outlet"
    PLACE = "place"
    ORGANISATION = "organisation"


@dataclass(frozen=True, slots=True)
class Facet:
    """An outlet of stories, or a place or an organisation that they name.

    Args:
        count: of its reports in a story, or of stories that have it.
    """

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class StoryFilter:
    """Which stories are wanted; what is ``None`` or empty does not count.

    Args:
        since, until: they were reported on in this period.
        outlet, place, organisation: they have this facet. A place of the gazetteer or a listed organisation may be
            given by any of its names, and a place has the stories of the places in it.
        words: their events have all of these words.
    """

    since: datetime | None = None
    until: datetime | None = None
    language: Language | None = None
    outlet: str | None = None
    place: str | None = None
    organisation: str | None = None
    words: str = ""


ANY_STORY = StoryFilter()


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change in the history, with its number and the time when it was recorded."""

    id: int
    at: datetime
    change: Change


class CorrectionState(StrEnum):
    """How far a correction by a person is."""

    WAITING = "waiting"
    """The graph follows within seconds."""
    IN_FORCE = "in force"
    RESTING = "resting"
    """All its words of one side are gone from the news; it applies again if their articles return."""
    TAKEN_BACK = "taken back"
    REFUSED = "refused"
    """An update failed on it; it is not tried again."""


@dataclass(frozen=True, slots=True)
class ListedCorrection:
    """A correction and what it is about now.

    Args:
        events: ids of the events of its left and its right; ``None`` where its words are gone.
        titles: of these events.
        reason: why it was refused.
    """

    correction: Correction
    state: CorrectionState
    events: tuple[str | None, str | None]
    titles: tuple[str | None, str | None]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a store holds.

    Args:
        waiting: accepted articles that no update has taken in yet, without those set aside.
        models: the number of readings of each version of the models.
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
    """A key of the service; only its hash is kept.

    Args:
        prefix: the beginning of the key, by which it is found.
        scopes: what the key allows: ``read``, ``write``, ``admin``.
    """

    id: str
    name: str
    prefix: str
    hash: str
    scopes: tuple[str, ...]
    made: datetime
    revoked: datetime | None = None
    last_used: datetime | None = None


class TopicKind(StrEnum):
    """What a topic is made of."""

    WORDS = "words"
    """Stories in which an event has all of these words."""
    PLACE = "place"
    """Stories in which an event names this place, or a place in it, in either language."""
    STORY = "story"
    """One story, also after it was merged into another."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a reader follows.

    Args:
        value: words, the name of a listed place, or the id of a story.
    """

    kind: TopicKind
    value: str


@dataclass(frozen=True, slots=True)
class TopicChange:
    """A change about a topic.

    Args:
        story: id of the story that it belongs to now, or of an event that is in no story.
        title: of this story or event.
    """

    story: str
    title: str
    recorded: RecordedChange


@dataclass(frozen=True, slots=True)
class Watch:
    """A topic to follow, and the webhook that is told of its changes.

    Args:
        made_by: id of the key that made it.
        webhook: where changes are sent; ``None`` if they are only read as a feed.
        secret: signs what is sent.
        paused: nothing is sent until it is resumed; what changes meanwhile is sent then.
        delivered: number of the last change handed over, or passed because it is about something else.
        delivered_at: when something was last handed over.
        message: what is being sent, the same at every attempt, with the changes up to ``reaches``.
        failures: failed attempts in a row, the first at ``failing_since``; the next attempt is at ``next_try``.
        last_error: why the last attempt failed; ``None`` after a success.
        lease: of the process that is sending.
    """

    id: str
    name: str
    topic: Topic
    made: datetime
    made_by: str
    webhook: str | None = field(default=None, repr=False)
    secret: str | None = field(default=None, repr=False)
    paused: bool = False
    delivered: int = 0
    delivered_at: datetime | None = None
    message: str | None = field(default=None, repr=False)
    reaches: int | None = None
    failures: int = 0
    failing_since: datetime | None = None
    next_try: datetime | None = None
    last_error: str | None = None
    lease: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed that is or was watched.

    Args:
        id: a hash of its address.
        title: as somebody named it; may be empty.
        state: what is known of it after the last look, without the entries that were seen.
        subscription: its address, and how it is to be watched.
        added: when somebody added it; ``None`` if only a program was given it.
        added_by: the id of the key that added it.
    """

    id: str
    title: str
    state: FeedState
    subscription: Subscription
    added: datetime | None = None
    added_by: str | None = None

    @property
    def url(self) -> str:
        """The address that was given."""
        return self.subscription.url

    @property
    def paused(self) -> bool:
        """Whether it is left alone."""
        return self.subscription.paused

    @property
    def interval(self) -> int | None:
        """Minutes between looks; ``None`` adapts them to how often something is new."""
        seconds = self.subscription.interval
        return None if seconds is None else round(seconds / MINUTE)

    @property
    def awaits_look(self) -> bool:
        """Whether a look was asked for that has not ended yet, or the feed was never looked at."""
        return self.subscription.awaits_look(self.state)

    def health(self, now: datetime) -> FeedHealth:
        """Return the health of the feed."""
        return FeedHealth.PAUSED if self.paused else self.state.health(now)


@dataclass(frozen=True, slots=True)
class ListedCampaign:
    """A campaign, and how far it is.

    Args:
        finished: items of work about which nobody else needs to be asked.
        answers: all that were given.
    """

    campaign: Campaign
    items: int
    finished: int
    answers: int
    people: int


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person who labels in a campaign, by a chosen name.

    Args:
        hash: of the token; ``None`` if the answers were imported.
        excluded: since when the answers do not count.
    """

    name: str
    joined: datetime
    hash: str | None = field(default=None, repr=False)
    excluded: datetime | None = None


class NoItem(StrEnum):
    """Why a person is asked nothing."""

    FINISHED = "finished"
    FAILED = "failed"
    """Below a threshold of the rules."""
    CLOSED = "closed"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person is asked now.

    Args:
        number: of the item among those that the person was given, from 1.
        reason: why there is no item.
    """

    item: Item | None
    number: int
    reason: NoItem | None
    standing: Standing
