"""Judges of pairs that contradict themselves or not."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.pairs.model import PairModel
from whywire_lab.metrics.consistency import (
    OrderConsistency,
    Triangles,
    judge_of,
    order_consistency,
    transitivity,
    triangles,
)

HEADLINES = [
    "Ferry runs aground off the northern cape",
    "Passenger ferry stranded near northern cape",
    "Ferry aground: divers inspect the hull",
    "Island council votes for a second lighthouse",
    "Second lighthouse approved by island council",
    "Herring catch doubles in a single season",
]


partitions = st.lists(st.integers(0, 4), min_size=1, max_size=14)


def test_commutation_by_hand():
    table = {("a", "b"): 0.6, ("b", "a"): 0.2, ("a", "c"): 0.9, ("c", "a"): 0.7}
    found = order_consistency(lambda pairs: [table[pair] for pair in pairs], [("a", "b"), ("a", "c")])
    assert found == OrderConsistency(2, 0.5, pytest.approx(0.3))
    assert order_consistency(lambda pairs: [], []) == OrderConsistency(0, 0.0, 0.0)


def test_triangles_by_hand():
    same = {("a", "b"): True, ("c", "b"): True, ("a", "c"): False}  # a contradiction
    same |= {("d", "e"): True, ("e", "f"): True, ("f", "d"): True}
    same |= {("a", "d"): False, ("b", "d"): False}  # with a and b: one the same
    same |= {("g", "h"): False, ("h", "i"): False, ("g", "i"): False}
    same |= {("x", "y"): True, ("y", "z"): True}  # nobody judged x and z
    found = triangles(same)
    assert found == Triangles(all_same=1, two_same=1, one_same=1, none_same=1)
    assert found.transitive == 0.5
    assert Triangles().transitive == 1


@given(st.dictionaries(st.tuples(st.integers(0, 7), st.integers(0, 7)), st.booleans(), max_size=40))
def test_triangles_are_counted_by_their_definition(same):
    decided = {frozenset(pair): yes for pair, yes in same.items()}
    counts = [0] * 4
    for triple in combinations(range(8), 3):
        sides = [decided.get(frozenset(pair)) for pair in combinations(triple, 2)]
        if None not in sides:
            counts[sum(sides)] += 1
    found = triangles(same)
    assert [found.none_same, found.one_same, found.two_same, found.all_same] == counts


@given(partitions)
def test_a_partition_neither_flips_nor_contradicts_itself(groups):
    judge = judge_of(dict(enumerate(groups)))
    pairs = list(combinations(range(len(groups)), 2))
    swapped, closed = order_consistency(judge, pairs), transitivity(judge, pairs)
    assert (swapped.flipped, swapped.change, closed.two_same) == (0, 0, 0)
    count = len(groups)
    assert sum((closed.all_same, closed.one_same, closed.none_same)) == count * (count - 1) * (count - 2) // 6


def test_our_pair_model_does_not_mind_the_order():
    model = PairModel.from_pretrained()

    def judge(pairs):
        return model.same_event_probabilities(pairs)

    pairs = list(combinations(HEADLINES, 2))
    assert order_consistency(judge, pairs) == OrderConsistency(15, 0.0, 0.0)
    closed = transitivity(judge, pairs)
    assert sum((closed.all_same, closed.two_same, closed.one_same, closed.none_same)) == 20


def test_a_judge_that_minds_the_order_is_seen():
    pairs = list(combinations(HEADLINES, 2))
    found = order_consistency(lambda pairs: np.array([left < right for left, right in pairs]), pairs)
    assert (found.flipped, found.change) == (1, 1)
