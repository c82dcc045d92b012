"""The places that headlines name, by a gazetteer of countries, regions and large cities, one inside the other.

Which error is worse? Two headlines that name different places are taken for different events, so a place that is none
is worse than one that is missed: names that mostly stand for people, clubs or words are not on the list
(``places.txt``), nor are small towns. A tagger made for sentences takes brands and first names for places in
headlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain, product
from pathlib import Path

Place = tuple[str, ...]
"""From the country inwards, as ``("US", "Texas", "Dallas")``, by the first name of each."""

PLACES_FILE = Path(__file__).with_name("places.txt")

INDENT_SPACES = 2

STAR = "* "
"""What stands before a region that holds no place of the list."""

CACHED_TEXTS = 65_536
"""Texts whose places are kept, for each is compared with many others."""

_ENDING = re.compile(r"(?:['’]s?|\.)$")

OUTLET_SUFFIX = re.compile(r"(?<=\S{3})\s+[-–—|]\s+[^-–—|]{1,40}$")
"""An outlet's name at the end of a headline; it may contain a place."""

NOT_PLACES = re.compile(r"\bTour de France\b|\bТур де Франс\b|«\w+»|[–—/,]")
"""What contains the name of a place and is none (a Russian name in quotes is a club's or a firm's), and punctuation
that ends a name."""

CASE_ENDINGS = (
    ("ия", "ия ии ию ией"),
    ("ая", "ая ой ую"),
    ("ый", "ый ом ого ому ым"),
    ("ий", "ий ом ого ому ему им ем"),
    ("а", "а ы и е у ой"),
    ("я", "я и е ю ей"),
    ("ь", "ь и я е ю ью ем"),
    ("й", "й я е ю ем"),
    ("ье", "ье ья ью ьем"),
    ("ы", "ы ов ам ами ах"),
    ("о", "о"),
    ("е", "е"),
    ("и", "и ев"),
    ("у", "у"),
)
"""Case endings of Russian names by the ending of the nominative; other names end in a consonant."""

CONSONANT_CASE_ENDINGS = ("", "а", "у", "е", "ом")


OTHER_OF_THE_NAME = re.compile(
    r"\b(?:Old|Little|(?<=\s)New|(?:Стар|Мал|Верхн|Нижн|(?<=\s)Нов)(?:ый|ий|ая|яя|ое|ее|ого|его|ому|ему|ом|ем|ой|ей|ую|юю))$"
)
"""What before the name of a place makes it that of another one: «Старый Крым»; "New" may open a headline."""

LOCATIVE = re.compile(
    r"\b(?:in|near|at|outside|around|off|across|inside|hit|hits|struck|strikes|rocked|rocks|shook|shakes"
    r"|в|во|под|на|около|близ|возле|над)"
    r"(?: (?:the|downtown|central|(?:north|south|east|west)\w*|городе|центре|районе|окрестностях|столице))*$",
    re.IGNORECASE,
)
"""What stands before the place where something happens, and not before that of an outlet, a team or a speaker."""


@lru_cache(maxsize=CACHED_TEXTS)
def places(headline: str) -> frozenset[Place]:
    """The places that an English or Russian headline names, by their own names and in any case."""
    return frozenset(path for _, path in _named(headline))


@lru_cache(maxsize=CACHED_TEXTS)
def located_places(text: str) -> frozenset[Place]:
    """The places of which a text says that something happens in or near them."""
    return frozenset(path for before, path in _named(text) if LOCATIVE.search(before))


def _named(text: str) -> Iterator[tuple[str, Place]]:
    """The places that a text names, each with the words before it."""
    words = [word.strip("\"'“”‘’«»()[]:;!?") for word in NOT_PLACES.sub(" | ", OUTLET_SUFFIX.sub("", text)).split()]
    known, longest = _gazetteer()
    place = 0
    while place < len(words):
        for size in range(longest, 0, -1):
            name = " ".join(words[place : place + size])
            path = known.get(name) or known.get(_ENDING.sub("", name))
            if path:
                before = " ".join(words[max(0, place - longest) : place])
                if not OTHER_OF_THE_NAME.search(before):
                    yield before, path
                break
        place += size


def in_different_places(left: frozenset[Place], right: frozenset[Place]) -> bool:
    """Whether both sets are non-empty, and no place of one contains, equals or lies in a place of the other."""
    return bool(left and right) and not any(_contains(one, other) for one in left for other in right)


def is_town(place: Place) -> bool:
    """Whether a place on the list is neither a country nor a region."""
    return len(place) > 1 and place not in _regions()


def _contains(one: Place, other: Place) -> bool:
    return all(mine == theirs for mine, theirs in zip(one, other, strict=False))


@cache
def _regions() -> frozenset[Place]:
    """The places that hold others of the list, and those with a star."""
    rows = list(_rows())
    return frozenset(path[:-1] for path, *_ in rows) | {path for path, _, is_region in rows if is_region}


@cache
def _gazetteer() -> tuple[dict[str, Place], int]:
    """The place of each name in every inflected form, and the number of words in the longest name."""
    known = {name: path for path, names, _ in _rows() for name in names}
    return known, max(len(name.split()) for name in known)


def _rows() -> Iterator[tuple[Place, list[str], bool]]:
    """Each place of the list, its names in every inflected form, and whether it has a star."""
    above: list[str] = []
    for line in PLACES_FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        depth = (len(line) - len(line.lstrip())) // INDENT_SPACES
        is_region = line.lstrip().startswith(STAR)
        english, russian = (
            [name.strip() for name in side.split(",") if name.strip()]
            for side in f"{line.replace(STAR, '')}=".split("=")[:2]
        )
        above[depth:] = [(english + russian)[0]]
        yield tuple(above), [*english, *chain.from_iterable(map(_inflected, russian))], is_region


def _inflected(name: str) -> list[str]:
    """A Russian name in all cases; a few of the forms do not exist, which does no harm."""
    return [" ".join(words) for words in product(*map(_inflected_word, name.split()))]


def _inflected_word(word: str) -> list[str]:
    for ending, cases in CASE_ENDINGS:
        if word.endswith(ending):
            return [word.removesuffix(ending) + case for case in cases.split()]
    return [word + case for case in CONSONANT_CASE_ENDINGS]
