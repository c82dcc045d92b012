"""Behavioural tests: how cases are read, what counts as a failure, and where typos fall."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.errors import InputError
from whywire.pairs.relations import RELATIONS, Relation
from whywire_lab.metrics.checklist import (
    LONG_WORD,
    Case,
    CaseType,
    Outcome,
    read_cases,
    run_checklist,
    with_typo,
)

FLOOD = {"left": "Rain floods Valleti", "right": "Valleti metro closed"}
SWAP = {"test": "swap", "type": "INV", **FLOOD, "change": "swap"}
TURN = {"test": "turn", "type": "DIR", **FLOOD, "change": "swap"}
PLAIN = {"test": "plain", "type": "MFT", **FLOOD, "expect": "left_right_cause"}

titles = st.one_of(
    st.sampled_from(["Шторм «Петра» обрушился на побережье", "Storm Petra slams into 3 towns", "No, not yet"]),
    st.text(alphabet="abcdeЁжшть 12'-", max_size=40),
)


def write(path, *rows):
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def answering(rule):
    """A judge from a rule: the relation of a left and a right title."""
    return lambda pairs: np.eye(len(RELATIONS))[[RELATIONS.index(rule(left, right)) for left, right in pairs]]


def always(relation):
    return answering(lambda left, right: relation)


def toward_the_metro(left, right):
    """Right whichever way round it is asked."""
    return Relation.LEFT_RIGHT_CAUSE if "metro" in right else Relation.RIGHT_LEFT_CAUSE


def test_a_case_is_a_line_and_its_change_is_made(tmp_path):
    reworded = {
        "test": "words",
        "type": "INV",
        **FLOOD,
        "change": {"right": " Metro in  Valleti shut "},
        "note": "same",
    }
    path = write(tmp_path / "cases.jsonl", SWAP, "", reworded, {**SWAP, "test": "slips", "change": "typo"}, PLAIN)
    swap, words, slip, plain = read_cases([path])
    assert (swap.place, swap.test, swap.type) == (f"{path}:1", "swap", CaseType.INV)
    assert swap.changed == swap.pair[::-1] == ("Valleti metro closed", "Rain floods Valleti")
    assert words.changed == ("Rain floods Valleti", "Metro in Valleti shut")
    assert (words.place, words.note) == (f"{path}:3", "same")
    assert slip.changed == with_typo(slip.pair)
    assert plain.changed is None
    assert plain.allowed == (Relation.LEFT_RIGHT_CAUSE,)


def test_what_is_expected_may_be_a_list_or_all_but_some(tmp_path):
    refuted = ["right_left_refute", "left_right_refute"]
    either, neither = ({"test": name, "type": "MFT", **FLOOD, name: refuted} for name in ("expect", "not"))
    one, other = read_cases([write(tmp_path / "cases.jsonl", either, neither)])
    assert set(one.allowed) == set(refuted)
    assert set(other.allowed) == set(RELATIONS) - set(refuted)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{broken", "broken JSON"),
        ("[1]", "a case must be a JSON object"),
        ({**SWAP, "expct": "same_event"}, "there is no field 'expct'"),
        ({**SWAP, "test": " "}, "'test' must be a text"),
        ({key: SWAP[key] for key in SWAP if key != "right"}, "there is no 'right'"),
        ({**SWAP, "type": "inv"}, "there is no type 'inv' .*INV, DIR, MFT"),
        ({**SWAP, "change": "flip"}, "not 'flip' .*swap"),
        ({**SWAP, "change": {"middle": "x"}}, "'change' must say"),
        ({**SWAP, "change": {"left": 3}}, "'left' must be a text"),
        ({**TURN, "change": "typo"}, "'change' must say"),
        ({key: SWAP[key] for key in SWAP if key != "change"}, "there is no 'change'"),
        ({**SWAP, "expect": "same_event"}, "INV has no 'expect'"),
        ({**PLAIN, "change": "swap"}, "MFT has no 'change'"),
        ({**PLAIN, "not": "same_event"}, "not both"),
        ({**PLAIN, "expect": "cause"}, "there is no relation 'cause' .*left_right_cause"),
        ({**PLAIN, "expect": []}, "'expect' names no relation"),
        ({**SWAP, "left": "No one won", "right": "It is so", "change": "typo"}, "no word is long enough"),
        ({**PLAIN, "test": "swap"}, "'swap' is MFT here and INV at .*cases.jsonl:1"),
    ],
)
def test_a_line_that_is_no_case_is_named(tmp_path, row, message):
    path = write(tmp_path / "cases.jsonl", SWAP, row)
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}:2: .*{message}"):
        read_cases([path])


def test_a_file_that_is_not_there_or_empty_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be opened"):
        read_cases([tmp_path / "none.jsonl"])
    with pytest.raises(InputError, match=r"empty\.jsonl: there are no cases"):
        read_cases([write(tmp_path / "empty.jsonl", "\n")])


def test_invariance_direction_and_the_plain_expectation(tmp_path):
    cases = read_cases([write(tmp_path / "cases.jsonl", SWAP, TURN, PLAIN)])

    def failed(judge):
        return [tally.test for tally in run_checklist(cases, judge) if tally.failures]

    assert failed(answering(toward_the_metro)) == ["swap"]
    assert failed(always(Relation.LEFT_RIGHT_CAUSE)) == ["turn"]
    assert failed(always(Relation.SAME_EVENT)) == ["plain"]  # answers that go together pass, right or not


def test_cases_of_a_name_are_one_test_across_files(tmp_path):
    both = {**PLAIN, "left": "Metro reopens in Valleti", "expect": ["same_event", "left_right_cause"]}
    asked = []

    def judge(pairs):
        asked.append(pairs)
        return answering(lambda left, right: Relation.SAME_EVENT)(pairs)

    files = [write(tmp_path / "a.jsonl", PLAIN, SWAP), write(tmp_path / "b.jsonl", both)]
    plain, swap = run_checklist(read_cases(files), judge)
    assert (plain.test, plain.type, len(plain.outcomes), plain.rate) == ("plain", CaseType.MFT, 2, 0.5)
    (failure,) = plain.failures
    assert (failure.case.place, failure.found, failure.after) == (f"{files[0]}:1", Relation.SAME_EVENT, None)
    assert failure.passing == (Relation.LEFT_RIGHT_CAUSE,)
    assert (swap.test, swap.rate) == ("swap", 0)
    assert len(asked) == 1  # a model is asked everything at once


def test_a_judge_of_another_shape_is_refused(tmp_path):
    cases = read_cases([write(tmp_path / "cases.jsonl", SWAP)])
    with pytest.raises(ValueError, match=r"2 pairs need answers of shape \(2, 7\), not \(2, 3\)"):
        run_checklist(cases, lambda pairs: np.zeros((len(pairs), 3)))


@given(titles, titles, st.integers(0, 50))
def test_a_typo_is_one_slip_inside_a_longer_word_of_one_title(left, right, seed):
    try:
        slipped = with_typo((left, right), seed)
    except InputError:
        assert not any(re.search(r"[^\W\d_]{5}", title) for title in (left, right))
        return
    assert with_typo((left, right), seed) == slipped
    ((before, after),) = [pair for pair in zip((left, right), slipped, strict=True) if pair[0] != pair[1]]
    at = next(n for n in range(len(before)) if before[n : n + 1] != after[n : n + 1])
    dropped = after == before[:at] + before[at + 1 :]
    assert dropped or after == before[:at] + before[at + 1] + before[at] + before[at + 2 :]
    assert any(word.start() < at < word.end() - 1 for word in LONG_WORD.finditer(before)) or dropped


def test_the_seed_moves_the_typo():
    assert len({with_typo(("Storm Petra slams into the coast", "It is over"), seed) for seed in range(40)}) > 10


def test_a_typo_falls_in_the_same_place_on_every_machine():
    pair = ("Storm Petra slams into the coast", "Шторм «Петра» обрушился на побережье")
    assert [with_typo(pair, seed) for seed in (0, 1)] == [
        ("Storm Petra slams into the coast", "Шторм «Петра» обрушился на побереже"),
        ("Storm Petra slams into the coast", "Шторм «Петра» обрушился на пбоережье"),
    ]


@pytest.mark.parametrize(
    ("expected", "answer", "failed"),
    [
        ({"expect": "same_event"}, Relation.OTHER_RELATIONSHIP, (0, 1)),  # both without a cause
        ({"expect": "left_right_cause"}, Relation.LEFT_RIGHT_REFUTE, (0, 1)),
        ({"expect": "left_right_cause"}, Relation.RIGHT_LEFT_CAUSE, (1, 1)),
        ({"not": ["left_right_cause", "left_right_refute"]}, Relation.LEFT_RIGHT_CAUSE, (1, 1)),
        ({"not": ["same_event"]}, Relation.SAME_EVENT, (0, 0)),  # every class passes
    ],
)
def test_in_three_classes_what_is_of_one_class_is_one_answer(tmp_path, expected, answer, failed):
    row = {"test": "plain", "type": "MFT", **FLOOD, **expected}
    (tally,) = run_checklist(read_cases([write(tmp_path / "cases.jsonl", row)]), always(answer))
    assert tally.in_three == failed
    assert tally.rate_in_three == (failed[0] / failed[1] if failed[1] else None)


@given(st.lists(st.sampled_from(RELATIONS), min_size=2, max_size=2), st.sampled_from(list(CaseType)))
def test_what_fails_in_three_classes_fails_in_seven(answers, kind):
    changed = None if kind is CaseType.MFT else ("b", "a")
    outcome = Outcome(
        Case("x:1", "any", kind, ("a", "b"), changed, RELATIONS[:1]), answers[0], changed and answers[1]
    )
    assert outcome.failed or not outcome.failed_in_three
