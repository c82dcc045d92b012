import json
import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire.news import Language, read_row, to_row
from whywire.news.article_rows import MAX_TEXT_CHARS, MAX_TITLE_CHARS


def article_of(**fields):
    return read_row({"title": "Storm hits the coast", **fields})[0]


def test_a_title_alone_is_an_article():
    article, notes = read_row({"title": "Storm hits the coast", "text": None, "url": "", "links": None, "extra": 1})
    assert (article.title, article.text, article.url, article.published) == (
        "Storm hits the coast",
        "",
        None,
        None,
    )
    assert article.language is Language.ENGLISH
    assert article.id
    assert notes == ()


@pytest.mark.parametrize("title", [None, "", " \n\t", "\x00\u200b\ufeff"])
def test_a_title_is_required(title):
    with pytest.raises(InputError, match="title"):
        read_row({"title": title, "text": "Something happened."})


def test_the_title_becomes_one_clean_line():
    assert article_of(title=" Storm\r\n hits\u00a0the\x07 coast\u200b ").title == "Storm hits the coast"


@pytest.mark.parametrize("field", ["title", "text", "url", "source", "language", "id"])
@pytest.mark.parametrize(("value", "name"), [(["x"], "a list"), ({"x": 1}, "an object"), (True, "true or false")])
def test_a_wrong_type_is_named_with_its_field(field, value, name):
    with pytest.raises(InputError, match=rf"{field} must be a string, not {name}"):
        read_row({"title": "Storm", field: value})


@pytest.mark.parametrize("row", [None, 3, "Storm", ["Storm"], math.inf])
def test_a_row_must_be_an_object(row):
    with pytest.raises(InputError, match="a row must be an object"):
        read_row(row)


def test_the_text_keeps_its_offsets():
    text = "  One\r\n\ttwo\x00\x1bthree\ud800 four\ufffe "
    assert article_of(text=text).text == "  One\r\n\ttwo  three\ufffd four\ufffd "


def test_a_long_text_is_cut_at_a_sentence_and_noted():
    article, notes = read_row({"title": "Storm", "text": "It rained all day. " * 60_000})
    assert MAX_TEXT_CHARS - 100 < len(article.text) <= MAX_TEXT_CHARS
    assert article.text.endswith("all day.")
    assert "1,140,000" in notes[0]


def test_a_long_text_without_an_end_is_cut_too():
    assert MAX_TEXT_CHARS - 10_000 < len(article_of(text="x" * (MAX_TEXT_CHARS + 1)).text) <= MAX_TEXT_CHARS


def test_a_time_in_the_future_is_kept_and_noted():
    ahead = datetime.now(UTC) + timedelta(days=3)
    article, notes = read_row({"title": "Storm", "published": ahead.isoformat()})
    assert article.published.at == ahead
    assert "future" in notes[0]
    assert read_row({"title": "Storm", "published": (ahead - timedelta(days=2, hours=1)).isoformat()})[1] == ()


def test_a_zone_is_kept_in_rows_and_is_no_part_of_the_identity():
    here = article_of(published="2026-03-04T09:00:00+11:00")
    assert to_row(here)["published"] == "2026-03-04T09:00:00+11:00"
    assert read_row(to_row(here))[0].published.utc_offset == 11 * 60
    assert here.id == article_of(published="2026-03-03T22:00:00Z").id


@pytest.mark.parametrize("word", ["fire ", "пожар "])
def test_a_title_longer_than_a_sentence_is_cut_and_noted(word):
    article, notes = read_row({"title": word * 20_000})
    assert MAX_TITLE_CHARS - len(word) <= len(article.title) <= MAX_TITLE_CHARS
    assert f"{len(word) * 20_000 - 1:,}" in notes[0]
    assert read_row(to_row(article)) == (article, ())


def test_an_unreadable_time_is_noted():
    article, notes = read_row({"title": "Storm", "published": "soon"})
    assert article.published is None
    assert "soon" in notes[0]


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("en", Language.ENGLISH),
        ("EN-us", Language.ENGLISH),
        ("ru_RU", Language.RUSSIAN),
        ("Russian", Language.RUSSIAN),
        ("uk", Language.OTHER),
        ("other", Language.OTHER),
        ("und", Language.ENGLISH),
        ("no idea at all", Language.OTHER),
        ("?", Language.ENGLISH),
        ("", Language.ENGLISH),
    ],
)
def test_language_codes(code, language):
    assert article_of(language=code).language is language


@pytest.mark.parametrize(
    ("given", "read"), [("a1", "a1"), (7, "7"), (7.0, "7"), (0, "0"), (1.5, "1.5"), (" x\n", "x")]
)
def test_given_ids(given, read):
    assert article_of(id=given).id == read


def test_derived_ids_follow_the_url_or_the_content():
    url = "https://example.com/1"
    assert article_of(url=url).id == article_of(url=url, text="Changed.").id
    assert article_of(text="One.").id != article_of(text="Two.").id
    assert article_of(id=math.nan).id == article_of().id == article_of(id=None).id


def test_links():
    assert article_of(links=["u1", None, " u2 ", "u1", ""]).links == ("u1", "u2")
    assert article_of(links="u1 u2").links == ("u1", "u2")
    with pytest.raises(InputError, match="links"):
        article_of(links=[1])
    with pytest.raises(InputError, match="links"):
        article_of(links={"u1": 1})


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
lines = st.text(st.characters(), max_size=40)
plausible = st.fixed_dictionaries(
    {"title": lines},
    optional={
        "id": lines | st.integers(),
        "url": lines,
        "source": lines,
        "published": st.datetimes() | lines,
        "text": st.text(st.characters()),
        "language": st.sampled_from(["en", "ru", "de", "", None]),
        "links": st.lists(lines, max_size=3),
    },
)
FIELDS = st.sampled_from(["id", "url", "source", "published", "title", "text", "language", "links"])


@given(plausible | st.dictionaries(FIELDS, anything) | anything)
def test_any_row_is_a_sound_article_or_an_input_error(row):
    try:
        article, notes = read_row(row)
    except InputError as error:
        json.dumps(str(error))
        return
    assert article.title == " ".join(article.title.split()) != ""
    assert article.id
    assert len(article.text) == len(row.get("text") or "")
    json.dumps(to_row(article), ensure_ascii=False).encode()
    future = tuple(note for note in notes if note.startswith("a time in the future"))
    assert read_row(to_row(article)) == (article, future)
