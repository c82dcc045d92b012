"""Groupings of the same items by several annotators: merged, and compared (Laban et al. 2021, HLGD).

A grouping gives each item the name of its group; the names mean nothing from one grouping to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

Grouping = Sequence[Hashable | None]
"""The group of each item; ``None`` where an annotator left it ungrouped."""

Sizes = NDArray[np.int64]

SEED = 2021


def merge_groupings(groupings: Sequence[Grouping], *, seed: int = SEED) -> list[int]:
    """Merge several groupings into one: the communities of the graph of agreed pairs, as HLGD was merged.

    Two items are tied where more than half of the annotators who grouped both put them together; Louvain's method
    finds the communities. Takes memory by the square of the items.

    Args:
        groupings: for each annotator the group of every item.
        seed: of Louvain's order, so that the result repeats.

    Returns:
        The group of each item, counted from 0 in the order of their first members.
    """
    numbers = [_numbered(grouping) for grouping in groupings]
    size = len(numbers[0]) if numbers else 0
    for_it, asked = np.zeros((size, size), dtype=np.int16), np.zeros((size, size), dtype=np.int16)
    for own in numbers:
        known = own >= 0
        both = known[:, None] & known[None, :]
        asked += both
        for_it += both & (own[:, None] == own[None, :])
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(np.argwhere(np.triu(2 * for_it > asked, 1)).tolist())
    groups = sorted(nx.community.louvain_communities(graph, seed=seed), key=min) if size else []
    merged = {item: number for number, group in enumerate(groups) for item in group}
    return [merged[item] for item in range(size)]


def leave_one_out(groupings: Sequence[Grouping], *, seed: int = SEED) -> list[float]:
    """Compare each annotator with the consensus of all the others, by :func:`pairs_f1`.

    Items that an annotator did not group are left out for that annotator.

    Returns:
        One F1 for each annotator; their mean is the human score.
    """
    scores = []
    for number, own in enumerate(groupings):
        others = merge_groupings([*groupings[:number], *groupings[number + 1 :]], seed=seed)
        known = [place for place, group in enumerate(own) if group is not None]
        scores.append(pairs_f1([own[place] for place in known], [others[place] for place in known]))
    return scores


def pairs_f1(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """F1 of the pairs of items that are in one group, 0 to 1; 1 where neither grouping has such a pair."""
    both = _pairs_inside(list(zip(one, other, strict=True)))
    total = _pairs_inside(one) + _pairs_inside(other)
    return 2 * both / total if total else 1.0


def adjusted_mutual_information(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """Mutual information above that of chance, of the most there could be (Vinh et al. 2010), by the mean entropy.

    Returns:
        1 for the same grouping, 0 for agreement by chance, below 0 for less.
    """
    shared = Counter(zip(one, other, strict=True))
    ones, others = Counter(one), Counter(other)
    if len(ones) == len(others) == len(shared):
        return 1.0
    size = len(one)
    information = sum(
        both / size * np.log(size * both / (ones[left] * others[right])) for (left, right), both in shared.items()
    )
    sizes = [np.array(list(groups.values()), dtype=np.int64) for groups in (ones, others)]
    expected = _expected_information(*sizes)
    most = sum(float(-(part / size * np.log(part / size)).sum()) for part in sizes) / 2
    return float((information - expected) / (most - expected))


def _numbered(grouping: Grouping) -> NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array(
        [-1 if group is None else numbers.setdefault(group, len(numbers)) for group in grouping], dtype=np.int64
    )


def _pairs_inside(groups: Sequence[Hashable]) -> int:
    return sum(size * (size - 1) // 2 for size in Counter(groups).values())


def _expected_information(one: Sizes, other: Sizes) -> float:
    """Mutual information of two random groupings with these sizes of groups (Vinh et al. 2010, equation 24a)."""
    size = int(one.sum())
    log_factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, size + 1)))])

    def log_ways(whole: int, part: Sizes | int) -> NDArray[np.float64]:
        result: NDArray[np.float64] = log_factorials[whole] - log_factorials[part] - log_factorials[whole - part]
        return result

    total = 0.0
    for a, times in Counter(one.tolist()).items():
        for b, again in Counter(other.tolist()).items():
            both = np.arange(max(1, a + b - size), min(a, b) + 1)
            probability = np.exp(log_ways(a, both) + log_ways(size - a, b - both) - log_ways(size, b))
            total += times * again * float((probability * both / size * np.log(size * both / (a * b))).sum())
    return total
