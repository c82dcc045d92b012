"""Agreement of annotators: Krippendorff's own examples, and spans by hand."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.annotation.agreement import krippendorff_alpha, span_agreement
from whywire.annotation.span_votes import Match
from whywire.sentences.reading import CausalRelation

NONE = None
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
    [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
]
"""Krippendorff 2011, example C and D: twelve units, some values missing."""

TEXT = "Heavy rain flooded the road so the school closed early ."
RAIN, FLOOD, SO, SCHOOL = (0, 10), (11, 27), (28, 30), (31, 54)


@pytest.mark.parametrize(
    ("ratings", "metric", "published"),
    [
        ([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]], "nominal", 0.095),
        (["aabbdcccedda", "babbbccceddd"], "nominal", 0.692),
        (FOUR_OBSERVERS, "nominal", 0.743),
        (FOUR_OBSERVERS, "ordinal", 0.815),
        (FOUR_OBSERVERS, "interval", 0.849),
    ],
)
def test_published_values(ratings, metric, published):
    assert krippendorff_alpha(ratings, metric) == pytest.approx(published, abs=0.0005)


def test_a_weight_is_a_unit_as_many_times():
    once = [list("aabbc"), list("abbbc")]
    weighted = krippendorff_alpha(once, weights=[3, 1, 2, 1, 1])
    repeated = [list("aaaabbbc"), list("aaabbbbc")]
    assert weighted == pytest.approx(krippendorff_alpha(repeated))


def test_perfect_agreement_is_one_and_no_variation_is_nothing_to_agree_about():
    assert krippendorff_alpha([[1, 2, 2], [1, 2, 2]]) == pytest.approx(1)
    assert isnan(krippendorff_alpha([[1, 1], [1, 1]]))
    assert isnan(krippendorff_alpha([[1, NONE], [NONE, 2]]))
    assert isnan(krippendorff_alpha([]))


def test_observers_must_have_rated_the_same_units():
    with pytest.raises(ValueError, match="shorter"):
        krippendorff_alpha([[1, 2], [1]])


units = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3) | st.none()), min_size=2)


@given(units, st.sampled_from(["nominal", "ordinal", "interval"]), st.randoms())
def test_alpha_is_at_most_one_and_blind_to_the_order_of_observers_and_units(rows, metric, dice):
    alpha = krippendorff_alpha(list(zip(*rows, strict=True)), metric)
    dice.shuffle(rows)
    observers = list(zip(*rows, strict=True))
    dice.shuffle(observers)
    assert alpha <= 1 + 1e-9 or isnan(alpha)
    assert alpha == pytest.approx(krippendorff_alpha(observers, metric), nan_ok=True)


@given(units)
def test_ordinal_alpha_knows_the_order_of_values_and_nothing_else(rows):
    stretched = [[None if value is None else value**3 for value in observer] for observer in zip(*rows, strict=True)]
    plain = krippendorff_alpha(list(zip(*rows, strict=True)), "ordinal")
    assert plain == pytest.approx(krippendorff_alpha(stretched, "ordinal"), nan_ok=True)


def test_values_of_more_digits_are_in_order():
    ratings = [[1, 2, 3, 10, 2], [1, 2, 10, 10, 3]]
    renamed = [[1, 2, 3, 4, 2], [1, 2, 4, 4, 3]]
    assert krippendorff_alpha(ratings, "ordinal") == pytest.approx(krippendorff_alpha(renamed, "ordinal"))


def test_relations_meet_in_the_order_they_agree_best():
    first, second = CausalRelation(RAIN, FLOOD), CausalRelation((0, 27), SCHOOL, (SO,))
    found = span_agreement([TEXT], [[first, second]], [[second, first]])
    assert (found.relations, found.same_number) == (2, 1)
    assert set(found.matches.values()) == {Match(1, 1, 1)}
    assert found.alpha == pytest.approx({"cause": 1, "effect": 1, "signal": 1, "all": 1})


def test_degrees_of_agreement_by_hand():
    one, other = CausalRelation(RAIN, SCHOOL, (SO,)), CausalRelation((0, 27), (35, 47))
    found = span_agreement([TEXT], [[one]], [[other]])
    assert found.matches["cause"] == Match(0, 1, 1)  # same start
    assert found.matches["effect"] == Match(0, 0, 1)
    assert found.matches["signal"] == Match(0, 0, 0)  # one marked it, the other did not
    assert found.matches["all"] == Match(0, 0, 0)


def test_a_relation_that_only_one_marked_is_disagreed_on():
    found = span_agreement([TEXT], [[CausalRelation(RAIN, FLOOD)]], [[]])
    assert (found.relations, found.same_number) == (1, 0)
    assert set(found.matches.values()) == {Match(0, 0, 0)}


def test_alpha_over_words_by_hand():
    # Of eleven words both take two for the cause, one of them three more.
    one, other = CausalRelation(RAIN, SCHOOL), CausalRelation((0, 27), SCHOOL)
    found = span_agreement([TEXT], [[one]], [[other]])
    words = [[1] * 2 + [0] * 9, [1] * 5 + [0] * 6]
    assert found.alpha["cause"] == pytest.approx(krippendorff_alpha(words))
    # 22 values, 7 of them inside: observed 6 of 22, expected 2 * 7 * 15 of 22 * 21
    assert found.alpha["cause"] == pytest.approx(1 - (6 / 22) / (2 * 7 * 15 / (22 * 21)))
    assert isnan(found.alpha["signal"])
    assert 0 < found.alpha["all"] < 1


def test_nothing_annotated():
    found = span_agreement([TEXT], [[]], [[]])
    assert found.relations == 0
    assert found.matches["all"] == Match(1, 1, 1)
    assert isnan(found.alpha["all"])
