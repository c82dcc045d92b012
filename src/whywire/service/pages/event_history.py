"""The history of an event as its page tells it: each change with what it was, in a few words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whywire.service.context import Context
from whywire.store import RecordedChange
from whywire.updating import Change, ChangeKind

MAX_CHANGES = 50
"""Changes of an event that its page lists, the last ones; the API has all."""


@dataclass(frozen=True)
class EventHistory:
    """The last changes of an event, the latest first.

    Args:
        changes: each with the names of the words that say what it was.
        cut: there are earlier ones.
        titles: of the events that hold mentions of those that were merged or split, by their ids.
    """

    changes: list[tuple[RecordedChange, list[str]]]
    cut: bool
    titles: dict[str, str]


def history_of(service: Context, event_id: str) -> EventHistory:
    """Return the history of an event, as it was recorded."""
    found = service.store.history_of(event_id, limit=MAX_CHANGES + 1)
    shown = found[:MAX_CHANGES]
    into = sorted({name for one in shown for name in one.change.into})
    titles = {name: event.title for name in into if (event := service.store.event(name))}
    return EventHistory([(one, list(_words_of(one.change))) for one in shown], len(found) > len(shown), titles)


def _words_of(change: Change) -> Iterator[str]:
    """The names of the words that say what a change was; of a changed event, everything that changed."""
    if change.kind is not ChangeKind.EVENT_CHANGED:
        yield change.kind.value
        return
    details = change.details
    changed = False
    if "articles" in details:
        changed = True
        yield "grew" if details["articles"] > details.get("articles before", 0) else "shrank"
    for name in ("title", "story", "planned"):
        if f"{name} before" in details:
            changed = True
            yield f"other {name}"
    if not changed:
        yield ChangeKind.EVENT_CHANGED.value
