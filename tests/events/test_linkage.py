"""Events are a partition, and linkage finds the groups that joining the best pair first finds."""

import random
import time
import tracemalloc
from datetime import UTC, datetime, timedelta

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from whywire.events.candidates import Times
from whywire.events.headline_events import HEADLINE_PRIOR, partition_headlines, second_pass_pairs
from whywire.events.linkage import MAX_COMPONENT, components, merges, with_prior
from whywire.news import Published


def average_linkage(similarity, threshold):
    return components(len(similarity), merges(similarity, threshold), threshold)


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
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    probabilities = {pair: rng.random() for pair in pairs if rng.random() < 0.6}
    groups = partition_headlines(probabilities, vectors, lambda cosines: np.clip(cosines, 0, 1).astype(float))
    assert sorted(item for group in groups for item in group) == list(range(count))


@given(st.integers(0, 14), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_second_look_asks_what_is_open_and_no_more_than_allowed(count, each, seed):
    rng = np.random.default_rng(seed)
    every = [(i, j) for i in range(count) for j in range(i + 1, count)]
    probabilities = {pair: rng.random() for pair in every if rng.random() < 0.3}
    found = second_pass_pairs(count, probabilities, max_pairs=each)
    assert len(set(found)) == len(found)
    assert not set(found) & set(probabilities)
    home = {item: number for number, members in enumerate(components(count, probabilities, 0.5)) for item in members}
    asked = [item for pair in found for item in pair]
    assert all(home[i] == home[j] for i, j in found)
    assert all(asked.count(item) <= each for item in asked)
    generous = second_pass_pairs(count, probabilities, max_pairs=count)
    assert set(generous) == {pair for pair in every if home[pair[0]] == home[pair[1]]} - set(probabilities)


def test_reports_of_one_event_lie_within_days_of_each_other():
    start = datetime(2026, 3, 4, tzinfo=UTC)
    clock = Times([Published(start + timedelta(days=days), False) for days in (0, 1, 9, 10)] + [None])
    probabilities = {(i, j): 0.9 for i in range(5) for j in range(i + 1, 5)}
    vectors = np.ones((5, 1), np.float32)
    assert partition_headlines(probabilities, vectors, lambda cosines: cosines.astype(float)) == [[0, 1, 2, 3, 4]]
    groups = partition_headlines({**probabilities, (1, 2): 0.0}, vectors, lambda cosines: cosines * 0.0, times=clock)
    assert [0, 1] in [group[:2] for group in groups]
    assert not any({0, 2} <= set(group) or {1, 3} <= set(group) for group in groups)


def test_a_chain_of_look_alikes_does_not_drift_into_one_event():
    probabilities = {(number, number + 1): 0.8 for number in range(5)}
    probabilities |= {(i, j): 0.01 for i in range(6) for j in range(i + 2, 6)}
    vectors = np.eye(6, dtype=np.float32)
    groups = partition_headlines(probabilities, vectors, lambda cosines: np.zeros_like(cosines, dtype=float))
    assert max(map(len, groups)) == 2


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_and_one_thing(count):
    assert partition_headlines({}, np.ones((count, 2), np.float32), lambda c: c.astype(float)) == [[0]] * count


def in_unit_interval(cosines):
    return np.clip(cosines, 0, 1).astype(float)


def uncapped_components(count, probabilities, threshold):
    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(pair for pair, probability in probabilities.items() if probability >= threshold)
    return [sorted(members) for members in nx.connected_components(graph)]


def uncapped_groups(probabilities, vectors, clock):
    """Groups as they were found before components had a limit, by the full matrix of each."""
    probabilities = dict(
        zip(probabilities, with_prior(np.array(list(probabilities.values())), HEADLINE_PRIOR).tolist(), strict=True)
    )
    groups = []
    for members in uncapped_components(len(vectors), probabilities, 0.5):
        matrix = with_prior(in_unit_interval(vectors[members] @ vectors[members].T), HEADLINE_PRIOR)
        for row, i in enumerate(members):
            for column, j in enumerate(members):
                if i < j and (i, j) in probabilities:
                    matrix[row, column] = matrix[column, row] = probabilities[i, j]
        if clock:
            matrix[clock.outside(np.array(members), np.array(members))] = 0.0
        groups += [[members[place] for place in group] for group in average_linkage(matrix, 0.5)]
    return sorted(groups)


def every_second_pass_pair(count, probabilities, each):
    """All pairs of a component tried, the nearest in order first."""
    budget = [each] * count
    pairs = []
    for members in uncapped_components(count, probabilities, 0.5):
        for gap in range(1, len(members)):
            for i, j in zip(members, members[gap:], strict=False):
                if budget[i] and budget[j] and (i, j) not in probabilities:
                    budget[i] -= 1
                    budget[j] -= 1
                    pairs.append((i, j))
    return sorted(pairs)


def some_news(count, seed, share):
    """Probabilities of a share of the pairs, many of them equal; unit vectors; times over twelve days, or none."""
    rng = np.random.default_rng(seed)
    every = [(i, j) for i in range(count) for j in range(i + 1, count)]
    probabilities = {pair: round(rng.random(), 1) for pair in every if rng.random() < share}
    vectors = rng.normal(size=(count, 4)).astype(np.float32) + 0.5
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    start = datetime(2026, 3, 4, tzinfo=UTC)
    times = [Published(start + timedelta(days=day), False) for day in rng.uniform(0, 12, count).tolist()]
    return probabilities, vectors, Times([None if rng.random() < 0.1 else moment for moment in times])


@given(st.integers(0, 24), st.integers(0, 2**32 - 1), st.sampled_from([0.05, 0.2, 0.6]), st.booleans())
def test_below_the_limit_groups_are_those_of_all_pairs(count, seed, share, timed):
    probabilities, vectors, clock = some_news(count, seed, share)
    expected = uncapped_groups(probabilities, vectors, clock if timed else None)
    largest = max([1, *map(len, uncapped_components(count, probabilities, 0.26))])  # 0.5 once the prior is added
    for most in (MAX_COMPONENT, largest):
        found = partition_headlines(
            probabilities, vectors, in_unit_interval, times=clock if timed else None, max_component=most
        )
        assert found == expected


@given(st.integers(0, 24), st.integers(1, 5), st.integers(0, 2**32 - 1), st.sampled_from([0.05, 0.2, 0.6]))
def test_below_the_limit_the_second_look_asks_what_going_through_all_pairs_asks(count, each, seed, share):
    probabilities = some_news(count, seed, share)[0]
    assert second_pass_pairs(count, probabilities, max_pairs=each) == every_second_pass_pair(
        count, probabilities, each
    )


def test_a_component_is_divided_where_its_ties_are_weakest():
    probabilities = {(0, 1): 0.9, (1, 2): 0.8, (2, 3): 0.6, (3, 4): 0.8, (4, 5): 0.9}
    assert components(6, probabilities, 0.5) == [[0, 1, 2, 3, 4, 5]]
    assert components(6, probabilities, 0.5, 5) == [[0, 1, 2], [3, 4, 5]]
    assert components(6, probabilities, 0.5, 2) == [[0, 1], [2, 3], [4, 5]]
    assert components(6, probabilities, 0.5, 1) == [[item] for item in range(6)]


@given(st.integers(0, 24), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_divided_components_keep_to_the_limit_and_refuse_no_more_than_it_asks(count, most, seed):
    probabilities = some_news(count, seed, 0.3)[0]
    found = components(count, probabilities, 0.5, most)
    assert sorted(item for members in found for item in members) == list(range(count))
    assert found == sorted(found)
    assert all(members == sorted(members) and len(members) <= most for members in found)
    home = {item: members for members in found for item in members}
    for (i, j), probability in probabilities.items():
        if probability >= 0.5 and home[i] is not home[j]:
            assert len(home[i]) + len(home[j]) > most
    whole = {item: number for number, own in enumerate(components(count, probabilities, 0.5)) for item in own}
    assert all(len({whole[item] for item in members}) == 1 for members in found)


@given(st.integers(2, 24), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_equal_probabilities_divide_in_the_same_way_in_whatever_order_they_come(count, most, seed):
    probabilities, vectors, clock = some_news(count, seed, 0.3)
    mixed = list(probabilities.items())
    random.Random(seed).shuffle(mixed)
    assert components(count, dict(mixed), 0.5, most) == components(count, probabilities, 0.5, most)
    grouped = [
        partition_headlines(dict(pairs), vectors, in_unit_interval, times=clock, max_component=most)
        for pairs in (mixed, probabilities)
    ]
    assert grouped[0] == grouped[1]
    assert max(map(len, grouped[0])) <= most
    asked = [
        second_pass_pairs(count, dict(pairs), max_pairs=3, max_component=most) for pairs in (mixed, probabilities)
    ]
    assert asked[0] == asked[1]


def one_component(count):
    """Ties of each item to the three before it, all as strong."""
    return {(item - back, item): 0.9 for item in range(count) for back in (1, 2, 3) if back <= item}


def test_memory_of_one_large_component_is_bounded():
    count = 6_000
    vectors = np.ones((count, 8), dtype=np.float32) / np.float32(8**0.5)
    probabilities = one_component(count)
    tracemalloc.start()
    groups = partition_headlines(probabilities, vectors, in_unit_interval)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [len(group) for group in groups] == [MAX_COMPONENT] * 3  # one event in three groups
    assert peak < 256 * 2**20  # a matrix of all pairs alone would be 275 MB, and more than one is made


def test_the_second_look_takes_time_by_the_items_and_not_by_their_pairs():
    started = time.process_time()
    pairs = second_pass_pairs(20_000, one_component(20_000), max_pairs=16)
    assert time.process_time() - started < 6  # all pairs of them take some twenty seconds
    assert len(pairs) > 0.99 * 8 * 20_000


def test_items_near_to_a_few_in_a_full_part_are_asked_about_each_other():
    probabilities = {(0, item): 0.9 for item in range(1, 40)}
    assert sorted(map(len, components(40, probabilities, 0.5, 10))) == [1] * 30 + [10]
    second = second_pass_pairs(40, probabilities, max_pairs=4, max_component=10)
    asked = [item for pair in second for item in pair]
    assert max(asked.count(item) for item in range(40)) == 4
    probabilities |= dict.fromkeys(second, 0.9)
    vectors = np.ones((40, 1), dtype=np.float32)
    assert [
        len(group) for group in partition_headlines(probabilities, vectors, in_unit_interval, max_component=10)
    ] == [10] * 4


def test_only_who_hands_a_matrix_over_finds_it_changed():
    similarity = np.random.default_rng(1).random((20, 20))
    similarity = (similarity + similarity.T) / 2
    before = similarity.copy()
    expected = merges(similarity, 0.4)
    assert (similarity == before).all()
    assert merges(similarity, 0.4, overwrite=True) == expected
    assert (similarity != before).any()
