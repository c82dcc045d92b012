"""Partitions items into groups of one event each, by average linkage.

Two events in one group are worse than one event in two groups: the first puts words into a source's mouth and hides
a link between the two events, the second only repeats a line. So two groups are merged only while the *mean*
probability of their pairs is at least ``SAME_EVENT_THRESHOLD``; the mean keeps a chain of similar items from
drifting from one event into another. A pair outside the window of time counts as 0, and one that is told apart by
its words (:mod:`whywire.events.distinct`) as less than 0.

Groups are found inside connected components, from the matrix of all pairs of a component. Headlines written by one
template can connect a whole stream, so a component of more than ``MAX_COMPONENT`` items is divided first
(:func:`components`), at the risk of the lesser error, one event in two groups.

The result is a partition, so *same event* is symmetric and transitive, whatever a model says of single pairs (HLGD
2021, sections 5.1 and 5.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from networkx.utils import UnionFind
from numpy.typing import NDArray

from whywire.events.candidates import Pair, Times
from whywire.events.distinct import DISTINCT, distinct_pairs
from whywire.events.told import Told

SAME_EVENT_THRESHOLD = 0.5
"""The probability of *same event* from which a pair connects its items; the mean from which two groups are merged."""

MAX_COMPONENT = 2_000
"""Most items in a component: the matrix of their pairs takes 32 MB, arrays made from it a few times as much."""

NEAR = 0.15
"""A merge whose mean is at most this far from the threshold is uncertain."""

Estimate = Callable[[NDArray[np.float32]], NDArray[np.float64]]
"""A function from cosines, of any shape, to probabilities of *same event*."""


@dataclass(frozen=True, slots=True)
class UncertainMerge:
    """Two groups whose mean probability of *same event* is near the threshold, whether they were merged or not.

    Args:
        left, right: indices of items, in order; the first of the left is the first of all.
        similarity: the mean.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    similarity: float


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """Constraints on a partition that override probabilities (must-link and cannot-link).

    Args:
        told: what each item tells; a pair that is told apart counts as ``DISTINCT``. Empty if unknown.
        labels: (items,); items with one label are in one group, items with different labels never are; -1 for an item
            without a label. ``None`` if no item has one.
        apart: pairs of items that are never in one group.
        together: pairs of items that are of one event, unless labels or ``apart`` say otherwise.
    """

    told: Sequence[Told] = ()
    labels: NDArray[np.int64] | None = None
    apart: Sequence[Pair] = ()
    together: Sequence[Pair] = ()
    _apart_from: dict[int, list[int]] = field(init=False, default_factory=dict)
    _together_with: dict[int, list[int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for pairs, of in ((self.apart, self._apart_from), (self.together, self._together_with)):
            for i, j in pairs:
                of.setdefault(i, []).append(j)

    def apply(self, matrix: NDArray[np.float64], members: NDArray[np.int64]) -> None:
        """Write the constraints into the matrix of probabilities (members, members)."""
        if self.told:
            matrix[distinct_pairs([self.told[member] for member in members.tolist()])] = DISTINCT
        place = {member: index for index, member in enumerate(members.tolist())}
        _set_pairs(matrix, place, self._together_with, 1.0)
        if self.labels is not None:
            labels = self.labels[members]
            labelled = labels >= 0
            both = labelled[:, None] & labelled
            same = labels[:, None] == labels
            matrix[both] = np.where(same, 1.0, -np.inf)[both]
        _set_pairs(matrix, place, self._apart_from, -np.inf)


def _set_pairs(
    matrix: NDArray[np.float64], place: Mapping[int, int], others: Mapping[int, Sequence[int]], value: float
) -> None:
    """Write a value for pairs of items into a matrix, in which each item has a place."""
    for i, row in place.items():
        for j in others.get(i, ()):
            if (column := place.get(j)) is not None:
                matrix[row, column] = matrix[column, row] = value


def partition(
    vectors: NDArray[np.float32],
    connections: Mapping[Pair, float],
    estimate: Estimate,
    *,
    prior: float,
    known: Mapping[Pair, float] | None = None,
    times: Times | None = None,
    constraints: Constraints | None = None,
    max_component: int = MAX_COMPONENT,
    uncertain: list[UncertainMerge] | None = None,
) -> list[list[int]]:
    """Partition items by average linkage.

    Memory grows linearly with the items and the pairs, and with the square of ``max_component``.

    Args:
        vectors: (items, size), unit length.
        connections: how strongly pairs (i < j) are connected, 0 to 1; a group lies inside a component of pairs with
            at least ``SAME_EVENT_THRESHOLD``.
        estimate: gives the probabilities of pairs that are not ``known``, before the prior.
        prior: log-odds added to each estimate.
        known: probabilities of pairs (i < j), prior included, that replace the estimate.
        times: of the items; pairs outside the window get probability 0.
        constraints: override everything else.
        max_component: most items in a component, and so in a group.
        uncertain: receives the merges near the threshold.

    Returns:
        Groups in the order of their first members; members in order.
    """
    connected = components(len(vectors), connections, SAME_EVENT_THRESHOLD, max_component)
    groups: list[list[int]] = []
    for members, (rows, columns, probabilities) in zip(connected, _pairs_inside(connected, known or {}), strict=True):
        if len(members) == 1:
            groups.append(members)
            continue
        matrix = with_prior(estimate(vectors[members] @ vectors[members].T), prior)
        matrix[rows, columns] = matrix[columns, rows] = probabilities
        indices = np.array(members)
        if times:
            matrix[times.outside(indices, indices)] = 0.0
        if constraints:
            constraints.apply(matrix, indices)
        least = SAME_EVENT_THRESHOLD if uncertain is None else SAME_EVENT_THRESHOLD - NEAR
        tree = merges(matrix, least, overwrite=True)
        merged = components(len(members), tree, SAME_EVENT_THRESHOLD)
        groups += [[members[place] for place in group] for group in merged]
        if uncertain is not None:
            uncertain += _near_threshold(members, tree)
    return sorted(groups)


def _pairs_inside(
    connected: Sequence[Sequence[int]], known: Mapping[Pair, float]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
    """For each component its known pairs: rows and columns in its matrix, and their probabilities."""
    count = sum(map(len, connected))
    component, place = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    for number, members in enumerate(connected):
        component[members] = number
        place[members] = range(len(members))
    left, right = np.array(list(known), dtype=np.int64).reshape(-1, 2).T
    probabilities = np.array(list(known.values()), dtype=np.float64)
    inside = np.flatnonzero(component[left] == component[right])
    inside = inside[np.argsort(component[left[inside]], kind="stable")]
    bounds = np.searchsorted(component[left[inside]], np.arange(len(connected) + 1)).tolist()
    for start, end in pairwise(bounds):
        pairs = inside[start:end]
        yield place[left[pairs]], place[right[pairs]], probabilities[pairs]


def _near_threshold(members: Sequence[int], tree: Mapping[Pair, float]) -> Iterator[UncertainMerge]:
    """The merges of a tree that are near the threshold, the likeliest first.

    Args:
        members: the items, by their places in the tree.
        tree: of :func:`merges`.
    """
    group = {place: [member] for place, member in enumerate(members)}
    for (keep, gone), similarity in sorted(tree.items(), key=lambda merge: -merge[1]):
        one, other = sorted((sorted(group[keep]), sorted(group.pop(gone))))
        if similarity <= SAME_EVENT_THRESHOLD + NEAR:
            yield UncertainMerge((*one,), (*other,), similarity)
        group[keep] = one + other


def with_prior(probabilities: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    """Add log-odds to probabilities of any shape."""
    odds = np.exp(prior) * probabilities
    result: NDArray[np.float64] = odds / (odds + 1 - probabilities)
    return result


def merges(similarity: NDArray[np.float64], floor: float, *, overwrite: bool = False) -> dict[Pair, float]:
    """The merges of average linkage and the mean similarity of each, at least ``floor`` (the dendrogram).

    Their :func:`components` at any threshold from ``floor`` on are the groups at that threshold. The most similar
    groups are merged first, and between equal similarities those of lower indices. So if sums of the similarities are
    exact, items are merged alike beside any others that merge with none of them.

    Args:
        similarity: (items, items), symmetric.
        overwrite: work in ``similarity`` itself instead of a copy.

    Returns:
        Mean similarity by the first members of the two merged groups.
    """
    sums = np.asarray(similarity, dtype=np.float64) if overwrite else np.array(similarity, dtype=np.float64)
    np.fill_diagonal(sums, -np.inf)
    dendrogram: dict[Pair, float] = {}
    if not len(sums):
        return dendrogram
    size = np.ones(len(sums))
    highest, nearest = sums.max(axis=1), sums.argmax(axis=1)
    while highest[keep := int(highest.argmax())] >= floor:
        gone = int(nearest[keep])
        dendrogram[keep, gone] = float(highest[keep])
        sums[keep] += sums[gone]
        sums[:, keep] = sums[keep]
        size[keep] += size[gone]
        sums[gone] = sums[:, gone] = highest[gone] = -np.inf
        means = sums[keep] / (size[keep] * size)
        closer = (means > highest) | ((means == highest) & (nearest >= keep))
        further = ((nearest == keep) | (nearest == gone)) & ~closer & (highest >= floor)
        nearest[closer], highest[closer] = keep, means[closer]
        rows = np.flatnonzero(further)
        means = sums[rows] / (size[rows, None] * size)
        nearest[rows], highest[rows] = means.argmax(axis=1), means.max(axis=1)
    return dendrogram


def components(
    count: int, scores: Mapping[Pair, float], threshold: float, max_size: int | None = None
) -> list[list[int]]:
    """Items connected by pairs whose score reaches the threshold.

    Args:
        count: number of items.
        scores: by pair (i < j).
        max_size: most items in a component; ``None`` for no limit. A larger component is divided by Kruskal's
            algorithm: pairs are joined in descending order of their scores, then by index, and a join that would
            exceed the limit is skipped.

    Returns:
        Components in the order of their first items; items in order.
    """
    pairs = [(-score, pair) for pair, score in scores.items() if score >= threshold]
    if max_size is not None:
        pairs.sort()
    joined: UnionFind[int] = UnionFind(range(count))
    for _, (i, j) in pairs:
        a, b = joined[i], joined[j]
        if a != b and (max_size is None or joined.weights[a] + joined.weights[b] <= max_size):
            joined.union(a, b)
    members: dict[int, list[int]] = {}
    for item in range(count):
        members.setdefault(joined[item], []).append(item)
    return list(members.values())
