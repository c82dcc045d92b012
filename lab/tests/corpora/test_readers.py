"""Each corpus is read as its files are written."""

import json

import pytest

from whywire.errors import InputError
from whywire_lab.corpora import e_care, event_causes
from whywire_lab.corpora.causal_news_corpus import parse_relation


def test_everyday_questions(tmp_path):
    rows = [
        {
            "premise": "It froze.",
            "ask-for": "effect",
            "hypothesis1": "The pond is ice.",
            "hypothesis2": "x",
            "label": 0,
        },
        {
            "premise": "He slipped.",
            "ask-for": "cause",
            "hypothesis1": "y",
            "hypothesis2": "Ice lay there.",
            "label": 1,
        },
    ]
    path = tmp_path / "train.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    effect, cause = e_care.read_questions(path)
    assert (effect.asks_for_effect, effect.right, effect.wrong) == (True, "The pond is ice.", "x")
    assert (cause.asks_for_effect, cause.right, cause.wrong) == (False, "Ice lay there.", "y")


def test_questions_about_causes(tmp_path):
    row = {"topic_id": 3, "target_event": "The dam broke.", "golden_answer": "A,C"}
    row |= {f"option_{letter}": letter.lower() for letter in "ABCD"}
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    (question,) = event_causes.read_questions(path)
    assert (question.topic, question.options, question.answers) == (3, ("a", "b", "c", "d"), {0, 2})


def test_marked_text_gives_spans_and_signals_into_the_plain_text():
    text, relation = parse_relation(
        "<ARG1>Trains stood still</ARG1> <SIG0>because of</SIG0> <ARG0>the strike</ARG0> ."
    )
    assert text == "Trains stood still because of the strike ."
    assert [text[slice(*span)] for span in (relation.cause, relation.effect, *relation.signals)] == [
        "the strike",
        "Trains stood still",
        "because of",
    ]


@pytest.mark.parametrize("marked", ["<ARG0>open", "no tags", "closed</ARG1>"])
def test_broken_markup_is_refused(marked):
    with pytest.raises(InputError):
        parse_relation(marked)
