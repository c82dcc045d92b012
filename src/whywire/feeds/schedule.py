"""What an answer means for a feed: which entries are new, and when to look again. Nothing here does I/O.

To lose an entry is worse than to hand it over twice, for readers know it by its id. So only what was handed over
counts as seen, and the version of a document (its ETag) is remembered only when all of it was handed over. An entry
is known by its address, or by what its feed calls it, unless the feed calls several entries so; a known entry that
changed is handed over as a new version. The other rule is to be polite: never to look earlier than a server asks, and
to look less often where nothing is new or nothing works. A new version of an entry does not count as new.
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
"""The interval of a feed: at least, at first, and at most."""

QUICKER, SLOWER = 0.5, 1.5
"""What the interval is multiplied by after a look that found something new, and after one that did not. About one
look in three then finds something: 0.5 · 1.5 · 1.5 is near 1."""

LONGEST_WISH = 7 * DAY
"""However long a server asks to be left alone, it is asked again after this time."""

JITTER = 0.2
"""A look is delayed by up to this share of the pause, so that feeds drift apart that began together."""

MAX_SEEN = 20_000
"""Entries that are remembered of a feed: those of its last document, then older ones. Twice the most read of one."""

_KEY_DIGITS = 16
"""64 bits: two of a million entries share a key with a probability of 3 in 100 million."""


@dataclass(frozen=True, slots=True)
class Document:
    """A feed was read.

    Args:
        pause: seconds for which its server says that it stays as it is.
        moved_to: where it is from now on.
    """

    content: FeedDocument
    etag: str = ""
    modified: str = ""
    pause: float = 0.0
    moved_to: str | None = None


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The server has nothing newer than what was read before."""

    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A feed could not be read.

    Args:
        pause: seconds for which the server asks to be left alone.
        gone: for good.
    """

    reason: str
    pause: float = 0.0
    gone: bool = False


Answer = Document | Unchanged | Failure


@dataclass(frozen=True, slots=True)
class Found:
    """An entry to be handed over.

    Args:
        seen: what is to be remembered of it.
        is_version: it was handed over before, and changed.
    """

    entry: Entry
    seen: Seen
    is_version: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from an answer.

    Args:
        state: of the feed once all entries are handed over.
        entries: those that are new or changed, oldest first.
    """

    state: FeedState
    entries: tuple[Found, ...] = ()


def decide(state: FeedState, answer: Answer, now: datetime, jitter: float) -> Decision:
    """Decide what an answer means.

    Args:
        jitter: a random number, 0 to 1.
    """
    match answer:
        case Failure():
            return Decision(_after_failure(state, answer, now, jitter))
        case Unchanged():
            return Decision(_after_success(state, state.interval * SLOWER, answer.pause, now, jitter))
    known = {seen.key: seen for seen in state.seen}
    found = _recognized(state, answer.content.entries, known)
    entries = tuple(
        entry for entry in found if not entry.is_version or entry.seen.version != known[entry.seen.key].version != ""
    )
    is_new = any(not entry.is_version for entry in found)
    interval = state.interval * (QUICKER if is_new else SLOWER) if state.last_success else FIRST
    after = _after_success(state, interval, max(answer.pause, answer.content.ttl or 0.0), now, jitter)
    after = replace(
        after,
        address=answer.moved_to or state.address,
        title=answer.content.title or state.title,
        etag=answer.etag,
        modified=answer.modified,
        seen=_remembered((entry.seen for entry in reversed(found)), state.seen),
    )
    return Decision(after, entries)


def _recognized(state: FeedState, entries: Sequence[Entry], known: Mapping[str, Seen]) -> list[Found]:
    """The entries of a document, oldest first, each once, as versions of known ones where they are."""
    names = [(entry_key(state.url, entry), _guid_key(state.url, entry)) for entry in entries]
    called = Counter(guid for _, guid in {*names})
    by_guid = {seen.guid: seen.key for seen in state.seen if seen.guid}
    found: dict[str, Found] = {}
    for entry, (key, guid) in zip(reversed(entries), reversed(names), strict=True):  # the first one stays
        unique_guid = guid if called[guid] == 1 else ""
        if key not in known:
            key = by_guid.get(unique_guid, key)
        version = _hashed([entry.title, entry.text, entry.updated])
        before = known.get(key)
        found[key] = Found(
            entry, Seen(key, version, unique_guid or (before.guid if before else "")), before is not None
        )
    return list(found.values())


def partly_done(
    before: FeedState, decision: Decision, handed_over: Iterable[Seen], now: datetime | None
) -> FeedState:
    """The state when only some of the new entries were handed over, as when the watcher is stopped.

    Args:
        before: the state that was decided on.
        handed_over: entries, newest first.
        now: to look again soon after; ``None`` to look again as soon as possible.
    """
    return replace(
        decision.state,
        etag=before.etag,
        modified=before.modified,
        next_fetch=now + timedelta(seconds=SHORTEST) if now else before.next_fetch,
        seen=_remembered(handed_over, before.seen),
    )


def entry_key(feed: str, entry: Entry) -> str:
    """The key by which an entry is known again: of its address, also in other feeds; else of what the feed calls it.

    It is the id of the article. Addresses come first since many feeds change an entry's guid with each correction.
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
        ended=failure.gone,
    )


def _later(now: datetime, pause: float, jitter: float) -> datetime:
    return now + timedelta(seconds=pause * (1 + JITTER * jitter))
