"""Strength is on CRAB's scale and never falls where evidence grows."""

from hypothesis import given
from hypothesis import strategies as st

from whywire.links.strength import combine_probabilities, strength

probabilities = st.floats(0, 1)


@given(probabilities, st.lists(probabilities, max_size=6), probabilities)
def test_another_claim_never_weakens_a_link(headlines, claims, more):
    before = combine_probabilities(headlines, claims)
    assert 0 <= before <= combine_probabilities(headlines, [*claims, more]) <= 1


@given(probabilities, probabilities, st.floats(0, 100), st.integers(0, 9))
def test_strength_grows_with_probability_and_outlets(one, other, judged, outlets):
    low, high = sorted((one, other))
    weak, strong = strength(low, judged, outlets), strength(high, judged, outlets)
    assert 0 <= weak <= strong <= strength(high, judged, outlets + 1) <= 100


@given(probabilities, st.floats(0, 100), st.floats(0, 100), st.integers(0, 9))
def test_a_direct_cause_is_stronger_than_a_remote_one(probability, one, other, outlets):
    remote, direct = sorted((one, other))
    assert strength(probability, remote, outlets) <= strength(probability, direct, outlets)


def test_one_outlet_alone_is_never_high():
    assert strength(1.0, 100, 1) <= 80
