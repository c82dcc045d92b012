from dataclasses import replace
from datetime import UTC, datetime

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


def test_without_times_the_longer_text_is_kept():
    short, long = replace(FIRST, published=None, title="A", text="It rained."), replace(FIRST, published=None)
    long = replace(long, title="B", text="It rained all day, and the river rose.")
    kept, [problem] = without_duplicates([short, long])
    assert kept == [long]
    assert problem.row["title"] == "A"


def test_the_earlier_of_one_id_wins_and_the_other_is_reported():
    kept, [problem] = without_duplicates([replace(LATER, url=None, place="news.jsonl:7"), FIRST])
    assert kept == [FIRST]
    assert problem.place == "news.jsonl:7"
    assert problem.reason == (
        "'Storm reaches the coast' is left out: another article has its id: a, 'Storm hits the coast'"
    )
    assert problem.row["title"] == LATER.title


def test_the_earlier_of_one_url_wins_and_the_other_is_reported():
    kept, [problem] = without_duplicates([replace(LATER, id="b"), FIRST])
    assert kept == [FIRST]
    assert (problem.place, problem.kept) == ("b", False)
    assert "another article has its url" in problem.reason


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


@given(st.lists(articles, max_size=8).flatmap(lambda found: st.tuples(st.just(found), st.permutations(found))))
def test_the_order_of_reading_does_not_matter(orders):
    one, other = orders
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
