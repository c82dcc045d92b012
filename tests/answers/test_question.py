"""A question is known by its form; what the form leaves over is the event asked about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.answers.question import QuestionType, parse_question
from whywire.errors import InputError
from whywire.news import Language

CAUSE = {
    "Why did fuel run short in Port Ellery?": "fuel run short in Port Ellery",
    "why haven't the buses run": "the buses run",
    "So why is the bridge closed?!": "the bridge closed",
    "How come the lights went out?": "the lights went out",
    "Because of what was the match stopped?": "the match stopped",
    "What caused the blackout?": "the blackout",
    "What has led to the strike?": "the strike",
    "What was the main reason for the delay?": "the delay",
    "What is behind the rise in prices?": "the rise in prices",
    "What made Velmar stop its lines?": "Velmar stop its lines",
    "What was the delay caused by?": "the delay",
    "Почему не хватает топлива?": "не хватает топлива",
    "Из-за чего прорвало плотину?": "прорвало плотину",
    "А по какой причине закрыли мост?": "закрыли мост",
    "Что стало причиной аварии?": "аварии",
    "Что вызвало пожар?": "пожар",
    "Чем вызван рост цен?": "рост цен",
    "В чём причина задержки?": "задержки",
}
EFFECT = {
    "What did the strike lead to?": "the strike",
    "What has the closure of the plant caused?": "the closure of the plant",
    "What were the consequences of the flood?": "the flood",
    "What happened after the dam burst?": "the dam burst",
    "К чему привело закрытие линии?": "закрытие линии",
    "К чему приведёт забастовка?": "забастовка",
    "Что вызвал пожар?": "пожар",
    "Чем обернулась утечка данных?": "утечка данных",
    "Каковы последствия наводнения?": "наводнения",
    "Что произошло из-за тумана?": "тумана",
}


@pytest.mark.parametrize(
    ("text", "asks", "content"),
    [(text, QuestionType.CAUSE, content) for text, content in CAUSE.items()]
    + [(text, QuestionType.EFFECT, content) for text, content in EFFECT.items()],
)
def test_forms_of_questions(text, asks, content):
    question = parse_question(text)
    assert (question.type, question.content, question.text) == (asks, content, text)
    russian = any("а" <= letter <= "я" for letter in text.lower())
    assert question.language is (Language.RUSSIAN if russian else Language.ENGLISH)


@pytest.mark.parametrize("text", ["", "?", "Who won the cup?", "Fuel ran short.", "Why?", "Кто победил?", "почему"])
def test_what_asks_neither_is_refused_with_examples(text):
    with pytest.raises(InputError, match="neither for a cause nor for an effect") as refused:
        parse_question(text)
    assert "Why did fuel run short?" in str(refused.value)


@given(st.text())
def test_any_text_is_a_question_with_content_or_refused(text):
    try:
        question = parse_question(text)
    except InputError:
        return
    assert question.content
