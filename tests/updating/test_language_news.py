"""The arrays of the articles of one language."""

import numpy as np
import pytest

from whywire.events.candidates import candidate_pairs
from whywire.events.scorer import MAX_NEIGHBOURS
from whywire.news import Language
from whywire.pipeline import read
from whywire.progress import Stages
from whywire.updating.language_news import LanguageNews


@pytest.fixture(scope="module")
def readings(example, fake_models):
    news = [article for article in example if article.language is Language.ENGLISH]
    return news, read(news, fake_models, Stages())


def filled(news, readings):
    found = LanguageNews()
    for article in news:
        found.add(article, readings[article.id])
    return found


def arrays(news):
    alike = news.similarity(0)(np.arange(len(news)))
    return [news.vectors, news.times.starts, news.times.ends, news.nearest(), alike]


def test_articles_added_tentatively_leave_no_trace(readings):
    news, read_ones = readings
    some = filled(news[:40], read_ones)
    before = [one.copy() for one in arrays(some)]
    with some.tentatively(news[40:50], read_ones) as numbers:
        assert numbers == [*range(40, 50)]
        some.nearest()
    assert len(some) == 40
    assert all(np.array_equal(*both) for both in zip(before, arrays(some), strict=True))
    for article in news[40:50]:
        some.add(article, read_ones[article.id])
    for left, right in zip(arrays(some), arrays(filled(news[:50], read_ones)), strict=True):
        assert left == pytest.approx(right, abs=1e-6)


def test_similarity_is_that_of_a_build(readings):
    news, read_ones = readings
    some = filled(news, read_ones)
    matrix = some.vectors @ some.vectors.T
    everything = np.arange(len(news))
    matrix[some.times.outside(everything, everything)] = 0.0
    for number in (0, 7, len(news) - 1):
        others = np.delete(everything, number)
        assert some.similarity(number)(others) == pytest.approx(matrix[number, others], abs=1e-6)


def test_nearest_are_the_neighbours_of_a_build(readings):
    news, read_ones = readings
    some = filled(news, read_ones)
    published = [article.published for article in news]
    pairs = candidate_pairs(some.vectors, published, neighbours=MAX_NEIGHBOURS, floor=-1.0)
    reach, cosines = some.nearest(), some.vectors @ some.vectors.T
    mutual = {(i, j) for i, j in pairs if cosines[i, j] >= min(reach[i], reach[j]) - 1e-6}
    assert mutual == {*pairs}
