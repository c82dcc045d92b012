"""Metrics against values worked out by hand, and against their definitions."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire_lab.metrics.classification import (
    accuracy,
    binary_score,
    calibration_error,
    calibration_error_by_chance,
    macro_f1,
    matthews,
    overlap,
    pairwise_score,
    roc_auc,
)


def test_binary_score_by_hand():
    found = binary_score([1, 1, 0, 0, 1], [1, 0, 0, 1, 1])
    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_nothing_predicted_scores_zero():
    assert binary_score([0, 0], [1, 0]).f1 == 0


def test_accuracy_by_hand():
    assert accuracy(["a", "b", "b"], ["a", "b", "a"]) == pytest.approx(2 / 3)
    assert accuracy([], []) == 0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_matthews_is_that_of_scikit_learn(rows):
    sklearn = pytest.importorskip("sklearn.metrics")
    estimate, truth = zip(*rows, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where only one label is there
        expected = sklearn.matthews_corrcoef(truth, estimate)
    assert matthews(estimate, truth) == pytest.approx(expected, abs=1e-9)


def test_matthews_of_nothing_is_zero():
    assert matthews([], []) == 0


def test_macro_f1_is_the_mean_over_classes():
    assert macro_f1(["a", "a", "b"], ["a", "b", "b"]) == pytest.approx(2 / 3)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_auc_is_the_share_of_pairs_in_the_right_order(rows):
    positive = [value for value, real in rows if real]
    negative = [value for value, real in rows if not real]
    values, truth = zip(*rows, strict=True)
    if not positive or not negative:
        with pytest.raises(ValueError, match="both"):
            roc_auc(values, truth)
        return
    wins = np.mean([(p > n) + (p == n) / 2 for p in positive for n in negative])
    assert roc_auc(values, truth) == pytest.approx(wins)


def test_calibration_error_of_the_honest_and_of_the_boastful():
    assert calibration_error([0.75] * 4, [1, 1, 1, 0]) == pytest.approx(0)
    assert calibration_error([1.0] * 4, [1, 1, 0, 0]) == pytest.approx(0.5)


def test_chance_alone_makes_an_error_the_larger_the_fewer_the_rows():
    few, many = ([0.1, 0.3, 0.5, 0.7, 0.9] * count for count in (4, 400))
    assert calibration_error_by_chance(few) > 5 * calibration_error_by_chance(many) > 0
    assert calibration_error_by_chance([0.0, 1.0] * 5) == 0
    # of one row at a half, the gap is a half whatever the truth
    assert calibration_error_by_chance([0.5]) == pytest.approx(0.5)
    assert calibration_error_by_chance([0.5, 0.5], weights=[1, 0]) == pytest.approx(0.5)
    assert calibration_error_by_chance([]) == 0


def test_a_row_that_counts_twice_weighs_as_two_in_the_calibration_error():
    twice = calibration_error([0.2, 0.2, 0.9], [0, 0, 1])
    assert calibration_error([0.2, 0.9], [0, 1], weights=[2, 1]) == pytest.approx(twice)
    assert calibration_error([], []) == 0


def test_pairwise_score_by_hand():
    found = pairwise_score(["x", "x", "x", "y"], [1, 1, 2, 2])
    assert (found.precision, found.recall) == pytest.approx((1 / 3, 1 / 2))


def test_overlap_of_spans():
    assert overlap((0, 4), (2, 6)) == pytest.approx(0.5)
    assert overlap(None, None) == 1
    assert overlap(None, (0, 1)) == 0
