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
        f"{PAGE}&_ga=2.1.3&_gl=1*x&_gac_UA-1=1.2&gad_source=1&srsltid=A",
        f"{PAGE}&amp;utm_source=rss&amp;utm_medium=feed",
        "https://post.example/fire?amp;utm_source=rss&amp;id=7",
        "https://post.example:443/fire?id=7",
        "http://POST.example:80/fire?id=7#:~:text=fire",
        "https://post.example:/fire?id=7",
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
        "https://post.example:8443/fire?id=7",
        "https://post.example:80/fire?id=7",
        "http://post.example:443/fire?id=7",
        "https://post.example/fire?id=7&_gamma=2",
        f"{PAGE}&amp;page=2",
        "https://post.example/fire?id=7#!/gallery/3",
        "https://post.example/fire?id=7#/live/2",
        "ftp://post.example/fire?id=7",
        "http://[broken",
        "",
    ],
)
def test_whatever_else_differs_names_another_page(url):
    assert url_key(url) != PAGE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://post.example", "https://post.example/"),
        ("https://post.example/%d0%bf%d0%be%d0%b6%d0%b0%d1%80", "https://post.example/пожар"),
        ("https://гавань.рф/a", "https://xn--80aafc7c0e.xn--p1ai/a"),
        ("https://post.example/fire?q=%d1%8f", "https://post.example/fire?q=я"),
        ("https://post.example/a?id=1&amp;page=2", "https://post.example/a?id=1&page=2"),
    ],
)
def test_one_address_written_in_two_ways_has_one_key(one, other):
    assert url_key(one) == url_key(other)


@given(st.text() | st.from_regex(r"https?:/{0,4}[a-cA?#/&=!:\[\]@%1;]*(?:amp;)*[a-cб]*", fullmatch=True))
def test_a_key_is_its_own_key(url):
    assert url_key(url_key(url)) == url_key(url)
