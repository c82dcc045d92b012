from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.news import Article, Published, without_duplicates
from whywire.news.article import InferredFrom

FIRST = Article("a", "Storm hits the coast", url="u1", published=Published(datetime(2020, 5, 2, tzinfo=UTC)))
LATER = replace(FIRST, title="Storm reaches the coast", published=Published(datetime(2020, 5, 3, tzinfo=UTC)))


def test_the_same_article_twice_adds_nothing():
    assert without_duplicates([FIRST, FIRST]) == ([FIRST], [])


def test_the_id_of_an_identical_copy_is_listed_under_the_one_kept():
    kept, problems = without_duplicates([replace(FIRST, id="c"), FIRST, replace(FIRST, id="b")])
    assert problems == []
    assert kept == [replace(FIRST, also=("b", "c"))]


def test_copies_of_copies_are_not_forgotten():
    [kept], _ = without_duplicates([replace(FIRST, id="b", also=("c",)), FIRST])
    assert kept.also == ("b", "c")
    [merged], _ = without_duplicates([kept, replace(FIRST, id="d")])
    assert merged.also == ("b", "c", "d")


@pytest.mark.parametrize("published", [None, FIRST.published])
@pytest.mark.parametrize("text", ["It rained.", "It rained all day, and the river rose."])
def test_of_versions_of_one_time_the_last_given_is_kept(published, text):
    first = replace(FIRST, published=published, title="A", text="It snowed, said the first report.")
    second = replace(FIRST, published=published, title="B", text=text)
    for one, other in ((first, second), (second, first)):
        kept, [problem] = without_duplicates([one, other])
        assert kept == [other]
        assert problem.row["title"] == one.title


@pytest.mark.parametrize("order", [1, -1])
def test_the_later_of_one_id_wins_and_the_other_is_reported(order):
    given = [LATER, replace(FIRST, url=None, place="news.jsonl:7")][::order]
    kept, [problem] = without_duplicates(given)
    assert kept == [LATER]
    assert (problem.place, problem.kept) == ("news.jsonl:7", False)
    assert problem.reason == (
        "'Storm hits the coast' is left out: a later version has its id: a, 'Storm reaches the coast'"
    )
    assert problem.row["title"] == FIRST.title


def test_the_later_of_one_url_wins_and_the_other_is_reported():
    kept, [problem] = without_duplicates([replace(LATER, id="b"), FIRST])
    assert kept == [replace(LATER, id="b")]
    assert "a later version has its url" in problem.reason


def test_urls_that_count_clicks_are_of_one_article():
    page = "https://post.example/fire?id=7"
    clicked = [f"{page}&utm_source=rss", f"{page}#comments", "http://Post.example/fire?utm_campaign=a&id=7"]
    same = [replace(FIRST, id=f"{number}", url=url) for number, url in enumerate([page, *clicked])]
    [kept], problems = without_duplicates(same)
    assert {kept.id, *kept.also} == {"0", "1", "2", "3"}
    assert problems == []


def test_an_article_with_a_time_comes_before_one_without():
    assert without_duplicates([replace(FIRST, published=None), LATER])[0] == [LATER]


few = st.sampled_from
articles = st.builds(
    Article,
    id=few("abc"),
    title=few("xy"),
    text=few(["", "t"]),
    url=few([None, "u1", "u2"]),
    source=few([None, "s"]),
    published=few([None, FIRST.published, LATER.published]),
    place=few(["news.jsonl:1", "news.jsonl:2"]),
)


@given(st.lists(articles, max_size=8))
def test_the_order_of_reading_matters_only_among_versions_of_one_time(one):
    other = sorted(one, key=lambda article: str(article.published), reverse=True)  # which is stable
    kept, problems = without_duplicates(one)
    assert (kept, problems) == without_duplicates(other)
    assert {article.id for article in one} == {name for article in kept for name in (article.id, *article.also)} | {
        problem.row["id"] for problem in problems
    }
    assert len({article.id for article in kept}) == len(kept)
    assert without_duplicates(kept) == (kept, [])


def test_a_given_time_is_rather_kept_than_an_inferred_day():
    inferred = replace(FIRST, published=Published(datetime(2020, 5, 1, tzinfo=UTC), True, InferredFrom.URL))
    assert [article.published for article in without_duplicates([inferred, FIRST])[0]] == [FIRST.published]
