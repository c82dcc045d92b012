"""What the embedded models say of plain sentences; whoever trains them anew must keep to this."""

from copy import copy
from dataclasses import replace

import pytest

from whywire import SentenceReader
from whywire.sentences.counterfactual.contrapositive import with_contrapositives
from whywire.sentences.counterfactual.forms import Form

pytestmark = pytest.mark.model

ENGLISH = [
    "Fuel ran short in the north because the fire had closed the refinery.",
    "The outage was not caused by the storm, the grid operator said.",
    "The closure had nothing to do with the strike, a spokeswoman insisted.",
    "Police denied that the arrests had sparked the riot.",
    "The march passed without a single arrest.",
    "Had the alarm been working, the night crew would have left in time.",
    "Trains stopped not because of the snow but because drivers were ill.",
]
RUSSIAN = [
    "Из-за пожара на заводе в регионе не хватает топлива.",
    "Отключение света не связано с ураганом, сообщили в компании.",
    "Авария произошла не по вине водителя, заявили в полиции.",
]


@pytest.fixture(scope="module")
def english():
    return SentenceReader.from_pretrained("sentences-en")


@pytest.fixture(scope="module")
def russian():
    return SentenceReader.from_pretrained("sentences-ru")


def words(sentence, span):
    return sentence[slice(*span)]


def test_a_cause_is_asserted(english, russian):
    for reader, sentence in ((english, ENGLISH[0]), (russian, RUSSIAN[0])):
        reading = reader.read([sentence])[0]
        assert reading.causal > 0.5 > reading.denial
        assert reading.relations
        assert not reading.denials
    assert "closed the refinery" in words(ENGLISH[0], english.read(ENGLISH[:1])[0].relations[0].cause)


def test_with_no_floor_less_likely_relations_come_after_the_others(english):
    sentences = [*ENGLISH, "The quake cracked a dam, and because of the flood the railway washed away."]
    told, ranked = english.read(sentences, known_causal=True), english.read(sentences, known_causal=True, floor=0)
    for few, many in zip(told, ranked, strict=True):
        assert many.relations[: len(few.relations)] == few.relations
        probabilities = [one.probability for one in many.relations]
        assert probabilities == sorted(probabilities, reverse=True)
    assert sum(len(many.relations) for many in ranked) > sum(len(few.relations) for few in told)


def test_a_denied_cause_is_no_cause(english, russian):
    for reader, sentences in ((english, ENGLISH[1:4]), (russian, RUSSIAN[1:])):
        for sentence, reading in zip(sentences, reader.read(sentences), strict=True):
            assert reading.denial > 0.5, sentence
            assert reading.relations == (), sentence
            assert all(relation.denied for relation in reading.denials)
            assert reading.denials, sentence
    denied = english.read(ENGLISH[1:2])[0].denials[0]
    assert words(ENGLISH[1], denied.cause) == "the storm"
    assert words(ENGLISH[1], denied.effect) == "The outage"


def test_one_sentence_denies_and_asserts(english):
    reading = english.read([ENGLISH[6]])[0]
    assert [words(ENGLISH[6], relation.cause) for relation in reading.relations] == ["drivers were ill"]
    assert [words(ENGLISH[6], relation.cause) for relation in reading.denials] == ["the snow"]


STRIKE = "Rail workers downed tools over pay, so that thousands had to walk home."


def test_calibration_only_takes_words_from_signals(english):
    model = copy(english.model)
    calibration = {name: fitted for name, fitted in model.config["calibration"].items() if name != "signal"}
    model.config = model.config | {"calibration": calibration}
    sentences = [*ENGLISH, STRIKE]
    before, after = (
        [
            (one, {place for span in one.signals for place in range(*span)})
            for reading in reader.read(sentences, known_causal=True, n_best=2)
            for one in (*reading.relations, *reading.denials, *reading.n_best)
        ]
        for reader in (SentenceReader(model), english)
    )
    for (old, wide), (new, narrow) in zip(before, after, strict=True):
        assert replace(old, signals=()) == replace(new, signals=())
        assert narrow <= wide
    assert sum(len(narrow) for _, narrow in after) < sum(len(wide) for _, wide in before)


def test_a_relation_has_the_words_that_express_it_and_no_others(english):
    text = "Dockers went on strike over pay so that the port would listen."
    found = english.read([text])[0].relations
    assert [[words(text, span) for span in relation.signals] for relation in found] == [["over"], ["so that"]]


def test_a_sentence_says_the_same_alone_and_in_company(english):
    together = english.read(ENGLISH, n_best=2)
    assert [english.read([sentence], n_best=2)[0] for sentence in ENGLISH] == together
    assert english.read(ENGLISH[::-1], n_best=2) == together[::-1]


def test_a_sentence_that_came_before_is_not_read_again(english):
    steps = []
    first = english.read(ENGLISH[:2])
    again = english.read([*ENGLISH[:3], ENGLISH[0]], steps.append)
    assert again[0] is first[0]
    assert again[1] is first[1]
    assert again[3] is first[0]
    assert sum(steps) == 4
    assert english.read(ENGLISH[:1], n_best=2)[0].n_best, "another question is another reading"
    assert not english.read(ENGLISH[:1])[0].n_best


def test_rivals_come_with_falling_probabilities_and_the_best_is_the_relation(english):
    reading = english.read(ENGLISH[:1], n_best=4)[0]
    probabilities = [rival.probability for rival in reading.n_best]
    assert len(probabilities) == 4
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) <= 3 * reading.causal
    assert (reading.n_best[0].cause, reading.n_best[0].effect) == (
        reading.relations[0].cause,
        reading.relations[0].effect,
    )


def test_a_counterfactual_has_its_form_and_what_it_implies(english):
    pytest.importorskip("spacy")
    reading = with_contrapositives(ENGLISH[5:6], english.read(ENGLISH[5:6]))[0]
    assert reading.form is Form.VERB_INVERSION
    assert reading.contrapositive == "Since the alarm was not working, the night crew did not leave in time."
