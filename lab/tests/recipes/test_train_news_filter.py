"""A filter of news taught here, and the rows that teach it."""

import numpy as np
import pytest
from tests.news.test_newsworthy import NEWS, OTHER


def recipe():
    pytest.importorskip("sklearn", reason="training needs scikit-learn: pip install 'whywire-lab[train]'")
    return pytest.importorskip("whywire_lab.recipes.train_news_filter")


def test_a_filter_learns_from_what_is_invented():
    training = recipe()
    rows = list(training.invented_rows())
    one, other = training.fit(rows), training.fit(rows)
    assert one.probability(OTHER).max() < one.probability(NEWS).min()
    assert (one.weights == other.weights).all()


def test_what_is_invented_is_said_once_and_in_both_kinds():
    rows = list(recipe().invented_rows())
    for language in ("en", "ru"):
        titles = [row.title for row in rows if row.language == language]
        other = [row for row in rows if row.language == language and not row.news]
        assert len(other) >= 300
        assert len(titles) - len(other) >= 300
        assert len(set(titles)) == len(titles)


def test_the_threshold_drops_what_is_surely_no_news():
    training = recipe()
    probabilities = np.array([0.1, 0.2, 0.3, 0.4, 0.9, 0.95])
    threshold = training.best_threshold(probabilities, np.array([False, False, False, True, True, True]))
    assert 0.3 < threshold < 0.4
    assert training.best_threshold(probabilities, np.array([True, False, False, True, True, True])) == 0, (
        "nothing is sure"
    )
