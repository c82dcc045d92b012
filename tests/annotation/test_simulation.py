"""Made-up workers: what they answer, what controls make of them, and which aggregation sees through them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.annotation.simulation import (
    SimulatedWorker,
    compare_aggregations,
    exclusion_probabilities,
    simulate,
)

LABELS = 3
EVEN = np.full(LABELS, 1 / LABELS)


def test_workers_err_as_their_matrix_says():
    workers = [
        SimulatedWorker.careful(0.8, LABELS),
        SimulatedWorker.always(2, LABELS),
        SimulatedWorker.confusing(0.9, LABELS, 0, 1, 0.6),
        SimulatedWorker.random(LABELS),
        SimulatedWorker.copycat(0, LABELS),
    ]
    for worker in workers:
        assert worker.confusion.sum(axis=1) == pytest.approx(np.ones(LABELS))
    found = simulate(workers, EVEN, items=20_000, overlap=len(workers), seed=4)
    answers = np.zeros((20_000, len(workers)), dtype=int)
    for item, worker, label in found.votes:
        answers[item, worker] = label
    right = answers == found.truth[:, None]
    assert right.mean(axis=0) == pytest.approx([0.8, 1 / 3, (0.9 + 0.9 + 0.4 * 0.9 / 0.95) / 3, 1 / 3, 0.8], abs=0.01)
    assert (answers[:, 1] == 2).all()
    assert (answers[:, 4] == answers[:, 0]).all()
    assert (answers[found.truth == 0, 2] == 1).mean() == pytest.approx(0.6, abs=0.015)


def test_a_seed_gives_the_same_votes_and_each_item_its_overlap():
    workers = [SimulatedWorker.careful(0.7, LABELS)] * 9
    one, again = (simulate(workers, EVEN, items=50, overlap=4, seed=7) for _ in range(2))
    assert one.votes == again.votes
    assert one.votes != simulate(workers, EVEN, items=50, overlap=4, seed=8).votes
    assert len({(item, worker) for item, worker, _ in one.votes}) == 200
    with pytest.raises(ValueError, match="9 workers cannot give 10 votes"):
        simulate(workers, EVEN, items=1, overlap=10, seed=0)


def test_perfect_workers_are_right_by_every_aggregation():
    found = simulate([SimulatedWorker.careful(1, LABELS)] * 5, EVEN, items=60, overlap=3, seed=1)
    assert set(compare_aggregations(found).values()) == {1}


def test_confusions_give_spammers_away():
    workers = [SimulatedWorker.careful(0.85, LABELS)] * 12 + [SimulatedWorker.always(0, LABELS)] * 10
    found = compare_aggregations(simulate(workers, EVEN, items=400, overlap=5, seed=2))
    assert found["Dawid–Skene"] > found["majority"] + 0.05


def test_skills_tell_random_answers_apart():
    workers = [SimulatedWorker.careful(0.85, LABELS)] * 12 + [SimulatedWorker.random(LABELS)] * 8
    found = compare_aggregations(simulate(workers, EVEN, items=400, overlap=5, seed=2))
    assert found["Wawa"] > found["majority"] + 0.02


def test_copycats_mislead_who_takes_workers_for_independent():
    one_random = [SimulatedWorker.random(LABELS)] + [SimulatedWorker.copycat(0, LABELS)] * 9
    found = compare_aggregations(
        simulate([*one_random, *[SimulatedWorker.careful(0.7, LABELS)] * 12], EVEN, items=400, overlap=7, seed=3)
    )
    assert found["Dawid–Skene"] < found["majority"]


@given(st.floats(0, 1), st.integers(0, 12), st.floats(0, 1))
def test_exclusion_is_a_probability_that_never_falls(accuracy, controls, least):
    found = exclusion_probabilities(accuracy, controls, least=least, after=3)
    assert len(found) == controls + 1
    assert (np.diff(found) >= -1e-12).all()
    assert found[: min(3, len(found))] == pytest.approx(0)
    assert -1e-9 <= found[-1] <= 1 + 1e-9


def test_exclusion_by_hand_and_by_simulation():
    # Out after two controls with a share below 1: both must be right.
    assert exclusion_probabilities(0.9, 2, least=1, after=2)[2] == pytest.approx(1 - 0.81)
    assert exclusion_probabilities(1, 30, least=0.8, after=5)[-1] == pytest.approx(0)
    assert exclusion_probabilities(0, 5, least=0.8, after=5)[-1] == pytest.approx(1)
    right = (np.random.default_rng(5).random((20_000, 20)) < 0.8).cumsum(axis=1)
    below = right < 0.7 * np.arange(1, 21) - 1e-9
    below[:, :4] = False
    expected = exclusion_probabilities(0.8, 20, least=0.7, after=5)
    assert expected[1:] == pytest.approx(np.maximum.accumulate(below, axis=1).mean(axis=0), abs=0.01)
