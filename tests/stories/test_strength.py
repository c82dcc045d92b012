"""Strength is on CRAB's scale and never falls where evidence grows."""

from hypothesis import given
from hypothesis import strategies as st

from whywire.stories.strength import combined, strength

chances = st.floats(0, 1)


@given(chances, st.lists(chances, max_size=6), chances)
def test_another_claim_never_weakens_a_link(headlines, claims, more):
    before = combined(headlines, claims)
    assert 0 <= before <= combined(headlines, [*claims, more]) <= 1


@given(chances, chances, st.integers(0, 9))
def test_strength_grows_with_probability_and_outlets(one, other, outlets):
    low, high = sorted((one, other))
    assert 0 <= strength(low, outlets) <= strength(high, outlets) <= strength(high, outlets + 1) <= 100


def test_one_outlet_alone_is_never_high():
    assert strength(1.0, 1) <= 80
