"""Connected components of items, by pairs that reach a threshold, and with a limit on their size."""

from __future__ import annotations

from collections.abc import Mapping

from networkx.utils import UnionFind

Pair = tuple[int, int]
"""The indices of two items."""

SAME_EVENT_THRESHOLD = 0.5
"""The probability of *same event* from which a pair connects its items; the mean from which two groups are merged."""

MAX_COMPONENT = 2_000
"""Items in a component: the matrix of their pairs takes 32 MB, and what is derived from it a few times as much."""


def components(
    count: int, scores: Mapping[Pair, float], threshold: float, max_size: int | None = None
) -> list[list[int]]:
    """Items connected by pairs whose score reaches the threshold.

    Args:
        count: number of items.
        scores: by pair (i < j).
        max_size: largest number of items in a component; ``None`` for no limit. A component with more is divided by
            Kruskal's algorithm: pairs are joined in descending order of their scores, equal ones by their indices,
            and a join that would exceed the limit is skipped.

    Returns:
        Components in the order of their first items; items in order.
    """
    pairs = [(-score, pair) for pair, score in scores.items() if score >= threshold]
    if max_size is not None:
        pairs.sort()
    found: UnionFind[int] = UnionFind(range(count))
    for _, (i, j) in pairs:
        a, b = found[i], found[j]
        if a != b and (max_size is None or found.weights[a] + found.weights[b] <= max_size):
            found.union(a, b)
    members: dict[int, list[int]] = {}
    for item in range(count):
        members.setdefault(found[item], []).append(item)
    return list(members.values())
