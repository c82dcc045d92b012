"""Changes: what was decided anew, compared with what was there before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from whywire.elements import Claim, Event, Link, Mention, round_strength
from whywire.updating.changes import Change, ChangeKind, LinkKey, link_key
from whywire.updating.stable_ids import complete_ids, keep_ids

MIN_STRENGTH_CHANGE = 0.5
"""A strength that changes by less is kept in the store, but not in the history."""

Reason = Callable[[Event | Link], str | None]
"""Says why an event or a link ended that rests on articles that are gone alone."""


class KnownIds(Protocol):
    """Which ids are in use."""

    def used_among(self, names: Collection[str], /) -> Collection[str]:
        """Those of some ids that an event has or had."""

    def stories_among(self, names: Collection[str], /) -> Collection[str]:
        """Those of some ids that a story has."""


@dataclass(frozen=True)
class Decided:
    """Events, links and claims of some articles, decided anew, with ids of their own."""

    events: Sequence[Event]
    links: Sequence[Link]
    claims: Sequence[Claim]


def with_kept_ids(
    decided: Decided, before: Collection[Event], known: KnownIds
) -> tuple[Decided, dict[str, tuple[str, ...]]]:
    """What was decided, with the ids of the events and stories that it continues.

    Args:
        before: the events that the same articles had.
        known: of all events.

    Returns:
        Besides, the events that are no more, with those that hold their mentions now; none if the articles are gone.
    """
    ids = keep_ids({one.id: one.mentions for one in before}, [one.mentions for one in decided.events])
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
        one.id: tuple(dict.fromkeys(now[mention] for mention in one.mentions if mention in now))
        for one in before
        if one.id not in kept
    }
    return Decided(events, links, claims), ended


def _kept_stories(
    events: Sequence[Event], before: Iterable[Event], renamed: Mapping[str, str], known: KnownIds
) -> dict[str, str]:
    """The id of each story decided anew: that of the story it continues, else the new id of its earliest event."""
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


def event_history(
    before: Mapping[str, Event], events: Iterable[Event], ended: Mapping[str, tuple[str, ...]], reason: Reason
) -> Iterator[Change]:
    """What happened to events: which are new, which changed, which were merged or split, which ended."""
    for event in events:
        earlier = before.get(event.id)
        if earlier is None:
            yield Change(ChangeKind.EVENT_ADDED, event.id, details={"title": event.title, "story": event.story})
        elif earlier != event:
            details: dict[str, Any] = {"title": event.title, "story": event.story}
            for name in ("title", "story", "planned"):
                if getattr(earlier, name) != getattr(event, name):
                    details[f"{name} before"] = getattr(earlier, name)
            grown = len(event.articles) - len(earlier.articles)
            if grown:
                details["articles"] = len(event.articles)
                details["articles before"] = len(earlier.articles)
            yield Change(ChangeKind.EVENT_CHANGED, event.id, details=details)
    for name, into in ended.items():
        kind = (ChangeKind.EVENT_ENDED, ChangeKind.EVENT_MERGED, ChangeKind.EVENT_SPLIT)[min(len(into), 2)]
        why = None if into else reason(before[name])
        yield Change(kind, name, into=into, details={"title": before[name].title} | ({"reason": why} if why else {}))


def link_history(
    before: Mapping[LinkKey, Link],
    links: Iterable[Link],
    dropped: Iterable[LinkKey],
    titles: Mapping[str, str],
    reason: Reason,
) -> Iterator[Change]:
    """What happened to links: which are new, changed, closed, reopened or dropped.

    Args:
        titles: of all events that the links join or joined, by their ids.
    """

    def change(kind: ChangeKind, key: LinkKey, **details: Any) -> Change:
        source, target, link_kind = key
        named = {"source": titles.get(source), "target": titles.get(target)}
        return Change(kind, source, target, link_kind, details={**named, **details})

    for link in links:
        key, earlier = link_key(link), before.get(link_key(link))
        strength = round_strength(link.strength)
        if earlier is None:
            yield change(ChangeKind.LINK_ADDED, key, strength=strength, evidence=_evidence(link))
        elif link.closed_by and link.closed_by != earlier.closed_by:
            yield change(ChangeKind.LINK_CLOSED, key, strength=strength, closed_by=link.closed_by)
        elif earlier.closed_by and not link.closed_by:
            yield change(ChangeKind.LINK_REOPENED, key, strength=strength)
        elif abs(link.strength - earlier.strength) >= MIN_STRENGTH_CHANGE or _evidence(link) != _evidence(earlier):
            yield change(
                ChangeKind.LINK_CHANGED,
                key,
                strength=strength,
                **{"strength before": round_strength(earlier.strength), "evidence": _evidence(link)},
            )
    for key in dropped:
        why = reason(before[key])
        more = {"reason": why} if why else {}
        yield change(ChangeKind.LINK_DROPPED, key, strength=round_strength(before[key].strength), **more)


def _evidence(link: Link) -> dict[str, int]:
    """The number of pieces of evidence of each kind."""
    kinds = [one.kind.value for one in link.evidence]
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}
