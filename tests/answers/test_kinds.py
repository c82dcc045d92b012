"""Which events are of one kind, whoever and wherever they are of."""

import pytest

from whywire.answers.kinds import kind_terms, same_kind
from whywire.news import Language

FIRE = "Fire destroys paper mill in Oldmere"


@pytest.mark.parametrize(
    ("language", "title", "terms"),
    [
        (
            Language.ENGLISH,
            "Why Norvia cancels 300 flights after Grauwald strike",
            {"cance", "fligh", "after", "strik"},
        ),
        (Language.ENGLISH, "Fire destroys 12 barns", {"fire", "destr", "barns"}),
        (Language.RUSSIAN, "Пожар уничтожил склад «Северолита»", {"пожар", "уничт", "склад"}),
        (Language.ENGLISH, "", set()),
    ],
)
def test_a_kind_has_no_names_and_no_numbers(language, title, terms):
    assert kind_terms(title, language).keys() == terms


def test_a_title_with_only_capitals_keeps_its_words():
    assert kind_terms("Fire Destroys Paper Mill", Language.ENGLISH).keys() == {"fire", "destr", "paper", "mill"}


def probability(one, other):
    return same_kind(kind_terms(one, Language.ENGLISH), kind_terms(other, Language.ENGLISH))


def test_the_more_two_events_share_the_surer_they_are_of_one_kind():
    alike = [
        "Prize for best cheese goes to a village dairy",
        "Fire brigade of Brantwick gets a new engine",
        "Fire destroys cheese dairy in Brantwick",
        "Blaze: fire destroys paper mill in Brantwick",
    ]
    probabilities = [probability(FIRE, one) for one in alike]
    assert probabilities == sorted(probabilities)
    assert probabilities[:2] == [0.0, 0.0], "one word in common is chance"
    assert probability(alike[2], FIRE) == pytest.approx(probabilities[2])
    assert probability(FIRE, FIRE) > 0.5
