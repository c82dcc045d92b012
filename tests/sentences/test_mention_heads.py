"""The heads over the sentence model's states: vectors of mentions, and whether their words are understood alone."""

import re
import shutil

import numpy as np
import pytest

from whywire import SentenceReader
from whywire.errors import ModelError
from whywire.models.pretrained import WEIGHTS
from whywire.sentences.mention_heads import FILE, VECTOR_SIZE, MentionHeads, SentenceStates

pytestmark = pytest.mark.model

ENGLISH = [
    "Fuel ran short in the north because the fire had closed the refinery.",
    "A blaze shut the refinery on Monday.",
    "The council will close two schools next year to save money.",
    "The outage was not caused by the storm, the grid operator said.",
    "Prices rose.",
    "",
]
RUSSIAN = ["Из-за пожара на заводе в регионе не хватает топлива.", "Школы закрыли после аварии на теплотрассе."]
LANGUAGES = [("sentences-en", ENGLISH), ("sentences-ru", RUSSIAN)]


@pytest.fixture(scope="module")
def readings():
    return {name: SentenceReader.from_pretrained(name).read(said, mentions=spans(said)) for name, said in LANGUAGES}


def spans(sentences):
    """Of each sentence the first half of the words, the last word, and once more the first half."""
    found = []
    for sentence in sentences:
        words = [*re.finditer(r"\w+", sentence)]
        half = [(words[0].start(), words[len(words) // 2].end())] if words else []
        found.append([*half, *(words and [words[-1].span()]), *half])
    return found


def all_mentions(readings):
    return [one for read in readings.values() for reading in read for one in reading.mentions]


def test_the_whole_sentence_comes_first_then_each_span_once(readings):
    for name, sentences in LANGUAGES:
        for sentence, wanted, reading in zip(sentences, spans(sentences), readings[name], strict=True):
            assert [one.span for one in reading.mentions] == [*dict.fromkeys([(0, len(sentence)), *wanted])]


def test_vectors_are_of_unit_length(readings):
    for one in all_mentions(readings):
        assert one.vector.shape == (VECTOR_SIZE,)
        assert one.vector.dtype == np.float32
        assert np.linalg.norm(one.vector) == pytest.approx(1, abs=1e-5)


def test_probabilities_are_probabilities(readings):
    assert all(0 <= one.alone <= 1 for one in all_mentions(readings))


def test_words_that_name_an_event_are_rather_understood_alone_than_a_pronoun():
    sentence = "It was shut after a fire at the refinery killed three workers."
    fire = sentence.index("a fire"), len(sentence) - 1
    (reading,) = SentenceReader.from_pretrained("sentences-en").read([sentence], mentions=[[fire, (0, 2)]])
    _, named, pronoun = reading.mentions
    assert named.alone > pronoun.alone


def test_mentions_of_one_event_are_nearer():
    fire = ENGLISH[0].index("the fire"), len(ENGLISH[0]) - 1
    fuel, blaze, schools = SentenceReader.from_pretrained("sentences-en").read(ENGLISH[:3], mentions=[[fire], [], []])
    assert fuel.mentions[1].vector @ blaze.mentions[0].vector > fuel.mentions[1].vector @ schools.mentions[0].vector


def test_company_does_not_matter(readings):
    reader = SentenceReader.from_pretrained("sentences-en")
    for sentence, wanted, reading in zip(ENGLISH, spans(ENGLISH), readings["sentences-en"], strict=True):
        alone = reader.read([sentence], mentions=[wanted])[0]
        assert alone == reading
        for one, other in zip(alone.mentions, reading.mentions, strict=True):
            assert np.array_equal(one.vector, other.vector)
            assert one.alone == other.alone


def test_nothing_else_changes(readings):
    for name, sentences in LANGUAGES:
        plain = SentenceReader.from_pretrained(name).read(sentences)
        assert plain == readings[name]
        assert not any(one.mentions for one in plain)


def test_hidden_states_are_no_output_unless_asked_for():
    model = SentenceReader.from_pretrained("sentences-en").model
    assert model.hidden not in model.outputs
    (plain,) = model.run(ENGLISH[:2])
    (asked,) = model.run(ENGLISH[:2], ["tokens", model.hidden])
    assert model.hidden not in plain.outputs
    for row, encoding in enumerate(asked.encodings):
        assert len(asked.outputs[model.hidden][row]) == len(encoding)
        assert np.array_equal(asked.outputs["tokens"][row], plain.outputs["tokens"][row])


def test_a_model_without_heads_says_what_is_missing(tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(WEIGHTS / "sentences-ru", folder, ignore=shutil.ignore_patterns(FILE))
    reader = SentenceReader.from_pretrained(folder)
    assert reader.read(RUSSIAN[:1])[0].relations
    with pytest.raises(ModelError, match=r"mentions\.npz"):
        reader.read(RUSSIAN[:1], mentions=[[]])
    config = (folder / "config.json").read_text(encoding="utf-8").replace('"hidden"', '"unused"')
    other = shutil.copytree(folder, tmp_path / "other")
    (other / "config.json").write_text(config, encoding="utf-8")
    with pytest.raises(ModelError, match="hidden"):
        SentenceReader.from_pretrained(other).read(RUSSIAN[:1], mentions=[[]])


def test_words_past_the_last_token_get_the_sentence_state():
    heads = MentionHeads.from_folder(WEIGHTS / "sentences-en")
    tokens = np.random.default_rng(0).normal(size=(2, 384)).astype(np.float32)
    whole, logits = tokens[0] + 1, np.zeros(9, dtype=np.float32)
    states = SentenceStates("Prices rose sharply", [(0, 6), (7, 11)], tokens, whole, logits, 0.5)
    assert np.array_equal(states.within([(12, 19)]), whole[None])
    assert np.array_equal(states.within([(7, 19)]), tokens[1:])
    assert np.isfinite(heads.mention(states, (12, 19)).vector).all()
