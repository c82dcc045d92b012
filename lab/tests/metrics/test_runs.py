"""Means and deviations over training runs."""

import pytest

from whywire_lab.metrics.runs import over_runs


def test_runs_give_mean_and_deviation_of_the_scores_they_share():
    found = over_runs([{"accuracy": 0.89, "AUC": 0.9}, {"accuracy": 0.91}])
    assert list(found) == ["accuracy"]
    assert (found["accuracy"].mean, found["accuracy"].deviation) == pytest.approx((0.9, 0.014142), abs=1e-6)
    assert over_runs([{"accuracy": 0.5}])["accuracy"].deviation == 0.0
    assert over_runs([]) == {}
