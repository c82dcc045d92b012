from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from whywire.news import Article, Published, without_duplicates

FIRST = Article("a", "Storm hits the coast", url="u1", published=Published(datetime(2020, 5, 2, tzinfo=UTC)))
LATER = replace(FIRST, title="Storm reaches the coast", published=Published(datetime(2020, 5, 3, tzinfo=UTC)))


def test_the_same_article_twice_adds_nothing():
    assert without_duplicates([FIRST, FIRST, replace(FIRST, id="b")]) == ([FIRST], [])


def test_the_earlier_of_one_id_wins_and_the_other_is_reported():
    kept, [problem] = without_duplicates([replace(LATER, url=None), FIRST])
    assert kept == [FIRST]
    assert "duplicate id" in problem.reason
    assert problem.row["title"] == LATER.title


def test_the_earlier_of_one_url_wins_and_the_other_is_reported():
    kept, [problem] = without_duplicates([replace(LATER, id="b"), FIRST])
    assert kept == [FIRST]
    assert (problem.place, problem.kept) == ("b", False)
    assert "duplicate url" in problem.reason


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
)


@given(st.lists(articles, max_size=8).flatmap(lambda found: st.tuples(st.just(found), st.permutations(found))))
def test_the_order_of_reading_does_not_matter(orders):
    one, other = orders
    kept, problems = without_duplicates(one)
    assert (kept, problems) == without_duplicates(other)
    assert len({article.id for article in kept}) == len(kept)
    assert without_duplicates(kept) == (kept, [])
