"""What to label next: what each reason says of a pair."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from whywire.annotation.priorities import disagreement, hard_negatives, refutations, uncertainty, urgency
from whywire.pairs.relations import MIRROR, RELATIONS, Relation, column

SURE = np.eye(len(RELATIONS))[column(Relation.SAME_EVENT)]
TORN = np.array([0.05, 0.45, 0.0, 0.45, 0.05, 0.0, 0.0])
SCORES = arrays(np.float64, st.integers(1, 20), elements=st.floats(0, 1))


def test_the_model_is_uncertain_where_two_relations_are_as_probable():
    assert uncertainty(np.stack([SURE, TORN])).tolist() == [0.0, 1.0]


def test_model_and_grouping_disagree_both_ways():
    found = disagreement(np.array([0.9, 0.9, 0.1, 0.1]), np.array([True, False, True, False]))
    assert np.allclose(found, [0.1, 0.9, 0.9, 0.1])


def test_a_hard_negative_is_alike_and_unrelated():
    none = np.eye(len(RELATIONS))[column(Relation.NO_RELATIONSHIP)]
    assert hard_negatives(np.stack([none, none, SURE]), np.array([0.8, -0.2, 0.8])).tolist() == [0.8, 0.0, 0.0]


@given(arrays(np.float64, (5, len(RELATIONS)), elements=st.floats(0, 1)))
def test_the_order_of_a_pair_does_not_matter(probabilities):
    for reason in (uncertainty, refutations):
        assert np.allclose(reason(probabilities), reason(probabilities[:, MIRROR]))


@given(SCORES)
def test_what_is_more_urgent_by_a_reason_ranks_higher_and_ties_are_equal(scores):
    ranks = urgency(scores)
    assert ranks.min() == 0
    assert ranks.max() <= 1
    assert ((ranks[:, None] < ranks) == (scores[:, None] < scores)).all()
