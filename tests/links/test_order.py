"""Which of two events came first, by the reports' times and how they are known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import ClaimEvidence, Event, EventTime, HeadlineEvidence, Link, LinkKind, Order, Precision
from whywire.links.order import order_of_events, order_of_link, order_of_reports
from whywire.news import Language
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


def at(hour: int, *, day_only: bool = False) -> Published:
    return Published(DAY + timedelta(hours=hour), day_only)


def test_the_clock_decides_the_order() -> None:
    assert order_of_reports(at(8), at(9)) is Order.FORWARD
    assert order_of_reports(at(9), at(8)) is None
    assert order_of_reports(at(9), at(9)) is Order.SAME_TIME
    assert order_of_reports(at(0, day_only=True), at(9)) is Order.SAME_TIME
    assert order_of_reports(at(0, day_only=True), at(24)) is Order.FORWARD
    assert order_of_reports(None, at(9)) is Order.UNKNOWN


@given(st.one_of(st.none(), times), st.one_of(st.none(), times))
def test_one_direction_is_forbidden_only_where_the_other_is_certain(
    one: Published | None, other: Published | None
) -> None:
    forth, back = order_of_reports(one, other), order_of_reports(other, one)
    assert (forth is None) == (back is Order.FORWARD)
    assert (back is None) == (forth is Order.FORWARD)


@given(inferred_days, times)
def test_a_neighbouring_day_that_is_inferred_decides_nothing(inferred: Published, other: Published) -> None:
    """What is inferred may be off by a day, and is never surer than what is given."""
    order = order_of_reports(inferred, other)
    assert order in (Order.SAME_TIME, order_of_reports(replace(inferred, inferred_from=None), other))
    if abs(inferred.at - other.at) <= timedelta(days=1):
        assert order is Order.SAME_TIME


spans_of_days = st.builds(
    lambda first, days: EventTime(
        DAY.date() + timedelta(days=first),
        DAY.date() + timedelta(days=first + days),
        Precision.DAY,
        "a",
        "text",
        (0, 2),
        "on",
    ),
    st.integers(-6, 6),
    st.integers(1, 5),
)
events = st.builds(
    lambda seen, when: Event("e", "Event", Language.ENGLISH, seen, seen, ("a",), when=when),
    st.one_of(st.none(), times),
    st.one_of(st.none(), spans_of_days),
)
kinds = st.sampled_from(LinkKind)


@given(events, events, kinds)
def test_of_two_events_one_direction_is_forbidden_only_where_the_other_is_certain(
    one: Event, other: Event, kind: LinkKind
) -> None:
    forth, back = order_of_events(one, other, kind), order_of_events(other, one, kind)
    assert (forth is None) == (back is Order.FORWARD)
    assert (back is None) == (forth is Order.FORWARD)


@given(events, events, kinds)
def test_the_times_that_words_name_decide_where_they_lie_apart_and_else_the_reports(
    one: Event, other: Event, kind: LinkKind
) -> None:
    order = order_of_events(one, other, kind)
    apart = one.when and other.when and (one.when.end <= other.when.start or other.when.end <= one.when.start)
    if apart and kind is LinkKind.CAUSES:
        assert one.when
        assert other.when
        assert order is (Order.FORWARD if one.when.start < other.when.start else None)
    else:
        assert order is order_of_reports(one.first_seen, other.first_seen)


@given(events, events, kinds)
def test_no_time_makes_a_link_impossible_that_a_sentence_says(source: Event, target: Event, kind: LinkKind) -> None:
    said = Link("x", "y", kind, 0.9, 50, Order.UNKNOWN, (ClaimEvidence("c", 0.9),))
    shown = replace(said, evidence=(HeadlineEvidence("a", "b", 0.9),))
    by_times = order_of_link(shown, source, target)
    assert by_times is order_of_events(source, target, kind)
    assert order_of_link(said, source, target) is (by_times or Order.SAID)
