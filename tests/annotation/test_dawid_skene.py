"""EM for labels and confusion matrices, on the example of the paper and on made-up votes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whywire.annotation.dawid_skene import dawid_skene
from whywire.annotation.votes import majority

ANAESTHETISTS = (
    *("111 1 1 1 1", "333 4 3 3 4", "112 2 1 2 2", "222 3 1 2 1", "222 3 2 2 2", "222 3 3 2 2", "122 2 1 1 1"),
    *("333 3 4 3 3", "222 2 2 2 3", "232 2 2 2 3", "444 4 4 4 4", "222 3 3 4 3", "111 1 1 1 1", "222 3 2 1 2"),
    *("121 1 1 1 1", "111 2 1 1 1", "111 1 1 1 1", "111 1 1 1 1", "222 2 2 2 1", "222 1 3 2 2", "222 2 2 2 2"),
    *("222 2 2 2 1", "222 3 2 2 2", "221 2 2 2 2", "111 1 1 1 1", "111 1 1 1 1", "232 2 2 2 2", "111 1 1 1 1"),
    *("111 1 1 1 1", "112 1 1 2 1", "111 1 1 1 1", "333 3 2 3 3", "111 1 1 1 1", "222 2 2 2 2", "222 3 2 3 2"),
    *("433 4 3 4 3", "221 2 2 3 2", "232 3 2 3 3", "333 3 4 3 2", "111 1 1 1 1", "111 1 1 1 1", "121 2 1 1 1"),
    *("232 2 2 2 2", "121 1 1 1 1", "222 2 2 2 2"),
)
"""Table 1 of Dawid and Skene (1979): five anaesthetists grade each of 45 patients; the first did it thrice."""

some_votes = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from("pqrs"), st.sampled_from("abc")), min_size=1, max_size=40
)


def test_the_published_example():
    votes = [
        (patient, doctor, int(grade))
        for patient, row in enumerate(ANAESTHETISTS, 1)
        for doctor, grades in enumerate(row.split(), 1)
        for grade in grades
    ]
    found = dawid_skene(votes, smoothing=0, max_iterations=1000)
    assert found.labels == (1, 2, 3, 4)
    assert found.prior == pytest.approx([0.40, 0.42, 0.11, 0.07], abs=0.005)
    first = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]]
    assert found.confusion[0] == pytest.approx(np.array(first), abs=0.005)
    # Most grades of patient 36 are 3, but the second and the fourth doctor say 4, and seldom without reason.
    assert found.decisions()[36].label == 4
    assert majority(votes)[36].label == 3


def test_who_answers_the_other_way_round_is_understood():
    truth = "aabbabab"
    swap = str.maketrans("ab", "ba")
    votes = [(item, worker, label) for worker in "pqr" for item, label in enumerate(truth)]
    votes += [(item, worker, label) for worker in "xy" for item, label in enumerate(truth.translate(swap))]
    votes += [("new", "p", "a"), ("new", "x", "b"), ("new", "y", "b")]
    found = dawid_skene(votes)
    assert found.decisions()["new"].label == "a"
    assert majority(votes)["new"].label == "b"
    assert found.skills()["p"] > 0.7
    assert found.skills()["x"] < 0.3


def test_known_labels_stay_and_show_who_errs():
    votes = [(item, worker, "a") for item in range(4) for worker in "pq"]
    votes += [(item, "r", "b") for item in range(4)]
    votes += [("new", "p", "a"), ("new", "r", "b")]
    found = dawid_skene(votes, known=dict.fromkeys(range(4), "b"))
    assert found.decisions()[0].label == "b"
    assert found.decisions()["new"].label == "b"
    assert found.skills()["r"] > 0.6 > found.skills()["p"]


def test_a_tie_stays_one():
    decision = dawid_skene([("i", "p", "a"), ("i", "q", "b")]).decisions()["i"]
    assert (decision.labels, decision.share, decision.votes) == (("a", "b"), pytest.approx(0.5), 2)


def test_labels_that_nobody_gave_are_improbable():
    found = dawid_skene([("i", "p", "a"), ("j", "p", "a")], ["a", "b"])
    assert found.labels == ("a", "b")
    assert found.decisions()["i"].label == "a"


def test_what_cannot_be_estimated():
    with pytest.raises(ValueError, match="nothing to estimate"):
        dawid_skene([])
    with pytest.raises(ValueError, match="not -1"):
        dawid_skene([("i", "p", "a")], smoothing=-1)


@settings(max_examples=50)
@given(some_votes, st.randoms())
def test_the_order_of_votes_does_not_matter_and_all_are_probabilities(votes, dice):
    found = dawid_skene(votes)
    for rows in (found.probabilities, found.confusion, found.prior[None, :]):
        assert rows.sum(axis=-1) == pytest.approx(np.ones(rows.shape[:-1]))
    assert all(0 <= skill <= 1 for skill in found.skills().values())
    dice.shuffle(votes)
    assert dawid_skene(votes).decisions() == found.decisions()


@settings(max_examples=50)
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=20), st.integers(2, 6))
def test_of_perfect_workers_it_is_the_majority(truth, workers):
    votes = [(item, worker, label) for item, label in enumerate(truth) for worker in range(workers)]
    decisions = dawid_skene(votes).decisions()
    assert [decisions[item].label for item in range(len(truth))] == truth
