"""The heads over the sentence model's states: vectors of mentions, what they tell of, what a link is worth."""

import shutil
from dataclasses import replace

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
    return {
        name: SentenceReader.from_pretrained(name).read(sentences, mentions=True) for name, sentences in LANGUAGES
    }


def all_mentions(readings):
    return [one for read in readings.values() for reading in read for one in reading.mentions]


def test_the_whole_sentence_comes_first_and_no_span_twice(readings):
    for name, sentences in LANGUAGES:
        for sentence, reading in zip(sentences, readings[name], strict=True):
            spans = [one.span for one in reading.mentions]
            found = (*reading.relations, *reading.denials)
            assert spans[0] == (0, len(sentence))
            assert len(set(spans)) == len(spans)
            assert {span for relation in found for span in (relation.cause, relation.effect)} <= set(spans)
            assert all(0 <= start <= end <= len(sentence) for start, end in spans)


def test_vectors_are_of_unit_length(readings):
    for one in all_mentions(readings):
        assert one.vector.shape == (VECTOR_SIZE,)
        assert one.vector.dtype == np.float32
        assert np.linalg.norm(one.vector) == pytest.approx(1, abs=1e-5)


def test_probabilities_are_probabilities(readings):
    for one in all_mentions(readings):
        assert all(0 <= probability <= 1 for probability in (one.actual, one.planned, one.alone))
    relations = [relation for read in readings.values() for reading in read for relation in reading.relations]
    assert relations
    assert all(0 <= relation.edge <= 1 for relation in relations)


def test_what_is_planned_is_distinguished_from_what_has_happened(readings):
    happened, planned = (readings["sentences-en"][number].mentions[0] for number in (1, 2))
    assert happened.actual > 0.5 > happened.planned
    assert planned.planned > happened.planned


def test_mentions_of_one_event_are_nearer(readings):
    fuel, blaze, schools = (readings["sentences-en"][number].mentions for number in range(3))
    fire = next(one for one in fuel[1:] if ENGLISH[0][slice(*one.span)].startswith("the fire"))
    assert fire.vector @ blaze[0].vector > fire.vector @ schools[0].vector


def test_a_probability_of_one_event_and_its_cosine_belong_together():
    for name, _ in LANGUAGES:
        reader = SentenceReader.from_pretrained(name)
        cosine = reader.cosine_for(0.7)
        assert reader.same_event_by_cosine(np.array([cosine]))[0] == pytest.approx(0.7)
        assert reader.cosine_for(0.5) < cosine


def test_company_does_not_matter(readings):
    reader = SentenceReader.from_pretrained("sentences-en")
    for sentence, reading in zip(ENGLISH, readings["sentences-en"], strict=True):
        alone = reader.read([sentence], mentions=True)[0]
        assert alone == reading
        for one, other in zip(alone.mentions, reading.mentions, strict=True):
            assert np.array_equal(one.vector, other.vector)
            assert (one.actual, one.planned, one.alone) == (other.actual, other.planned, other.alone)


def test_nothing_else_changes(readings):
    for name, sentences in LANGUAGES:
        plain = SentenceReader.from_pretrained(name).read(sentences)
        for one, other in zip(plain, readings[name], strict=True):
            assert not one.mentions
            assert all(relation.edge is None for relation in one.relations)
            unasked = tuple(replace(relation, edge=None) for relation in other.relations)
            assert one == replace(other, relations=unasked)


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
        reader.read(RUSSIAN[:1], mentions=True)
    config = (folder / "config.json").read_text(encoding="utf-8").replace('"hidden"', '"unused"')
    other = shutil.copytree(folder, tmp_path / "other")
    (other / "config.json").write_text(config, encoding="utf-8")
    with pytest.raises(ModelError, match="hidden"):
        SentenceReader.from_pretrained(other).read(RUSSIAN[:1], mentions=True)


def test_words_past_the_last_token_get_the_sentence_state():
    heads = MentionHeads.from_folder(WEIGHTS / "sentences-en")
    tokens = np.random.default_rng(0).normal(size=(2, 384)).astype(np.float32)
    whole, logits = tokens[0] + 1, np.zeros(9, dtype=np.float32)
    states = SentenceStates("Prices rose sharply", [(0, 6), (7, 11)], tokens, whole, logits, 0.5)
    assert np.array_equal(states.within([(12, 19)]), whole[None])
    assert np.array_equal(states.within([(7, 19)]), tokens[1:])
    assert np.isfinite(heads.mention(states, (12, 19)).vector).all()
