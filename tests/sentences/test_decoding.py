"""Whatever the arrays say, spans keep the rules, and the pair found is the best one."""

from itertools import combinations, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whywire.models.odds import IDENTITY
from whywire.sentences.decoding import (
    SIGNAL,
    SLOT_WIDTH,
    SLOTS,
    TOKEN_WIDTH,
    best_disjoint_spans,
    best_span,
    calibrated_signals,
    decode_parts,
    disjoint_spans_in_order,
    log_softmax,
    n_best_relations,
    relations_by_slot,
    runs,
)

numbers = st.floats(-9, 9, width=32)


def scores(length):
    return st.lists(numbers, min_size=length, max_size=length).map(lambda values: np.array(values, np.float32))


@given(st.integers(2, 7).flatmap(lambda length: st.tuples(*[scores(length)] * 4)))
def test_best_pair_is_the_best_of_all_pairs(arrays):
    one, other = arrays[:2], arrays[2:]
    length = len(arrays[0])
    spans = [(a, b) for a in range(length) for b in range(a + 1, length + 1)]

    def value(scored, span):
        return float(scored[0][span[0]] + scored[1][span[1] - 1])

    every = [value(one, s) + value(other, t) for s in spans for t in spans if s[1] <= t[0] or t[1] <= s[0]]
    first, second = best_disjoint_spans(one, other)
    assert first[1] <= second[0] or second[1] <= first[0]
    assert np.isclose(value(one, first) + value(other, second), max(every), atol=1e-4)


@given(st.integers(1, 9).flatmap(lambda length: st.tuples(scores(length), scores(length))))
def test_best_span_is_the_best_of_all_spans(arrays):
    first, last = arrays
    found, start, end = best_span(first, last)
    every = [first[a] + last[b] for a in range(len(first)) for b in range(a, len(first))]
    assert start <= end
    assert np.isclose(found, max(every), atol=1e-4)


@given(st.integers(2, 6).flatmap(lambda length: st.tuples(*[scores(length)] * 4)))
def test_pairs_come_in_order_all_of_them_and_their_probabilities_sum_to_one(arrays):
    one, other = ([log_softmax(array[:, None])[:, 0] for array in pair] for pair in (arrays[:2], arrays[2:]))
    found = list(disjoint_spans_in_order(one, other))
    spans = [(a, b) for a in range(len(one[0])) for b in range(a + 1, len(one[0]) + 1)]
    every = {(s, t) for s in spans for t in spans if s[1] <= t[0] or t[1] <= s[0]}
    assert {(first, second) for _, first, second in found} == every
    assert len(found) == len(every)
    probabilities = [probability for probability, _, _ in found]
    assert all(a >= b - 1e-6 for a, b in pairwise(probabilities))
    assert np.isclose(sum(probabilities), 1, atol=1e-4)


def test_one_token_has_no_room_for_two_spans():
    one = np.zeros(1, np.float32)
    assert best_disjoint_spans((one, one), (one, one)) is None


words = st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=6), min_size=1, max_size=12)


@given(words, st.integers(0, 2**32 - 1))
def test_relations_and_parts_keep_the_rules_on_any_arrays(tokens, seed):
    text = " ".join(tokens)
    offsets, at = [], 0
    for token in tokens:
        middle = at + len(token) // 2
        offsets += [(at, middle), (middle, at + len(token))] if middle > at else [(at, at + len(token))]
        at += len(token) + 1
    rng = np.random.default_rng(seed)
    arrays = rng.uniform(-5, 5, (len(offsets), TOKEN_WIDTH)).astype(np.float32)
    present = rng.random(SLOTS, np.float32)
    relations = [*relations_by_slot(arrays, offsets, text, present).values()]
    assert len(relations) <= SLOTS
    for relation in relations:
        for start, end in (relation.cause, relation.effect, *relation.signals):
            assert 0 <= start < end <= len(text)
            assert start == 0 or text[start - 1] == " "
            assert end == len(text) or text[end] == " "
        assert relation.cause[1] <= relation.effect[0] or relation.effect[1] <= relation.cause[0]
        assert 0 <= relation.probability <= 1
    ranked = [*relations_by_slot(arrays, offsets, text, present, floor=0).values()]
    for one, other in combinations(ranked, 2):
        assert not one.is_of_pair(other), "one sentence says once how two things belong together"
    assert ranked[: len(relations)] == relations, "a lower floor only adds less likely ones at the end"
    rivals = n_best_relations(arrays, offsets, text, present, 5)
    assert len({(rival.cause, rival.effect) for rival in rivals}) == len(rivals) <= 5
    for better, worse in pairwise(rivals):
        assert 1 >= better.probability >= worse.probability >= 0
    antecedent, consequent = decode_parts(arrays, np.zeros(TOKEN_WIDTH, np.float32), offsets, text)
    assert antecedent is not None
    if consequent is not None:
        assert antecedent[1] <= consequent[0] or consequent[1] <= antecedent[0]


def test_of_relations_between_the_same_two_things_the_most_probable_is_kept():
    text = "drought ruins crops and raises prices"
    offsets = [(0, 7), (8, 13), (14, 19), (20, 23), (24, 30), (31, 37)]
    tokens = np.full((6, TOKEN_WIDTH), -9, np.float32)
    for slot, (cause, effect) in enumerate([((0, 0), (4, 5)), ((0, 0), (5, 5)), ((0, 0), (2, 2))]):
        for column, place in enumerate((*cause, *effect)):
            tokens[place, slot * SLOT_WIDTH + column] = 9
    found = relations_by_slot(tokens, offsets, text, np.array([0.7, 0.9, 0.6], np.float32)).values()
    assert [text[slice(*one.effect)] for one in found] == ["prices", "crops"]


def test_signals_in_two_places_stay_two_spans():
    marked = np.array([True, False, False, True, True])
    text = "if it rains then stay"
    offsets = [(0, 2), (3, 5), (6, 11), (12, 16), (17, 21)]
    assert runs(marked, offsets, text) == ((0, 2), (12, 21))


@given(st.integers(0, 2**32 - 1))
def test_calibration_moves_the_signals_of_all_slots_and_nothing_else(seed):
    tokens = np.random.default_rng(seed).uniform(-5, 5, (7, TOKEN_WIDTH)).astype(np.float32)
    before = tokens.copy()
    moved = calibrated_signals(tokens, {"scale": 0.5, "shift": -1.0})
    signals = [slot * SLOT_WIDTH + SIGNAL for slot in range(SLOTS)]
    others = [column for column in range(TOKEN_WIDTH) if column not in signals]
    assert np.allclose(moved[:, signals], 0.5 * before[:, signals] - 1)
    assert (moved[:, others] == before[:, others]).all()
    assert (calibrated_signals(tokens, IDENTITY) == before).all()
    assert (tokens == before).all(), "what the model said stays as it is"


def test_a_token_that_is_less_likely_part_of_the_signal_than_not_is_left_out():
    text = "floods came after rain fell"
    offsets = [(0, 6), (7, 11), (12, 17), (18, 22), (23, 27)]
    tokens = np.zeros((5, TOKEN_WIDTH), np.float32)
    tokens[:, SIGNAL] = [-3, 1, 2, -3, -3]
    present = np.array([1, 0, 0], np.float32)
    marked = [
        relations_by_slot(calibrated_signals(tokens, {"scale": 1.0, "shift": shift}), offsets, text, present)[
            0
        ].signals
        for shift in (0.0, -1.5, -2.5)
    ]
    assert marked == [((7, 17),), ((12, 17),), ()]
