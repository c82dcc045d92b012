"""A gazetteer of countries, regions and large cities, one inside the other, and which of them a headline names.

Two headlines that name different places are taken for different events, so a wrong place is worse than one that is
missed: names that mostly stand for people, clubs or words are not on the list (``places.txt``), nor are small
towns. A tagger made for sentences takes brands and first names for places in headlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from pathlib import Path

Place = tuple[str, ...]
"""From the country inwards, as ``("US", "Texas", "Dallas")``, by the first name of each."""

_FILE = Path(__file__).with_name("places.txt")
_INDENT_SPACES = 2
_REGION_MARK = "* "
"""What stands before a region that holds no place of the list."""

_ENDING = re.compile(r"(?:['’]s?|\.)$")

OUTLET_SUFFIX = re.compile(r"(?<=\S{3})\s+[-–—|]\s+[^-–—|]{1,40}$")
"""An outlet's name at the end of a headline; it may contain a place."""

_NOT_PLACES = re.compile(r"\bTour de France\b|\bТур де Франс\b|«\w+»|[–—/,]")
"""Names that contain that of a place and mean something else (a Russian name in quotes is a club's or a firm's), and
punctuation that ends a name."""

_OTHER_OF_THE_NAME = re.compile(
    r"\b(?:Old|Little|(?<=\s)New"
    r"|(?:Стар|Мал|Верхн|Нижн|(?<=\s)Нов)(?:ый|ий|ая|яя|ое|ее|ого|его|ому|ему|ом|ем|ой|ей|ую|юю))$"
)
"""What before the name of a place makes it that of another one: «Старый Крым»; "New" may open a headline."""

_CASE_ENDINGS = {
    "ия": "ия ии ию ией",
    "ая": "ая ой ую",
    "ый": "ый ом ого ому ым",
    "ий": "ий ом ого ому ему им ем",
    "а": "а ы и е у ой",
    "я": "я и е ю ей",
    "ь": "ь и я е ю ью ем",
    "й": "й я е ю ем",
    "ье": "ье ья ью ьем",
    "ы": "ы ов ам ами ах",
    "о": "о",
    "е": "е",
    "и": "и ев",
    "у": "у",
}
"""Case endings of Russian names by the ending of the nominative, the first that fits."""

_CONSONANT_CASE_ENDINGS = ("", "а", "у", "е", "ом")
"""Case endings of names that end in a consonant."""


def listed_places(text: str) -> Iterator[tuple[str, Place]]:
    """The places of the list that an English or Russian text names, each with the words before it."""
    words = [word.strip("\"'“”‘’«»()[]:;!?") for word in _NOT_PLACES.sub(" | ", OUTLET_SUFFIX.sub("", text)).split()]
    known, longest = _gazetteer()
    start = 0
    while start < len(words):
        for size in range(longest, 0, -1):
            name = " ".join(words[start : start + size])
            if place := known.get(name) or known.get(_ENDING.sub("", name)):
                before = " ".join(words[max(0, start - longest) : start])
                if not _OTHER_OF_THE_NAME.search(before):
                    yield before, place
                break
        start += size


def in_different_places(left: frozenset[Place], right: frozenset[Place]) -> bool:
    """Whether both sets are non-empty, and no place of one contains, equals or lies in a place of the other."""
    return bool(left and right) and not any(
        mine[: len(theirs)] == theirs[: len(mine)] for mine in left for theirs in right
    )


def is_town(place: Place) -> bool:
    """Whether a place on the list is neither a country nor a region."""
    return len(place) > 1 and place not in _regions()


@cache
def _regions() -> frozenset[Place]:
    """The places that hold others of the list, and those that are marked as regions."""
    return frozenset(region for place, _, is_region in _rows() for region in (place[:-1], *([place] * is_region)))


@cache
def _gazetteer() -> tuple[dict[str, Place], int]:
    """The place of each name in every inflected form, and the number of words in the longest name."""
    known = {name: place for place, names, _ in _rows() for name in names}
    return known, max(len(name.split()) for name in known)


def _rows() -> Iterator[tuple[Place, list[str], bool]]:
    """Each place of the list, its names in every inflected form, and whether it is marked as a region."""
    above: list[str] = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        depth = (len(line) - len(line.lstrip())) // _INDENT_SPACES
        is_region = line.lstrip().startswith(_REGION_MARK)
        english, russian = (
            [name.strip() for name in side.split(",") if name.strip()]
            for side in f"{line.replace(_REGION_MARK, '')}=".split("=")[:2]
        )
        above[depth:] = [(english + russian)[0]]
        yield tuple(above), [*english, *chain.from_iterable(map(_inflected, russian))], is_region


def _inflected(name: str) -> list[str]:
    """A Russian name in all cases; a few of the forms do not exist, which does no harm."""
    return [" ".join(words) for words in product(*map(_inflected_word, name.split()))]


def _inflected_word(word: str) -> list[str]:
    for ending, cases in _CASE_ENDINGS.items():
        if word.endswith(ending):
            return [word.removesuffix(ending) + case for case in cases.split()]
    return [word + case for case in _CONSONANT_CASE_ENDINGS]
