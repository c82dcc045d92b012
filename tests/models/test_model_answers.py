"""What the embedded models answer on a few texts, as it stands in files: a change of weights shows there."""

from pathlib import Path

import pytest
from tests.golden import check_numbers

from whywire.language_models import LanguageModels
from whywire.news import Language
from whywire.pairs.relations import RELATIONS

GOLDEN = Path(__file__).parent / "golden"

TOLERANCE = 0.1
"""The weights are int8, whose arithmetic processors without VNNI instructions round more coarsely."""

PAIRS = {
    Language.ENGLISH: [
        ("Storm cuts power to 40,000 homes in Calder Bay", "Calder Bay schools stay closed after power cut"),
        ("Minister Hale resigned on Monday, sources say", "Minister Hale denies he has resigned"),
        ("Blaze at Port Ellery refinery injures two", "Two workers injured in Port Ellery refinery blaze"),
    ],
    Language.RUSSIAN: [
        ("Пожар на заводе в Луговце, погибли трое", "Директора луговецкого завода арестовали после пожара"),
        ("Министр Гаранин ушёл в отставку", "Министр Гаранин опроверг сообщения о своей отставке"),
        ("В Ельнинске прорвало плотину", "Плотину прорвало в Ельнинске"),
    ],
}
SENTENCES = {
    Language.ENGLISH: [
        "Fuel ran short because the refinery burned down.",
        "Had the dam held, the town would not have flooded.",
        "The delay was not caused by the weather.",
        "The council meets on Monday.",
    ],
    Language.RUSSIAN: [
        "Бензин подорожал, потому что сгорела нефтебаза.",
        "Если бы дамбу укрепили весной, город бы не затопило.",
        "Задержка произошла не из-за погоды.",
        "Совет соберётся в понедельник.",
    ],
}

pytestmark = pytest.mark.model


@pytest.mark.parametrize("language", list(PAIRS))
def test_relations_and_strengths_of_headlines(language):
    model, pairs = LanguageModels().pairs(language), PAIRS[language]
    relations, strengths, cosines = model.relate(pairs), model.strengths(pairs), model.similarity(pairs)
    numbers = {}
    for (left, right), row, strength, cosine in zip(pairs, relations, strengths, cosines, strict=True):
        name = f"{left} / {right}: "
        numbers |= {f"{name}{relation}": share for relation, share in zip(RELATIONS, row, strict=True)}
        numbers |= {f"{name}strength, of 1": strength / 100, f"{name}cosine": float(cosine)}
    check_numbers(numbers, GOLDEN / f"pairs-{language}.json", tolerance=TOLERANCE)


@pytest.mark.parametrize("language", list(SENTENCES))
def test_what_sentences_claim(language):
    texts = SENTENCES[language]
    numbers = {}
    for text, reading in zip(texts, LanguageModels().sentences(language).read(texts), strict=True):
        numbers |= {f"{text} {name}": getattr(reading, name) for name in ("causal", "counterfactual", "denial")}
        for number, relation in enumerate(reading.relations):
            numbers[f"{text} relation {number}"] = relation.probability
    check_numbers(numbers, GOLDEN / f"sentences-{language}.json", tolerance=TOLERANCE)
