"""Probability grows with independent evidence, strength does not depend on how much of it there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import ClaimEvidence, HeadlineEvidence
from whywire.links.strength import combine_probabilities, link_probability, mean_strength

probabilities = st.floats(0, 1)


@given(probabilities, st.lists(probabilities, max_size=6), probabilities)
def test_another_claim_never_weakens_a_link(headlines, claims, more):
    before = combine_probabilities(headlines, claims)
    assert 0 <= before <= combine_probabilities(headlines, [*claims, more]) <= 1


@given(probabilities, probabilities)
def test_one_outlet_tells_a_link_once(one, other):
    pieces = [ClaimEvidence("c1", one), ClaimEvidence("c2", other)]
    assert link_probability(pieces, ["Courier", "Courier"]) == pytest.approx(max(one, other))
    both = link_probability(pieces, ["Courier", "Gazette"])
    assert both >= max(one, other) - 1e-9


def test_headlines_count_once_whoever_prints_them():
    shown = [HeadlineEvidence("a", "b", 0.4), HeadlineEvidence("a", "c", 0.6)]
    assert link_probability(shown, ["", ""]) == 0.5


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0, 100)), min_size=1, max_size=6))
def test_strength_lies_between_what_its_evidence_says(judged):
    scores = [score for _, score in judged]
    assert min(scores) - 1e-6 <= mean_strength(judged) <= max(scores) + 1e-6


def test_likelier_evidence_weighs_more():
    assert mean_strength([(0.75, 80), (0.25, 40)]) == 70
