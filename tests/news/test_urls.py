"""Addresses of one page have one key, others have not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.news import read_row
from whywire.news.urls import url_key

PAGE = "https://post.example/fire?id=7"


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        "http://post.example/fire?id=7",
        "HTTPS://Post.Example/fire?id=7",
        f"{PAGE}&utm_source=rss&utm_campaign=run2",
        "https://post.example/fire?fbclid=IwAR0&id=7",
        "https://post.example/fire?ysclid=lz1&id=7&_openstat=a%3Bb",
        f"{PAGE}&gclid&UTM_TERM=fire",
        f"{PAGE}#comments",
        f"{PAGE}&at_medium=RSS#xtor=1",
    ],
)
def test_what_counts_clicks_does_not_name_a_page(url):
    assert url_key(url) == PAGE
    assert read_row({"title": "Fire", "url": url})[0].id == read_row({"title": "Fire", "url": PAGE})[0].id


@pytest.mark.parametrize(
    "url",
    [
        "https://post.example/fire?id=8",
        "https://post.example/Fire?id=7",
        "https://post.example/fire?id=7&page=2",
        "https://post.example/fire?id=7&from=utm_source",
        "https://post.example/fire?id=7&outm_source=1",
        "https://news.post.example/fire?id=7",
        "https://post.example/fire?id=7#!/gallery/3",
        "https://post.example/fire?id=7#/live/2",
        "ftp://post.example/fire?id=7",
        "http://[broken",
        "",
    ],
)
def test_whatever_else_differs_names_another_page(url):
    assert url_key(url) != PAGE


@given(st.text() | st.from_regex(r"https?:/{0,4}[a-cA?#/&=!:\[\]@]*", fullmatch=True))
def test_a_key_is_its_own_key(url):
    assert url_key(url_key(url)) == url_key(url)
