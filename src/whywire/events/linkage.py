"""Groups articles into events.

Which error is worse? Two events in one group is worse than one event in two groups: a wrong merge puts words
into a source's mouth and hides a link, a missed one only repeats a line. So groups are joined by *average*
linkage, which does not let a chain of look-alikes drift from one event into another, and only while the average
probability of being the same event stays above one half.

Reports of one event lie within a few days of each other, so two that are further apart speak against a group.

Groups are found inside connected components, each by a matrix of all its pairs, and headlines written by one template
can tie a whole stream into one component. So a component of more than ``MOST`` items is divided first: pairs are
joined in descending order of probability, equal ones by their numbers, and a join that would make a component larger
than that is not made (single linkage by Kruskal's algorithm, with a limit on size). The strongest ties stay together,
and what the limit costs is the lesser error, one event in two groups. Components that are no larger are left as they
are.

The result is a partition, so *same event* is symmetric and transitive whatever the pair model says of single
pairs (HLGD 2021, sections 5.1 and 5.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from whywire.events.candidates import Times

SAME_EVENT = 0.5
"""The average probability of a group's pairs, at the prior taken, under which it is not one event."""

EVENT_PRIOR = 1.0
"""Log-odds added to every probability of *same event*, chosen on topics that are not reported on."""

MOST = 2_000
"""Items of a component: the matrix of their pairs takes 32 MB, and all that is made of it a few times as much."""

Pair = tuple[int, int]


def group_events(
    probabilities: Mapping[Pair, float],
    vectors: NDArray[np.float32],
    estimate: Callable[[NDArray[np.float32]], NDArray[np.float64]],
    *,
    clock: Times | None = None,
    most: int = MOST,
) -> list[list[int]]:
    """Partition items by average linkage.

    Takes memory that grows with the items and the pairs, and with the square of ``most``.

    Args:
        probabilities: probability of *same event* for the pairs (i < j) the model was asked about.
        vectors: (items, size), unit length.
        estimate: from cosines to probabilities, for the pairs nobody asked about.
        clock: the items' times, where those further apart than the window are never the same.
        most: items that a component, and so a group, may have.

    Returns:
        Groups in the order of their first members; members in order.
    """
    probabilities = dict(zip(probabilities, with_prior(np.array(list(probabilities.values()))).tolist(), strict=True))
    found = components(len(vectors), probabilities, SAME_EVENT, most)
    groups: list[list[int]] = []
    for members, (rows, columns, known) in zip(found, _pairs_inside(found, probabilities), strict=True):
        if len(members) == 1:
            groups.append(members)
            continue
        matrix = with_prior(estimate(vectors[members] @ vectors[members].T))
        matrix[rows, columns] = matrix[columns, rows] = known
        if clock:
            where = np.array(members)
            matrix[clock.outside(where, where)] = 0.0
        linked = average_linkage(matrix, SAME_EVENT, overwrite=True)
        groups += [[members[place] for place in group] for group in linked]
    return sorted(groups)


def _pairs_inside(
    found: Sequence[Sequence[int]], probabilities: Mapping[Pair, float]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
    """For each component its pairs that were asked about: where their items are in it, and their probabilities."""
    count = sum(map(len, found))
    home, place = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    for number, members in enumerate(found):
        home[members] = number
        place[members] = range(len(members))
    left, right = np.array(list(probabilities), dtype=np.int64).reshape(-1, 2).T
    known = np.array(list(probabilities.values()), dtype=np.float64)
    inside = np.flatnonzero(home[left] == home[right])
    inside = inside[np.argsort(home[left[inside]], kind="stable")]
    for start, end in pairwise(np.searchsorted(home[left[inside]], np.arange(len(found) + 1)).tolist()):
        own = inside[start:end]
        yield place[left[own]], place[right[own]], known[own]


def with_prior(probabilities: NDArray[np.float64], prior: float = EVENT_PRIOR) -> NDArray[np.float64]:
    """Probabilities of *same event* with log-odds added to each."""
    odds = np.exp(prior) * probabilities
    result: NDArray[np.float64] = odds / (odds + 1 - probabilities)
    return result


def pairs_left_open(
    count: int,
    probabilities: Mapping[Pair, float],
    *,
    each: int,
    threshold: float = SAME_EVENT,
    most: int = MOST,
) -> list[Pair]:
    """Pairs that may end in one group and that nobody has asked about yet.

    Neighbours are few where many outlets report one thing, and a group is only as good as the pairs looked at. Where
    a component is divided, what an item may still be asked after its own part goes to the other parts: items whose
    neighbours are all in a part that is full would else stay alone, and may be of one event with each other.

    Args:
        count: how many items there are.
        probabilities: the pairs asked so far.
        each: how many more an item may take part in, so that the work grows with the items and not their square.
        most: items that a component may have.
    """
    budget = [each] * count
    pairs: set[Pair] = set()
    divided = [members for members in components(count, probabilities, threshold) if len(members) > most]
    for members in [*components(count, probabilities, threshold, most), *divided]:
        unspent = list(range(len(members)))
        for gap in range(1, len(members)):
            # two of these that are nearer than the gap have been asked about, so they are few at wide gaps
            unspent = [place for place in unspent if budget[members[place]]]
            if len(unspent) < 2 or unspent[-1] - unspent[0] < gap:
                break
            for place in unspent:
                if place + gap >= len(members):
                    break
                i, j = members[place], members[place + gap]
                if budget[i] and budget[j] and (i, j) not in probabilities and (i, j) not in pairs:
                    budget[i] -= 1
                    budget[j] -= 1
                    pairs.add((i, j))
    return sorted(pairs)


def components(
    count: int, probabilities: Mapping[Pair, float], threshold: float, most: int | None = None
) -> list[list[int]]:
    """Items connected by pairs whose probability reaches the threshold; groups never reach beyond one of these.

    Args:
        most: items that a component may have. One with more is divided: pairs are joined in descending order of
            probability, equal ones by their numbers, and a join that would make a component larger is not made.

    Returns:
        Components in the order of their first items; items in order.
    """
    parent = list(range(count))
    size = [1] * count

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    ties = [(-probability, pair) for pair, probability in probabilities.items() if probability >= threshold]
    if most is not None:
        ties.sort()
    for _, (i, j) in ties:
        a, b = sorted((root(i), root(j)))
        if a != b and (most is None or size[a] + size[b] <= most):
            parent[b] = a
            size[a] += size[b]
    found: dict[int, list[int]] = {}
    for item in range(count):
        found.setdefault(root(item), []).append(item)
    return list(found.values())


def average_linkage(similarity: NDArray[np.float64], threshold: float, *, overwrite: bool = False) -> list[list[int]]:
    """Join the two most similar groups, by the mean of their pairs, while that mean reaches the threshold.

    Args:
        similarity: (items, items), symmetric.
        overwrite: work in ``similarity`` itself and not in a copy.
    """
    return components(len(similarity), joins(similarity, threshold, overwrite=overwrite), threshold)


def joins(similarity: NDArray[np.float64], floor: float, *, overwrite: bool = False) -> dict[Pair, float]:
    """The joins of average linkage, and how similar the joined groups were: at least ``floor``.

    :func:`components` of them, at any threshold from there on, are the groups at that threshold. The
    nearest-neighbour chain (Murtagh 1983) finds the same joins as taking the best pair first, in quadratic time.
    Ties go to the lower number, so equal input gives equal output.

    Args:
        similarity: (items, items), symmetric.
        overwrite: work in ``similarity`` itself and not in a copy.

    Returns:
        For each join, the first members of its two groups.
    """
    matrix = np.asarray(similarity, dtype=np.float64) if overwrite else np.array(similarity, dtype=np.float64)
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
