"""A pair has one answer, whichever way round it is asked about."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whywire.pairs.relations import in_one_order

MIRROR = [0, 2, 1]
texts = st.sampled_from(["dam", "flood", "fire", "strike"])
pairs = st.lists(st.tuples(texts, texts), max_size=12)


class Speaker:
    """Says something else of every pair and of its mirror, and remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, asked):
        self.asked += asked
        rows = [[hash(pair) % 97, hash((pair, "forth")) % 97, hash((pair, "back")) % 97] for pair in asked]
        return np.array(rows, dtype=float).reshape(-1, 3)


@given(pairs)
def test_the_answer_for_the_other_order_is_the_mirror(asked):
    table = in_one_order(asked, Speaker(), MIRROR)
    back = in_one_order([(right, left) for left, right in asked], Speaker(), MIRROR)
    np.testing.assert_array_equal(back, table[:, MIRROR])
    for (left, right), row in zip(asked, table, strict=True):
        assert left != right or row[1] == row[2]


@given(pairs)
def test_what_stands_there_twice_is_asked_once(asked):
    speaker = Speaker()
    in_one_order(asked, speaker, MIRROR)
    assert sorted(speaker.asked) == sorted({(min(pair), max(pair)) for pair in asked})
