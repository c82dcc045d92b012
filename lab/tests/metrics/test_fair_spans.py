"""Near misses count once, and relations meet as they fit best."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.sentences.reading import CausalRelation
from whywire_lab.metrics.fair_spans import SpanCounts, by_label, compare_relations, compare_spans, total

LABELS = st.sampled_from(["cause", "effect"])


def spans(count: int) -> st.SearchStrategy:
    """LabelledSpan spans that do not overlap one another."""
    cuts = st.lists(st.integers(0, 30), min_size=2 * count, max_size=2 * count, unique=True).map(sorted)
    return st.tuples(cuts, st.lists(LABELS, min_size=count, max_size=count)).map(
        lambda drawn: [(label, (drawn[0][2 * k], drawn[0][2 * k + 1])) for k, label in enumerate(drawn[1])]
    )


def relation(cause, effect, *signals) -> CausalRelation:
    return CausalRelation(cause, effect, signals)


def test_each_kind_of_error_is_counted_once():
    truth = [("cause", (0, 10)), ("effect", (20, 30)), ("effect", (40, 50)), ("cause", (60, 70))]
    estimate = [("cause", (0, 10)), ("effect", (20, 28)), ("cause", (40, 50)), ("effect", (80, 90))]
    assert compare_spans(estimate, truth) == {
        "cause": SpanCounts(hits=1, missed=1),
        "effect": SpanCounts(near=2, surplus=1),
    }


def test_a_span_cut_in_two_is_two_boundary_errors_whoever_cut_it():
    whole, halves = [("effect", (0, 10))], [("effect", (0, 5)), ("effect", (6, 10))]
    assert compare_spans(halves, whole) == {"effect": SpanCounts(near=2)}
    assert compare_spans(whole, halves) == {"effect": SpanCounts(near=2)}


def test_a_span_met_exactly_is_settled():
    found = compare_spans([("effect", (0, 10)), ("effect", (2, 5))], [("effect", (0, 10))])
    assert found == {"effect": SpanCounts(hits=1, surplus=1)}


def test_the_same_span_with_another_label_comes_before_an_overlap():
    found = compare_spans([("cause", (2, 5)), ("effect", (0, 10))], [("cause", (0, 10))])
    assert found == {"cause": SpanCounts(near=1, surplus=1)}


def test_what_another_span_has_taken_is_not_met_again():
    found = compare_spans([("effect", (0, 8)), ("effect", (1, 3))], [("effect", (0, 10))])
    assert found == {"effect": SpanCounts(near=1, surplus=1)}


def test_of_two_overlapping_spans_the_likest_is_met():
    found = compare_spans([("cause", (0, 20))], [("cause", (0, 3)), ("effect", (4, 20))])
    assert found == {"cause": SpanCounts(near=1), "effect": SpanCounts(near=1)}
    assert compare_spans([("effect", (0, 20))], [("cause", (0, 3)), ("effect", (4, 20))]) == {
        "cause": SpanCounts(near=1),
        "effect": SpanCounts(near=1),
    }


def test_a_near_miss_is_half_of_both_errors():
    assert SpanCounts(hits=12, near=4, surplus=2, missed=1).score.f1 == pytest.approx(0.7741935483870969)


def test_relations_meet_as_they_fit_best_and_a_missing_one_counts_as_missed():
    first, second = relation((0, 5), (6, 10)), relation((20, 25), (26, 30), (15, 18))
    assert total([compare_relations([second, first], [first, second])]) == SpanCounts(hits=5)
    assert compare_relations([second], [first, second])["cause"] == SpanCounts(hits=1, missed=1)


def test_relations_beyond_the_true_number_count_only_when_strict():
    first, second = relation((0, 5), (6, 10)), relation((20, 25), (26, 30), (15, 18))
    assert total([compare_relations([first, second], [first])]) == SpanCounts(hits=2)
    assert total([compare_relations([first, second], [first], strict=True)]) == SpanCounts(hits=2, surplus=3)
    assert total([compare_relations([first], [], strict=True)]) == SpanCounts(surplus=2)
    assert total([compare_relations([first], [])]) == SpanCounts()


@given(truth=spans(3), estimate=spans(3))
def test_every_span_is_counted(truth, estimate):
    found = total([compare_spans(estimate, truth)])
    assert found.hits + found.near + found.surplus >= len(estimate)
    assert found.hits + found.near + found.missed >= len(truth)
    assert 0 <= found.score.f1 <= 1


@given(truth=spans(3))
def test_the_truth_scores_one_and_nothing_scores_none(truth):
    assert total([compare_spans(truth, truth)]).score.f1 == 1
    assert by_label([compare_spans([], truth)]) == compare_spans([], truth)
    assert total([compare_spans([], truth)]).score.f1 == 0
