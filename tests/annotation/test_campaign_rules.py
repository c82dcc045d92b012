"""Which item comes next, when somebody is not asked further, and when an item is finished."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.annotation.answers import RelationAnswer
from whywire.annotation.campaigns import (
    CURATOR,
    OVERLAP,
    Campaign,
    Rules,
    Stage,
    Vote,
    count_answers,
    estimate,
    next_item,
    report_people,
    rules_of,
    standing,
    vote_of,
)
from whywire.annotation.items import Item, Kind, Role, answer_to, item_of
from whywire.errors import InputError

DAY = datetime(2026, 3, 4, tzinfo=UTC)
SAME, CAUSE = (msgspec.convert({"relation": name}, RelationAnswer) for name in ("same_event", "left_right_cause"))
CAMPAIGN = Campaign(id="c", title="Pairs", kind=Kind.RELATION, language="en", made=DAY, rules=Rules(control_rate=0.5))


def pair(name: str, **fields: object) -> Item:
    return item_of(Kind.RELATION, {"id": name, "left_title": "Fire", "right_title": "Smoke", **fields})


def known(name: str, role: Role) -> Item:
    return pair(name, role=role.value, gold={"relation": "same_event"})


def vote(item: str, person: str = "ann", answer: RelationAnswer = SAME, **fields: object) -> Vote:
    return Vote(item=item, person=person, answer=answer, at=DAY, **fields)


ITEMS = {
    item.id: item
    for item in (
        pair("w1"),
        known("t1", Role.TRAINING),
        known("e1", Role.EXAM),
        *(known(f"c{number}", Role.CONTROL) for number in range(6)),
        *(pair(f"w{number}") for number in range(2, 9)),
        pair("w9", priority=2.0),
    )
}
WORK = [name for name in ITEMS if name.startswith("w")]


def asked(answer=SAME, person="ann"):
    """The items that a person is asked who always gives one answer to work, and is right elsewhere."""
    own: list[Vote] = []
    while item := next_item(CAMPAIGN, ITEMS, person, own, WORK):
        own.append(vote(item.id, person, answer if item.role is Role.WORK else SAME))
    return [one.item for one in own]


def test_training_comes_first_then_the_exam_then_work_by_priority():
    order = asked()
    assert order[:2] == ["t1", "e1"]
    assert next(name for name in order if name.startswith("w")) == "w9"
    assert {name for name in order if name.startswith("w")} == set(WORK)
    assert len(order) == len(set(order))


def test_controls_are_mixed_into_the_work_in_an_order_that_differs_from_person_to_person():
    orders = {person: asked(person=person) for person in ("ann", "bob", "cid", "dan")}
    assert any(name.startswith("c") for order in orders.values() for name in order)
    assert len({tuple(order) for order in orders.values()}) == len(orders)
    assert asked() == asked(), "a restart changes nothing"


@pytest.mark.parametrize("role", [Role.TRAINING, Role.EXAM, Role.CONTROL])
def test_who_is_wrong_where_the_answer_is_known_is_not_asked_further(role):
    wrong = [
        vote(item.id, answer=CAUSE if item.role is role else SAME)
        for item in ITEMS.values()
        if item.role is not Role.WORK
    ]
    found = standing(CAMPAIGN.rules, ITEMS, wrong)
    assert (found.stage, found.failed_at, found.accuracy(role)) == (Stage.FAILED, role, 0.0)
    assert next_item(CAMPAIGN, ITEMS, "ann", wrong, WORK) is None


def test_too_few_controls_exclude_nobody():
    passed = [vote("t1"), vote("e1")]
    wrong = [vote(f"c{number}", answer=CAUSE) for number in range(CAMPAIGN.rules.fewest_controls)]
    assert standing(CAMPAIGN.rules, ITEMS, passed + wrong[:-1]).stage is Stage.WORK
    assert standing(CAMPAIGN.rules, ITEMS, passed + wrong).stage is Stage.FAILED


def test_a_control_is_shown_as_work():
    shown = ITEMS["c1"].shown()
    assert shown["role"] == ITEMS["w1"].shown()["role"] == "work"
    assert shown.keys() == ITEMS["w1"].shown().keys()


@given(st.lists(st.sampled_from([SAME, CAUSE]), max_size=6), st.integers(1, 6), st.floats(0.5, 1))
def test_an_item_is_finished_when_nobody_can_change_its_answer(answers, overlap, agreed):
    rules = Rules(overlap=overlap, agreed=agreed)
    given_votes = [vote("w1", f"p{number}", answer) for number, answer in enumerate(answers)]
    count, finished = count_answers(rules, ["w1"], given_votes)["w1"]
    assert count == len(answers)
    if len(answers) >= overlap:
        assert finished
    elif finished:
        assert max(answers.count(SAME), answers.count(CAUSE)) >= agreed * overlap
    excluded = [msgspec.structs.replace(one, counted=False) for one in given_votes]
    assert count_answers(rules, ["w1"], excluded)["w1"] == (0, False)
    assert count_answers(rules, ["w1"], [*given_votes, vote("w1", CURATOR)])["w1"] == (count, True)


def test_the_estimate_counts_what_is_missing_and_the_controls():
    rules = Rules(overlap=2, agreed=1.0, control_rate=0.5, pay=0.1)
    items = {name: ITEMS[name] for name in ("w1", "w2", "c1")}
    found = estimate(rules, items, [vote("w1", seconds=10.0)])
    assert (found.answers, found.seconds, round(found.pay, 2)) == (6, 60.0, 0.6)
    del items["c1"]
    assert estimate(rules, items, [vote("w1", seconds=10.0)]).answers == 3


def test_people_are_reported_with_what_they_did():
    votes = [vote("t1", seconds=4.0), vote("w1", seconds=8.0)]
    ann, bob = report_people(CAMPAIGN.rules, ITEMS, votes, {"ann": 0.5}, {"bob": True, "ann": False})
    assert (ann.name, ann.stage, ann.worked, ann.seconds, ann.agreement) == ("ann", Stage.EXAM, 1, 6.0, 0.5)
    assert (bob.excluded, bob.last, bob.agreement) == (True, None, None)


def test_rules_are_as_usual_for_the_kind_unless_they_are_given():
    assert {kind: rules_of(kind, {}).overlap for kind in Kind} == OVERLAP
    assert rules_of(Kind.SPANS, {"overlap": 9, "agreed": 0.5}) == Rules(overlap=9, agreed=0.5)
    for wrong in ({"overlap": 0}, {"agreed": 2}, {"colour": 1}):
        with pytest.raises(InputError, match="no rules"):
            rules_of(Kind.SPANS, wrong)


def test_a_vote_that_does_not_fit_its_item_is_refused():
    row = {"item": "w1", "person": "ann", "answer": {"relation": "same_event"}}
    assert vote_of(ITEMS, row, DAY) == vote("w1")
    for change, reason in (
        ({"item": "x"}, "there is no item 'x'"),
        ({"person": ""}, "no vote"),
        ({"person": "a\nb"}, "no vote"),
        ({"answer": {"relation": "maybe"}}, "no answer to the item 'w1'"),
        ({"at": "2026-03-04T10:00:00"}, "no vote"),
        ({"at": "9999-12-31T23:59:59-23:00"}, "no vote"),
    ):
        with pytest.raises(InputError, match=reason):
            vote_of(ITEMS, row | change, DAY)


KINDS = {
    "a sentence": (Kind.SPANS, {"text": "Smoke rose."}, {"relations": [{"cause": [0, 5], "effect": [6, 20]}]}),
    "an overlap": (Kind.SPANS, {"text": "Smoke rose."}, {"relations": [{"cause": [0, 5], "effect": [4, 9]}]}),
    "no partition": (
        Kind.GROUPING,
        {"headlines": [{"id": "a", "title": "x"}, {"id": "b", "title": "y"}]},
        {"groups": [["a"]]},
    ),
    "an unknown end": (
        Kind.GRAPH,
        {"articles": [{"id": "a", "title": "Fire"}]},
        {"events": [], "links": [{"cause": "x", "effect": "y"}]},
    ),
    "parts of no counterfactual": (
        Kind.COUNTERFACTUAL,
        {"text": "Rain."},
        {"counterfactual": False, "antecedent": [0, 4]},
    ),
    "a score too high": (Kind.STRENGTH, {"cause": "Fire", "effect": "Smoke"}, {"score": 101}),
}


@pytest.mark.parametrize("case", KINDS)
def test_answers_that_cannot_be_are_refused(case):
    kind, fields, answer = KINDS[case]
    with pytest.raises(InputError, match=r"does not fit|no answer"):
        answer_to(item_of(kind, {"id": "x", **fields}), answer)
