"""Places known by the class of their name, or by which of two of a name they are."""

import pytest

from whywire.news.places_classed import classed_places, different_by_kind, is_named_in

TWO_PLACES = [
    ("in Lower Drayle", "in Upper Drayle"),
    ("Great Marlow", "Little Marlow"),
    ("in Western Garrick", "in Northern Garrick"),
    ("Upper Drayle", "Upper Garrick"),
    ("on Lake Morrow", "on Lake Tessin"),
    ("off Mossel Head", "off Tern Island"),
    ("Pine Street", "Elm Street"),
    ("Mill Lane", "Castle Road"),
    ("San Telmo", "San Ysidro"),
    ("on the Tarn river", "on the Orlo river"),
    ("Stanwell Hospital", "Corrin Hospital"),
    ("St. Mary's School", "St. Luke's School"),
    ("Большая Каменка", "Малая Каменка"),
    ("с Сорочьей горы", "с перевала Хантага"),
    ("на реке Вожа", "на реке Пеньва"),
    ("посёлок Новый Быт", "поселке Новый Мир"),
    ("на улице Ленина", "по ул. Гагарина"),
    ("станция Лужная", "на станции «Вешняя»"),
    ("на Казанском вокзале", "на Курском вокзале"),
    ("Красный Яр", "Белый Яр"),
]

MAYBE_ONE = [
    ("Lower Drayle", "Drayle"),
    ("east London", "west London"),
    ("East London", "North-East London"),
    ("East London", "East Ham"),
    ("Mount Galvin", "Tessin Valley"),
    ("на горе Хантага", "в долине Пеньвы"),
    ("Upper and Lower Drayle", "Upper Drayle"),
    ("Pine and Elm Street", "Pine Street"),
    ("улицы Анны Лосевой и Олега Тарна", "улица Олега Тарна"),
    ("Singer Drops New Song", "Singer Drops New Single"),
    ("The Mountain", "Mount Serrat"),
    ("Новак Тарн", "Новый Тарн"),
    ("the lower house", "the Upper House"),
    ("Mount signs", "Mason Mount Signs for Corrin"),
    ("Mount Serrat", "Serrat volcano"),
    ("Pine Street", "Pine St"),
    ("New Mexico", "Santa Rosa"),
    ("Frozen river", "Swollen river"),
    ("City Hospital", "Stanwell Hospital"),
    ("улице Ленина", "ул. Ленина"),
    ("в Верхней Пойме", "Верхняя Пойма"),
    ("посёлок Новый Быт", "в Новом Быту"),
    ("Верхняя палата", "Нижняя палата"),
    ("в Центральной больнице", "в Шуйской больнице"),
    ("гора Хантага", "в горах Хантаги"),
]


@pytest.mark.parametrize(
    ("one", "other", "two"), [*((*pair, True) for pair in TWO_PLACES), *((*pair, False) for pair in MAYBE_ONE)]
)
def test_places_are_told_apart_by_their_names(one: str, other: str, two: bool) -> None:
    assert any(different_by_kind(classed_places(one), classed_places(other))) is two
    assert any(different_by_kind(classed_places(other), classed_places(one))) is two


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
    (one,) = classed_places(place)
    assert is_named_in(one, text) is named
