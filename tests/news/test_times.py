from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire.news import Published, parse_time, render_time

TEN = Published(datetime(2020, 5, 2, 10, tzinfo=UTC))
DAY = Published(datetime(2020, 5, 2, tzinfo=UTC), day_only=True)


@pytest.mark.parametrize(
    "value",
    [
        "2020-05-02T10:00:00Z",
        "2020-05-02T10:00:00",
        " 2020-05-02 10:00 ",
        "2020-05-02T13:00:00+03:00",
        "2020-05-02 13:00:00 +0300",
        "2020-05-02 10:00:00 UTC",
        "20200502T100000",
        "Sat, 02 May 2020 13:00:00 +0300",
        "2 May 2020 10:00:00 GMT",
        1588413600,
        1588413600.0,
        "1588413600",
        1588413600000,
        "1588413600000",
        datetime(2020, 5, 2, 10),
        datetime(2020, 5, 2, 12, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_a_time(value):
    assert parse_time(value) == TEN


@pytest.mark.parametrize(
    "value",
    [
        "2020-05-02",
        "20200502",
        20200502,
        date(2020, 5, 2),
        "2020-05-02T00:00:00Z",
        "2020-05-02T03:00:00+03:00",
    ],
)
def test_a_date_or_midnight_is_a_day(value):
    assert parse_time(value) == DAY


@pytest.mark.parametrize("value", [None, "", "  ", float("nan")])
def test_missing(value):
    assert parse_time(value) is None


@pytest.mark.parametrize(
    "value",
    [
        "yesterday",
        "2020-13-45",
        "Sat, 99 May 2020 10:00:00",
        "0001-01-01T00:00:00+03:00",
        "9999-12-31",
        "9999-12-31T23:59:59-03:00",
        "1899-12-31",
        "1" * 5000,
        0,
        -1,
        2020,
        10**30,
        float("inf"),
        True,
        ["2020-05-02"],
        b"2020-05-02",
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=3))),
    ],
)
def test_unreadable(value):
    with pytest.raises(InputError, match="time"):
        parse_time(value)


moments = st.datetimes(datetime(1901, 1, 1), datetime(2200, 1, 1), timezones=st.timezones())


@given(moments)
def test_rendering_reads_back(moment):
    published = parse_time(moment)
    assert published is not None
    assert published.at == moment.astimezone(UTC)
    assert parse_time(render_time(published)) == published


@given(st.dates(date(1900, 1, 1), date(2200, 12, 31)))
def test_days_read_back(day):
    published = parse_time(day.isoformat())
    assert published is not None
    assert render_time(published) == day.isoformat()
    assert published.until.date() == day


fragments = st.sampled_from(["2020", "-", "05", "T", ":", "+03", "99", "Sat, ", "May ", " ", "Z", "0", "W", "."])


@given(
    st.one_of(st.text(), st.lists(fragments).map("".join), st.floats(), st.integers(), st.datetimes(), st.binary())
)
def test_anything_is_a_time_or_an_input_error(value):
    try:
        published = parse_time(value)
    except InputError:
        return
    if published is not None:
        assert parse_time(render_time(published)) == published
