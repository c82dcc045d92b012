"""What the embedded models promise holds for the fake ones of the tests as well."""

import numpy as np
import pytest

from whywire.language_models import LanguageModels
from whywire.news import Article, Language
from whywire.pairs.relations import RELATIONS, Relation, column, mirrored
from whywire.reading.drawing import VECTOR_SIZE

HEADLINES = {
    Language.ENGLISH: [
        "Fire destroys Teskal oil refinery",
        "Choir of Oslo wins prize",
        "Minister denies he resigned",
    ],
    Language.RUSSIAN: ["Пожар уничтожил нефтебазу", "Хор получил премию", "Министр опроверг отставку"],
}
CAUSAL = {
    Language.ENGLISH: ("Fuel ran short because the refinery burned down.", "the refinery", "Fuel"),
    Language.RUSSIAN: ("Бензин подорожал, потому что сгорела нефтебаза.", "сгорела", "Бензин"),
}
IMAGINED = {
    Language.ENGLISH: ("Had the dam held, the town would not have flooded.", "Had the dam held"),
    Language.RUSSIAN: ("Если бы дамбу укрепили, город бы не затопило.", "Если бы дамбу укрепили"),
}
PLAIN = {
    Language.ENGLISH: "The council meets on Monday.",
    Language.RUSSIAN: "Совет соберётся в понедельник.",
}


@pytest.fixture(params=["fake", pytest.param("embedded", marks=pytest.mark.model)])
def models(request, fake_models) -> LanguageModels:
    return fake_models if request.param == "fake" else LanguageModels()


@pytest.fixture(params=[Language.ENGLISH, Language.RUSSIAN])
def language(request) -> Language:
    return request.param


def test_a_headline_has_a_unit_vector_of_its_own_whatever_its_company(models, language):
    model, progress = models.pairs(language), []
    vectors = model.embed(HEADLINES[language], progress.append)
    assert vectors.dtype == np.float32
    assert sum(progress) == len(vectors) == 3
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(model.embed(HEADLINES[language][1:2]), vectors[1:2])
    assert model.embed([]).shape[0] == 0
    assert vectors[0] @ vectors[1] < 0.9


def test_relations_are_probabilities_and_mirror(models, language):
    model = models.pairs(language)
    first, second, third = HEADLINES[language]
    pairs = [(first, second), (first, third), (third, second)]
    answers = model.relation_probabilities(pairs)
    assert answers.shape == (3, len(RELATIONS))
    np.testing.assert_allclose(answers.sum(axis=1), 1)
    assert (answers >= 0).all()
    np.testing.assert_array_equal(model.relation_probabilities([pair[::-1] for pair in pairs]), mirrored(answers))
    np.testing.assert_allclose(model.relate(pairs).sum(axis=1), 1)


def test_a_headline_tells_of_the_event_of_its_copy_and_hardly_of_anothers(models, language):
    model = models.pairs(language)
    first, second, _ = HEADLINES[language]
    pairs = [(first, first), (first, second)]
    likely = model.same_event_probabilities(pairs)
    assert likely[0] > likely[1]
    assert likely[1] < 0.5
    assert model.relation_probabilities(pairs)[1, column(Relation.NO_RELATIONSHIP)] > 0.5


def test_a_cosine_and_its_probability_belong_together(models, language):
    model = models.pairs(language)
    for probability in (0.1, 0.5, 0.9):
        cosine = np.array([model.cosine_for(probability)])
        assert model.same_event_by_cosine(cosine)[0] == pytest.approx(probability)
    assert model.cosine_for(0.1) < model.cosine_for(0.9)


def test_strength_is_between_0_and_100(models, language):
    pairs = [(left, right) for left in HEADLINES[language] for right in HEADLINES[language]]
    strengths = models.pairs(language).strengths(pairs)
    assert strengths.shape == (9,)
    assert ((strengths >= 0) & (strengths <= 100)).all()


def test_a_causal_sentence_has_cause_effect_and_signal(models, language):
    text, cause, effect = CAUSAL[language]
    reader, progress = models.sentences(language), []
    plain, found = reader.read([PLAIN[language], text], progress.append)
    assert sum(progress) == 2
    assert plain.relations == ()
    assert plain.causal < 0.5 < found.causal
    relation, *_ = found.relations
    assert cause in text[slice(*relation.cause)]
    assert effect in text[slice(*relation.effect)]
    assert relation.signals
    assert not relation.meets(type(relation)(relation.effect, relation.cause))
    assert 0 < relation.probability <= 1
    assert reader.read([text]) == [found]


def test_an_imagined_condition_is_found(models, language):
    text, antecedent = IMAGINED[language]
    (reading,) = models.sentences(language).read([text])
    assert reading.counterfactual > 0.5
    assert text[slice(*reading.antecedent)] == antecedent


def test_mentions_have_unit_vectors_and_are_understood_alone_with_a_probability(models, language):
    text = CAUSAL[language][0]
    article = Article("a", HEADLINES[language][0], f"{text} {PLAIN[language]}", language)
    (graph,) = models.documents().read([article])
    assert graph.mentions
    for one in graph.mentions:
        assert one.vector.shape == (VECTOR_SIZE,)
        assert one.vector.dtype == np.float32
        assert np.linalg.norm(one.vector) == pytest.approx(1, abs=1e-5)
        assert 0 <= one.alone <= 1
    assert any(np.array_equal(graph.title, one.vector) for one in graph.mentions if one.field == "title")
