"""The day of publication where a row does not give it: written in full in the address or the head, or not at all."""

from __future__ import annotations

import json
import time
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.news import Article, Language, Published, read_row, to_row
from whywire.news.article import InferredFrom
from whywire.news.inferred_days import YEARS, infer_published

PARAGRAPH = (
    "Rescuers searched the harbour through the night after the ferry struck the breakwater, officials said. " * 3
)
SPELLINGS = ("%Y/%m/%d/ferry", "%Y-%m-%d-ferry", "a/ferry-%Y-%m-%d.html", "%Y%m%d/ferry", "a/%Y/%m%d/ferry")
DATE_LINES = (
    "%B %d, %Y",
    "Posted: %A, %B %d, %Y 10:15 am EDT",
    "%d %b %Y | 18:04",
    "Harbour News | By Ann Reed | Published On: %b %d, %Y 19:26 IST",
    "Originally published by the harbour desk on %B %d, %Y",
    "%Y-%m-%d 07:30",
    "%d.%m.%Y, 10:00",
)
DATELINES = (
    "BEIRUT, %b %d, %Y (Harbour Wire) - ",
    "PORT ELLERY, Coast and TIDEWELL, %B %d, %Y /NewsWire/ -- ",
    "Ellery, %b. %d %Y — ",
    "ELLERY - %d %B %Y: ",
)
days = st.dates(date(YEARS.start, 1, 1), date(YEARS.stop - 1, 12, 31))


def day_of(url: str | None = None, text: str = "", language: Language = Language.ENGLISH) -> str | None:
    found = infer_published(url, text, language)
    return found and f"{found.at.date()} {found.inferred_from}"


@given(days, st.sampled_from(SPELLINGS))
def test_a_day_in_the_address_is_the_day(day: date, spelling: str) -> None:
    assert day_of(f"https://news.example/{day.strftime(spelling)}") == f"{day} url"


@given(days, st.sampled_from(DATE_LINES))
def test_a_line_that_is_a_date_is_the_day(day: date, spelling: str) -> None:
    assert day_of(text=f"Ferry strikes breakwater\n{day.strftime(spelling)}\n{PARAGRAPH}") == f"{day} text"


@given(days, st.sampled_from(DATELINES))
def test_a_dateline_is_the_day(day: date, spelling: str) -> None:
    assert day_of(text=f"{day.strftime(spelling)}{PARAGRAPH}") == f"{day} dateline"


@pytest.mark.parametrize(
    ("url", "day"),
    [
        ("https://news.example/2013/apr/5/ferry", "2013-04-05"),
        ("https://news.example/2013/4/5/ferry", "2013-04-05"),
        ("https://news.example/25/04/2013/ferry", "2013-04-25"),
        ("https://news.example/2013/04/05/after-2012-11-10", "2013-04-05"),
        ("https://news.example/harbour/2013-04-05/ferry", "2013-04-05"),
        ("https://news.example/2013-04-05-ferry-of-2012-11-10-raised/", None),
        ("https://news.example/ferry_25.04.2013.html", "2013-04-25"),
        ("https://news.example/ferry-20130405-1234567.html", "2013-04-05"),
        ("https://news.example/remembering-2001-09-11-attacks", None),
        ("https://news.example/2001-09-11-attacks/gallery", None),
        ("https://news.example/tech/version-2020.10.12-released", None),
        ("https://news.example/crash-of-20130405-explained.html", None),
        ("https://news.example/quake-of-2011-03-11", None),
        ("https://news.example/prognoz_na_25.04.2013/", None),
        ("https://gavan.ru/society/05/04/2013/65e2", "2013-04-05"),
        ("https://www.post.co.uk/05/04/2013/ferry", "2013-04-05"),
        ("https://gavan.ru/society/04/25/2013/65e2", None),
        ("https://news.example/2013/04/ferry", None),
        ("https://news.example/2013-13-40-ferry", None),
        ("https://news.example/id20130405003", None),
        ("https://news.example/1884/04/05/ferry", None),
        ("https://news.example/ferry?from=2013-04-05", None),
        ("https://news.example/from-2013-04-05-to-2013-04-09", None),
        ("http://[broken/2013/04/05/", None),
        (None, None),
    ],
)
def test_addresses(url: str | None, day: str | None) -> None:
    assert day_of(url) == (day and f"{day} url")


def test_in_russian_the_day_stands_first() -> None:
    url = "https://news.example/05/04/2013/parom"
    assert day_of(url, language=Language.RUSSIAN) == "2013-04-05 url"
    assert day_of(text=f"05/04/2013 10:00\n{PARAGRAPH}", language=Language.RUSSIAN) == "2013-04-05 text"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("15 апреля 2020, 10:00\nПаром сел на мель.", "2020-04-15 text"),
        ("Опубликовано: среда, 15 апреля 2020 г. в 10:00\nПаром сел на мель.", "2020-04-15 text"),
        ("ЭЛЛЕРИ, 2 мая 2020 г. /Гавань/. Паром сел на мель.", "2020-05-02 dateline"),
        ("Эллери, 2 мая 2020 — Гавань. Паром сел на мель.", "2020-05-02 dateline"),
        ("Эллери. 2 мая 2020. ГАВАНЬ.РУ - Паром сел на мель.", "2020-05-02 dateline"),
        ("Сегодня, 2 мая 2020 — день флота. Паром сел на мель.", None),
        ("2 мая 2020 года паром сел на мель у города Эллери.", None),
    ],
)
def test_russian_heads(text: str, day: str | None) -> None:
    assert day_of(text=text, language=Language.RUSSIAN) == day


@pytest.mark.parametrize(
    "text",
    [
        "On April 5, 2013 a ferry struck the breakwater at Ellery.",
        "Ferry disaster of April 5, 2013\nTen years on, families gather at the breakwater.",
        "The ferry, which sank on April 5, 2013 (Saturday), was raised.",
        "Updated: April 5, 2013\nA ferry struck the breakwater.",
        "04/05/2013\nA ferry struck the breakwater.",
        "April 5\nA ferry struck the breakwater.",
        "ELLERY, April 5 (Wire) - A ferry struck the breakwater.",
        "April 2013\nA ferry struck the breakwater.",
        f"{PARAGRAPH}\nApril 5, 2013\n",
        "April 31, 2013\nA ferry struck the breakwater.",
    ],
)
def test_no_day_where_none_is_written_in_full_of_the_report(text: str) -> None:
    assert day_of(text=text) is None


def test_a_date_without_its_year_has_that_of_the_address_or_of_a_line_above() -> None:
    text = "ELLERY, Dec 31 (Wire) - A ferry struck the breakwater."
    assert day_of("https://news.example/2013/12/ferry", text) == "2013-12-31 dateline"
    assert day_of("https://news.example/2014/01/ferry", text) == "2013-12-31 dateline"
    assert day_of("https://news.example/2013/06/ferry", text) is None
    assert day_of(None, f"Harbour Wire 2013\n{text}") == "2013-12-31 dateline"
    assert day_of(None, f"Harbour Wire 2013\nof 2012\n{text}") is None


def test_an_address_on_the_first_line_counts_and_one_that_the_text_contradicts_does_not() -> None:
    assert day_of(None, f"http : / / news . example / 2013 / 04 / 05 / ferry\n{PARAGRAPH}") == "2013-04-05 url"
    url = "https://news.example/2013/04/05/ferry"
    assert day_of(url, f"April 6, 2013\n{PARAGRAPH}") == "2013-04-05 url"
    assert day_of(url, f"April 9, 2009\n{PARAGRAPH}") is None


def test_a_given_time_stands_and_an_unreadable_one_is_noted_and_inferred() -> None:
    url = "https://news.example/2013/04/05/ferry"
    given_time, _ = read_row({"title": "Ferry", "url": url, "published": "2013-04-07T10:00:00Z"})
    assert given_time.published == Published(datetime(2013, 4, 7, 10, tzinfo=UTC))
    mended, notes = read_row({"title": "Ferry", "url": url, "published": "last spring"})
    assert mended.published == Published(datetime(2013, 4, 5, tzinfo=UTC), True, InferredFrom.URL)
    assert len(notes) == 1


def test_an_inferred_day_says_so_in_rows_and_is_read_back() -> None:
    article, _ = read_row({"title": "Ferry", "text": f"April 5, 2013\n{PARAGRAPH}"})
    row = json.loads(json.dumps(to_row(article)))
    assert (row["published"], row["published_from"]) == ("2013-04-05", "text")
    del row["text"]
    again, _ = read_row(row)
    assert again.published == article.published
    assert "published_from" not in to_row(
        Article("a", "Ferry", published=Published(datetime(2013, 4, 5, tzinfo=UTC)))
    )
    assert read_row(row | {"published_from": "hearsay"})[0].published == Published(
        datetime(2013, 4, 5, tzinfo=UTC), day_only=True
    )


def test_what_identifies_an_article_is_what_it_says_and_not_what_is_inferred() -> None:
    text = f"April 5, 2013\n{PARAGRAPH}"
    dated, _ = read_row({"title": "Ferry", "text": text, "published": "2013-04-05"})
    assert read_row({"title": "Ferry", "text": text})[0].id != dated.id


pieces = st.sampled_from(
    ["May 2", ", ", "2013", "/", "-", "ELLERY", "Aa", " ", "\n", "(", ":", "2 мая", "г. ", "Posted", "|"]
)


@given(st.lists(pieces, max_size=60).map("".join), st.lists(pieces, max_size=12).map("".join))
def test_any_text_has_a_plausible_day_or_none(text: str, url: str) -> None:
    found = infer_published(f"https://a.example/{url}", text)
    assert found is None or (found.at.year in YEARS and found.day_only and found.inferred_from)


@pytest.mark.parametrize("unit", ["A", "Aa ", "Aa-", "Aa, ", "1", "12.", "May ", "A.", "2 May. Aa ", "Posted "])
def test_no_text_takes_long(unit: str) -> None:
    started = time.perf_counter()
    for text in (unit * 500, f"ELLERY, May 2{unit * 500}", f"Aa, May 2. {unit * 500}!"):
        infer_published(f"https://a.example/{unit * 500}", text)
    assert time.perf_counter() - started < 2
