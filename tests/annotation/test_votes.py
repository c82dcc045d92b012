"""Majorities: plain, weighed by skill, and those on which enough agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.annotation.votes import Decision, keep_agreed, majority, skills, wawa

any_votes = st.lists(st.tuples(st.integers(0, 4), st.sampled_from("pqrs"), st.sampled_from("abc")), min_size=1)


def on_item(*labels):
    return [("i", f"w{number}", label) for number, label in enumerate(labels)]


def test_most_votes_decide():
    assert majority(on_item(*"aabca")) == {"i": Decision(("a",), 0.6, 5)}


def test_a_tie_is_said_to_be_one():
    found = majority(on_item(*"baabc"))["i"]
    assert found == Decision(("a", "b"), 0.4, 5)
    assert found.label is None
    assert not found.agrees(0.4)


def test_seven_of_ten_are_enough():
    votes = [("kept", worker, label) for worker, label in enumerate("aaaaaaabbc")]
    votes += [("dropped", worker, label) for worker, label in enumerate("aaaaaabbbb")]
    assert keep_agreed(majority(votes)) == {"kept": "a"}
    assert keep_agreed(majority(votes), 0.6) == {"kept": "a", "dropped": "a"}


def test_a_weight_is_as_many_votes():
    weighed = majority(on_item(*"abb"), {"w0": 3, "w1": 1, "w2": 1})["i"]
    assert (weighed.label, weighed.share, weighed.votes) == ("a", 0.6, 3)


def test_votes_that_all_weigh_nothing_count_the_same():
    assert majority(on_item(*"abb"), dict.fromkeys(("w0", "w1", "w2"), 0)) == majority(on_item(*"abb"))


def test_skills_by_hand():
    votes = [
        *[("one", worker, label) for worker, label in zip("pqr", "aab", strict=True)],
        *[("two", worker, label) for worker, label in zip("pqr", "bbb", strict=True)],
        *[("tie", worker, label) for worker, label in zip("pr", "ab", strict=True)],
    ]
    assert skills(votes) == pytest.approx({"p": 2.5 / 3, "q": 1, "r": 1.5 / 3})
    tie = wawa(votes)["tie"]  # p is better than r
    assert (tie.labels, tie.share) == (("a",), pytest.approx(2.5 / 4))


@given(any_votes, st.randoms())
def test_the_order_of_votes_does_not_matter(votes, dice):
    before = [majority(votes), skills(votes), wawa(votes)]
    dice.shuffle(votes)
    assert [majority(votes), skills(votes), wawa(votes)] == before


@given(st.dictionaries(st.integers(), st.sampled_from("abc"), min_size=1), st.integers(1, 7))
def test_who_agree_decide_what_they_say(labels, workers):
    votes = [(item, worker, label) for item, label in labels.items() for worker in range(workers)]
    for found in (majority(votes), wawa(votes)):
        assert {item: decision.label for item, decision in found.items()} == labels
        assert {decision.share for decision in found.values()} == {1}
    assert set(skills(votes).values()) == {1}
