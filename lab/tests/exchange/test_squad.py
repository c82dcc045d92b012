"""Questions: answered by the very words, in the shape of SQuAD 2.0, and never answered by what is denied."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.tests.exchange.made_up import CHAIN, EXAMPLES, RUSSIAN, annotated, relation, unique

from whywire.errors import InputError
from whywire_lab.exchange.annotated_sentences import AnnotatedSentence
from whywire_lab.exchange.squad import from_squad, questions_of, to_squad


def words(question):
    return [question.context[slice(*answer)] for answer in question.answers]


def test_each_relation_asks_for_its_cause_and_for_its_effect():
    found = {question.question: words(question) for question in questions_of(EXAMPLES[0])}
    assert found == {
        "Why did this happen: “the cellar flooded”?": ["the pump failed"],
        "What did this lead to: “the pump failed”?": ["the cellar flooded", "the archive closed"],
        "Why did this happen: “the archive closed”?": ["the pump failed", "the cellar flooded"],
        "What did this lead to: “the cellar flooded”?": ["the archive closed"],
    }


def test_russian_questions_and_a_denied_effect():
    found = {question.question: words(question) for question in questions_of(EXAMPLES[1])}
    assert found == {
        "Почему произошло следующее: «закрыли мост»?": ["паводка"],
        "К чему привело следующее: «паводка»?": ["закрыли мост"],
        "Почему произошло следующее: «Убытков «Порту» он не принёс»?": [],
    }


def test_what_is_denied_is_plausible_but_no_answer():
    text = "The delay was not caused by fog."
    sentence = AnnotatedSentence("1", text, (relation(text, "fog", "The delay", "caused by", denied=True),))
    first, second = json.loads(to_squad([sentence]))["data"][0]["paragraphs"][0]["qas"]
    assert first == {
        "id": "1-1",
        "question": "Why did this happen: “The delay”?",
        "answers": [],
        "is_impossible": True,
        "plausible_answers": [{"text": "fog", "answer_start": 28}],
    }
    assert second["is_impossible"]


@given(st.lists(annotated(), max_size=3).map(unique))
def test_questions_come_back_and_no_denied_pair_is_answered(sentences):
    questions, problems = from_squad(to_squad(sentences))
    assert problems == []
    assert questions == [question for sentence in sentences for question in questions_of(sentence)]
    assert len({question.id for question in questions}) == len(questions)
    for sentence in sentences:
        asserted = {span for one in sentence.relations if not one.denied for span in (one.cause, one.effect)}
        for question in questions_of(sentence):
            assert set(question.answers) <= asserted
            assert not (question.answers and question.plausible)


@given(annotated())
def test_every_asserted_relation_is_asked_for_both_ways(sentence):
    answers = [answer for question in questions_of(sentence) for answer in question.answers]
    for one in sentence.relations:
        if not one.denied:
            assert {one.cause, one.effect} <= set(answers)


def test_a_file_of_others_is_read_and_wrong_answers_are_named():
    qas = [
        {"id": "q1", "question": "Why?", "answers": [{"text": "the pump failed", "answer_start": 6}]},
        {"id": "q2", "question": "Why?", "answers": [{"text": "the pump failed", "answer_start": 7}]},
        {"id": "q3", "answers": []},
        {"id": "q4", "question": "Why?", "answers": [], "is_impossible": True},
    ]
    content = json.dumps({"version": "1.1", "data": [{"title": "t", "paragraphs": [{"context": CHAIN, "qas": qas}]}]})
    questions, problems = from_squad(content, "x")
    assert [(question.id, words(question)) for question in questions] == [("q1", ["the pump failed"]), ("q4", [])]
    assert [problem.place for problem in problems] == ["x:q2", "x:q3"]
    for broken in ("{}", "[]", "nothing", '{"data": 3}'):
        with pytest.raises(InputError, match="no SQuAD file"):
            from_squad(broken)


def test_the_quotation_is_one_line_without_loose_marks():
    text = "Wind,\nthen fire, so all fled"
    sentence = AnnotatedSentence("1", text, (relation(text, "Wind,\nthen fire,", "all fled"),))
    assert questions_of(sentence)[1].question == "What did this lead to: “Wind, then fire”?"
    assert RUSSIAN.count("\n") == 1
