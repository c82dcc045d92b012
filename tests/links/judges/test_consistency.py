"""Answers to several questions about one effect that do not contradict each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.links.judges.consistency import (
    MAX_EVENTS,
    NONE_ODDS,
    causes_alone,
    causes_together,
    is_none_option,
)
from whywire.links.judges.judge import Choice

EFFECT = "Fuel ran short in Orvane"
FIRE, STRIKE, RACE, NONE = (
    "A fire closed the refinery",
    "Drivers went on strike",
    "The race drew a crowd",
    "None of these",
)


def together(*questions):
    """The causes of questions given as options with their strengths."""
    choices = [Choice(EFFECT, tuple(own)) for own in questions]
    found = causes_together(choices, [list(own.values()) for own in questions])
    return [{choice.options[place] for place in causes} for choice, causes in zip(choices, found, strict=True)]


@pytest.mark.parametrize(
    "option",
    [
        "None of the others led to it.",
        "None of these",
        "none of the above is a cause",
        "None",
        "Ни одно из этих событий",
        "Ничего из перечисленного",
    ],
)
def test_an_option_that_is_no_event_is_recognised(option):
    assert is_none_option(option)


@pytest.mark.parametrize(
    "option",
    [
        FIRE,
        "None of the three ferries to Orvane sailed on Monday after the storm",
        "Nonessential staff went home",
        "Ни один из шести кораблей не вышел из порта в понедельник утром",
        "",
    ],
)
def test_an_event_is_no_such_option(option):
    assert not is_none_option(option)


def test_a_question_alone_takes_none_unless_another_is_strong():
    choice = Choice(EFFECT, (FIRE, NONE, RACE))
    assert causes_alone(choice, [80, 95, 10]) == {1}
    assert causes_alone(choice, [90, 95, 10]) == {0}  # what the judge says of no event counts for nothing
    assert causes_alone(choice, [90, 95, 88]) == {0, 2}
    assert causes_alone(Choice(EFFECT, (NONE,)), [0]) == {0}
    assert causes_alone(Choice(EFFECT, (FIRE, RACE)), [15, 10]) == set()


def test_an_event_excluded_by_one_question_is_no_cause_in_another():
    (alone,) = together({FIRE: 55, STRIKE: 50})
    assert alone == {FIRE}
    assert together({FIRE: 55, STRIKE: 50}, {FIRE: 55, RACE: 20, NONE: 0}) == [{STRIKE}, {NONE}]


def test_one_event_may_be_the_cause_that_all_questions_need():
    weak = [{RACE: 52, STRIKE: 48}, {STRIKE: 48, "A dam broke": 51}, {STRIKE: 48, "A choir sang": 50}]
    assert together(*weak) == [{STRIKE}] * 3


def test_the_same_words_are_one_event_and_other_effects_have_no_say():
    copies = ("A fire closed  the refinery.", "a fire closed the refinery", RACE)
    choices = [Choice(EFFECT, copies), Choice("The race was called off", (FIRE, RACE, NONE))]
    assert causes_together(choices, [[40, 40, 20], [10, 20, 0]]) == [{0, 1}, {2}]


def test_a_question_has_a_cause_however_weak_its_options_and_however_many_events_there_are():
    many = {f"Event {number}": 90.0 - number for number in range(3 * MAX_EVENTS)}
    weak = {RACE: 2.0, STRIKE: 1.0}
    *_, last = together(many, weak)
    assert last == {RACE}
    assert together({}, {}) == [set(), set()]


events = st.sampled_from([FIRE, STRIKE, RACE, "A dam broke", "A choir sang", NONE])
strength_of = st.fixed_dictionaries({event: st.floats(0, 100) for event in (FIRE, STRIKE, RACE, "A dam broke",
    "A choir sang", NONE)})  # fmt: skip


@given(st.lists(st.lists(events, min_size=1, max_size=4), max_size=6), strength_of, st.randoms())
def test_no_two_answers_contradict_each_other_in_whatever_order(offered, strengths, rng):
    choices = [Choice(EFFECT, tuple(own)) for own in offered]
    found = causes_together(choices, [[strengths[option] for option in own] for own in offered])
    said = {}
    for choice, causes in zip(choices, found, strict=True):
        assert causes
        for place, option in enumerate(choice.options):
            if option != NONE:
                assert said.setdefault(option, place in causes) == (place in causes)
        chosen = {choice.options[place] for place in causes}
        assert NONE not in chosen or chosen == {NONE}
    order = list(range(len(choices)))
    rng.shuffle(order)
    asked = [choices[number] for number in order]
    again = causes_together(asked, [[strengths[option] for option in one.options] for one in asked])
    assert again == [found[number] for number in order]


def test_none_is_favoured_but_not_above_all():
    assert NONE_ODDS > 1
    assert together({FIRE: 99, NONE: 0}) == [{FIRE}]
    assert together({FIRE: 70, NONE: 0}) == [{NONE}]
