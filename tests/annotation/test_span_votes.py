"""Relations of several annotators: paired, and brought to one."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whywire.annotation.span_votes import Match, match, merge_relations, pair_relations, similarity
from whywire.sentences.reading import CausalRelation

TEXT = "Heavy rain flooded the road so the school closed early ."
RAIN, ONLY_RAIN, FLOOD, SO, SCHOOL = (0, 10), (6, 10), (11, 27), (28, 30), (31, 54)


@st.composite
def relations(draw):
    cuts = sorted(draw(st.lists(st.integers(0, 40), min_size=4, max_size=4, unique=True)))
    spans = [(cuts[0], cuts[1]), (cuts[2], cuts[3])]
    cause, effect = draw(st.permutations(spans))
    return CausalRelation(cause, effect, draw(st.sampled_from([(), ((41, 44),)])))


sentences = st.lists(relations(), max_size=4)


def test_degrees_of_a_match():
    one, other = CausalRelation(RAIN, FLOOD, (SO,)), CausalRelation(ONLY_RAIN, SCHOOL)
    assert match("cause", one, other) == Match(0, 1, 1)
    assert match("effect", one, other) == Match(0, 0, 0)
    assert match("signal", one, other) == Match(0, 0, 0)  # one left it unmarked
    assert match("signal", other, other) == Match(1, 1, 1)
    assert match("cause", one, None) == Match(0, 0, 0)


def test_relations_meet_as_they_agree_best():
    first, second = CausalRelation(RAIN, FLOOD), CausalRelation((0, 27), SCHOOL, (SO,))
    near_second = CausalRelation((11, 27), SCHOOL, (SO,))
    assert pair_relations([first, second], [near_second]) == [(first, None), (second, near_second)]
    assert pair_relations([], [first]) == [(None, first)]


def test_many_relations_are_paired_in_reasonable_time():
    many = [CausalRelation((place, place + 3), (place + 4, place + 9)) for place in range(0, 600, 10)]
    assert pair_relations(many, many[::-1]) == [(own, own) for own in many]


def test_the_consensus_is_what_the_others_come_nearest_to():
    middle = CausalRelation(RAIN, SCHOOL, (SO,))
    marked = [[CausalRelation(ONLY_RAIN, SCHOOL, (SO,))], [middle], [CausalRelation((0, 27), SCHOOL, (SO,))], []]
    (found,) = merge_relations(marked)
    assert (found.relation, found.votes, found.share) == (middle, 3, 0.75)
    assert found.exact == pytest.approx(1 / 3)


def test_relations_of_one_annotator_stay_apart():
    first, second = CausalRelation(RAIN, FLOOD), CausalRelation(RAIN, (11, 54))
    found = merge_relations([[first, second], [first], [second]])
    assert [(own.relation, own.votes) for own in found] == [(first, 2), (second, 2)]


def test_cause_and_effect_the_other_way_round_are_another_relation():
    one, other = CausalRelation(RAIN, FLOOD), CausalRelation(FLOOD, RAIN)
    assert [own.votes for own in merge_relations([[one], [other]])] == [1, 1]
    assert merge_relations([]) == merge_relations([[], []]) == []


@given(sentences, st.integers(1, 5))
def test_who_agree_decide_what_they_say(marked, annotators):
    found = merge_relations([marked] * annotators)
    assert {own.relation for own in found} == set(marked)
    assert {(own.share, own.exact) for own in found} <= {(1, 1)}


@settings(max_examples=60)
@given(st.lists(sentences, min_size=1, max_size=5), st.randoms())
def test_groups_hold_one_relation_of_each_annotator_in_any_order(marked, dice):
    found = merge_relations(marked)
    assert sum(own.votes for own in found) == sum(len(set(own)) for own in marked)
    assert all(own.votes <= len(marked) for own in found)
    for own in marked:
        dice.shuffle(own)
    dice.shuffle(marked)
    assert merge_relations(marked) == found


@given(sentences, sentences)
def test_every_relation_is_in_one_pair(one, other):
    pairs = pair_relations(one, other)
    assert sorted(map(repr, one)) == sorted(repr(left) for left, _ in pairs if left)
    assert sorted(map(repr, other)) == sorted(repr(right) for _, right in pairs if right)
    assert len(pairs) == max(len(one), len(other))


@given(st.lists(relations(), min_size=2, max_size=2))
def test_similarity_is_symmetric(two):
    for one, other in combinations(two, 2):
        assert similarity(one, other) == similarity(other, one) <= similarity(one, one) == 1
