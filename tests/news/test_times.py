from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire.news import Language, Published, parse_time, render_time
from whywire.news.times import render_local_time

TEN = Published(datetime(2020, 5, 2, 10, tzinfo=UTC))
DAY = Published(datetime(2020, 5, 2, tzinfo=UTC), day_only=True)


@pytest.mark.parametrize(
    "value",
    [
        "2020-05-02T10:00:00Z",
        " 2020-05-02 10:00 ",
        "2020-05-02T13:00:00+03:00",
        "20200502T100000",
        "Sat, 02 May 2020 13:00:00 +0300",
        1588413600,
        1588413600.0,
        1588413600000,
        "1588413600000",
        "2020-05-02 13:00 МСК",
        "2020-05-02T13:00:00+03:00[Europe/Moscow]",
        "Sat,02 May 2020 13:00:00 +0300",
        "Sat, 2 May 2020 13:00 +03",
        "Sat, 02 May 2020 13:00:00 GMT+3",
        "2020-05-02 15:00 MSK+2",
        "Sat, 02 May 2020 12:00:00 CEST",
        "Sat, 02 May 2020 15:30:00 IST",
        "Sat, 02 May 2020 06:00:00 EDT",
        "Sat, 02 May 2020 07:30:00 -02:30",
        "02.05.2020 13:00 MSK",
        "2 мая 2020 г., 13:00 мск",
        "Sat, 02 May 2020 07:00:00 \u22120300",
        "Sat May 02 2020 13:00:00 GMT+0300 (Moscow Standard Time)",
        "2020-05-02T13:00:00[Europe/Moscow]",
        "2020-05-02 06:00 (America/New_York)",
        "2 May 2020 6:00 AM ET",
        "Saturday, May 2, 2020, 11:00am CET",
        "2020-05-02 01:00:00 PM +0300",
        "2020-05-02T10.00Z",
        "02.05.2020, 13.00 МСК",
        "Saturday, 02-May-20 10:00:00 GMT",
        "Sat May  2 10:00:00 2020",
        "Sat May 02 13:00:00 +0300 2020",
        "2020-5-2T10:00Z",
        "Сб, 02 май 2020 13:00:00 +0300",
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
        "2020-05-02T00:00:00+03:00",
        "Sat, 02 May 2020 00:00:00 LMT",
        datetime(2020, 5, 2, tzinfo=timezone(timedelta(hours=11))),
        "02.05.2020",
        "2 мая 2020 года",
        "May 2, 2020",
        "2020-5-2",
        "2 май 2020",
        "2 May 2020 12:00 AM",
        "2020-05-01T24:00:00Z",
        "1 мая 2020, 24.00 МСК",
    ],
)
def test_a_date_or_midnight_is_a_day(value):
    notes = []
    assert parse_time(value, notes=notes) == DAY
    assert not notes


@pytest.mark.parametrize(
    "value",
    [
        "Sat, 02 May 2020 23:30:00 XYZ",
        "2020-05-02T23:30:00 Local",
        "2020-05-02T23:30:00+99:00",
        "02.05.2020 23:30",
        "2 мая 2020, 23:30",
        "May 2, 2020 11:30 PM",
        "2020-05-02 11:30 PM",
        "02.05.2020 23.30",
        "02-May-20 23:30",
        "Сб, 02 мая 2020 23:30",
        "2020-5-2 23:30",
        "2020-05-02T23:30[Mars/Base]",
        "23:30, 2 мая 2020",
        "Sat, 02 May 2020 23:30:00 EST5EDT",
    ],
)
def test_of_a_time_in_an_unknown_zone_the_day_is_read_with_a_note(value):
    notes = []
    assert parse_time(value, notes=notes) == DAY
    assert value in notes[0]


def test_a_date_that_may_be_read_in_two_ways_is_read_in_russian():
    assert parse_time("02/05/2020 23:30", Language.RUSSIAN) == DAY
    with pytest.raises(InputError, match="unreadable time"):
        parse_time("02/05/2020 23:30", Language.ENGLISH)


@pytest.mark.parametrize(
    ("value", "day", "rendered"),
    [
        ("2020-05-02T02:00:00+11:00", date(2020, 5, 2), "2020-05-02T02:00:00+11:00"),
        ("Sat, 02 May 2020 21:30:00 EST", date(2020, 5, 2), "2020-05-02T21:30:00-05:00"),
        ("2020-05-02T23:00:00Z", date(2020, 5, 2), "2020-05-02T23:00:00Z"),
        ("2020-05-02T00:00:00+11:00", date(2020, 5, 2), "2020-05-02"),
        ("2020-01-02 21:30 ET", date(2020, 1, 2), "2020-01-02T21:30:00-05:00"),
        ("2020-05-02 21:30 ET", date(2020, 5, 2), "2020-05-02T21:30:00-04:00"),
    ],
)
def test_the_day_is_that_of_the_zone_which_is_kept(value, day, rendered):
    published = parse_time(value)
    assert published.day == day
    assert render_local_time(published) == rendered
    assert parse_time(rendered).utc_offset == published.utc_offset


@pytest.mark.parametrize("value", [None, "", "  ", float("nan")])
def test_missing(value):
    assert parse_time(value) is None


@pytest.mark.parametrize(
    "value",
    [
        "yesterday",
        "2020-13-45",
        "2 May 2020 18:30 AM",
        "2020-05-02T24:30Z",
        "0001-01-01T00:00:00+03:00",
        "9999-12-31",
        "1899-12-31",
        "1970-01-01T00:00:00Z",
        "1970-01-01T03:00:00+03:00",
        "31/12/2019/1",
        "2026-03-05T18:30:00Z+03:00",
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


moments = st.datetimes(datetime(1901, 1, 1), datetime(2200, 1, 1), timezones=st.timezones()).filter(
    lambda moment: moment.date() != date(1970, 1, 1)
)


@given(moments)
def test_rendering_reads_back(moment):
    published = parse_time(moment)
    assert published is not None
    if moment.time() == time(0):
        assert (published.day_only, published.day) == (True, moment.date())
    else:
        assert published.at == moment.astimezone(UTC)
    assert parse_time(render_time(published)) == published
    read_back = parse_time(render_local_time(published))
    assert (read_back, read_back.utc_offset) == (published, published.utc_offset)


@given(st.dates(date(1900, 1, 1), date(2200, 12, 31)).filter(date(1970, 1, 1).__ne__))
def test_days_read_back(day):
    published = parse_time(day.isoformat())
    assert published is not None
    assert render_time(published) == day.isoformat()
    assert published.until.date() == day


fragments = st.sampled_from(
    [
        "2020",
        "-",
        "05",
        "T",
        ":",
        "+03",
        "99",
        "Sat, ",
        "May ",
        " ",
        "Z",
        "0",
        "W",
        ".",
        " MSK",
        " мая ",
        "GMT+3",
        "24:00",
        "PM",
        "[Europe/Moscow]",
    ]
)


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
