"""Groups articles into events.

Which error is worse? Two events in one group is worse than one event in two groups: a wrong merge puts words
into a source's mouth and hides a link, a missed one only repeats a line. So groups are joined by *average*
linkage, which does not let a chain of look-alikes drift from one event into another, and only while the average
chance of being the same event stays above one half.

Reports of one event lie within a few days of each other, so two that are further apart speak against a group.

The result is a partition, so *same event* is symmetric and transitive whatever the pair model says of single
pairs (HLGD 2021, sections 5.1 and 5.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from whywire.headlines.candidates import Times

SAME_EVENT = 0.5
"""The average probability of a group's pairs, at the prior taken, under which it is not one event."""

EVENT_PRIOR = 1.0
"""Log-odds added to every chance of *same event*, chosen on topics that are not reported on."""

Pair = tuple[int, int]


def group_events(
    chances: Mapping[Pair, float],
    vectors: NDArray[np.float32],
    guess: Callable[[NDArray[np.float32]], NDArray[np.float64]],
    *,
    clock: Times | None = None,
) -> list[list[int]]:
    """Partition items by average linkage.

    Args:
        chances: probability of *same event* for the pairs (i < j) the model was asked about.
        vectors: (items, size), unit length.
        guess: from cosines to chances, for the pairs nobody asked about.
        clock: the items' times, where those further apart than the window are never the same.

    Returns:
        Groups in the order of their first members; members in order.
    """
    chances = dict(zip(chances, with_prior(np.array(list(chances.values()))).tolist(), strict=True))
    groups: list[list[int]] = []
    for members in components(len(vectors), chances, SAME_EVENT):
        if len(members) == 1:
            groups.append(members)
            continue
        matrix = with_prior(guess(vectors[members] @ vectors[members].T))
        places = {member: place for place, member in enumerate(members)}
        for i in members:
            for j in members:
                if i < j and (i, j) in chances:
                    matrix[places[i], places[j]] = matrix[places[j], places[i]] = chances[i, j]
        if clock:
            where = np.array(members)
            matrix[clock.outside(where, where)] = 0.0
        groups += [[members[place] for place in group] for group in average_linkage(matrix, SAME_EVENT)]
    return sorted(groups)


def with_prior(chances: NDArray[np.float64], prior: float = EVENT_PRIOR) -> NDArray[np.float64]:
    """Chances of *same event* with log-odds added to each."""
    odds = np.exp(prior) * chances
    result: NDArray[np.float64] = odds / (odds + 1 - chances)
    return result


def pairs_left_open(
    count: int, chances: Mapping[Pair, float], *, each: int, threshold: float = SAME_EVENT
) -> list[Pair]:
    """Pairs that may end in one group and that nobody has asked about yet.

    Neighbours are few where many outlets report one thing, and a group is only as good as the pairs looked at.

    Args:
        count: how many items there are.
        chances: the pairs asked so far.
        each: how many more an item may take part in, so that the work grows with the items and not their square.
    """
    budget = [each] * count
    pairs = []
    for members in components(count, chances, threshold):
        for gap in range(1, len(members)):
            for i, j in zip(members, members[gap:], strict=False):
                if budget[i] and budget[j] and (i, j) not in chances:
                    budget[i] -= 1
                    budget[j] -= 1
                    pairs.append((i, j))
    return sorted(pairs)


def components(count: int, chances: Mapping[Pair, float], threshold: float) -> list[list[int]]:
    """Items connected by pairs whose chance reaches the threshold; groups never reach beyond one of these."""
    parent = list(range(count))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for (i, j), chance in chances.items():
        if chance >= threshold:
            a, b = root(i), root(j)
            parent[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = {}
    for item in range(count):
        found.setdefault(root(item), []).append(item)
    return list(found.values())


def average_linkage(similarity: NDArray[np.float64], threshold: float) -> list[list[int]]:
    """Join the two most similar groups, by the mean of their pairs, while that mean reaches the threshold.

    Args:
        similarity: (items, items), symmetric.
    """
    return components(len(similarity), joins(similarity, threshold), threshold)


def joins(similarity: NDArray[np.float64], floor: float) -> dict[Pair, float]:
    """The joins of average linkage, and how similar the joined groups were: at least ``floor``.

    :func:`components` of them, at any threshold from there on, are the groups at that threshold. The
    nearest-neighbour chain (Murtagh 1983) finds the same joins as taking the best pair first, in quadratic time.
    Ties go to the lower number, so equal input gives equal output.

    Args:
        similarity: (items, items), symmetric.

    Returns:
        For each join, the first members of its two groups.
    """
    matrix = np.array(similarity, dtype=np.float64)
    np.fill_diagonal(matrix, -np.inf)
    size = np.ones(len(matrix))
    alive = np.ones(len(matrix), dtype=bool)
    found: dict[Pair, float] = {}
    chain: list[int] = []
    while alive.any():
        if not chain:
            chain.append(int(np.argmax(alive)))
        last = chain[-1]
        row = np.where(alive, matrix[last], -np.inf)
        nearest = int(np.argmax(row))
        if len(chain) > 1 and row[chain[-2]] >= row[nearest]:
            nearest = chain[-2]
        if row[nearest] < floor:
            # nothing will ever come nearer to this group: averages of values under the floor stay under it
            alive[last] = False
            chain.pop()
        elif len(chain) > 1 and nearest == chain[-2]:
            keep, gone = min(last, nearest), max(last, nearest)
            found[keep, gone] = float(row[nearest])
            merged = (matrix[keep] * size[keep] + matrix[gone] * size[gone]) / (size[keep] + size[gone])
            matrix[keep] = matrix[:, keep] = merged
            matrix[keep, keep] = -np.inf
            size[keep] += size[gone]
            alive[gone] = False
            del chain[-2:]
        else:
            chain.append(nearest)
    return found
