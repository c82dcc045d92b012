"""Texts that are longer than a model reads: cut before they are tokenised, and read as if they were not."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fake_models import FakeSentences

from whywire.models.encoder import CHARS_PER_TOKEN
from whywire.progress import Stopped, stopping_when

NAMES = ["sentences-en", "sentences-ru"]

WORDS = {
    "sentences-en": "Fuel ran short in the north because unprecedentedly high floodwaters closed 3,500 refineries …",
    "sentences-ru": "Из-за пожара на нефтеперерабатывающем заводе в Ельнинске не хватает топлива 3 500 жителям …",
}

lengths = st.integers(1, 600)


@pytest.fixture(scope="module")
def encoders():
    return {name: FakeSentences(name) for name in NAMES}


def text_of(name, length):
    words = WORDS[name].split()
    return " ".join(words[number * number % len(words)] for number in range(length))


def encoded(encoder, texts):
    return [encoding for batch in encoder.run(texts) for encoding in batch.encodings]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(length=lengths)
def test_a_cut_text_has_the_tokens_of_the_whole(encoders, name, length):
    encoder, text = encoders[name], text_of(name, length)
    (read,), whole = encoded(encoder, [text]), encoder.tokenizer.encode(text)
    assert (read.ids, read.offsets) == (whole.ids, whole.offsets)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(left=lengths, right=lengths)
def test_a_cut_pair_has_the_tokens_of_the_whole(encoders, name, left, right):
    """Where both are cut an odd token may go to the other text."""
    encoder, pair = encoders[name], (text_of(name, left), text_of(name, right))
    (read,), whole = encoded(encoder, [pair]), encoder.tokenizer.encode(*pair)
    assert len(read) == len(whole)
    for side in (0, 1):
        own, wanted = (
            [one for one, place in zip(encoding.ids, encoding.sequence_ids, strict=True) if place == side]
            for encoding in (read, whole)
        )
        assert abs(len(own) - len(wanted)) <= 1
        assert own[: len(wanted)] == wanted[: len(own)]


@pytest.mark.parametrize("name", NAMES)
def test_the_rest_of_a_long_text_is_not_encoded(encoders, name):
    encoder, text = encoders[name], text_of(name, 20_000)
    single, double = encoded(encoder, [text])[0], encoded(encoder, [(text, text)])[0]
    assert len(single.overflowing) <= CHARS_PER_TOKEN
    assert len(double.overflowing) <= 8
    spaces = encoded(encoder, [" " * 1_000_000 + "Rain."])[0]
    assert len(spaces.ids) == 2


@pytest.mark.parametrize("count", [1, 200])
def test_a_question_is_left_between_two_batches(encoders, count):
    asked = threading.Event()
    with stopping_when(asked.is_set):
        assert len(encoded(encoders["sentences-en"], ["Rain."] * count)) == count
        batches = encoders["sentences-en"].run(["Rain."] * count)
        if count > 1:
            next(batches)
        asked.set()
        with pytest.raises(Stopped):
            list(batches)
    assert len(encoded(encoders["sentences-en"], ["Rain."] * count)) == count
