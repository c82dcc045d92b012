"""Which of two events came first, by the reports' times and how they are known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from whywire.graph.elements import Order
from whywire.links.order import order_of
from whywire.news.article import InferredFrom, Published

DAY = datetime(2026, 3, 4, tzinfo=UTC)
given_times = st.builds(
    lambda hours, day_only: Published(DAY + timedelta(hours=0 if day_only else hours), day_only),
    st.integers(-60, 60),
    st.booleans(),
)
inferred_days = st.builds(
    lambda day, source: Published(DAY + timedelta(days=day), True, source),
    st.integers(-4, 4),
    st.sampled_from(InferredFrom),
)
times = st.one_of(given_times, inferred_days)


@given(times, times)
def test_one_direction_is_forbidden_only_where_the_other_is_certain(one: Published, other: Published) -> None:
    forth, back = order_of(one, other), order_of(other, one)
    assert (forth is None) == (back is Order.FORWARD)
    assert (back is None) == (forth is Order.FORWARD)


@given(inferred_days, times)
def test_a_neighbouring_day_that_is_inferred_decides_nothing(inferred: Published, other: Published) -> None:
    """What is inferred may be off by a day, and is never surer than what is given."""
    order = order_of(inferred, other)
    assert order in (Order.SAME_TIME, order_of(replace(inferred, inferred_from=None), other))
    if abs(inferred.at - other.at) <= timedelta(days=1):
        assert order is Order.SAME_TIME
