"""A nested gazetteer of countries, regions and large cities, and a search for their names in headlines.

Headlines that name different places are taken for different events, so a wrong place is worse than a missed one: the
list (``places.txt``) omits small towns and names that mostly mean people, clubs or common words. A named entity
tagger is not used: trained on sentences, it takes brands and first names in headlines for places.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Generic, TypeVar

from whywire.news.language import Language

Place = tuple[str, ...]
"""Names from the country down to the place, such as ``("US", "Texas", "Dallas")``. Each name is the first name of its
place in the list."""

Named = TypeVar("Named")

_FILE = Path(__file__).with_name("places.txt")
_INDENT_SPACES = 2
_REGION_MARK = "* "
"""Marks a region that contains no other place of the list."""

_ENDING = re.compile(r"(?:['’]s?|\.)$")

OUTLET_SUFFIX = re.compile(r"(?<=\S{3})\s+[-–—|]\s+[^-–—|]{1,40}$")
"""An outlet's name at the end of a headline, which may contain a place."""

_NOT_PLACES = re.compile(r"\bTour de France\b|\bТур де Франс\b|«\w+»|[–—/,]")
"""Names that contain a place but mean something else (a Russian name in quotes is a club or a firm), and punctuation
that ends a name."""

_OTHER_OF_THE_NAME = re.compile(
    r"\b(?:Old|Little|(?<=\s)New"
    r"|(?:Стар|Мал|Верхн|Нижн|(?<=\s)Нов)(?:ый|ий|ая|яя|ое|ее|ого|его|ому|ему|ом|ем|ой|ей|ую|юю))$"
)
"""Words before a name that make it another place: «Старый Крым». "New" may be the first word of a headline."""

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
"""Case endings of Russian names by the ending of the nominative; the first that fits applies."""

_CONSONANT_CASE_ENDINGS = ("", "а", "у", "е", "ом")
"""Case endings of names that end in a consonant."""


def listed_places(text: str) -> Iterator[tuple[str, Place]]:
    """Yield the listed places that an English or Russian text names, each with the words before it."""
    words = [word.strip("\"'“”‘’«»()[]:;!?") for word in _NOT_PLACES.sub(" | ", OUTLET_SUFFIX.sub("", text)).split()]
    places = _gazetteer()
    for start, place in places.named_in(words):
        before = " ".join(words[max(0, start - places.longest) : start])
        if not _OTHER_OF_THE_NAME.search(before):
            yield before, place


class Names(Generic[Named]):
    """A search for names in texts.

    Args:
        meanings: maps every inflected form of a name to what the name means.

    Attributes:
        longest: the number of words in the longest name.
    """

    def __init__(self, meanings: Mapping[str, Named]) -> None:
        self.meanings = meanings
        self._longest_from: defaultdict[str, int] = defaultdict(int)
        for name in meanings:
            first, *others = name.split()
            self._longest_from[first] = max(self._longest_from[first], 1 + len(others))
        self.longest = max(self._longest_from.values())

    def named_in(self, words: Sequence[str]) -> Iterator[tuple[int, Named]]:
        """Yield what the words name, longest names first, each with the index of the name's first word."""
        start = 0
        while start < len(words):
            first = words[start]
            longest = self._longest_from.get(first) or self._longest_from.get(_ENDING.sub("", first), 0)
            size = 1
            for more in range(longest, 0, -1):
                name = " ".join(words[start : start + more])
                if named := self.meanings.get(name) or self.meanings.get(_ENDING.sub("", name)):
                    yield start, named
                    size = more
                    break
            start += size


def in_different_places(left: frozenset[Place], right: frozenset[Place]) -> bool:
    """Whether both sets have places, and no place of one set equals, contains or lies in a place of the other set."""
    return bool(left and right) and not any(
        mine[: len(theirs)] == theirs[: len(mine)] for mine in left for theirs in right
    )


def place_named(name: str) -> Place | None:
    """The listed place with this name, in any inflected form and capitalisation; ``None`` if there is none."""
    return _places_by_lower_case().get(" ".join(name.lower().split()))


def place_name(place: str, language: Language) -> str:
    """The name of a place in English or Russian, by its first name in the list."""
    return _names(language).get(place, place)


def is_town(place: Place) -> bool:
    """Whether a place on the list is neither a country nor a region."""
    return len(place) > 1 and place not in _regions()


@cache
def _regions() -> frozenset[Place]:
    """The places that contain other places of the list, and the places that are marked as regions."""
    return frozenset(region for place, _, is_region in _rows() for region in (place[:-1], *([place] * is_region)))


@cache
def _gazetteer() -> Names[Place]:
    """The places by name."""
    return Names({name: place for place, names, _ in _rows() for name in names})


@cache
def _places_by_lower_case() -> dict[str, Place]:
    return {name.lower(): place for name, place in _gazetteer().meanings.items()}


@cache
def _names(language: Language) -> dict[str, str]:
    """The first names of places in a language, by the first name in the list."""
    side = 1 if language is Language.RUSSIAN else 0
    return {place[-1]: names[side][0] for place, names, _ in _lines() if names[side]}


def _rows() -> Iterator[tuple[Place, list[str], bool]]:
    """Yield each place of the list, its names in every inflected form, and whether it is marked as a region."""
    for place, (english, russian), is_region in _lines():
        yield place, [*english, *chain.from_iterable(map(inflected, russian))], is_region


def _lines() -> Iterator[tuple[Place, tuple[list[str], list[str]], bool]]:
    """Yield each place of the list, its English and its Russian names, and whether it is marked as a region."""
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
        yield tuple(above), (english, russian), is_region


def inflected(name: str) -> list[str]:
    """Return a Russian name in all cases; a few of the forms do not exist, which does no harm."""
    return [" ".join(words) for words in product(*map(_inflected_word, name.split()))]


def _inflected_word(word: str) -> list[str]:
    for ending, cases in _CASE_ENDINGS.items():
        if word.endswith(ending):
            return [word.removesuffix(ending) + case for case in cases.split()]
    return [word + case for case in _CONSONANT_CASE_ENDINGS]
