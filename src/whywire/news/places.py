"""The places that a text names, listed in the gazetteer or recognised by the words in or around their names.

- **listed** places are in the gazetteer (:mod:`whywire.news.gazetteer`); **located** places are the listed places
  that something happens in or near;
- **unlisted** places are recognised by the words before or after a name: "in Nordvik", «под Клином», "Melin airport".
  Unlisted places are compared only with each other (:mod:`whywire.events.scenes`), so a wrong place does little harm.
  Regions are distinguished from towns, since one outlet may name a region and another outlet a town of this region.
  Institutions, parks and streets lie in towns and are left out;
- **classed** places have a type word or a modifier in their name: "Lake Morrow", «улица Ленина», "Lower Drayle". They
  are compared only with places of the same kind, since a street may lie in the village that another outlet names.
  Names that may mean the same place count as the same: "East London" and "London", "North" and "North-East".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from whywire.news.gazetteer import Place, listed_places

CACHED_TEXTS = 65_536
"""The number of texts whose places are cached: each text is compared with many others."""


@lru_cache(maxsize=CACHED_TEXTS)
def places_in(text: str) -> PlacesIn:
    """Return the places that an English or Russian text names."""
    return PlacesIn(text)


class PlacesIn:
    """The places that a text names; each kind of places is computed on first use."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _listed(self) -> list[tuple[str, Place]]:
        return list(listed_places(self._text))

    @cached_property
    def listed(self) -> frozenset[Place]:
        """The places in the gazetteer."""
        return frozenset(place for _, place in self._listed)

    @cached_property
    def located(self) -> frozenset[Place]:
        """The listed places in or near which something happens, according to the text."""
        return frozenset(place for before, place in self._listed if _LOCATIVE.search(before))

    @cached_property
    def unlisted(self) -> frozenset[UnlistedPlace]:
        """The unlisted places in or near which something happens, according to the text."""
        matches = (*_AFTER_A_WORD.finditer(self._text), *_BEFORE_A_WORD.finditer(self._text))
        return frozenset(place for match in matches if (place := _unlisted(match, self.is_in_capitals)) is not None)

    @cached_property
    def classed(self) -> frozenset[ClassedPlace]:
        """The places named with a type word or a modifier."""
        patterns = (*(_CLASSED if _TYPE_WORD.search(self._text) else ()), (_OF_TWO, _MODIFIED))
        matches = ((kind, match) for kind, pattern in patterns for match in pattern.finditer(self._text))
        return frozenset(place for kind, match in matches if (place := _classed(kind, match)) is not None)

    @cached_property
    def is_in_capitals(self) -> bool:
        """Whether the text is a title in which nearly every word begins with a capital."""
        has_capitals = len(re.findall(r"\b[A-ZА-ЯЁ]", self._text)) > _SHORT_TITLE
        return has_capitals and not re.search(r"\b[a-zа-яё]{4,}", self._text)

    @cached_property
    def capitalised_stems(self) -> frozenset[str]:
        """The stems of the words that begin with a capital."""
        return name_stems(re.findall(r"\b[A-ZА-ЯЁ][\w’'-]+", self._text))

    @property
    def speaks_of_region(self) -> bool:
        """Whether the text has a word for a region, which may contain many towns: «в Курской области»."""
        return any(map(_REGION.fullmatch, re.findall(r"\w+", self._text)))


_SHORT_TITLE = 3
"""A title with at most this many capitalised words may or may not be in capitals: "Flood in Calder Valley"."""

_LOCATIVE = re.compile(
    r"\b(?:in|near|at|outside|off|around|across|inside|hit|hits|struck|strikes|rocked|rocks|shook|shakes"
    r"|в|во|под|на|около|близ|возле|над)"
    r"(?: (?:the|downtown|central|(?:north|south|east|west)\w*|городе|центре|районе|окрестностях|столице))*$",
    re.IGNORECASE,
)
"""Words before the place where something happens, and not before the name of an outlet, a team or a speaker."""


# names


_CHANGING_FROM = 5
"""Two stems of at least this many letters may differ in the last letter: «Калуга», «калужский»."""

_COMMON_PARTS = frozenset(
    word
    for words in (
        "new old big little saint st san santa santo los las el la le al de del of on port fort lake mount",
        "нов стар больш мал красн верхн нижн велик усть на",
    )
    for word in words.split()
)
"""Parts of many names, which do not show that two names are the same."""

_RUSSIAN_ENDING = re.compile(
    r"(?:[оеыи](?:го|му|ми|й|м|х)|ами|ями|ам|ям|ах|ях|ов|ую|юю|ая|яя|ое|ее|ые|ие|ью|ия|ии|ию|[аеиоуыюяй])$"
)


def name_stems(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words of names, without the parts that many names share."""
    parts = [_name_stem(part) for word in words for part in re.split(r"[-–.]", word)]
    return frozenset(part for part in parts if len(part) > 1 and part not in _COMMON_PARTS)


@lru_cache(maxsize=CACHED_TEXTS)
def _name_stem(word: str) -> str:
    plain = re.sub(r"['’]s?$", "", word).lower().replace("ё", "е")
    return _RUSSIAN_ENDING.sub("", plain).rstrip("ьй") or plain


def is_no_place(word: str) -> bool:
    """Return whether a capitalised word names a time, an institution, a language or a nation."""
    return bool(_NO_PLACE.fullmatch(word))


_NO_PLACE = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|t|ober|ember)?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|winter|christmas|easter|ramadan"
    r"|congress|parliament|senate|commons|lords|kremlin|pentagon|cabinet|brexit|covid|internet|olympics?|euro|formula"
    r"|english|french|german|greek|dutch|swiss|czech|thai|afghan|iraqi|israeli|pakistani|saudi|somali|yemeni|welsh"
    r"|scottish|\w+(?:ish|ese|ian|ean|ican|occan|enyan|ibyan|uban)|god|he|she|we|they|it|this|that|all|first|second"
    r"|кремл\w*|пентагон\w*|госд\w+|дум[еуы]|рад[еуы]|сенат\w*|конгресс\w*|парламент\w*|правительств\w*"
    r"|совфед\w*|евросоюз\w*|сет[ьи]|интернет\w*|рунет\w*|центробанк\w*|газпром\w*|сбер\w*|генпрокур\w*|прокуратур\w*"
    r"|следком\w*|мин(?:оборон|здрав|фин|юст|эконом|прос|цифр|транс|энерг|пром|труд|строй|сельхоз|ист|культ|обр)\w*"
    r"|рос(?:авиа|гвард|потреб|реестр|стат|косм|нефт|атом|сельх|комнад|гидро|тел)\w*|лиг[еуи]|кубк\w*|чемпионат\w*"
    r"|олимпи\w*|пасх\w*|рождеств\w*|нов(?:ый|ого|ом)|европ\w*|галактик\w*|млечн\w*|земл[еюи]|марс\w*|отечественн\w*"
    r"|бел(?:ом|ый)|верховн\w*|конституц\w*|вооруж\w*|институт\w*|университет\w*|академи\w*|управлени\w*|больниц\w*",
    re.IGNORECASE,
)


# unlisted places


@dataclass(frozen=True)
class UnlistedPlace:
    """A place by the stems of its name.

    Args:
        is_region: the place may contain towns; otherwise the place counts as a town.
    """

    stems: frozenset[str]
    is_region: bool = False

    def may_be(self, stems: Iterable[str]) -> bool:
        """Return whether any of the stems may come from this name, in another case or in a derived word.

        One stem must be a prefix of the other. The last letter of a stem of ``_CHANGING_FROM`` letters or more is
        ignored.
        """
        for short, long in (sorted((mine, theirs), key=len) for theirs in stems for mine in self.stems):
            if short[:2] == long[:2] and long.startswith(short if len(short) < _CHANGING_FROM else short[:-1]):
                return True
        return False


_NAME_AROUND = (
    r"(?:(?:St\.?\s)?(?!(?:The|An?)\s)(?:[A-Z][’'])?"
    r"[A-Z][a-zà-ÿ]+(?:-(?:on|upon|in|de|la|le)-[A-Z][a-zà-ÿ]+|-[A-Z][a-zà-ÿ]+)*"
    r"(?:\s(?:(?:de|del|la|al|of)\s)?[A-Z][a-zà-ÿ]+(?:-[A-Z][a-zà-ÿ]+)*){0,2}"
    r"|[А-ЯЁ][а-яё]+(?:-(?:на-)?[А-ЯЁ]?[а-яё]+)*(?:\s[А-ЯЁ][а-яё]+(?:-[А-ЯЁ]?[а-яё]+)*)?)"
)
"""A name of one to three English words or of one or two Russian ones."""

_SETTLEMENT = r"(?:town|city|village|port|airport|suburb|harbou?r|mayor|outskirts|people|residents|streets|capital)"
_RUSSIAN_SETTLEMENT = (
    r"(?:город|пос[её]л|сел[оеау]\b|деревн|станиц|райцентр|порт|аэропорт|пригород|окрестност|центре\b)"
)

_WORDS_BEFORE = (
    r"(?<!trust )(?<!faith )(?<!confidence )(?<!stake )(?<!shares )(?<!interest )\bin",
    r"\b(?:near|at|outside|off|around|across|above|below|over)",
    r"\b(?:hits?|struck|strikes?|(?:attack|bomb|raid|pound|flood)(?:s|ed)?|rock(?:s|ed)|sh(?:akes|ook|ells|elled)"
    r"|jolt(?:s|ed)|batter(?:s|ed)|lash(?:es|ed))",
    r"\b(?:strike|attack|raid|assault|rocket|missile|drone|shell|bomb)s?\s(?:f[ae]ll\s)?on",
    rf"\b(?:shelling|bombing|bombardment|siege|flooding|evacuation|{_SETTLEMENT})\sof",
    r"\b(?:во?|по|под|над|возле|близ|около|вблизи|недалеко от|рядом с)",
    r"\b(?:атак|напад|напал|нал[её]т|обруши)[а-я]*(?:\s[а-я]+)?\sна",
    r"\b(?:накры|затопи|подтопи|обесточи|окута|засыпа|сотряс|тряхну|атакова)[а-я]{1,4}",
    r"\b(?:жител|мэр|обстрел|обстрелял|аэропорт|порт|вокзал|метро|окрестност|улиц)[а-я]{0,3}",
)
"""Words before the place of an event."""

_WORDS_BETWEEN = (
    r"(?:(?:the|downtown|central|rural|nearby|(?:north|south|east|west)\w*)\s)*"
    rf"(?:{_SETTLEMENT}\s(?:of\s)?)?(?:{_RUSSIAN_SETTLEMENT}\w*\s|г\.\s)*"
)

_AFTER_A_WORD = re.compile(
    rf"(?i:(?:{'|'.join(_WORDS_BEFORE)})\s){_WORDS_BETWEEN}(?P<name>{_NAME_AROUND})(?=(?P<after>(?:['’]s)?(?:\s[\w-]+)?))"
)
_BEFORE_A_WORD = re.compile(
    rf"(?<!\w)(?P<name>{_NAME_AROUND})(?P<after>\s(?:airport|port|harbou?r|beach"
    r"|затопило|подтопило|обесточило|тряхнуло|засыпало|накрыло|завалило))\b"
)
"""Names before something that only places have or suffer: "Melin airport"."""

_REGION = re.compile(
    r"(?:county|region|province|district|state|valley|coast|islands?|peninsula|riviera|highlands|hills|sea|bay|gulf"
    r"|\w+shire|област|кра[йяею]|район|республик|округ|губерни|автоном|море|залив|остров|полуостров|побереж|берег|поволж"
    r"|подмосков|примор|прикам|забайкал|зауралье)\w*",
    re.IGNORECASE,
)
"""Words for regions, which may contain many towns."""

_SIDE = re.compile(
    r"(?:north|south|east|west|central|greater|upper|lower|inner|outer)\w*|(?:север|юж|восто|запад)\w+", re.IGNORECASE
)

_IN_A_TOWN = re.compile(
    r"(?:park|street|square|road|avenue|lane|station|hospital|university|college|school|stadium|arena|court|house|hall"
    r"|palace|museum|church|cathedral|bridge|tower|centre|center|plaza|mall|prison|cup|league|games|open|championship"
    r"|group|corp|inc|bank)",
    re.IGNORECASE,
)
"""Last words of names of things inside a town, or of things that are no places."""

_ADJECTIVE = re.compile(r"(?:ом|ем|ой|ей|ую|юю)$")
_SITE = re.compile(
    r"\s(?:больниц|клиник|институт|университет|академи|школ|гимнази|лице|вокзал|театр|музе|парк|улиц|площад|проспект|шоссе"
    r"|набережн|бульвар|переул|мост|суд|тюрьм|колони|собор|церк|монастыр|завод|фабрик|шахт|стадион|войн|фронт|фонд)"
)
"""Nouns after an adjective that make it the name of something in a town: «в Покровской больнице»."""

_AFTER_PERSONS = re.compile(
    r"['’]s|\s(?:trial|case|probe|lawsuit|row|scandal|deal|era|plot|capital|city|town|village|area)\b"
    r"|\s(?:сообщ|заяв|расска|назва|объясн|отмет|уточн|подтверд|предупред|опроверг|прокоммент|ответи|счита|увер|призва"
    r"|пообещ|потребова|реши|прин)\w*",
)
"""Words after a name that make it a person, a nation ("in the Spanish capital") or an office that speaks."""


def _unlisted(match: re.Match[str], in_capitals: bool) -> UnlistedPlace | None:
    name, after = match["name"], match["after"]
    words = name.split()
    if _ADJECTIVE.search(name) and _SITE.match(after):
        return None
    if is_no_place(words[0]) or _AFTER_PERSONS.match(after) or _IN_A_TOWN.fullmatch(words[-1]):
        return None
    if in_capitals:  # capitals do not show where the name ends
        first = words[0]
        of_two = first.lower() in _COMMON_PARTS or _SIDE.fullmatch(first) or any(map(_REGION.fullmatch, words[1:2]))
        words = words[: 2 if of_two else 1]
        if _IN_A_TOWN.fullmatch(words[-1]):
            return None
    name = " ".join(words)
    if places_in(name + after).listed or places_in(name).listed:
        return None
    is_region = any(_REGION.fullmatch(word) or _SIDE.fullmatch(word) for word in (*words, after.strip()))
    stems = name_stems(word for word in words if not _REGION.fullmatch(word) or word.endswith("shire"))
    return UnlistedPlace(stems, is_region) if stems else None


# classed places


_NAME = r"(?!(?:The|An?)\s)(?:St\.?\s)?(?:[A-Z][’'])?[A-Z][a-zà-ÿ]+(?:-[A-Z]?[a-zà-ÿ]+)*(?:['’]s)?"
_RUSSIAN_NAME = r"[А-ЯЁ][а-яё]+(?:-[А-ЯЁ]?[а-яё]+)*"
_RUSSIAN_NAMES = rf"{_RUSSIAN_NAME}(?:\s{_RUSSIAN_NAME})?"
_ADJECTIVE_ENDING = r"(?:ая|яя|ое|ее|ье|ий|ый|ой|ей|ом|ем|его|ого|ому|ему|ую|юю|ью|ья|[иы](?:е|х|м|ми))"
_CASE = r"(?:а|я|о|е|и|ы|у|ю|ой|ей|ом|ем|ая|ую|ами|ями|ам|ям|ах|ях)?"
"""Endings of Russian type words in all cases."""

_SETTLEMENT_KIND, _OF_TWO = "settlement", "of two"
"""Two kinds of names: settlements, and names with a modifier that tells two places of one name apart."""

_NEVER = r"(?!)"

_CLASSES = {
    _SETTLEMENT_KIND: (
        r"San|Santa|Santo|Saint|St\.?|Port|Fort|Camp",
        r"City|Town|Village|Junction|Springs",
        r"пос[её]л(?:ок|к)|сел(?=[оауе])|деревн|станиц|хутор|аул|микрорайон|квартал|кишлак|город|городок|городк|г\.",
    ),
    "street": (
        _NEVER,
        r"Street|St|Road|Rd|Lane|Avenue|Ave|Boulevard|Highway|Square",
        r"улиц|ул\.|проспект|переул(?:ок|к)|бульвар|шоссе|набережн|площад(?:ь|и|ью)|проезд|тракт",
    ),
    "landmark": (
        r"Lake|Loch|Lough|Mount|Mt\.?|River|Cape|Isle of",
        r"Lake|Loch|Mountain|Volcano|Peak|Hill|Fell|Crag|Cliffs?|River|Creek|Island|Isle|Cove|Head|Point|Canyon|Gorge"
        r"|Pass|Glacier|Beach|Reservoir|Marsh|Reef",
        r"оз[её]р|гор|сопк|рек|речк|вулкан|пик|перевал|ледник|остров|мыс|бухт|ущель|водохранилищ|болот|урочищ",
    ),
    "area": (
        r"Bay of|Gulf of|Forest of",
        r"Bay|Gulf|Strait|Valley|Forest|Moor|Peninsula|Islands|Mountains|Hills|Ridge|County|District",
        r"залив|пролив|долин|полуостров|архипелаг|хреб(?:ет|т)",
    ),
    "station": (_NEVER, r"Station", r"станци|разъезд|вокзал"),
    "bridge": (_NEVER, r"Bridge", r"мост"),
    "hospital": (_NEVER, r"Hospital|Infirmary|Clinic", r"больниц|клиник"),
    "school": (_NEVER, r"School|College|Academy", r"школ|гимнази"),
    "works": (_NEVER, r"Dam|Mine|Colliery|Quarry|Refinery|Mill", r"плотин|шахт|рудник|разрез|карьер"),
}
"""For each kind of place: the English type words before a name, the English type words after a name, and the Russian
type words before or after a name."""

_LOWER = {
    "landmark": r"(?:lake|river|creek|island|mountain|volcano|glacier|reservoir)",
    "area": r"(?:valley|bay|peninsula|islands|mountains)",
}
"""Type words in lower case after a name: "the Tolva river"."""

_MODIFIER = (
    r"(?:North|South|East|West)(?:-?(?:[Ee]ast|[Ww]est))?(?:ern)?|Upper|Lower|Nether|Middle|Inner|Outer"
    r"|New|Old|Great|Big|Little|Red|White|Black"
    r"|(?:Северн|Южн|Восточн|Западн|Верхн|Нижн|Средн|Дальн|Ближн|Нов|Стар|Больш|Мал|Велик|Красн|Бел|Ч[её]рн)"
    rf"{_ADJECTIVE_ENDING}"
)
"""Words that tell two places of one name apart: side, age, size or colour."""

_MODIFIER_LETTERS = 4
"""Letters of modifiers that are compared: "West", "Western", «Верхняя», «Верхней»."""


def _class_patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for kind, (before, behind, russian) in _CLASSES.items():
        for pattern in (
            rf"(?<![\w-])(?:{before})\s(?P<name>{_NAME}(?:\s{_NAME})?)",
            rf"(?<![\w-])(?P<name>(?:{_NAME}\sand\s)?{_NAME})\s(?:{behind})(?![\w-])",
            rf"(?<=[a-z]\s)(?P<name>{_NAME})\s(?:{_LOWER.get(kind, _NEVER)})(?![\w-])",
            rf"(?<![\w-])(?i:{russian}){_CASE}\s[«\"]?(?P<name>{_RUSSIAN_NAMES}(?:\sи\s{_RUSSIAN_NAMES})?)",
            rf"(?<=\w\s)(?P<name>[А-ЯЁ][а-яё-]+{_ADJECTIVE_ENDING})\s(?:{russian}){_CASE}(?![\w-])",
        ):
            yield kind, re.compile(pattern)


_CLASSED = tuple(_class_patterns())

_TYPE_WORD = re.compile(
    r"(?<!\w)(?:"
    + "|".join(
        rf"{before}|{behind}|{_LOWER.get(kind, _NEVER)}|(?i:{russian})"
        for kind, (before, behind, russian) in _CLASSES.items()
    )
    + ")"
)
"""One of the type words. Few texts have any, and looking for one is quicker than looking for all the patterns."""

_MODIFIED = re.compile(
    rf"(?<![\w-])(?P<modifiers>(?:{_MODIFIER})(?:\s(?:and|и)\s[A-ZА-ЯЁ]\w+)?)"
    rf"\s(?P<name>{_NAME}|{_RUSSIAN_NAME})(?![\w-])"
)

_OF_MANY = re.compile(
    r"(?:City|Town|Village|County|State|Main|Central|Local|General|National|Royal|Public|Private|Memorial|University"
    r"|Medical|Children['’]s|Primary|Secondary|Elementary|Grammar|High|Middle|Boarding|Power|Police|Fire|Train|Railway"
    r"|Metro|Tube|Bus|Coal|Gold|Copper|Iron|Oil|Busy|Tourist|Remote"
    r"|(?:Центральн|Городск|Областн|Районн|Республиканск|Детск|Главн)\w+)"
)
"""Words before a type word that are no names: "Power Station"."""

_FIRST_NAME = re.compile(r"\s[A-ZА-ЯЁ][\w’'-]+\s$")
"""A first name before a type word: then the type word is a surname, as in "as Mason Mount Scores"."""


@dataclass(frozen=True)
class ClassedPlace:
    """A place name with a type word ("Lake", "street") or a modifier ("Lower").

    Args:
        kind: places are compared within a kind only: streets with streets.
        words: the whole name as written.
        place: the name without type words and modifiers.
        modifiers: the first letters of the modifiers.
        is_vague: another name with the same modifiers may be the same place, because this one contains a listed place
            ("East London" holds "East Ham") or stands in a title in capitals ("New Song").
    """

    kind: str
    words: str
    place: UnlistedPlace
    modifiers: frozenset[str] = frozenset()
    is_vague: bool = False

    def is_not(self, other: ClassedPlace) -> bool:
        """Return whether this place certainly differs from another place of the same kind.

        Two places with modifiers differ only if they share the name or the modifiers: "Upper Drayle" may lie in "West
        Garrick".
        """
        same_name = self.place.may_be(other.place.stems)
        if not self.modifiers:
            return not same_name
        if same_name:
            return self.modifiers.isdisjoint(other.modifiers)
        return self.modifiers == other.modifiers and not (self.is_vague or other.is_vague)

    def is_named_in(self, text: str) -> bool:
        """Return whether a text may name this place, with one of its modifiers if it has any."""
        if not self.modifiers:
            return self.place.may_be(places_in(text).capitalised_stems)
        return any(
            not self.modifiers.isdisjoint(named.modifiers) and self.place.may_be(named.place.stems)
            for named in places_in(text).classed
        )


def different_by_kind(
    left: frozenset[ClassedPlace], right: frozenset[ClassedPlace]
) -> Iterator[tuple[list[ClassedPlace], list[ClassedPlace]]]:
    """Yield, for each kind that both sides have, the places of both sides if none may be the same."""
    for kind in {place.kind for place in left} & {place.kind for place in right}:
        mine, theirs = ([place for place in side if place.kind == kind] for side in (left, right))
        if all(left_place.is_not(right_place) for left_place in mine for right_place in theirs):
            yield mine, theirs


def _classed(kind: str, match: re.Match[str]) -> ClassedPlace | None:
    text, start = match.string, match.start()
    in_capitals = places_in(text).is_in_capitals
    behind_class_word = match.start("name") > start and text[start].isupper()
    if not in_capitals and behind_class_word and _FIRST_NAME.search(text[:start]):
        return None
    # in a title in capitals the words after the first may not belong to the name
    name = [word for word in match["name"].split() if word[0].isupper()][: 1 if in_capitals else None]
    stems = name_stems(name)
    listed = bool(places_in(match[0]).listed)
    if not stems or is_no_place(name[-1]) or _OF_MANY.fullmatch(name[-1]) or (kind == _SETTLEMENT_KIND and listed):
        return None
    parts = re.split(r"[\s-]", match["modifiers"]) if kind == _OF_TWO else []
    modifiers = frozenset(_name_stem(part)[:_MODIFIER_LETTERS] for part in parts if part not in ("and", "и"))
    return ClassedPlace(kind, match[0], UnlistedPlace(stems), modifiers, listed or in_capitals)
