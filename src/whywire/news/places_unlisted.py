"""Places that no list knows, by what stands before or after their names: "in Nordvik", "под Клином", "Melin airport".

Which error is worse? A name that is taken for a place may make two events of one. But such a place is compared with
another one only (:mod:`whywire.events.scenes`), so a name that is none does little harm. What may hold or be the
other place does more: a region named by one outlet and its town by another. So regions are told from towns, and
institutions, parks and streets, which lie in a town, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from whywire.news.places import places

CHANGING = 5
"""Letters from which a stem may lose its last one in another word: "Калуга", "калужский"."""

CACHED_TEXTS = 65_536
"""Texts whose places are kept, for each is compared with many others."""

_ENGLISH_NAME = (
    r"(?:St\.?\s)?(?!(?:The|An?)\s)(?:[A-Z][’'])?[A-Z][a-zà-ÿ]+(?:-(?:on|upon|in|de|la|le)-[A-Z][a-zà-ÿ]+|-[A-Z][a-zà-ÿ]+)*"
    r"(?:\s(?:(?:de|del|la|al|of)\s)?[A-Z][a-zà-ÿ]+(?:-[A-Z][a-zà-ÿ]+)*){0,2}"
)

_RUSSIAN_NAME = r"[А-ЯЁ][а-яё]+(?:-(?:на-)?[А-ЯЁ]?[а-яё]+)*(?:\s[А-ЯЁ][а-яё]+(?:-[А-ЯЁ]?[а-яё]+)*)?"

_ENGLISH_SETTLEMENT = (
    r"(?:town|city|village|port|airport|suburb|harbou?r|mayor|outskirts|people|residents|streets|capital)"
)

_RUSSIAN_SETTLEMENT = (
    r"(?:город|пос[её]л|сел[оеау]\b|деревн|станиц|райцентр|порт|аэропорт|пригород|окрестност|центре\b)"
)

_BEFORE_NAME = (
    r"(?<!trust )(?<!faith )(?<!confidence )(?<!stake )(?<!shares )(?<!interest )\bin",
    r"\b(?:near|at|outside|off|around|across|above|below|over)",
    r"\b(?:hits?|struck|strikes?|(?:attack|bomb|raid|pound|flood)(?:s|ed)?|rock(?:s|ed)|sh(?:akes|ook|ells|elled)|jolt(?:s|ed)|batter(?:s|ed)|lash(?:es|ed))",
    r"\b(?:strike|attack|raid|assault|rocket|missile|drone|shell|bomb)s?\s(?:f[ae]ll\s)?on",
    rf"\b(?:shelling|bombing|bombardment|siege|flooding|evacuation|{_ENGLISH_SETTLEMENT})\sof",
    r"\b(?:во?|по|под|над|возле|близ|около|вблизи|недалеко от|рядом с)",
    r"\b(?:атак|напад|напал|нал[её]т|обруши)[а-я]*(?:\s[а-я]+)?\sна",
    r"\b(?:накры|затопи|подтопи|обесточи|окута|засыпа|сотряс|тряхну|атакова)[а-я]{1,4}",
    r"\b(?:жител|мэр|обстрел|обстрелял|аэропорт|порт|вокзал|метро|окрестност|улиц)[а-я]{0,3}",
)
"""What stands before the place of an event."""

_BETWEEN = (
    r"(?:(?:the|downtown|central|rural|nearby|(?:north|south|east|west)\w*)\s)*"
    rf"(?:{_ENGLISH_SETTLEMENT}\s(?:of\s)?)?(?:{_RUSSIAN_SETTLEMENT}\w*\s|г\.\s)*"
)

_NAMED = re.compile(
    rf"(?i:(?:{'|'.join(_BEFORE_NAME)})\s){_BETWEEN}(?P<name>{_ENGLISH_NAME}|{_RUSSIAN_NAME})"
    r"(?=(?P<after>(?:['’]s)?(?:\s[\w-]+)?))"
)

_NAMED_BEFORE = re.compile(
    rf"(?<!\w)(?P<name>{_ENGLISH_NAME}|{_RUSSIAN_NAME})(?P<after>\s(?:airport|port|harbou?r|beach"
    r"|затопило|подтопило|обесточило|тряхнуло|засыпало|накрыло|завалило))\b"
)
"""Names before what places alone have or suffer: "Melin airport"."""

_REGION = re.compile(
    r"(?:county|region|province|district|state|valley|coast|islands?|peninsula|riviera|highlands|hills|sea|bay|gulf"
    r"|\w+shire|област|кра[йяею]|район|республик|округ|губерни|автоном|море|залив|остров|полуостров|побереж|берег|поволж"
    r"|подмосков|примор|прикам|забайкал|зауралье)\w*",
    re.IGNORECASE,
)
"""Words of what may hold many towns."""

_SIDE = re.compile(
    r"(?:north|south|east|west|central|greater|upper|lower|inner|outer)\w*|(?:север|юж|восто|запад)\w+", re.IGNORECASE
)

_IN_A_TOWN = re.compile(
    r"(?:park|street|square|road|avenue|lane|station|hospital|university|college|school|stadium|arena|court|house|hall"
    r"|palace|museum|church|cathedral|bridge|tower|centre|center|plaza|mall|prison|cup|league|games|open|championship"
    r"|group|corp|inc|bank)",
    re.IGNORECASE,
)
"""Words that end the name of what lies in a town, or is none."""

_ADJECTIVE = re.compile(r"(?:ом|ем|ой|ей|ую|юю)$")

_SITE = re.compile(
    r"\s(?:больниц|клиник|институт|университет|академи|школ|гимнази|лице|вокзал|театр|музе|парк|улиц|площад|проспект|шоссе"
    r"|набережн|бульвар|переул|мост|суд|тюрьм|колони|собор|церк|монастыр|завод|фабрик|шахт|стадион|войн|фронт|фонд)"
)
"""Nouns behind an adjective that make it the name of what lies in a town: "в Покровской больнице"."""

_NO_PLACE = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|t|ober|ember)?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|winter|christmas|easter|ramadan"
    r"|congress|parliament|senate|commons|lords|kremlin|pentagon|cabinet|brexit|covid|internet|olympics?|euro|formula"
    r"|english|french|german|greek|dutch|swiss|czech|thai|afghan|iraqi|israeli|pakistani|saudi|somali|yemeni|welsh"
    r"|scottish|\w+(?:ish|ese|ian|ean|ican|occan|enyan|ibyan|uban)|god|he|she|we|they|it|this|that|all|first|second"
    r"|кремл\w*|пентагон\w*|госд\w+|дум[еуы]|рад[еуы]|сенат\w*|конгресс\w*|парламент\w*|правительств\w*"
    r"|совфед\w*|евросоюз\w*|сет[ьи]|интернет\w*|рунет\w*|центробанк\w*|газпром\w*|сбер\w*|генпрокур\w*|прокуратур\w*"
    r"|следком\w*|мин(?:оборон|здрав|фин|юст|эконом|прос|цифр|транс|энерг|пром|труд|строй|сельхоз|ист|культ|обр)\w*"
    r"|рос(?:авиа|гвард|потреб|реестр|стат|косм|нефт|атом|сельх|комнад|гидро|тел)\w*|лиг[еуи]|кубк\w*|чемпионат\w*|олимпи\w*|пасх\w*|рождеств\w*|нов(?:ый|ого|ом)|европ\w*|галактик\w*|млечн\w*|земл[еюи]|марс\w*|отечественн\w*"
    r"|бел(?:ом|ый)|верховн\w*|конституц\w*|вооруж\w*|институт\w*|университет\w*|академи\w*|управлени\w*|больниц\w*",
    re.IGNORECASE,
)
"""Words after the same prepositions that name times, institutions, languages and nations."""

_AFTER_PERSONS = re.compile(
    r"['’]s|\s(?:trial|case|probe|lawsuit|row|scandal|deal|era|plot|capital|city|town|village|area)\b"
    r"|\s(?:сообщ|заяв|расска|назва|объясн|отмет|уточн|подтверд|предупред|опроверг|прокоммент|ответи|счита|увер|призва"
    r"|пообещ|потребова|реши|прин)\w*",
)
"""Behind a name these make it one of a person, a nation ("in the Spanish capital") or an office that speaks."""

_SHORT_TITLE = 3
"""So few capitals say nothing of a title: "Flood in Calder Valley"."""

_COMMON_WORDS = frozenset(
    (
        *(
            "new",
            "old",
            "big",
            "little",
            "saint",
            "st",
            "san",
            "santa",
            "santo",
            "los",
            "las",
            "el",
            "la",
            "le",
            "al",
        ),
        *("de", "del", "of", "on", "port", "fort", "lake", "mount"),
        *("нов", "стар", "больш", "мал", "красн", "верхн", "нижн", "велик", "усть", "на"),
    )
)
"""Parts of many names, which make no two of them one."""

_RUSSIAN_ENDING = re.compile(
    r"(?:[оеыи](?:го|му|ми|й|м|х)|ами|ями|ам|ям|ах|ях|ов|ую|юю|ая|яя|ое|ее|ые|ие|ью|ия|ии|ию|[аеиоуыюяй])$"
)


@dataclass(frozen=True)
class UnlistedPlace:
    """A place by the stems of its name.

    Args:
        is_region: it may hold towns; otherwise it is a town, as far as its words show.
    """

    stems: frozenset[str]
    is_region: bool = False

    def may_be(self, stems: Iterable[str]) -> bool:
        """Whether one of some stems is that of the same name, in another case or in another word made from it."""
        return any(_alike(mine, theirs) for theirs in stems for mine in self.stems)


@lru_cache(maxsize=CACHED_TEXTS)
def unlisted_places(text: str) -> frozenset[UnlistedPlace]:
    """The places that an English or Russian text says something happens in or near, and that no list knows."""
    found = (*_NAMED.finditer(text), *_NAMED_BEFORE.finditer(text))
    in_capitals = is_in_capitals(text)
    return frozenset(place for match in found if (place := _place(match, in_capitals)) is not None)


def is_in_capitals(text: str) -> bool:
    """Whether this is a title each word of which begins with a capital, or nearly each."""
    return len(re.findall(r"\b[A-ZА-ЯЁ]", text)) > _SHORT_TITLE and not re.search(r"\b[a-zа-яё]{4,}", text)


def is_no_place(word: str) -> bool:
    """Whether a word with a capital is that of a time, an institution, a language or a nation."""
    return bool(_NO_PLACE.fullmatch(word))


def _place(match: re.Match[str], in_capitals: bool) -> UnlistedPlace | None:
    name, after = match["name"], match["after"]
    words = name.split()
    if _ADJECTIVE.search(name) and _SITE.match(after):
        return None
    if is_no_place(words[0]) or _AFTER_PERSONS.match(after) or _IN_A_TOWN.fullmatch(words[-1]):
        return None
    if in_capitals:  # the words behind are of the name if they have to be
        of_two = (
            words[0].lower() in _COMMON_WORDS or _SIDE.fullmatch(words[0]) or any(map(_REGION.fullmatch, words[1:2]))
        )
        words = words[: 2 if of_two else 1]
        if _IN_A_TOWN.fullmatch(words[-1]):
            return None
    name = " ".join(words)
    if places(name + after) or places(name):
        return None
    is_region = any(_REGION.fullmatch(word) or _SIDE.fullmatch(word) for word in (*words, after.strip()))
    stems = name_stems(word for word in words if not _REGION.fullmatch(word) or word.endswith("shire"))
    return UnlistedPlace(stems, is_region) if stems else None


def speaks_of_region(text: str) -> bool:
    """Whether a word of a text makes a name beside it one of what may hold many towns: "в Курской области"."""
    return any(map(_REGION.fullmatch, re.findall(r"\w+", text)))


def name_stems(words: Iterable[str]) -> frozenset[str]:
    """Stems of the words of names, without the parts that many names share."""
    parts = [name_stem(part) for word in words for part in re.split(r"[-–.]", word)]
    return frozenset(part for part in parts if len(part) > 1 and part not in _COMMON_WORDS)


@lru_cache(maxsize=CACHED_TEXTS)
def name_stem(word: str) -> str:
    """The stem of a word of a name, in small letters."""
    plain = re.sub(r"['’]s?$", "", word).lower().replace("ё", "е")
    return _RUSSIAN_ENDING.sub("", plain).rstrip("ьй") or plain


def _alike(one: str, other: str) -> bool:
    """Whether one stem begins the other but for a last letter, which an ending may change."""
    if one[:2] != other[:2]:
        return False
    short, long = sorted((one, other), key=len)
    return long.startswith(short if len(short) < CHANGING else short[:-1])
