"""What each filter keeps: hyperlinks by page, sites by domain, places by containment; and all of it counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire.news import Article, parse_time
from whywire.news.gazetteer import in_different_places
from whywire.news.places import places_in
from whywire_lab.candidates import filters
from whywire_lab.candidates.distance_figures import bin_distances, draw_pairs, draw_shares
from whywire_lab.candidates.filters import Filter, all_pairs, cosine_distances, filter_pairs, hyperlinks
from whywire_lab.candidates.page_addresses import page, site


def article(name, title="Ferry late again", **fields):
    return Article(id=name, title=title, **fields)


def named(headline):
    return {path[-1] for path in places_in(headline).listed}


@pytest.mark.parametrize(
    "other",
    [
        "http://harbour.example/news/ferry",
        "https://www.harbour.example/news/ferry/",
        "https://m.harbour.example/news/ferry#comments",
        "https://HARBOUR.example:443/news/ferry?utm_source=mail&fbclid=7",
        "//harbour.example/news/ferry",
        "/news/ferry",
    ],
)
def test_urls_of_one_page_are_one_page(other):
    assert page(other, "https://harbour.example/today") == page("https://harbour.example/news/ferry")


def test_what_is_read_differs_by_path_and_query():
    pages = ["https://a.example/x", "https://a.example/y", "https://a.example/x?id=2", "https://b.example/x"]
    assert len({page(url) for url in pages}) == 4
    assert page("https://a.example/x?b=1&a=2") == page("https://a.example/x?a=2&b=1")


@pytest.mark.parametrize(
    "nothing", ["", "mailto:desk@harbour.example", "not a url", "https://[broken", "javascript:x"]
)
def test_what_is_no_web_page_has_neither_page_nor_site(nothing):
    assert page(nothing) == site(nothing) == ""


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_may_stand_where_a_url_should(url, base):
    assert isinstance(page(url, base), str)
    assert isinstance(site(url), str)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://sport.harbour.co.uk/1", "harbour.co.uk"),
        ("https://harbour.co.uk", "harbour.co.uk"),
        ("https://spb.gavan.ru/1", "gavan.ru"),
        ("https://gavan.com.ua", "gavan.com.ua"),
        ("https://news.harbour.example:8080/", "harbour.example"),
        ("https://paper.com.ru/", "paper.com.ru"),
        ("http://192.0.2.7/news", "192.0.2.7"),
        ("http://[2001:db8::1]/news", "2001:db8::1"),
        ("mailto:desk@harbour.co.uk", ""),
    ],
)
def test_a_site_is_its_registered_domain(url, expected):
    assert site(url) == expected


def test_a_hyperlink_counts_in_either_direction_and_never_to_oneself():
    articles = [
        article("a", url="https://a.example/1", links=("https://b.example/2?utm_medium=x", "https://a.example/1")),
        article("b", url="https://www.b.example/2/", links=("https://nowhere.example/",)),
        article("c", url="https://c.example/3", links=("http://a.example/1",)),
        article("d", links=("https://a.example/1",)),
        article("e"),
    ]
    assert hyperlinks(articles).tolist() == [[0, 1], [0, 2], [0, 3]]
    assert hyperlinks([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("headline", "expected"),
    [
        ("U.S. and India sign pact on ports", {"US", "India"}),
        ("Flood in New York City, not in New York state", {"NYC", "New York"}),
        ("London's ferries stand still", {"London"}),
        ("Quake felt in Tokyo.", {"Tokyo"}),
        ("Ferry late again - The Dublin Post", set()),
        ("Michael Jordan buys a ferry", set()),
        ("They told us to turkey-proof the polish", set()),
        ("Rider falls in Tour de France", set()),
        ("Пожар в Нижнем Новгороде потушен", {"Нижний Новгород"}),
        ("Россия и Саудовскую Аравию свяжет паром", {"Russia", "Saudi Arabia"}),
        ("Матч с «Краснодаром» перенесли", set()),
        ("Паромы из Хельсинки в Токио", {"Helsinki", "Tokyo"}),
        ("Российский паром опоздал", set()),
        ("", set()),
    ],
)
def test_places_are_known_by_their_names(headline, expected):
    found = named(headline)
    assert found == {"NYC" if name == "New York City" else name for name in expected}


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("Storm hits Texas", "Storm hits Ohio", True),
        ("Storm hits Dallas", "Texas counts the damage", False),
        ("Texas counts the damage", "Storm hits Dallas", False),
        ("France and Spain agree", "Spain votes", False),
        ("Storm hits Texas", "Storm moves on", False),
        ("Шторм в Москве", "Storm in Paris", True),
        ("Шторм в Париже", "Storm in Paris", False),
    ],
)
def test_places_are_apart_where_none_holds_the_other(left, right, expected):
    assert in_different_places(places_in(left).listed, places_in(right).listed) is expected
    assert in_different_places(places_in(right).listed, places_in(left).listed) is expected


HEADLINES = st.sampled_from(["Storm in Oslo", "Storm in Norway", "Ports shut in Peru", "Ports shut", "Шторм в Осло"])
URLS = st.sampled_from([None, "https://a.example/1", "https://m.a.example/2", "https://b.example/3"])
ARTICLES = st.lists(
    st.builds(
        Article,
        id=st.just("x"),
        title=HEADLINES,
        url=URLS,
        source=st.sampled_from([None, "Post", "POST", "Echo"]),
        links=st.lists(URLS.filter(bool), max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=8,
)


@given(ARTICLES, st.integers(0, 2**32 - 1), st.floats(0, 2))
def test_filters_say_of_many_pairs_what_they_say_of_each(articles, seed, near):
    vectors = np.random.default_rng(seed).normal(size=(len(articles), 3)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = filter_pairs(articles, vectors, all_pairs(articles), near=near)
    assert len(found.pairs) == len(articles) * (len(articles) - 1) // 2
    linked = set(map(tuple, hyperlinks(articles).tolist()))
    for number, (i, j) in enumerate(found.pairs.tolist()):
        one, other = articles[i], articles[j]
        assert found.kept[Filter.HYPERLINK][number] == ((i, j) in linked)
        assert found.kept[Filter.DIFFERENT_PLACES][number] == in_different_places(
            places_in(one.title).listed, places_in(other.title).listed
        )
        assert found.kept[Filter.NEAR][number] == (found.distances[number] <= near)
        if one.url and other.url:
            assert found.kept[Filter.SAME_SITE][number] == (site(one.url) == site(other.url))
        elif one.url or other.url or not (one.source and other.source):
            assert not found.kept[Filter.SAME_SITE][number]
        else:
            assert found.kept[Filter.SAME_SITE][number] == (one.source.lower() == other.source.lower())
    mirrored = filter_pairs(articles, vectors, found.pairs[:, ::-1], near=near)
    assert all((mirrored.kept[name] == found.kept[name]).all() for name in Filter)


@given(ARTICLES)
def test_every_combination_is_counted(articles):
    vectors = np.ones((len(articles), 1), np.float32)
    found = filter_pairs(articles, vectors, all_pairs(articles), near=1.0)
    counts = found.counts()
    assert len(counts) == 2 ** len(Filter)
    assert counts[()] == len(found.pairs)
    for chosen, count in counts.items():
        assert count == found.by(chosen).sum() == len(found.pairs[found.by(chosen)])
        assert all(count <= counts[(name,)] for name in chosen)
    assert set(found.counts(np.zeros(len(found.pairs), bool)).values()) == {0}


def test_distances_are_the_same_in_blocks(monkeypatch):
    vectors = np.eye(4, dtype=np.float32)
    pairs = np.argwhere(np.ones((4, 4)))
    expected = cosine_distances(vectors, pairs)
    monkeypatch.setattr(filters, "BLOCK", 3)
    assert (cosine_distances(vectors, pairs) == expected).all()
    assert expected.tolist() == [float(i != j) for i, j in pairs]


def test_all_pairs_lie_inside_the_window(monkeypatch):
    days = ["2026-03-01", "2026-03-04", "2026-03-20", None]
    articles = [article(str(day), published=parse_time(day)) for day in days]
    assert all_pairs(articles).tolist() == [[0, 1], [0, 3], [1, 3], [2, 3]]
    monkeypatch.setattr(filters, "MAX_ARTICLES", 3)
    with pytest.raises(InputError, match="4 articles"):
        all_pairs(articles)


@given(st.lists(st.tuples(st.floats(0, 2), st.booleans()), max_size=40))
def test_every_pair_falls_into_one_bin(rows):
    distances, causal = [distance for distance, _ in rows], [label for _, label in rows]
    binned = bin_distances(distances, causal)
    assert binned.pairs.sum() == len(rows)
    assert binned.causal.sum() == sum(causal)
    assert len(binned.edges) == len(binned.pairs) + 1
    assert np.array_equal(np.isnan(binned.shares), binned.pairs == 0)


def test_bins_begin_at_their_edges():
    binned = bin_distances([0.0, 0.04, 0.05, 0.15, 0.3], [True, False, True, False, False])
    assert binned.pairs.tolist() == [2, 1, 0, 1, 0, 0, 1]
    assert binned.shares[:2].tolist() == [0.5, 1.0]
    assert np.isnan(bin_distances([0.1]).shares).all()
    with pytest.raises(ValueError, match=r"labels \(1\).*distances \(2\)"):
        bin_distances([0.1, 0.2], [True])
    with pytest.raises(ValueError, match="width"):
        bin_distances([0.1], width=0)


def test_figures_are_pictures_and_the_same_on_every_run():
    pytest.importorskip("matplotlib")
    binned = bin_distances([0.1, 0.12, 0.4, 0.9], [True, False, False, True])
    for draw in (draw_pairs, draw_shares):
        assert draw(binned, "png").startswith(b"\x89PNG")
        picture = draw(binned)
        assert b"<svg" in picture
        assert picture == draw(binned)
    assert draw_shares(bin_distances([])).count(b"<svg") == 1
