"""Organisations by the names that news has for them, in both languages."""

import pytest

from whywire.news import Language
from whywire.news.gazetteer import place_name, place_named
from whywire.news.organisations import (
    listed_organisations,
    organisation_name,
    organisation_named,
    recognised_organisations,
)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("UN asks the World Bank for help", {"UN", "World Bank"}),
        ("В ООН ждут ответа от «Газпрома» и Центробанка", {"UN", "Gazprom", "Bank of Russia"}),
        ("Microsoft’s rival sues NASA's supplier", {"Microsoft", "NASA"}),
        ("Следственного комитета дождались во Всемирном банке", {"Investigative Committee", "World Bank"}),
        ("A united nation met in a small bank", set()),
        ("Mill closes in Whitby - NASA", set()),
    ],
)
def test_a_listed_organisation_is_one_in_both_languages_and_all_cases(text: str, named: set[str]) -> None:
    assert listed_organisations(text) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Members of the Calder Bay Workers Union gathered today.", {"Calder Bay Workers Union"}),
        ("It was the Ministry of Fisheries that paid.", {"Ministry of Fisheries"}),
        ("The Varnholt Institute of Marine Biology closed.", {"Varnholt Institute of Marine Biology"}),
        ("Владельцем оказалась компания «Северный причал».", {"Северный причал"}),
        ("Отчёт передали в НЦБК вчера.", {"НЦБК"}),
        ("The CEO said GDP fell while the USA waited.", set()),
        ("PORT SOLLIS, March 4 - The harbour was shut.", set()),
        ("В кино идёт «Северный причал».", set()),
        ("Mill Owners Union And Harbour Council Agree On Plan", set()),
        ("She crossed the bank and went to court.", set()),
        ("NASA and the UN agreed.", set()),
    ],
)
def test_other_organisations_are_recognised_by_their_names(text: str, named: set[str]) -> None:
    assert recognised_organisations(text) == named


def test_names_are_found_in_any_case_and_shown_in_the_language_of_the_reader() -> None:
    assert organisation_named("оон") == organisation_named("United  Nations") == "UN"
    assert organisation_named("Harbour Watch") is None
    assert organisation_name("UN", Language.RUSSIAN) == "ООН"
    assert organisation_name("UN", Language.ENGLISH) == organisation_name("UN", Language.OTHER) == "UN"
    assert organisation_name("Harbour Watch", Language.RUSSIAN) == "Harbour Watch"
    assert place_named("москва") == place_named("Moscow")
    assert place_named("Nowhere at all") is None
    assert place_name("Moscow", Language.RUSSIAN) == "Москва"
    assert place_name("Moscow", Language.ENGLISH) == "Moscow"
