"""Events are a partition, and the chain finds the groups that joining the best pair first finds."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from whywire.headlines.candidates import Times
from whywire.headlines.grouping import (
    average_linkage,
    components,
    group_events,
    pairs_left_open,
)
from whywire.news import Published


def symmetric(count):
    def fill(values):
        matrix = np.zeros((count, count))
        matrix[np.triu_indices(count, 1)] = values
        return matrix + matrix.T

    size = count * (count - 1) // 2
    return st.lists(st.floats(0.01, 0.99), min_size=size, max_size=size, unique=True).map(fill)


@given(st.integers(2, 9).flatmap(symmetric), st.floats(0.05, 0.95))
def test_average_linkage_agrees_with_scipy(similarity, threshold):
    tree = linkage(squareform(1 - similarity, checks=False), "average")
    if np.abs(tree[:, 2] - (1 - threshold)).min() < 1e-9:
        return  # a merge exactly at the cut may go either way
    expected = fcluster(tree, 1 - threshold, "distance")
    found = average_linkage(similarity, threshold)
    assert sorted(place for group in found for place in group) == list(range(len(similarity)))
    assert {frozenset(group) for group in found} == {
        frozenset(np.flatnonzero(expected == name).tolist()) for name in set(expected)
    }


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_groups_are_a_partition(count, seed):
    chance = np.random.default_rng(seed)
    vectors = chance.normal(size=(count, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    chances = {pair: chance.random() for pair in pairs if chance.random() < 0.6}
    groups = group_events(chances, vectors, lambda cosines: np.clip(cosines, 0, 1).astype(float))
    assert sorted(item for group in groups for item in group) == list(range(count))


@given(st.integers(0, 14), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_second_look_asks_what_is_open_and_no_more_than_allowed(count, each, seed):
    chance = np.random.default_rng(seed)
    every = [(i, j) for i in range(count) for j in range(i + 1, count)]
    chances = {pair: chance.random() for pair in every if chance.random() < 0.3}
    found = pairs_left_open(count, chances, each=each)
    assert len(set(found)) == len(found)
    assert not set(found) & set(chances)
    home = {item: number for number, members in enumerate(components(count, chances, 0.5)) for item in members}
    asked = [item for pair in found for item in pair]
    assert all(home[i] == home[j] for i, j in found)
    assert all(asked.count(item) <= each for item in asked)
    generous = pairs_left_open(count, chances, each=count)
    assert set(generous) == {pair for pair in every if home[pair[0]] == home[pair[1]]} - set(chances)


def test_reports_of_one_event_lie_within_days_of_each_other():
    start = datetime(2026, 3, 4, tzinfo=UTC)
    clock = Times([Published(start + timedelta(days=days), False) for days in (0, 1, 9, 10)] + [None])
    chances = {(i, j): 0.9 for i in range(5) for j in range(i + 1, 5)}
    vectors = np.ones((5, 1), np.float32)
    assert group_events(chances, vectors, lambda cosines: cosines.astype(float)) == [[0, 1, 2, 3, 4]]
    groups = group_events({**chances, (1, 2): 0.0}, vectors, lambda cosines: cosines * 0.0, clock=clock)
    assert [0, 1] in [group[:2] for group in groups]
    assert not any({0, 2} <= set(group) or {1, 3} <= set(group) for group in groups)


def test_a_chain_of_look_alikes_does_not_drift_into_one_event():
    chances = {(number, number + 1): 0.8 for number in range(5)}
    chances |= {(i, j): 0.01 for i in range(6) for j in range(i + 2, 6)}
    vectors = np.eye(6, dtype=np.float32)
    groups = group_events(chances, vectors, lambda cosines: np.zeros_like(cosines, dtype=float))
    assert max(map(len, groups)) == 2


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_and_one_thing(count):
    assert group_events({}, np.ones((count, 2), np.float32), lambda c: c.astype(float)) == [[0]] * count
