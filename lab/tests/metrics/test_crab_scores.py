"""CRAB's measures by hand: classes, choices, frames, chains, strata and agreement."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.elements import StrengthClass, strength_class
from whywire.graph.chains import ChainKind
from whywire.graph.frames import Frame
from whywire.news.article import Published
from whywire_lab.corpora.crab import CausalPair, StoryEvent
from whywire_lab.metrics.classification import macro_f1
from whywire_lab.metrics.crab import (
    OPTIONS,
    Judgement,
    chains_of,
    evaluate,
    frames_of,
    make_choices,
    strata_of,
    workers_alpha,
)


def pair(cause: str, effect: str, score: float, story: str = "s", **more: object) -> CausalPair:
    return CausalPair(StoryEvent(cause, cause), StoryEvent(effect, effect), score, story, **more)


def right(pairs):
    return [Judgement.of(pair.score) for pair in pairs]


scores = st.integers(0, 100)
stories = st.dictionaries(st.tuples(*[st.sampled_from("abcdefgh")] * 2), scores, min_size=1).map(
    lambda known: [pair(*events, score) for events, score in known.items() if events[0] < events[1]]
)


@given(stories.filter(len))
def test_who_knows_the_scores_is_right_in_everything(pairs):
    found = evaluate(pairs, right(pairs))
    assert set(found.scores.values()) == {1}
    structures = [found.all_frames, *found.frames.values(), *found.chains.values()]
    assert {(own.f1, own.exact) for own in structures} == {(1, 1)}
    assert found.all_frames.number == len({pair.effect.name for pair in pairs})
    assert sum(own.number for own in found.frames.values()) == found.all_frames.number


@given(stories.filter(len))
def test_choices_ask_once_about_a_pair_and_one_answer_is_highest(pairs):
    choices = make_choices(pairs)
    asked = [number for choice in choices for number in choice.pairs]
    assert len(asked) == len(set(asked)) == OPTIONS * len(choices)
    for choice in choices:
        assert len({pairs[number].effect for number in choice.pairs}) == 1
        own = [pairs[number].score for number in choice.pairs]
        assert [score for score in own if score >= own[choice.answer]] == [own[choice.answer]]
    again = make_choices(pairs[::-1])
    assert sorted(pairs[number].texts for choice in choices for number in choice.pairs) == sorted(
        pairs[::-1][number].texts for choice in again for number in choice.pairs
    )


@pytest.mark.parametrize(
    ("strength", "name", "causal"),
    [
        (0, StrengthClass.NONE, False),
        (20, StrengthClass.NONE, False),
        (50, StrengthClass.LOW, False),
        (50.1, StrengthClass.MEDIUM, True),
        (100, StrengthClass.HIGH, True),
    ],
)
def test_a_judgement_follows_from_a_strength(strength, name, causal):
    assert Judgement.of(strength) == Judgement(strength, name, causal)


def test_what_was_asked_for_by_itself_stands_by_itself():
    assert Judgement.of(10, StrengthClass.HIGH) == Judgement(10, StrengthClass.HIGH, True)
    assert Judgement.of(10, None, True) == Judgement(10, StrengthClass.NONE, True)


def test_scores_by_hand():
    pairs = [pair("a", "e", 90), pair("b", "e", 60), pair("c", "e", 30), pair("d", "e", 10)]
    judged = [Judgement.of(85), Judgement.of(90), Judgement.of(25), Judgement.of(70, StrengthClass.NONE, False)]
    found = evaluate(pairs, judged)
    high, low = 2 / 3, 1
    assert found.scores["score F1"] == pytest.approx((high + 0 + low + 0) / 4)
    assert found.scores["4-class F1"] == pytest.approx((high + 0 + low + 1) / 4)
    assert found.scores["binary F1"] == 1
    assert (found.scores["choice F1"], found.scores["choice EM"]) == (0, 0)  # the strongest told is b, it is a
    assert found.frames == {Frame.MIXED: found.all_frames}
    assert (found.all_frames.f1, found.all_frames.exact) == (pytest.approx((high + 0 + low + 1) / 4), 0)


def test_the_f1_of_frames_is_the_mean_over_frames_and_not_over_their_pairs():
    pairs = [pair("a", "c", 90), pair("b", "c", 10), pair("a", "d", 10)]
    judged = [Judgement.of(90), Judgement.of(10), Judgement.of(90)]
    found = evaluate(pairs, judged)
    assert (found.all_frames.number, found.all_frames.f1, found.all_frames.exact) == (2, 0.5, 0.5)
    assert found.frames[Frame.STRONG_DIRECT].exact == 1
    assert found.frames[Frame.NONE].f1 == 0


def test_frames_are_of_one_story_and_tie_phrasings_of_one_event():
    told_again = replace(pair("b", "x", 60), effect=StoryEvent("X, again", "x"))
    assert frames_of([pair("a", "x", 90), told_again, pair("a", "x", 10, story="t")]) == [(0, 1), (2,)]


def test_chains_by_hand():
    pairs = [
        pair("rain", "flood", 90),
        pair("flood", "flight", 70),
        pair("rain", "flight", 60),
        pair("gale", "flight", 55),
        pair("gale", "flood", 50),
    ]
    found = list(chains_of(pairs))
    assert found.count((ChainKind.MEDIATION, (0, 1))) == 1
    assert [own for kind, own in found if kind is ChainKind.CONFOUNDING] == [(0, 2)]
    assert {own for kind, own in found if kind is ChainKind.COLLIDER} == {(1, 3), (2, 3)}
    assert len(found) == 4
    assert list(chains_of([pair("a", "b", 90), pair("b", "c", 90, story="t")])) == []


def test_a_chain_is_right_where_both_its_links_are():
    pairs = [pair("a", "b", 90), pair("b", "c", 60), pair("c", "d", 60)]
    judged = [Judgement.of(90), Judgement.of(60), Judgement.of(90)]
    mediation = evaluate(pairs, judged).chains[ChainKind.MEDIATION]
    assert (mediation.number, mediation.exact) == (2, 0.5)
    assert mediation.f1 == pytest.approx((1 + macro_f1(["m", "h"], ["m", "m"])) / 2)


def at(year: int) -> Published:
    return Published(datetime(year, 6, 1, tzinfo=UTC))


def test_strata_by_document_and_by_date():
    pairs = [pair("a", "b", 90, in_document=True), pair("a", "c", 10, in_document=False), pair("b", "c", 10)]
    pairs[0] = replace(pairs[0], cause=replace(pairs[0].cause, published=at(2021)))
    pairs[1] = replace(pairs[1], cause=replace(pairs[1].cause, published=at(2021)))
    pairs[1] = replace(pairs[1], effect=replace(pairs[1].effect, published=at(2022)))
    expected = {"in-document": {0}, "cross-document": {1}, "before 2022-01-01": {0}, "since 2022-01-01": {1}}
    assert strata_of(pairs) == expected
    assert list(strata_of(pairs)) == list(expected)
    assert strata_of(pairs, datetime(2020, 1, 1, tzinfo=UTC))["since 2020-01-01"] == {0, 1}
    found = evaluate(pairs, [Judgement.of(90)] * 3).strata
    assert (found["in-document"]["binary F1"], found["cross-document"]["binary F1"]) == (1, 0)
    assert strata_of([pair("a", "b", 1)]) == {}


def test_a_question_belongs_where_its_right_answer_does():
    pairs = [
        pair(name, "e", score, in_document=score == 90) for name, score in zip("abcd", (90, 60, 30, 10), strict=True)
    ]
    found = evaluate(pairs, right(pairs)).strata
    assert found["in-document"]["choice EM"] == 1
    assert "choice EM" not in found["cross-document"]


def test_workers_agreement():
    agreed = [pair("a", "b", 90, scores=(90, 95, 92)), pair("a", "c", 5, scores=(5, 0))]
    found = workers_alpha(agreed)
    assert (found["4 classes"], found["none and high"]) == (1, 1)
    assert 0.95 < found["scores"] < 1
    torn = [pair("a", "b", 50, scores=(0, 100)), pair("a", "c", 50, scores=(100, 0))]
    assert workers_alpha([*agreed, *torn])["4 classes"] < 0.5
    assert workers_alpha([*agreed, *torn])["none and high"] == 1
    assert workers_alpha([pair("a", "b", 50, scores=(50,))]) == {}


def test_as_many_judgements_as_pairs():
    with pytest.raises(ValueError, match="1 judgements for 0 pairs"):
        evaluate([], [Judgement.of(1)])


def test_the_class_of_a_score_is_the_one_notion_there_is():
    pairs = [pair("a", "b", 50)]
    assert evaluate(pairs, [Judgement.of(50)]).scores["4-class F1"] == float(strength_class(50) is StrengthClass.LOW)


def test_each_class_has_scores_and_another_bound_another_f1():
    pairs = [pair("a", "b", 90), pair("b", "c", 60), pair("c", "d", 10)]
    found = evaluate(pairs, [Judgement.of(95), Judgement.of(85), Judgement.of(5)])
    assert (found.classes[StrengthClass.HIGH].precision, found.classes[StrengthClass.HIGH].recall) == (0.5, 1)
    assert found.classes[StrengthClass.MEDIUM].recall == 0
    assert found.sweep[50] == (1, 1)
    assert found.sweep[70][0] == found.sweep[70][1] < 1  # 60 is no cause there, and was called one
    assert list(found.sweep) == [10, 20, 30, 40, 50, 60, 70, 80, 90]


def test_a_missing_answer_is_wrong_and_no_class_of_its_own():
    pairs = [pair("a", "e", 90), pair("b", "e", 10), pair("c", "e", 5), pair("d", "e", 15)]
    none = Judgement(None, None, None)
    assert set(evaluate(pairs, [none] * 4).scores.values()) == {0.0}
    found = evaluate(pairs, [right(pairs)[0], none, none, none]).scores
    assert found["binary F1"] == 0.5
    assert found["choice EM"] == 1


def test_a_choice_is_what_was_chosen_and_not_the_strongest():
    pairs = [pair("a", "e", 90), pair("b", "e", 10), pair("c", "e", 5), pair("d", "e", 15)]
    strengths = [Judgement.of(strength) for strength in (10, 99, 20, 30)]
    assert evaluate(pairs, strengths).scores["choice EM"] == 0
    for chosen, exact in (((True, False), 1), ((False, True), 0), ((True, True), 0), ((False, False), 0)):
        marks = [*chosen, False, False]
        judged = [replace(own, chosen=mark) for own, mark in zip(strengths, marks, strict=True)]
        assert evaluate(pairs, judged).scores["choice EM"] == exact
