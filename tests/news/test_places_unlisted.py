"""Names of places that no list holds are found by the words around them."""

import pytest

from whywire.news.places_unlisted import UnlistedPlace, unlisted_places


def towns(text: str) -> set[str]:
    return {" ".join(sorted(place.stems)) for place in unlisted_places(text) if not place.is_region}


def regions(text: str) -> set[str]:
    return {" ".join(sorted(place.stems)) for place in unlisted_places(text) if place.is_region}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fire in Leeds mill kills two", {"leeds"}),
        ("Blaze in Nice and flood near Stoke-on-Trent", {"nice", "stoke trent"}),
        ("Port of Varn reopens", {"varn"}),
        ("The port of Varn reopened", {"varn"}),
        ("Melin airport closes", {"melin"}),
        ("A fire in the Russian city of Elista", {"elista"}),
        ("Drone attack on Rafah kills four", {"rafah"}),
        ("Storm batters Ullern", {"ullern"}),
        ("Fire In Leeds Kills Two People", {"leeds"}),
        ("Hikers lost near St. Asaph", {"asaph"}),
        ("В Чите сгорел склад", {"чит"}),
        ("Пожар под Клином потушен", {"клин"}),
        ("Авария возле Нижней Салды", {"салд"}),
        ("В посёлке Светлый нет воды", {"светл"}),
        ("Ракеты ударили по Заречному", {"заречн"}),
        ("Жители Шуи ждут автобус", {"шу"}),
        ("Бийск затопило", {"бийск"}),
        # listed, or none
        ("Fire in Boston mill", set()),
        ("В Москве сгорел склад", set()),
        ("Fire at museum in Spanish capital", set()),
        ("Protest in Hyde Park", set()),
        ("Shop opens in March on Monday", set()),
        ("Vote in Parliament on budget", set()),
        ("Trust in Ostrom falls", set()),
        ("Row in Ostrom's office", set()),
        ("В Минобороны сообщили о потерях", set()),
        ("В Госдуме приняли закон", set()),
        ("Матч с «Тополем» в «Лужниках»", set()),
        ("", set()),
    ],
)
def test_a_town_is_known_by_what_stands_beside_its_name(text: str, expected: set[str]) -> None:
    assert towns(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Flood in West Calderdale", {"calderdale west"}),
        ("Flood in Calder Valley", {"calder"}),
        ("Flood in Bedfordshire", {"bedfordshire"}),
        ("Паводок в Шуйском районе", {"шуйск"}),
        ("Пожар в Черноярской области", {"черноярск"}),
    ],
)
def test_a_region_is_told_from_a_town(text: str, expected: set[str]) -> None:
    assert regions(text) == expected
    assert not towns(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("в Чите", "жители Читы", True),
        ("под Шуей", "в Шуйском районе", True),
        ("в Клину", "под Клином", True),
        ("в Калязине", "в Калязинском районе", True),
        ("near Tarnby", "in Tarnby", True),
        ("в Шуе", "в Клину", False),
        ("в Краснополе", "в Красноуфимске", False),
        ("near New Haven", "near New Paltz", False),
        ("in Nordvik", "in Nordmere", False),
    ],
)
def test_a_name_is_known_in_any_case(one: str, other: str, same: bool) -> None:
    (mine,), (theirs,) = unlisted_places(one), unlisted_places(other)
    assert isinstance(mine, UnlistedPlace)
    assert mine.may_be(theirs.stems) is theirs.may_be(mine.stems) is same
