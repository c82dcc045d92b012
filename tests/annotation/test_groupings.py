"""Groupings merged, annotators against each other, and groupings compared as scikit-learn does."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whywire.annotation.groupings import (
    adjusted_mutual_information,
    leave_one_out,
    merge_groupings,
    pairs_f1,
)

partitions = st.lists(st.integers(0, 4), min_size=1, max_size=14)
two_groupings = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=40)


def test_a_majority_decides():
    groupings = ["aabbb", "aabbb", "aaabb", "abbbb", "aabbc"]
    assert merge_groupings(groupings) == [0, 0, 1, 1, 1]


def test_half_is_no_majority():
    assert merge_groupings(["aa", "aa", "ab", "ab"]) == [0, 1]


def test_who_grouped_neither_has_no_vote():
    assert merge_groupings([["a", "a"], ["a", None], [None, None]]) == [0, 0]
    assert merge_groupings([[None, None]]) == [0, 1]


def test_two_stories_that_one_pair_joins_stay_two():
    # Two groups of four; a majority of pairs votes also ties the last of one with the first of the other.
    groupings = ["aaaabbbb", "aaaabbbb", "aaabbbbb", "aaacccbb", "aaaaabbb"]
    merged = merge_groupings(groupings)
    assert merged[:3] == [0, 0, 0]
    assert len(set(merged)) == 2
    assert merged == merge_groupings(groupings)


def test_nothing_to_merge():
    assert merge_groupings([]) == merge_groupings([[], []]) == []


@given(partitions)
def test_those_who_agree_are_merged_into_what_they_said(groups):
    merged = merge_groupings([groups] * 5)
    for one, other in combinations(range(len(groups)), 2):
        assert (merged[one] == merged[other]) == (groups[one] == groups[other])
    assert leave_one_out([groups] * 5) == [1] * 5


def test_one_who_dissents_is_found_out():
    scores = leave_one_out(["aabb", "aabb", "aabb", "aabb", "abab"])
    assert scores == [1, 1, 1, 1, 0]


def test_what_an_annotator_left_out_does_not_count():
    scores = leave_one_out([["a", "a", None], "aab", "aab", "aab"])
    assert scores[0] == 1


@given(two_groupings)
def test_f1_of_pairs_is_blind_to_who_is_who_and_to_the_order_of_items(rows):
    one, other = zip(*rows, strict=True)
    back = tuple(zip(*reversed(rows), strict=True))
    assert 0 <= pairs_f1(one, other) == pairs_f1(other, one) == pairs_f1(*back) <= 1
    assert pairs_f1(one, one) == 1


def test_f1_of_pairs_by_hand():
    assert pairs_f1("aaab", "xxyy") == 2 * 1 / (3 + 2)
    assert pairs_f1("abc", "xyz") == pairs_f1([], []) == 1


@settings(max_examples=40)  # scikit-learn checks its input at length
@given(two_groupings)
def test_adjusted_mutual_information_is_that_of_scikit_learn(rows):
    sklearn = pytest.importorskip("sklearn.metrics")
    estimate, truth = zip(*rows, strict=True)
    expected = sklearn.adjusted_mutual_info_score(truth, estimate)
    assert adjusted_mutual_information(estimate, truth) == pytest.approx(expected, abs=1e-7)
    assert adjusted_mutual_information(truth, estimate) == pytest.approx(expected, abs=1e-7)


def test_the_same_grouping_by_other_names_is_all_there_is_to_know():
    assert adjusted_mutual_information("xxyz", "bbca") == 1
    assert adjusted_mutual_information("abc", "xyz") == 1
    assert adjusted_mutual_information("", "") == 1


def test_a_random_grouping_scores_about_zero():
    dice = np.random.default_rng(3)
    scores = [
        adjusted_mutual_information(dice.integers(0, 8, 80).tolist(), dice.integers(0, 8, 80).tolist())
        for _ in range(50)
    ]
    assert np.mean(scores) == pytest.approx(0, abs=0.02)
