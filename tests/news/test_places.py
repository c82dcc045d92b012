"""Names of places on no list are found by the words around them, by their class, or by which of two they are."""

import pytest

from whywire.news.places import UnlistedPlace, different_by_kind, places_in


def towns(text: str) -> set[str]:
    return {" ".join(sorted(place.stems)) for place in places_in(text).unlisted if not place.is_region}


def regions(text: str) -> set[str]:
    return {" ".join(sorted(place.stems)) for place in places_in(text).unlisted if place.is_region}


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
    (mine,), (theirs,) = places_in(one).unlisted, places_in(other).unlisted
    assert isinstance(mine, UnlistedPlace)
    assert mine.may_be(theirs.stems) is theirs.may_be(mine.stems) is same


TWO_PLACES = [
    ("in Lower Drayle", "in Upper Drayle"),
    ("East Tolva left in the dark", "West Tolva left in the dark"),
    ("Great Marlow", "Little Marlow"),
    ("in Western Garrick", "in Northern Garrick"),
    ("New Paltz", "New Haven"),
    ("Upper Drayle", "Upper Garrick"),
    ("East London", "West London"),
    ("on Lake Morrow", "on Lake Tessin"),
    ("Mount Serrat", "Mount Galvin"),
    ("off Mossel Head", "off Tern Island"),
    ("Pine Street", "Elm Street"),
    ("Mill Lane", "Castle Road"),
    ("San Telmo", "San Ysidro"),
    ("on the Tarn river", "on the Orlo river"),
    ("Stanwell Hospital", "Corrin Hospital"),
    ("St. Mary's School", "St. Luke's School"),
    ("Большая Каменка", "Малая Каменка"),
    ("в Верхней Пойме", "в Нижней Пойме"),
    ("с Сорочьей горы", "с перевала Хантага"),
    ("на реке Вожа", "на реке Пеньва"),
    ("посёлок Новый Быт", "поселке Новый Мир"),
    ("на улице Ленина", "по ул. Гагарина"),
    ("Старый Оскол", "Старый Крым"),
    ("станция Лужная", "на станции «Вешняя»"),
    ("на Казанском вокзале", "на Курском вокзале"),
    ("озеро Чаны", "озера Увильды"),
    ("New Street", "Old Street"),
    ("Gull Bay", "Seal Bay"),
    ("Красный Яр", "Белый Яр"),
    ("в микрорайоне Южный", "в микрорайоне Северный"),
]

MAYBE_ONE = [
    ("Lower Drayle", "Drayle"),
    ("east London", "west London"),
    ("East London", "London"),
    ("East London", "North-East London"),
    ("East London", "East Ham"),
    ("Upper Drayle", "West Garrick"),
    ("Mount Galvin", "Tessin Valley"),
    ("на горе Хантага", "в долине Пеньвы"),
    ("Upper and Lower Drayle", "Upper Drayle"),
    ("Pine and Elm Street", "Pine Street"),
    ("улицы Анны Лосевой и Олега Тарна", "улица Олега Тарна"),
    ("Singer Drops New Song", "Singer Drops New Single"),
    ("The Mountain", "Mount Serrat"),
    ("Новак Тарн", "Новый Тарн"),
    ("the lower house", "the Upper House"),
    ("Big Ben", "Ben"),
    ("Mount signs", "Mason Mount Signs for Corrin"),
    ("Mount Serrat", "Serrat volcano"),
    ("Pine Street", "Pine St"),
    ("Mill Lane", "San Telmo"),
    ("New Mexico", "Santa Rosa"),
    ("Frozen river", "Swollen river"),
    ("City Hospital", "Stanwell Hospital"),
    ("улице Ленина", "ул. Ленина"),
    ("Верхняя Пойма", "Пойма"),
    ("в Верхней Пойме", "Верхняя Пойма"),
    ("посёлок Новый Быт", "в Новом Быту"),
    ("Верхняя палата", "Нижняя палата"),
    ("Детская больница", "Городская больница"),
    ("в Центральной больнице", "в Шуйской больнице"),
    ("гора Хантага", "в горах Хантаги"),
]


@pytest.mark.parametrize(
    ("one", "other", "two"), [*((*pair, True) for pair in TWO_PLACES), *((*pair, False) for pair in MAYBE_ONE)]
)
def test_places_are_told_apart_by_their_names(one: str, other: str, two: bool) -> None:
    assert any(different_by_kind(places_in(one).classed, places_in(other).classed)) is two
    assert any(different_by_kind(places_in(other).classed, places_in(one).classed)) is two


@pytest.mark.parametrize(
    ("place", "text", "named"),
    [
        ("Lake Morrow", "Near the Morrow dam", True),
        ("Lake Morrow", "Near the dam", False),
        ("Lower Drayle", "Upper and Lower Drayle", True),
        ("Lower Drayle", "Upper Drayle", False),
        ("Малая Каменка", "в Малой Каменке", True),
        ("Малая Каменка", "в Большой Каменке", False),
    ],
)
def test_a_name_with_a_modifier_is_found_with_it_alone(place: str, text: str, named: bool) -> None:
    (one,) = places_in(place).classed
    assert one.is_named_in(text) is named
