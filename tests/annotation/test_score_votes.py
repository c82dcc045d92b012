"""Scores of causal strength: means, classes, and what goes to experts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.annotation.score_votes import decide_score, for_experts
from whywire.elements import StrengthClass


def test_mean_deviation_and_class_by_hand():
    found = decide_score([10, 20, 60])
    assert (found.mean, found.strength_class, found.votes) == (30, StrengthClass.LOW, 3)
    assert found.deviation == pytest.approx(((400 + 100 + 900) / 2) ** 0.5)
    assert found.to_bound == 10
    assert decide_score([80]).deviation == 0


def test_experts_see_what_is_spread_and_on_a_bound():
    pairs = {
        "agreed on a bound": [48, 52, 50, 51],
        "spread inside a class": [5, 60, 35, 40],
        "on a bound": [20, 80, 50, 44],
        "on a bound, further apart": [0, 100, 50, 60],
        "agreed": [90, 95, 92, 100],
    }
    assert for_experts(pairs) == ["on a bound, further apart", "on a bound"]


@pytest.mark.parametrize("scores", [[], [101], [-1, 50]])
def test_what_is_no_score(scores):
    with pytest.raises(ValueError, match="score"):
        decide_score(scores)


@given(st.lists(st.integers(0, 100), min_size=1), st.randoms())
def test_the_order_of_scores_does_not_matter(scores, dice):
    before = decide_score(scores)
    dice.shuffle(scores)
    assert decide_score(scores) == before


@given(st.integers(0, 100), st.integers(1, 9))
def test_who_agree_decide_what_they_say(score, workers):
    found = decide_score([score] * workers)
    assert (found.mean, found.deviation, found.needs_expert) == (score, 0, False)
