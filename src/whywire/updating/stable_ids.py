"""Stable ids: groups that are decided again keep the ids of the groups that they continue.

An id that comes to mean another event is worse than a new id for a known event: whoever saved a link to an event
would find another one. So an id goes to the group with most of the members it stood for, and an ended id is never
used again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from whywire.elements import Event, Mention, short_hash
from whywire.pipeline import Decided

Member = TypeVar("Member", bound=Hashable)


def keep_ids(before: Mapping[str, Collection[Member]], now: Sequence[Collection[Member]]) -> list[str | None]:
    """The id that each group keeps: that of the earlier group with which it shares most members; ``None`` if new.

    Each id is given once. If two groups share equally many members with one, the larger gets its id, then the first.

    Args:
        before: members of each earlier group, by its id; a member is in one group.
        now: members of each group now; a member is in one group.
    """
    number_of = {member: number for number, group in enumerate(now) for member in group}
    shared = Counter(
        (name, number_of[member]) for name, group in before.items() for member in group if member in number_of
    )
    ids: list[str | None] = [None] * len(now)
    given: set[str] = set()
    for (name, number), _ in sorted(shared.items(), key=lambda item: (-item[1], -len(now[item[0][1]]), item[0])):
        if ids[number] is None and name not in given:
            ids[number] = name
            given.add(name)
    return ids


def complete_ids(
    kept: Sequence[str | None], wanted: Sequence[str], used_among: Callable[[Collection[str]], Collection[str]]
) -> list[str]:
    """The ids of groups: those kept; for new groups the wanted ids, or others made from them if those were ever used.

    Args:
        used_among: returns which of some ids are or were in use.
    """
    ids = {at: name for at, name in enumerate(kept) if name}
    taken = {*ids.values()}
    waiting = {at: name for at, name in enumerate(wanted) if at not in ids}
    while waiting:
        used = {*used_among({*waiting.values()})}
        again = {}
        for at, name in waiting.items():
            if name in used or name in taken:
                again[at] = f"{name.split('-', 1)[0]}-{short_hash(name)}"
            else:
                ids[at] = name
                taken.add(name)
        waiting = again
    return [ids[at] for at in range(len(kept))]


class KnownIds(Protocol):
    """Which ids are in use."""

    def used_among(self, names: Collection[str], /) -> Collection[str]:
        """The ids among these that belong to an event, or once did."""

    def stories_among(self, names: Collection[str], /) -> Collection[str]:
        """The ids among these that belong to a story."""


def with_kept_ids(
    decided: Decided, before: Collection[Event], known: KnownIds
) -> tuple[Decided, dict[str, tuple[str, ...]]]:
    """What was decided, with the ids of the events and stories that it continues.

    Args:
        before: the earlier events of the same articles.
        known: ids of all events.

    Returns:
        What was decided; and the ids of the events that ended, with those of the events that now have their mentions,
        none if their articles are gone.
    """
    ids = keep_ids({event.id: event.mentions for event in before}, [event.mentions for event in decided.events])
    names = complete_ids(ids, [event.id for event in decided.events], known.used_among)
    renamed = {event.id: name for event, name in zip(decided.events, names, strict=True)}
    story_of = _kept_stories(decided.events, before, renamed, known)
    events = [
        replace(event, id=name, story=event.story and story_of[event.story])
        for event, name in zip(decided.events, names, strict=True)
    ]
    links = [
        replace(
            link,
            source=renamed.get(link.source, link.source),
            target=renamed.get(link.target, link.target),
            closed_by=link.closed_by and renamed.get(link.closed_by, link.closed_by),
        )
        for link in decided.links
    ]
    claims = [replace(claim, event=renamed.get(claim.event, claim.event)) for claim in decided.claims]
    now, kept = {mention: event.id for event in events for mention in event.mentions}, {*names}
    ended = {
        event.id: tuple(dict.fromkeys(now[mention] for mention in event.mentions if mention in now))
        for event in before
        if event.id not in kept
    }
    return Decided(events, links, claims), ended


def _kept_stories(
    events: Sequence[Event], before: Iterable[Event], renamed: Mapping[str, str], known: KnownIds
) -> dict[str, str]:
    """The new id of each story: that of the story it continues, else the new id of its earliest event."""
    members: defaultdict[str, list[Mention]] = defaultdict(list)
    for event in events:
        if event.story:
            members[event.story] += event.mentions
    earlier: defaultdict[str, list[Mention]] = defaultdict(list)
    for event in before:
        if event.story:
            earlier[event.story] += event.mentions
    kept = keep_ids(earlier, [*members.values()])
    names = complete_ids(kept, [renamed.get(story, story) for story in members], known.stories_among)
    return dict(zip(members, names, strict=True))
