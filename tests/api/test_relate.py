"""Label, class and causality of ``relate`` say one thing, for every pair and in either order."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.api.news_input import to_article
from whywire.api.question_rows import relation_row
from whywire.api.relate import TOLD_APART, PairRelation, by_words
from whywire.elements import round_probability
from whywire.pairs.relations import (
    RELATIONS,
    RELATIONS_OF,
    Causality,
    Relation,
    as_three,
    column,
    mirrored,
    most_likely,
)

HEADLINES = [
    "Painter Orm dies at 80",
    "Painter Orm is alive, his agent says",
    "Painter Ulf Sand is alive, his agent says",
    "Fire wrecks Gullholm mill",
    "Police rule out arson in Gullholm mill fire",
    "There was no fire at Gullholm mill, owner says",
    "Blast shakes port in Peru",
    "Chile denies blast in port",
    "Мельница в Лужне сгорела",
    "Мельница в Лужне не горела, заявил владелец",
    "ОТОЗВАНО: Мельница в Лужне сгорела",
]
PAIRS = [(to_article(left), to_article(right)) for left, right in product(HEADLINES, repeat=2)]
ROWS = st.lists(st.integers(0, 1000), min_size=7, max_size=7).filter(any).map(lambda row: np.array(row) / sum(row))


def relation_of(row: np.ndarray) -> PairRelation:
    return PairRelation(tuple(map(round_probability, row)), 0.5, (50.0, 50.0))


@given(ROWS)
def test_label_class_and_causality_never_contradict_each_other(row):
    relation = relation_of(row)
    none, *directions = as_three(np.array(relation.probabilities))
    assert relation.label in RELATIONS_OF[relation.simple]
    assert relation.causality == sum(directions)
    if relation.simple is Causality.NONE:
        assert max(directions) <= none or directions[0] == directions[1]
    else:
        assert relation.causality > none


@given(ROWS)
def test_a_row_read_again_says_what_it_said(row):
    said = relation_row(relation_of(row))
    again = relation_row(relation_of(np.array([said["probabilities"][str(name)] for name in RELATIONS])))
    assert again == said


@given(ROWS, st.sampled_from(PAIRS))
def test_what_words_correct_is_mirrored_with_the_pair(row, pair):
    left, right = pair
    found, back = by_words(row, left, right), by_words(mirrored(row), right, left)
    np.testing.assert_array_equal(mirrored(found), back)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("left", "right", "model", "label"),
    [
        (0, 1, Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE),
        (0, 2, Relation.LEFT_RIGHT_REFUTE, Relation.OTHER_RELATIONSHIP),
        (3, 4, Relation.LEFT_RIGHT_REFUTE, Relation.OTHER_RELATIONSHIP),
        (3, 4, Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_CAUSE),
        (3, 5, Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE),
        (6, 7, Relation.LEFT_RIGHT_REFUTE, Relation.OTHER_RELATIONSHIP),
        (8, 9, Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE),
        (8, 10, Relation.NO_RELATIONSHIP, Relation.LEFT_RIGHT_REFUTE),
    ],
)
def test_words_decide_what_is_refuted_and_what_is_not(left, right, model, label):
    row = np.full(7, 0.02)
    row[column(model)] = 0.88
    ends = to_article(HEADLINES[left]), to_article(HEADLINES[right])
    assert most_likely(by_words(row, *ends)) is label
    if label is Relation.OTHER_RELATIONSHIP:
        assert by_words(row, *ends)[column(Relation.LEFT_RIGHT_REFUTE)] <= TOLD_APART
