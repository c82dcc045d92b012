"""Ids that stay: groups that are decided again keep the ids of the groups they continue.

Which error is worse? An id that means something else than yesterday: whoever saved a link to an event would read of
another one. So an id goes to the group that holds most of what it stood for, and is never given to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from whywire.elements import short_hash

Member = TypeVar("Member", bound=Hashable)


def keep_ids(before: Mapping[str, Collection[Member]], now: Sequence[Collection[Member]]) -> list[str | None]:
    """The id of each group now: that of the group before of which it holds most members; ``None`` if it is new.

    Each id is given once. Where two groups have equally much of one, the larger one gets it, then the first.

    Args:
        before: members of each group before, by its id; a member is in one group.
        now: groups of members, a member in one group.
    """
    number_of = {member: number for number, group in enumerate(now) for member in group}
    shared = Counter(
        (name, number_of[member]) for name, group in before.items() for member in group if member in number_of
    )
    ids: list[str | None] = [None] * len(now)
    given: set[str] = set()
    for (name, number), _ in sorted(shared.items(), key=lambda one: (-one[1], -len(now[one[0][1]]), one[0])):
        if ids[number] is None and name not in given:
            ids[number] = name
            given.add(name)
    return ids


def complete_ids(
    kept: Sequence[str | None], wanted: Sequence[str], used_among: Callable[[Collection[str]], Collection[str]]
) -> list[str]:
    """The ids of groups: those kept; for a new group the wanted one, or one made from it if that is or was in use.

    Args:
        used_among: which of some ids are in use or were.
    """
    found = {at: name for at, name in enumerate(kept) if name}
    taken = {*found.values()}
    waiting = {at: name for at, name in enumerate(wanted) if at not in found}
    while waiting:
        used = {*used_among({*waiting.values()})}
        again = {}
        for at, name in waiting.items():
            if name in used or name in taken:
                again[at] = f"{name.split('-', 1)[0]}-{short_hash(name)}"
            else:
                found[at] = name
                taken.add(name)
        waiting = again
    return [found[at] for at in range(len(kept))]
