"""What changed, story by story."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from fastapi import Request
from starlette.responses import Response

from whywire.elements import LinkKind
from whywire.errors import InputError
from whywire.service.context import Service
from whywire.service.pages.rendering import day_of, html_router, render, start_of
from whywire.store import Store
from whywire.store.records import RecordedChange
from whywire.updating import ChangeKind

CHANGES_PER_PAGE = 3_000
"""Changes on a page: most are new events and articles, which are shown as mere counts at first."""

MAX_DIGITS = 15
"""Digits in the number of a change."""

OF_CORRECTIONS = (ChangeKind.CORRECTION_MADE, ChangeKind.CORRECTION_TAKEN_BACK)

MOST_NOTABLE_FIRST = (
    *OF_CORRECTIONS,
    ChangeKind.ARTICLE_REPLACED,
    ChangeKind.ARTICLE_WITHDRAWN,
    ChangeKind.LINK_CLOSED,
    ChangeKind.EVENT_MERGED,
    ChangeKind.EVENT_SPLIT,
    ChangeKind.EVENT_ENDED,
    ChangeKind.LINK_REOPENED,
    ChangeKind.LINK_ADDED,
    ChangeKind.LINK_CHANGED,
    ChangeKind.LINK_DROPPED,
    ChangeKind.EVENT_ADDED,
    ChangeKind.EVENT_CHANGED,
    ChangeKind.ARTICLE_ADDED,
    ChangeKind.ARTICLE_COPIED,
)

LISTED = 40
"""Changes of a kind that are listed for a story."""

_OF_ARTICLES = tuple(kind for kind in MOST_NOTABLE_FIRST if kind.value.startswith("article "))

router = html_router()


@dataclass(frozen=True)
class StoryChanges:
    """What changed about a story.

    Args:
        id: of the story, or of an event that is alone in its own; empty for corrections of what is gone.
        at: when the latest of these changes was recorded.
        changes: by kind, the most notable kind first; of links, the strongest first.
    """

    id: str
    title: str
    at: datetime
    changes: dict[ChangeKind, list[RecordedChange]]

    @property
    def reports(self) -> int:
        """How many articles came."""
        return len(self.changes.get(ChangeKind.ARTICLE_ADDED, ()))

    @property
    def is_notable(self) -> bool:
        """Whether more changed than that an event was found beside a story, or other mentions of it."""
        return bool(self.reports or self.counts)

    @property
    def counts(self) -> dict[str, int]:
        """How many of each notable kind there are, by the words that name one: causes and denials apart."""
        of_links = Counter(
            "new cause" if recorded.change.link_kind is LinkKind.CAUSES else "new refutation"
            for recorded in self.changes.get(ChangeKind.LINK_ADDED, ())
        )
        notable = {f"change {kind.value}": len(found) for kind, found in self.changes.items() if kind in _NOTABLE}
        return {**of_links, **notable}

    @property
    def strongest(self) -> RecordedChange | None:
        """The strongest new cause."""
        added = self.changes.get(ChangeKind.LINK_ADDED, ())
        return next((recorded for recorded in added if recorded.change.link_kind is LinkKind.CAUSES), None)


_NOTABLE = MOST_NOTABLE_FIRST[:9]
"""Kinds of changes that are counted in a story's line, besides new links."""


@router.get("/changes")
def changes(request: Request, service: Service, since: str = "", after: str = "") -> Response:
    """List what changed since a day, yesterday by default, story by story, the latest first."""
    day = day_of(since) or (datetime.now(UTC) - timedelta(days=1)).date()
    if after and not (after.isdecimal() and len(after) <= MAX_DIGITS):
        raise InputError(f"not the number of a change: {after[:40]!r}")
    store = service.store
    history = store.changes(after=int(after or 0), since=start_of(day), limit=CHANGES_PER_PAGE)
    found = by_story(store, history)
    into = {name for recorded in history for name in recorded.change.into}
    return render(
        request,
        "changes.html",
        since=day,
        stories=[story for story in found if story.is_notable],
        others=sum(not story.is_notable for story in found),
        listed=LISTED,
        titles={name: event.title for name in sorted(into) if (event := store.event(name))},
        next=history[-1].id if len(history) == CHANGES_PER_PAGE else None,
        last_change=store.last_change(),
    )


def by_story(store: Store, history: Iterable[RecordedChange]) -> list[StoryChanges]:
    """Sort changes by the story that they are about, that of the latest change first."""
    history = [*history]
    about = {recorded.id: _about(recorded) for recorded in history}
    named = [name for name, _ in about.values()]
    stories = store.stories_of(
        events={name for name, is_article in about.values() if not is_article},
        articles={name for name, is_article in about.values() if is_article},
    )
    grouped: defaultdict[tuple[str, str], list[RecordedChange]] = defaultdict(list)
    for recorded, name in zip(history, named, strict=True):
        alone = ("", "") if recorded.change.kind in OF_CORRECTIONS else (name, _title(recorded))
        grouped[stories.get(name, alone)].append(recorded)
    found = []
    for (story, title), of_story in grouped.items():
        kinds = {kind: [one for one in of_story if one.change.kind is kind] for kind in MOST_NOTABLE_FIRST}
        for of_kind in kinds.values():
            of_kind.sort(key=lambda recorded: (-recorded.change.details.get("strength", 0), recorded.id))
        present = {kind: of_kind for kind, of_kind in kinds.items() if of_kind}
        found.append(StoryChanges(story, title, max(one.at for one in of_story), present))
    return sorted(found, key=lambda one: (one.at, one.id), reverse=True)


def _about(recorded: RecordedChange) -> tuple[str, bool]:
    """The event or the article that a change is about, and whether it is an article."""
    change = recorded.change
    if change.kind in _OF_ARTICLES:
        return (change.object, False) if change.object else (change.subject, True)
    return change.subject, False


def _title(recorded: RecordedChange) -> str:
    details = recorded.change.details
    return str(details.get("title") or details.get("source") or recorded.change.subject)
