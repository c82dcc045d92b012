"""Decides from an answer which entries of a feed are new and when to look again. Does no I/O.

Losing an entry is worse than handing the entry over twice, since receivers recognise it by its id. So an entry counts
as seen only after it was handed over, and a document's ETag is stored only after all entries of the document were
handed over. An entry is recognised by its address, or by its guid if no other entry of the feed has the same guid. If
a recognised entry has changed, it is handed over as a new version. The schedule is polite: a feed is never fetched
earlier than its server wishes. It is fetched less often if it has nothing new or fails. New versions do not count as
new.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from whywire.feeds.documents import Entry, FeedDocument
from whywire.feeds.states import FeedState, Seen
from whywire.news.urls import url_key

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0

SHORTEST, FIRST, LONGEST = 5 * MINUTE, 30 * MINUTE, DAY
"""Seconds between looks at a feed: the minimum, the initial value and the maximum."""

QUICKER, SLOWER = 0.5, 1.5
"""The interval is multiplied by these factors after a look with new entries and after a look without. So about one
look in three finds new entries, since 0.5 · 1.5 · 1.5 is near 1."""

LONGEST_WISH = 7 * DAY
"""The longest pause, in seconds, that a server may ask for."""

JITTER = 0.2
"""A look is delayed by up to this share of the pause, so that feeds added together drift apart."""

MAX_SEEN = 20_000
"""The number of entries that are remembered of a feed, those of the latest document first: twice the number that is
read of one document."""

_KEY_DIGITS = 16
"""64 bits: two of a million entries share a key with a probability of 3 in 100 million."""


@dataclass(frozen=True, slots=True)
class Document:
    """A feed was read.

    Args:
        pause: seconds for which the response stays fresh, according to the server.
        moved_to: the feed's new address, if it moved for good.
    """

    content: FeedDocument
    etag: str = ""
    modified: str = ""
    pause: float = 0.0
    moved_to: str | None = None


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The feed has not changed since it was last read."""

    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A feed could not be read.

    Args:
        pause: seconds that the server asks to wait.
        gone: the feed is gone for good.
    """

    reason: str
    pause: float = 0.0
    gone: bool = False


Answer = Document | Unchanged | Failure


@dataclass(frozen=True, slots=True)
class RecognizedEntry:
    """An entry, and whether it was seen before.

    Args:
        seen: what to remember of the entry.
        is_version: the entry is a new version of an entry that was handed over before.
    """

    entry: Entry
    seen: Seen
    is_version: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision that follows from an answer.

    Args:
        state: the feed's state after all entries are handed over.
        entries: the new and the changed entries, oldest first.
    """

    state: FeedState
    entries: tuple[RecognizedEntry, ...] = ()


def decide(state: FeedState, answer: Answer, now: datetime, jitter: float, *, every: float | None = None) -> Decision:
    """Decide which entries to hand over, and the next state of a feed.

    Args:
        jitter: a random number, 0 to 1.
        every: seconds between looks that read the feed, `SHORTEST` to `LONGEST`; ``None`` adapts them.
    """
    match answer:
        case Failure():
            return Decision(_after_failure(state, answer, now, jitter))
        case Unchanged():
            return Decision(_after_success(state, every or state.interval * SLOWER, answer.pause, now, jitter))
    seen_before = {seen.key: seen for seen in state.seen}
    recognized = _recognized(state, answer.content.entries, seen_before)
    entries = tuple(
        entry
        for entry in recognized
        if not entry.is_version or entry.seen.version != seen_before[entry.seen.key].version != ""
    )
    is_new = any(not entry.is_version for entry in recognized)
    interval = state.interval * (QUICKER if is_new else SLOWER) if state.last_success else FIRST
    after = _after_success(state, every or interval, max(answer.pause, answer.content.ttl or 0.0), now, jitter)
    after = replace(
        after,
        address=answer.moved_to or state.address,
        title=answer.content.title or state.title,
        etag=answer.etag,
        modified=answer.modified,
        seen=_remembered((entry.seen for entry in reversed(recognized)), state.seen),
    )
    return Decision(after, entries)


def _recognized(state: FeedState, entries: Sequence[Entry], seen_before: Mapping[str, Seen]) -> list[RecognizedEntry]:
    """Return the entries of a document, oldest first; of entries with the same key only the first in the document."""
    keys = [(entry_key(state.url, entry), _guid_key(state.url, entry)) for entry in entries]
    guid_counts = Counter(guid for _, guid in {*keys})
    by_guid = {seen.guid: seen.key for seen in state.seen if seen.guid}
    recognized: dict[str, RecognizedEntry] = {}
    for entry, (key, guid) in zip(reversed(entries), reversed(keys), strict=True):  # the first in the document wins
        unique_guid = guid if guid_counts[guid] == 1 else ""
        if key not in seen_before:
            key = by_guid.get(unique_guid, key)
        version = _hashed([entry.title, entry.text, entry.updated])
        before = seen_before.get(key)
        seen = Seen(key, version, unique_guid or (before.guid if before else ""))
        recognized[key] = RecognizedEntry(entry, seen, before is not None)
    return list(recognized.values())


def partly_done(
    before: FeedState, decision: Decision, handed_over: Iterable[Seen], now: datetime | None
) -> FeedState:
    """Return the state if only some of the entries were handed over, for example because the watcher was stopped.

    Args:
        before: the state that the decision was based on.
        handed_over: the entries, newest first.
        now: when the look ended; the next look is soon after. ``None`` if the look goes on.
    """
    return replace(
        decision.state,
        etag=before.etag,
        modified=before.modified,
        next_fetch=now + timedelta(seconds=SHORTEST) if now else before.next_fetch,
        last_look=now or before.last_look,
        seen=_remembered(handed_over, before.seen),
    )


def entry_key(feed: str, entry: Entry) -> str:
    """Return the key of an entry: a hash of its address or, if it has no address, of feed and guid.

    The key is the id of the article. An address gives the same key in every feed. It comes first because many feeds
    change the guid of an entry with each correction.
    """
    return _hashed([url_key(entry.link)]) if entry.link else _guid_key(feed, entry)


def _guid_key(feed: str, entry: Entry) -> str:
    return _hashed([feed, entry.guid or f"{entry.title}\n{entry.text}"])


def _hashed(identity: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:_KEY_DIGITS]


def _remembered(latest: Iterable[Seen], older: Iterable[Seen]) -> tuple[Seen, ...]:
    kept: dict[str, Seen] = {}
    for seen in (*latest, *older):
        kept.setdefault(seen.key, seen)
    return tuple(kept.values())[:MAX_SEEN]


def _after_success(state: FeedState, interval: float, pause: float, now: datetime, jitter: float) -> FeedState:
    interval = min(max(interval, SHORTEST), LONGEST)
    return replace(
        state,
        interval=interval,
        next_fetch=_later(now, max(interval, min(pause, LONGEST)), jitter),
        failures=0,
        last_error="",
        last_look=now,
        last_success=now,
    )


def _after_failure(state: FeedState, failure: Failure, now: datetime, jitter: float) -> FeedState:
    doublings = min(state.failures, 30)
    pause = max(min(SHORTEST * 2.0**doublings, LONGEST), min(failure.pause, LONGEST_WISH))
    return replace(
        state,
        next_fetch=None if failure.gone else _later(now, pause, jitter),
        failures=state.failures + 1,
        last_error=failure.reason,
        last_look=now,
        ended=failure.gone,
    )


def _later(now: datetime, pause: float, jitter: float) -> datetime:
    return now + timedelta(seconds=pause * (1 + JITTER * jitter))
