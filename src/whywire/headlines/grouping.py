"""Groups articles into events.

Which error is worse? Two events in one group is worse than one event in two groups: a wrong merge puts words
into a source's mouth and hides a link, a missed one only repeats a line. So groups are joined by *average*
linkage, which does not let a chain of look-alikes drift from one event into another, and only while the average
chance of being the same event stays above one half.

Reports of one event lie within a few days of each other, so two that are further apart speak against a group.

An *affair* is wider: an event with all that was written on it. How wide depends on the news: among a dozen affairs
everything on one of them belongs together, in a pandemic's stream most of what is alike does not. So the same chances
are read with several priors, from strict to generous, and the partition whose groups are nearest in themselves and
farthest from each other is taken.

The result is a partition, so *same event* is symmetric and transitive whatever the pair model says of single
pairs (HLGD 2021, sections 5.1 and 5.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.headlines.candidates import Times

SAME_EVENT = 0.5
"""The average probability of a group's pairs, at the prior taken, under which it is not one event."""

EVENT_PRIORS, AFFAIR_PRIORS = (1.0,), (1.0, 2.0, 3.0, 4.0, 5.0)
"""Log-odds added to the chance of *same event*: the one for events, and those an affair is chosen from."""

ROWS_AT_ONCE = 1024

Pair = tuple[int, int]


def group_events(
    chances: Mapping[Pair, float],
    vectors: NDArray[np.float32],
    guess: Callable[[NDArray[np.float32]], NDArray[np.float64]],
    *,
    priors: Sequence[float] = EVENT_PRIORS,
    clock: Times | None = None,
) -> list[list[int]]:
    """Partition items by average linkage, at the prior that divides them best, where there is more than one.

    Args:
        chances: probability of *same event* for the pairs (i < j) the model was asked about.
        vectors: (items, size), unit length.
        guess: from cosines to chances, for the pairs nobody asked about.
        priors: log-odds to add to every chance.
        clock: the items' times, where those further apart than the window are never the same.

    Returns:
        Groups in the order of their first members; members in order.
    """
    pairs, found = list(chances), np.array(list(chances.values()))
    partitions = []
    for prior in priors:
        shifted = dict(zip(pairs, _with_prior(found, prior).tolist(), strict=True))

        def guess_with_prior(cosines: NDArray[np.float32], prior: float = prior) -> NDArray[np.float64]:
            return _with_prior(guess(cosines), prior)

        partitions.append(_linked(shifted, vectors, guess_with_prior, clock))
    if len(partitions) == 1:
        return partitions[0]
    return max(partitions, key=lambda groups: silhouette(vectors, groups))


def _with_prior(chances: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    odds = np.exp(prior) * chances
    result: NDArray[np.float64] = odds / (odds + 1 - chances)
    return result


def _linked(
    chances: Mapping[Pair, float],
    vectors: NDArray[np.float32],
    guess: Callable[[NDArray[np.float32]], NDArray[np.float64]],
    clock: Times | None,
) -> list[list[int]]:
    groups: list[list[int]] = []
    for members in components(len(vectors), chances, SAME_EVENT):
        if len(members) == 1:
            groups.append(members)
            continue
        matrix = guess(vectors[members] @ vectors[members].T)
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


def silhouette(vectors: NDArray[np.float32], groups: Sequence[Sequence[int]]) -> float:
    """How much nearer items are to their own group than to the next (Rousseeuw 1987), by cosine, -1 to 1.

    An item alone in its group counts zero, so neither everything apart nor everything together scores.

    Args:
        vectors: (items, size), unit length.
    """
    if len(groups) < 2:
        return 0.0
    own = np.empty(len(vectors), dtype=np.int64)
    for number, group in enumerate(groups):
        own[list(group)] = number
    sizes = np.array([len(group) for group in groups])
    sums = np.zeros((len(groups), vectors.shape[1]), dtype=vectors.dtype)
    np.add.at(sums, own, vectors)
    total = 0.0
    for start in range(0, len(vectors), ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, len(vectors)))
        rows = rows[sizes[own[rows]] > 1]
        if not len(rows):
            continue
        likeness = vectors[rows] @ sums.T
        inside = (likeness[np.arange(len(rows)), own[rows]] - 1) / (sizes[own[rows]] - 1)
        likeness /= sizes
        likeness[np.arange(len(rows)), own[rows]] = -np.inf
        nearest = likeness.max(axis=1)
        total += float(((inside - nearest) / np.maximum(1 - np.minimum(inside, nearest), 1e-6)).sum())
    return total / len(vectors)


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

    The nearest-neighbour chain (Murtagh 1983) finds the same groups as joining the best pair first, in quadratic
    time. Ties go to the lower number, so equal input gives equal output.

    Args:
        similarity: (items, items), symmetric.
    """
    matrix = np.array(similarity, dtype=np.float64)
    np.fill_diagonal(matrix, -np.inf)
    size = np.ones(len(matrix))
    groups: dict[int, list[int]] = {item: [item] for item in range(len(matrix))}
    alive = np.ones(len(matrix), dtype=bool)
    done: list[list[int]] = []
    chain: list[int] = []
    while groups:
        if not chain:
            chain.append(next(iter(groups)))
        last = chain[-1]
        row = np.where(alive, matrix[last], -np.inf)
        nearest = int(np.argmax(row))
        if len(chain) > 1 and row[chain[-2]] >= row[nearest]:
            nearest = chain[-2]
        if row[nearest] < threshold or len(groups) == 1:
            # nothing will ever come nearer to this group: averages of values under the threshold stay under it
            done.append(sorted(groups.pop(last)))
            alive[last] = False
            chain.pop()
        elif len(chain) > 1 and nearest == chain[-2]:
            keep, gone = min(last, nearest), max(last, nearest)
            merged = (matrix[keep] * size[keep] + matrix[gone] * size[gone]) / (size[keep] + size[gone])
            matrix[keep] = matrix[:, keep] = merged
            matrix[keep, keep] = -np.inf
            size[keep] += size[gone]
            alive[gone] = False
            groups[keep] += groups.pop(gone)
            del chain[-2:]
        else:
            chain.append(nearest)
    return sorted(done)
