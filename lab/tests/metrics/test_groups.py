"""Scores of groupings, by hand, against their definitions and published values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire_lab.metrics.groups import b_cubed, ceaf_e, conll_f1, muc

groupings = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=40)


def test_b_cubed_by_hand():
    found = b_cubed("xxxyy", "aabbb")
    # precision: 2/3, 2/3, 1/3, 1, 1; recall: 1, 1, 1/3, 2/3, 2/3
    assert (found.precision, found.recall) == pytest.approx((11 / 15, 11 / 15))
    assert found.f1 == pytest.approx(11 / 15)


def test_b_cubed_of_all_together_and_all_apart():
    truth = "aabb"
    together, apart = b_cubed("xxxx", truth), b_cubed("wxyz", truth)
    assert (together.precision, together.recall) == (0.5, 1)
    assert (apart.precision, apart.recall) == (1, 0.5)
    assert b_cubed([], []).f1 == 0


@given(groupings)
def test_b_cubed_is_the_mean_over_items(rows):
    estimate, truth = zip(*rows, strict=True)
    places = range(len(rows))
    shares = []
    for item in places:
        own = {other for other in places if estimate[other] == estimate[item]}
        real = {other for other in places if truth[other] == truth[item]}
        shares.append((len(own & real) / len(own), len(own & real) / len(real)))
    found = b_cubed(estimate, truth)
    assert (found.precision, found.recall) == pytest.approx(tuple(np.mean(shares, axis=0)))


LUO = "aaaaabbccccc"
"""The true entities of figure 1 of Luo (2005)."""


@pytest.mark.parametrize(
    ("predicted", "muc_f1", "ceaf_f1"),
    [("xxxxxyyyyyyy", 0.947, 0.733), ("xxxxxyyxxxxx", 0.947, 0.667), ("xxxxxxxxxxxx", 0.900, 0.294)],
)
def test_muc_and_ceaf_of_the_systems_of_luo(predicted, muc_f1, ceaf_f1):
    assert muc(predicted, LUO).f1 == pytest.approx(muc_f1, abs=5e-4)
    assert ceaf_e(predicted, LUO).f1 == pytest.approx(ceaf_f1, abs=6e-4)


def test_muc_misses_the_links_between_parts():
    parted = muc("xxyy", "aaaa")
    assert (parted.precision, parted.recall) == (1, pytest.approx(2 / 3))
    assert muc("wxyz", "abcd").f1 == ceaf_e([], []).f1 == 0


@given(groupings)
def test_conll_is_symmetric_and_1_for_the_same_grouping(rows):
    estimate, truth = zip(*rows, strict=True)
    assert conll_f1(estimate, truth) == pytest.approx(conll_f1(truth, estimate))
    both = (*estimate, "a", "a")  # some two are together
    assert conll_f1(both, both) == pytest.approx(1)
