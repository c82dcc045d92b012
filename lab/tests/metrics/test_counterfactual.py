"""Antecedent and consequent, counted as the task's scorer does, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire_lab.corpora.semeval2020 import MarkedCounterfactual
from whywire_lab.metrics.counterfactual import evaluate_parts, part_score

TEXT = "Had the dam held, the lower town would be dry."
ANTECEDENT, CONSEQUENT = (0, 16), (18, 45)  # four words; six words


def test_words_of_both_parts_are_counted_together():
    # "the dam held": three of four words; "the lower town": three of six
    found = part_score(TEXT, ((4, 16), (18, 32)), (ANTECEDENT, CONSEQUENT))
    assert (found.precision, found.recall) == pytest.approx((1, 6 / 10))
    assert found.f1 == pytest.approx(12 / 16)


def test_words_of_the_other_part_do_not_count():
    assert part_score(TEXT, (CONSEQUENT, ANTECEDENT), (ANTECEDENT, CONSEQUENT)).f1 == 0


def test_a_missing_consequent_is_missed_and_a_made_up_one_is_surplus():
    missing = part_score(TEXT, (ANTECEDENT, None), (ANTECEDENT, CONSEQUENT))
    assert (missing.precision, missing.recall) == pytest.approx((1, 4 / 10))
    surplus = part_score(TEXT, (ANTECEDENT, CONSEQUENT), (ANTECEDENT, None))
    assert (surplus.precision, surplus.recall) == pytest.approx((4 / 10, 1))


@pytest.mark.parametrize("antecedent", [None, (0, 1)])
def test_an_answer_without_antecedent_scores_nothing(antecedent):
    assert part_score(TEXT, (antecedent, CONSEQUENT), (ANTECEDENT, CONSEQUENT)).f1 == 0


def test_a_piece_of_a_word_counts_as_a_word():
    assert part_score(TEXT, ((4, 14), None), (ANTECEDENT, None)).recall == pytest.approx(3 / 4)


def test_means_over_sentences():
    rows = [
        MarkedCounterfactual("1", TEXT, ANTECEDENT, CONSEQUENT),
        MarkedCounterfactual("2", TEXT, ANTECEDENT, None),
    ]
    found = evaluate_parts(rows, [((4, 16), (18, 32)), (ANTECEDENT, None)])
    assert found["f1"] == pytest.approx((0.75 + 1) / 2)
    assert found["exact"] == 0.5
    assert found["antecedent f1"] == pytest.approx((6 / 7 + 1) / 2)
    assert found["consequent f1"] == pytest.approx((6 / 9 + 1) / 2)


spans = st.tuples(st.integers(0, len(TEXT) - 2), st.integers(2, len(TEXT))).filter(lambda span: span[1] - span[0] > 1)


@given(spans, spans, spans)
def test_scores_lie_between_nothing_and_all(one, other, third):
    found = part_score(TEXT, (one, third), (other, None))
    assert 0 <= found.f1 <= 1
