"""Places named by their class or by which of two they are: "Lake Morrow", «улица Ленина», "Lower Drayle".

They need no preposition to be known by. Which error is worse? One event in two: so two of them are compared only
where they are of one kind, for a street may lie in the village that another outlet names; and what may be one place
in other words is taken for one: "East London" and "London", "North" and "North-East".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from whywire.news.places import places
from whywire.news.places_unlisted import (
    CACHED_TEXTS,
    UnlistedPlace,
    is_in_capitals,
    is_no_place,
    name_stem,
    name_stems,
)

_NAME = r"(?!(?:The|An?)\s)(?:St\.?\s)?(?:[A-Z][’'])?[A-Z][a-zà-ÿ]+(?:-[A-Z]?[a-zà-ÿ]+)*(?:['’]s)?"
_NAME_RU = r"[А-ЯЁ][а-яё]+(?:-[А-ЯЁ]?[а-яё]+)*"

_NAMES_RU = rf"{_NAME_RU}(?:\s{_NAME_RU})?"
_ADJECTIVE_ENDING = r"(?:ая|яя|ое|ее|ье|ий|ый|ой|ей|ом|ем|его|ого|ому|ему|ую|юю|ью|ья|[иы](?:е|х|м|ми))"
_ADJECTIVE_RU = rf"[А-ЯЁ][а-яё-]+{_ADJECTIVE_ENDING}"

_CASE = r"(?:а|я|о|е|и|ы|у|ю|ой|ей|ом|ем|ая|ую|ами|ями|ам|ям|ах|ях)?"
"""What ends a Russian class word in any case."""

SETTLEMENT, OF_TWO = "settlement", "of two"
"""Kinds of names: of what holds people, and such as tell which of two it is."""

_CLASSES = {
    SETTLEMENT: (
        r"San|Santa|Santo|Saint|St\.?|Port|Fort|Camp",
        r"City|Town|Village|Junction|Springs",
        r"пос[её]л(?:ок|к)|сел(?=[оауе])|деревн|станиц|хутор|аул|микрорайон|квартал|кишлак|город|городок|городк|г\.",
    ),
    "street": (
        r"",
        r"Street|St|Road|Rd|Lane|Avenue|Ave|Boulevard|Highway|Square",
        r"улиц|ул\.|проспект|переул(?:ок|к)|бульвар|шоссе|набережн|площад(?:ь|и|ью)|проезд|тракт",
    ),
    "landmark": (
        r"Lake|Loch|Lough|Mount|Mt\.?|River|Cape|Isle of",
        r"Lake|Loch|Mountain|Volcano|Peak|Hill|Fell|Crag|Cliffs?|River|Creek|Island|Isle|Cove|Head|Point|Canyon|Gorge|Pass"
        r"|Glacier|Beach|Reservoir|Marsh|Reef",
        r"оз[её]р|гор|сопк|рек|речк|вулкан|пик|перевал|ледник|остров|мыс|бухт|ущель|водохранилищ|болот|урочищ",
    ),
    "area": (
        r"Bay of|Gulf of|Forest of",
        r"Bay|Gulf|Strait|Valley|Forest|Moor|Peninsula|Islands|Mountains|Hills|Ridge|County|District",
        r"залив|пролив|долин|полуостров|архипелаг|хреб(?:ет|т)",
    ),
    "station": (r"", r"Station", r"станци|разъезд|вокзал"),
    "bridge": (r"", r"Bridge", r"мост"),
    "hospital": (r"", r"Hospital|Infirmary|Clinic", r"больниц|клиник"),
    "school": (r"", r"School|College|Academy", r"школ|гимнази"),
    "works": (r"", r"Dam|Mine|Colliery|Quarry|Refinery|Mill", r"плотин|шахт|рудник|разрез|карьер"),
}
"""By kind: class words before an English name, those behind it, and Russian ones, which stand on either side."""

_LOWER = {
    "landmark": r"(?:lake|river|creek|island|mountain|volcano|glacier|reservoir)",
    "area": r"(?:valley|bay|peninsula|islands|mountains)",
}
"""Class words that are also written so behind a name: "the Tolva river"."""

_CLASSED = tuple(
    (kind, re.compile(pattern))
    for kind, (before, behind, russian) in _CLASSES.items()
    for pattern in (
        rf"(?<![\w-])(?:{before or '(?!)'})\s(?P<name>{_NAME}(?:\s{_NAME})?)",
        rf"(?<![\w-])(?P<name>(?:{_NAME}\sand\s)?{_NAME})\s(?:{behind})(?![\w-])",
        rf"(?<=[a-z]\s)(?P<name>{_NAME})\s(?:{_LOWER.get(kind, '(?!)')})(?![\w-])",
        rf"(?<![\w-])(?i:{russian}){_CASE}\s[«\"]?(?P<name>{_NAMES_RU}(?:\sи\s{_NAMES_RU})?)",
        rf"(?<=\w\s)(?P<name>{_ADJECTIVE_RU})\s(?:{russian}){_CASE}(?![\w-])",
    )
)

_MODIFIER = (
    r"(?:North|South|East|West)(?:-?(?:[Ee]ast|[Ww]est))?(?:ern)?|Upper|Lower|Nether|Middle|Inner|Outer"
    r"|New|Old|Great|Big|Little|Red|White|Black"
    r"|(?:Северн|Южн|Восточн|Западн|Верхн|Нижн|Средн|Дальн|Ближн|Нов|Стар|Больш|Мал|Велик|Красн|Бел|Ч[её]рн)"
    rf"{_ADJECTIVE_ENDING}"
)

_OF_TWO = re.compile(
    rf"(?<![\w-])(?P<modifiers>(?:{_MODIFIER})(?:\s(?:and|и)\s[A-ZА-ЯЁ]\w+)?)\s(?P<name>{_NAME}|{_NAME_RU})(?![\w-])"
)
"""A name after what tells it from another place of that name: its side, age, size or colour."""

MODIFIER_LETTERS = 4
"""The letters of such words that are compared: "West", "Western", «Верхняя», «Верхней»."""


@dataclass(frozen=True)
class ClassedPlace:
    """A place by the class of its name.

    Args:
        kind: what it is compared with: streets with streets.
        words: all of its name, as it is written.
        place: its name without the words that it shares with others.
        modifiers: what tells it from another place of that name, by the beginnings of the words.
        is_vague: another name with its modifiers may be of the same place, for it contains the name of a large one
            ("East London" holds "East Ham") or any word of the title has a capital ("New Song").
    """

    kind: str
    words: str
    place: UnlistedPlace
    modifiers: frozenset[str] = frozenset()
    is_vague: bool = False

    def is_not(self, other: ClassedPlace) -> bool:
        """Whether this is another place than one of its kind.

        Of two with modifiers one part must be the same: "Upper Drayle" may lie in "West Garrick".
        """
        same_name = self.place.may_be(other.place.stems)
        if not self.modifiers:
            return not same_name
        if same_name:
            return self.modifiers.isdisjoint(other.modifiers)
        return self.modifiers == other.modifiers and not (self.is_vague or other.is_vague)


@lru_cache(maxsize=CACHED_TEXTS)
def classed_places(text: str) -> frozenset[ClassedPlace]:
    """The places that an English or Russian text names by their class, or by what tells two of a name apart."""
    of_class = ((kind, match) for kind, pattern in _CLASSED for match in pattern.finditer(text))
    of_two = ((OF_TWO, match) for match in _OF_TWO.finditer(text))
    return frozenset(place for kind, match in (*of_class, *of_two) if (place := _place(kind, match)) is not None)


def different_by_kind(
    left: frozenset[ClassedPlace], right: frozenset[ClassedPlace]
) -> Iterator[tuple[list[ClassedPlace], list[ClassedPlace]]]:
    """The places of either side of each kind of which both have some, and no place of one is that of the other."""
    for kind in {one.kind for one in left} & {one.kind for one in right}:
        mine, theirs = ([place for place in side if place.kind == kind] for side in (left, right))
        if all(one.is_not(other) for one in mine for other in theirs):
            yield mine, theirs


@lru_cache(maxsize=CACHED_TEXTS)
def is_named_in(place: ClassedPlace, text: str) -> bool:
    """Whether a text has a word for a place; if it has a modifier, whether with that."""
    if not place.modifiers:
        return place.place.may_be(name_stems(re.findall(r"\b[A-ZА-ЯЁ][\w’'-]+", text)))
    return any(
        not place.modifiers.isdisjoint(one.modifiers) and place.place.may_be(one.place.stems)
        for one in classed_places(text)
    )


def _place(kind: str, match: re.Match[str]) -> ClassedPlace | None:
    text, start = match.string, match.start()
    in_capitals = is_in_capitals(text)
    of_person = (
        not in_capitals and match.start("name") > start and text[start].isupper() and _FIRST_NAME.search(text[:start])
    )
    name = [word for word in match["name"].split() if word[0].isupper()][
        : 1 if in_capitals else None
    ]  # the words behind may be of no name
    stems = name_stems(name)
    listed = bool(places(match[0]))
    if (
        of_person
        or not stems
        or is_no_place(name[-1])
        or _OF_MANY.fullmatch(name[-1])
        or (kind == SETTLEMENT and listed)
    ):
        return None
    parts = re.split(r"[\s-]", match["modifiers"]) if kind == OF_TWO else []
    modifiers = frozenset(name_stem(part)[:MODIFIER_LETTERS] for part in parts if part not in ("and", "и"))
    return ClassedPlace(kind, match[0], UnlistedPlace(stems), modifiers, listed or in_capitals)


_OF_MANY = re.compile(
    r"(?:City|Town|Village|County|State|Main|Central|Local|General|National|Royal|Public|Private|Memorial|University"
    r"|Medical|Children['’]s|Primary|Secondary|Elementary|Grammar|High|Middle|Boarding|Power|Police|Fire|Train|Railway"
    r"|Metro|Tube|Bus|Coal|Gold|Copper|Iron|Oil|Busy|Tourist|Remote"
    r"|(?:Центральн|Городск|Областн|Районн|Республиканск|Детск|Главн)\w+)"
)
"""What many of a class are called by, or only are: "Power Station"."""

_FIRST_NAME = re.compile(r"\s[A-ZА-ЯЁ][\w’'-]+\s$")
"""A name before a class word makes it one of a person: "as Mason Mount Scores"."""
