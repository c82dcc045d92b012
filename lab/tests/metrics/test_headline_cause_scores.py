"""HeadlineCause's measures: three and seven classes, causality, agreement, several runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.pairs.relations import (
    CAUSALITIES,
    RELATIONS,
    RELATIONS_OF,
    Causality,
    Relation,
    as_three,
    decide_three,
    mirrored,
)
from whywire_lab.corpora.headline_cause import LABELS, LabelledPair
from whywire_lab.metrics.headline_cause import (
    accuracy_by_agreement,
    class_scores,
    evaluate,
)


def simple(label: int, agreement: float | None = None) -> LabelledPair:
    return LabelledPair("a", "b", LABELS["simple"][label], "en", agreement=agreement)


def full(label: int) -> LabelledPair:
    return LabelledPair("a", "b", LABELS["full"][label], "en")


def sure(label: int, classes: int = 3):
    return np.eye(classes)[label]


def test_three_classes_are_sums_of_the_seven():
    probabilities = np.array([0.05, 0.1, 0.15, 0.2, 0.1, 0.25, 0.15])
    assert as_three(probabilities) == pytest.approx([0.3, 0.45, 0.25])
    assert decide_three(as_three(probabilities)) is Causality.LEFT_RIGHT
    assert decide_three(as_three(mirrored(probabilities))) is Causality.RIGHT_LEFT
    assert list(as_three(sure(1))) == [0, 1, 0]
    with pytest.raises(ValueError, match="not 4"):
        as_three(np.ones(4))


def test_two_directions_as_likely_say_nothing_of_direction():
    assert decide_three(np.array([0.2, 0.4, 0.4])) is Causality.NONE
    assert decide_three(np.array([0.4, 0.4, 0.2])) is Causality.NONE


@given(st.lists(st.floats(0, 1), min_size=7, max_size=7))
def test_a_mirrored_answer_is_decided_the_other_way_round(values):
    probabilities = np.array(values)
    other = {Causality.LEFT_RIGHT: Causality.RIGHT_LEFT, Causality.RIGHT_LEFT: Causality.LEFT_RIGHT}
    decided = decide_three(as_three(probabilities))
    assert decide_three(as_three(mirrored(probabilities))) is other.get(decided, Causality.NONE)


def test_each_class_has_precision_recall_and_f1():
    found = class_scores(["x", "x", "y", "y"], ["x", "y", "y", "y"], ["x", "y", "z"])
    assert found.accuracy == 0.75
    assert (found.classes["x"].precision, found.classes["x"].recall) == (0.5, 1.0)
    assert found.classes["y"].f1 == pytest.approx(0.8)
    assert found.classes["z"].f1 == 0.0
    assert found.macro_f1 == pytest.approx((2 / 3 + 0.8) / 2)


def test_scores_agree_with_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    dice = np.random.default_rng(5)
    rows = [full(label) for label in dice.integers(0, 7, 60)]
    answers = list(dice.dirichlet(np.ones(7), 60))
    found = evaluate(rows, answers)
    truth = [RELATIONS.index(row.relation) for row in rows]
    classes = ([0, 1, 2], [3, 5], [4, 6])
    estimate = []
    for answer in answers:
        own = max(classes, key=lambda places, answer=answer: answer[places].sum())
        estimate.append(own[int(np.argmax(answer[own]))])
    assert found.seven.accuracy == pytest.approx(metrics.accuracy_score(truth, estimate))
    assert found.seven.macro_f1 == pytest.approx(metrics.f1_score(truth, estimate, average="macro"))
    each = metrics.precision_recall_fscore_support(truth, estimate, labels=range(7), zero_division=0)
    assert [(own.precision, own.recall, own.f1) for own in found.seven.classes.values()] == [
        pytest.approx(row) for row in zip(*each[:3], strict=True)
    ]
    causal = [label > 2 for label in truth]
    assert found.causality_auc == pytest.approx(metrics.roc_auc_score(causal, np.array(answers)[:, 3:].sum(axis=1)))


def test_three_classes_are_measured_on_simple_and_seven_on_full():
    rows = [simple(0), simple(1), full(3), full(5)]
    answers = [sure(0), sure(2), sure(3, 7), sure(3, 7)]
    found = evaluate(rows, answers)
    assert found.scores() == {
        "3-class accuracy": 0.5,
        "3-class macro F1": pytest.approx(1 / 3),
        "causality AUC": 1.0,
        "7-class accuracy": 0.5,
        "7-class macro F1": pytest.approx(1 / 3),
    }
    assert list(found.three.classes) == list(CAUSALITIES)
    assert list(found.seven.classes) == list(RELATIONS)


def test_without_simple_the_full_ones_are_read_as_three():
    found = evaluate([full(0), full(3), full(6)], [sure(2, 7), sure(5, 7), sure(3, 7)])
    assert found.three.accuracy == pytest.approx(2 / 3)
    assert found.seven.accuracy == 0.0


def test_without_full_or_without_both_sides_there_is_no_such_score():
    assert evaluate([simple(1)], [sure(1)]).scores() == {"3-class accuracy": 1.0, "3-class macro F1": 1.0}
    assert evaluate([], []).scores() == {"3-class accuracy": 0.0, "3-class macro F1": 0.0}


def test_seven_classes_need_seven_probabilities():
    with pytest.raises(ValueError, match="needs seven probabilities, not 3"):
        evaluate([full(0)], [sure(0)])
    with pytest.raises(ValueError, match="zip"):
        evaluate([full(0)], [])


def test_a_relation_and_its_class_go_together():
    for relation in Relation:
        row = LabelledPair("a", "b", frozenset({relation}), "en")
        assert relation in RELATIONS_OF[row.causality]


def test_accuracy_by_agreement_bins_down_to_the_tenth():
    shares = [0.7, 0.78, 0.8, 0.1 + 0.2 + 0.6, 1.0, None]
    found = accuracy_by_agreement("aaaaaa", "abaaba", shares)
    assert {tenth: (own.accuracy, own.pairs) for tenth, own in found.items()} == {
        0.7: (0.5, 2),
        0.8: (1.0, 1),
        0.9: (1.0, 1),
        1.0: (0.0, 1),
    }
    rows = [simple(1, 0.7), simple(1, 1.0)]
    assert evaluate(rows, [sure(0), sure(1)]).by_agreement[1.0].accuracy == 1.0
