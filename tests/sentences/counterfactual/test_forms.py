"""The five forms are told apart, questions and plain reports are left alone, and spans are the words they claim."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("spacy")

from whywire.errors import ModelError
from whywire.sentences.counterfactual.forms import Form, match_forms
from whywire.sentences.counterfactual.grammar import english

try:
    english()
except ModelError:
    pytest.skip("spaCy has no English pipeline here", allow_module_level=True)


def match_form(text):
    """The form of one sentence."""
    return match_forms([text])[0]


EXAMPLES = [
    ("Had the valve held, the plant would still be running.", Form.VERB_INVERSION, "Had", "would"),
    ("Were it not for the dam, the village might be under water.", Form.VERB_INVERSION, "Were", "might"),
    ("The night crew would have left in time had the alarm been working.", Form.VERB_INVERSION, "had", "would"),
    ("The bridge could be open today were it not for the strike.", Form.VERB_INVERSION, "were", "could"),
    ("I wish the inspectors had come a day earlier.", Form.WISH_SHOULD, "wish", None),
    ("The operator should have closed the gate.", Form.WISH_SHOULD, "should have", None),
    ("The pump could've been replaced in spring.", Form.WISH_SHOULD, "could've", None),
    ("If the firm had paid its drivers, the trams would have run.", Form.CONJUNCTIVE_NORMAL, "If", "would"),
    ("If I were the mayor, I'd open the sluice.", Form.CONJUNCTIVE_NORMAL, "If", "'d"),
    ("But for the rain, the fire would have reached the school.", Form.CONJUNCTIVE_NORMAL, "But for", "would"),
    ("She said that if they'd listened, nobody would have been hurt.", Form.CONJUNCTIVE_NORMAL, "if", "would"),
    ("Even if the deal had gone through, prices would have risen.", Form.CONJUNCTIVE_NORMAL, "Even if", "would"),
    ("Fares would be lower if the line were public.", Form.CONJUNCTIVE_CONVERSE, "if", "would"),
    ("Nobody would have noticed the leak without the storm.", Form.CONJUNCTIVE_CONVERSE, "without", "would"),
    ("You should have rung me, I would have come at once.", Form.MODAL_NORMAL, "should have", "would"),
]

PLAIN = [
    "",
    "   ",
    "The refinery closed on Monday.",
    "If it rains tomorrow, the match will be moved.",
    "They asked her if the tower was safe.",
    "The two sides hope to sign in May.",
    "The minister had been warned twice before the flood.",
    "Officials said the port would open if the wind dropped.",
    "The report may have been lost.",
    "Send our best wishes to the team.",
]


@pytest.mark.parametrize(("text", "form", "trigger", "modal"), EXAMPLES)
def test_a_form_is_given_with_its_words(text, form, trigger, modal):
    match = match_form(text)
    assert match is not None
    assert match.form is form
    assert text[slice(*match.trigger)] == trigger
    assert (match.modal and text[slice(*match.modal)]) == modal


@pytest.mark.parametrize("text", PLAIN)
def test_sentences_of_no_form_are_left_alone(text):
    assert match_form(text) is None


def test_a_curly_apostrophe_is_an_apostrophe():
    straight = "If I'd known, I wouldn't have sold."
    assert match_form(straight) == match_form(straight.replace("'", "’"))


def test_direct_speech_is_not_restated():
    quoted = 'The owner said: "The mill would close if we lost the order."'
    retold = "The owner said the mill would close if they lost the order."
    assert match_form(quoted)
    assert match_form(retold) is None


def test_a_batch_gives_what_each_sentence_gives_alone_in_order():
    texts = [text for text, *_ in EXAMPLES] + PLAIN
    assert match_forms(iter(texts)) == [match_form(text) for text in texts]
    assert match_forms([]) == []


PIECES = "if only even had were should would have been not n't the valve it held , “ ? wish 'd unless but for без ü"

words = st.sampled_from(PIECES.split())


@settings(max_examples=60)
@given(st.lists(words, max_size=40), st.sampled_from([" ", "  ", "\n"]))
def test_spans_lie_in_any_text_and_end_at_words(tokens, gap):
    text = gap.join(tokens)
    match = match_form(text)
    for span in [match.trigger, match.modal] if match else []:
        if span is not None:
            assert 0 <= span[0] < span[1] <= len(text)
            assert text[slice(*span)] == text[slice(*span)].strip()


def test_a_text_far_longer_than_a_sentence_is_matched():
    assert match_form("the valve held " * 300) is None
    assert match_form("the valve held " * 300 + "but it should have closed") is not None
