"""Candidates are the nearest neighbours inside the window, whatever the order and however coarse the times."""

import tracemalloc
from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whywire.events import candidates
from whywire.events.candidates import WINDOW, candidate_pairs
from whywire.news import Published

START = datetime(2026, 3, 1, tzinfo=UTC)
times = st.one_of(
    st.none(),
    st.builds(
        lambda hours, day_only: Published(START + timedelta(hours=hours - hours % 24 * day_only), day_only),
        st.integers(0, 400),
        st.booleans(),
    ),
)


def unit(rows):
    vectors = np.array(rows, np.float32) + 1e-3
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def apart(one, other):
    if one is None or other is None:
        return timedelta(0)
    return max(one.at - other.until, other.at - one.until)


items = st.lists(st.tuples(st.tuples(*[st.floats(-1, 1, width=32)] * 3), times), min_size=1, max_size=25)


@given(items, st.sampled_from([3, 1024]))
def test_with_room_for_all_every_pair_inside_the_window_is_found(rows, block):
    vectors, clock = unit([vector for vector, _ in rows]), [time for _, time in rows]
    before, candidates.BLOCK_ROWS = candidates.BLOCK_ROWS, block
    try:
        found = candidate_pairs(vectors, clock, neighbours=len(rows), floor=-2)
    finally:
        candidates.BLOCK_ROWS = before
    expected = [
        (i, j) for i in range(len(rows)) for j in range(i + 1, len(rows)) if apart(clock[i], clock[j]) <= WINDOW
    ]
    assert found == expected


@given(items, st.integers(1, 5))
def test_the_number_of_pairs_grows_with_the_items_not_their_square(rows, neighbours):
    found = candidate_pairs(
        unit([vector for vector, _ in rows]), [time for _, time in rows], neighbours=neighbours, floor=-2
    )
    assert len(found) <= neighbours * len(rows)
    assert all(i < j for i, j in found)


def test_no_pair_is_further_off_than_the_floor():
    vectors = unit([(1, 0, 0), (1, 0.1, 0), (0, 1, 0)])
    assert candidate_pairs(vectors, [None] * 3, neighbours=3, floor=0.5) == [(0, 1)]


def test_memory_grows_with_the_items_not_their_square():
    vectors = unit(np.random.default_rng(0).normal(size=(8_000, 3)))
    tracemalloc.start()
    found = candidate_pairs(vectors, [None] * len(vectors), neighbours=5, floor=0.5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) > 5 * len(vectors) / 2
    assert peak < 250 * 2**20
