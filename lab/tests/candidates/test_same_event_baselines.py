"""The simple answers to *same event?*, and the threshold they learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire_lab.candidates.same_event_baselines import (
    best_threshold,
    by_edit_distance,
    by_paraphrase_and_time,
    by_time,
    time_decay,
)

TITLES = st.lists(st.text("abcdef ", max_size=12), min_size=1, max_size=6)


def letters(titles):
    """An embedding by hand: how often each letter stands in a title."""
    return np.array([[1 + title.count(letter) for letter in "abcdef"] for title in titles], dtype=np.float32)


by_meaning = by_paraphrase_and_time(letters)


def scorers():
    yield by_meaning
    yield by_time
    if _has_rapidfuzz():
        yield by_edit_distance


def _has_rapidfuzz():
    try:
        import rapidfuzz  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


@given(TITLES, st.data())
def test_every_score_is_between_nought_and_one_and_the_same_for_either_order(left, data):
    right = data.draw(st.permutations(left))
    days = data.draw(st.lists(st.integers(0, 9), min_size=len(left), max_size=len(left)))
    for score in scorers():
        found = score(left, right, days)
        assert found.shape == (len(left),)
        assert ((found >= 0) & (found <= 1)).all()
        assert found == pytest.approx(score(right, left, days))


def test_a_day_apart_halves_and_endless_days_leave_nothing():
    assert time_decay([0, 1, -1, 3, np.inf]) == pytest.approx([1, 0.5, 0.5, 0.125, 0])
    assert by_time(["a"] * 2, ["b"] * 2, [0, 2]) == pytest.approx([1, 0.25])


def test_the_same_words_on_the_same_day_are_certain():
    same, later, other = by_meaning(["abba", "abba", "abba"], ["abba", "abba", "feed"], [0, 1, 0])
    assert same == pytest.approx(1)
    assert later == pytest.approx(0.5)
    assert other < same


def test_time_never_raises_a_score():
    opposed = by_paraphrase_and_time(lambda titles: np.array([[1.0] if title == "a" else [-1.0] for title in titles]))
    assert (opposed(["a", "a"], ["b", "b"], [0, 4]) == 0).all()


def test_without_decay_the_cosine_is_left():
    assert by_paraphrase_and_time(letters, per_day=0)(["ab"], ["ab"], [3]) == pytest.approx([1])


def test_each_title_is_embedded_once():
    asked = []

    def embed(titles):
        asked.extend(titles)
        return letters(titles)

    by_paraphrase_and_time(embed)(["a", "a", "b"], ["b", "c", "a"], [0, 0, 0])
    assert sorted(asked) == ["a", "b", "c"]


def test_letters_count_whatever_their_case_and_the_day():
    assert by_edit_distance(["Dam bursts", "abcd"], ["DAM BURSTS", "abcf"], [9, 0]) == pytest.approx([1, 0.75])


def test_no_pairs_have_no_scores():
    for score in scorers():
        assert score([], [], []).shape == (0,)


def test_sides_of_different_length_are_refused():
    for score in scorers():
        with pytest.raises(ValueError, match="2 left titles, 1 right ones and 2 distances"):
            score(["a", "b"], ["a"], [0, 0])


def f1(scores, same, threshold):
    taken = np.asarray(scores) >= threshold
    hits = (taken & np.asarray(same)).sum()
    return 2 * hits / max(1, taken.sum() + np.sum(same))


@given(st.lists(st.tuples(st.sampled_from([0, 0.25, 0.5, 0.75, 1]), st.booleans()), min_size=1, max_size=20))
def test_no_threshold_is_better_than_the_best(rows):
    scores, same = map(list, zip(*rows, strict=True))
    threshold, best = best_threshold(scores, same)
    assert best == pytest.approx(f1(scores, same, threshold))
    assert all(best >= f1(scores, same, other) - 1e-12 for other in scores)


def test_a_threshold_needs_rows_and_a_label_for_each():
    with pytest.raises(ValueError, match="one or more"):
        best_threshold([], [])
    with pytest.raises(ValueError, match=r"labels \(1\) must match number of scores \(2\)"):
        best_threshold([0.1, 0.2], [True])
