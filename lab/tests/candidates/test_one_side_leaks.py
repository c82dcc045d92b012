"""One headline alone gives a biased sample away; after matching it gives away nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire_lab.candidates.one_side_leaks import SidePrior, balanced, held_out, leak

pytest.importorskip("sklearn")

PLACES = ["Calder Bay", "Marden", "Holt Quay", "Port Anselm", "Verrin", "Lower Tamsin", "Eskdown", "Quarrel Isle"]
TELLING = ["Toll rises to {} in {}", "{} schools shut in {}", "{} flights halted at {}"]
NEUTRAL = ["Band plays {} songs in {}", "{} gardens open in {}", "{} recipes from {}"]


def biased_pairs(count=600, share=0.25):
    """Pairs of which a causal one mostly has a telling right headline, and of others one in three."""
    dice = np.random.default_rng(0)
    causal = (dice.random(count) < share).tolist()

    def headline(patterns):
        return patterns[dice.integers(len(patterns))].format(
            dice.integers(2, 900), PLACES[dice.integers(len(PLACES))]
        )

    rights = [TELLING if dice.random() < (0.9 if label else 0.35) else NEUTRAL for label in causal]
    return [(headline(TELLING + NEUTRAL), headline(right)) for right in rights], causal


def test_the_prior_finds_the_side_that_tells():
    pairs, causal = biased_pairs()
    prior = SidePrior.fit(pairs[:400], causal[:400]).probabilities(pairs[400:])
    assert prior.shape == (200, 2)
    assert ((prior > 0) & (prior < 1)).all()
    left, right = leak(prior, causal[400:])
    assert right > 0.7
    assert 0.3 < left < 0.65
    assert SidePrior.fit(pairs, causal).probabilities([]).shape == (0, 2)


@pytest.mark.slow
def test_after_matching_a_new_classifier_learns_nothing_from_one_side():
    pairs, causal = biased_pairs()
    before = held_out(pairs, causal)
    kept = balanced(before, causal).tolist()
    labels = [causal[number] for number in kept]
    assert sum(labels) * 2 == len(kept) > 100
    after = held_out([pairs[number] for number in kept], labels)
    assert leak(before, causal)[1] > 0.7
    assert max(leak(after, labels)) < 0.6


def test_a_held_out_prior_has_not_seen_the_headline():
    pairs = [(f"Ferry number {number // 10} sails", "Rain again") for number in range(100)]
    causal = [number // 10 % 2 == 0 for number in range(100)]
    pairs = [(left, f"Rain in {PLACES[number % 8]}") for number, (left, _) in enumerate(pairs)]
    seen = SidePrior.fit(pairs, causal).probabilities(pairs)
    assert leak(seen, causal)[0] == 1.0
    assert leak(held_out(pairs, causal), causal)[0] < 0.7


labelled = st.lists(
    st.tuples(st.floats(0.001, 0.999), st.floats(0.001, 0.999), st.booleans()), min_size=2, max_size=30
).filter(lambda rows: len({row[2] for row in rows}) == 2)


@given(labelled)
def test_a_sample_holds_as_many_negatives_as_positives_and_no_pair_twice(rows):
    prior, causal = np.array([row[:2] for row in rows]), [row[2] for row in rows]
    kept = balanced(prior, causal).tolist()
    assert kept == sorted(set(kept))
    assert 2 * sum(causal[number] for number in kept) == len(kept)
    everything = balanced(prior, causal, caliper=np.inf)
    assert len(everything) == 2 * min(sum(causal), len(causal) - sum(causal))


def test_a_positive_that_no_negative_looks_like_is_given_up():
    prior = np.array([[0.5, 0.5], [0.5, 0.5], [0.99, 0.5], [0.2, 0.5]])
    assert balanced(prior, [True, False, True, False]).tolist() == [0, 1]


@pytest.mark.parametrize("causal", [[True, True], [False, False], []])
def test_both_kinds_are_needed(causal):
    pairs, prior = [("Ferry late", "Port shut")] * len(causal), np.full((len(causal), 2), 0.5)
    for call in (
        lambda: SidePrior.fit(pairs, causal),
        lambda: held_out(pairs, causal),
        lambda: balanced(prior, causal),
        lambda: leak(prior, causal),
    ):
        with pytest.raises(InputError, match="some not"):
            call()


def test_labels_and_pairs_go_together():
    with pytest.raises(ValueError, match=r"labels \(2\).*pairs \(1\)"):
        SidePrior.fit([("Ferry late", "Port shut")], [True, False])
    with pytest.raises(InputError, match="1 different headlines"):
        held_out([("Ferry late", "Port shut")] * 2, [True, False])
