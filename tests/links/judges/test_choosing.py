"""Which options are taken for direct causes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import StrengthClass, strength_class
from whywire.links.judges.choosing import CAUSAL_THRESHOLD, MIN_SHARE_OF_STRONGEST, NO_CAUSE_THRESHOLD, direct_causes

strengths = st.lists(st.floats(0, 100), max_size=6)


@pytest.mark.parametrize(
    ("given_strengths", "causes"),
    [
        ([], set()),
        ([0, 12, 20], set()),  # none is better than nothing
        ([0, 21, 20], {1}),  # weak, but the best there is
        ([30, 45, 44], {1}),  # a second cause has to be one by itself
        ([45, 30, 45], {0, 2}),  # what is exactly as strong stands with it
        ([90, 82, 80, 20], {0, 1}),  # 80 is a cause, and weaker than 90
        ([54, 51, 50], {0, 1}),
        ([100], {0}),
    ],
)
def test_the_rules(given_strengths, causes):
    assert direct_causes(given_strengths) == causes


@given(strengths)
def test_nothing_is_taken_before_something_stronger(found):
    chosen = direct_causes(found)
    weakest = min((found[place] for place in chosen), default=100.1)
    assert all(place in chosen for place, strength in enumerate(found) if strength >= weakest)
    assert bool(chosen) == (max(found, default=0) > NO_CAUSE_THRESHOLD)


@given(strengths)
def test_where_some_option_is_a_cause_the_strongest_is_and_nothing_else_changes(found):
    known = direct_causes(found, some_cause=True)
    assert known == (direct_causes(found) or {place for place, own in enumerate(found) if own == max(found)})


@given(strengths, st.randoms())
def test_the_order_of_the_options_does_not_matter(found, rng):
    places = list(range(len(found)))
    rng.shuffle(places)
    shuffled = direct_causes([found[place] for place in places])
    assert {places[place] for place in shuffled} == direct_causes(found)


def test_the_bounds_are_those_of_the_scale():
    assert strength_class(NO_CAUSE_THRESHOLD) is StrengthClass.NONE
    assert strength_class(NO_CAUSE_THRESHOLD + 0.1) is StrengthClass.LOW
    assert strength_class(CAUSAL_THRESHOLD) is StrengthClass.LOW
    assert strength_class(CAUSAL_THRESHOLD + 0.1) is StrengthClass.MEDIUM
    assert 0 < MIN_SHARE_OF_STRONGEST < 1
