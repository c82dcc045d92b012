"""Whether two texts are set in different places.

Listed places (:mod:`whywire.news.places`) are compared whatever else the texts say. Of an unlisted place nobody knows
in which region it lies: "Fire in Leeds mill" and "Mill in West Yorkshire burns" may be one fire. So it is compared
with towns if it seems to be a town, else with regions, and it tells nothing apart if either report has a word for the
place of the other, or if both are about one person or firm (:func:`may_be_two`). Names with a class ("Mill Street")
or a modifier ("Upper Drayle") are compared with names of the same kind, if the headlines say nearly the same.

Names of people, firms and unlisted places without any such word are compared only to tell whom or what a headline may
refute (:func:`name_others`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from whywire.events.denials import CACHED_TEXTS
from whywire.events.told import Scene
from whywire.news.gazetteer import Place, in_different_places
from whywire.news.language import language_by_letters
from whywire.news.numbers import NUMBER_WORDS
from whywire.news.places import UnlistedPlace, different_by_kind, is_no_place, name_stems, places_in
from whywire.news.stems import is_frequent

NEARLY_THE_SAME = 0.6
"""The share of all stems of two headlines, without names, that both must have to say nearly the same."""

STEM_LETTERS = 4
"""Letters of a word that are compared, which ignores most endings in both languages."""

_WORD = re.compile(r"[^\W\d_]{3,}")


def are_listed_apart(one: Scene, other: Scene) -> bool:
    """Whether both name listed places, and none lies in one of the other."""
    return in_different_places(one.listed, other.listed)


def may_be_apart(one: Scene, other: Scene) -> bool:
    """Whether both name towns, or both regions, and neither report has a word for one of the other."""
    if not (one.unlisted or other.unlisted):
        return False
    if one.towns and other.towns:
        return are_of_two_towns(one, other)
    return bool(one.regions and other.regions) and _do_not_speak_of(one, other, one.regions, other.regions)


def are_of_two_towns(one: Scene, other: Scene) -> bool:
    """Whether both name towns, on the list or not, and neither report has a word for one of the other."""
    return bool(one.towns and other.towns) and _do_not_speak_of(one, other, one.towns, other.towns)


def _do_not_speak_of(
    one: Scene,
    other: Scene,
    mine: Sequence[Place | UnlistedPlace],
    theirs: Sequence[Place | UnlistedPlace],
) -> bool:
    return not (
        any(_speaks_of(other.background, place) for place in mine)
        or any(_speaks_of(one.background, place) for place in theirs)
    )


def are_classed_apart(one: Scene, other: Scene) -> bool:
    """Whether both name places of one class, all different, and neither report has a word for one of the other."""
    return any(
        not any(place.is_named_in(other.background) for place in mine)
        and not any(place.is_named_in(one.background) for place in theirs)
        for mine, theirs in different_by_kind(one.classed, other.classed)
    )


@lru_cache(maxsize=CACHED_TEXTS)
def _speaks_of(text: str, place: Place | UnlistedPlace) -> bool:
    """Whether a text has a word for a place."""
    if isinstance(place, UnlistedPlace):
        return place.may_be(places_in(text).capitalised_stems)
    named = places_in(text).listed
    return bool(named) and not in_different_places(frozenset([place]), named)


def may_be_two(one: str, other: str) -> bool:
    """Whether two headlines may be of two events in two places.

    They share a word and no name, or share a name and say nearly the same, since reports of one event involving a
    person or firm often mention several places.
    """
    if _names(one) & _names(other):
        return say_nearly_the_same(one, other)
    return bool(_without_names(one) & _without_names(other))


def say_nearly_the_same(one: str, other: str) -> bool:
    """Whether two headlines share most of their words, without names and numbers."""
    mine, theirs = _without_names(one), _without_names(other)
    return bool(mine & theirs) and len(mine & theirs) >= NEARLY_THE_SAME * len(mine | theirs)


def say_one_thing(one: str, other: str) -> bool:
    """Whether at least half of the stems of the shorter text are in the other, without names."""
    mine, theirs = _without_names(one), _without_names(other)
    return bool(mine and theirs) and 2 * len(mine & theirs) >= min(len(mine), len(theirs))


@lru_cache(maxsize=CACHED_TEXTS)
def _without_names(text: str) -> frozenset[str]:
    """The stems of a text without those of names and numbers, or of places where a title has only capitals."""
    for name in sorted((place.words for place in places_in(text).classed), key=len, reverse=True):
        text = text.replace(name, " ")
    words = text.split()
    if places_in(text).is_in_capitals:
        named: Sequence[str] = [stem for place in places_in(text).unlisted for stem in place.stems]
        words = [word for word in words if not name_stems([word]) & {*named} and not places_in(word).listed]
    else:
        words = [word for at, word in enumerate(words) if not at or not word.strip("«“\"'(")[:1].isupper()]
    lowered = _WORD.findall(" ".join(words).lower())
    return frozenset(word[:STEM_LETTERS] for word in lowered if word not in NUMBER_WORDS)


@lru_cache(maxsize=CACHED_TEXTS)
def _names(text: str) -> frozenset[str]:
    """The stems of words behind the first that begin with a capital, without those of places and nations."""
    words = re.findall(r"(?<=[\s«“\"(])[A-ZА-ЯЁ][\w’'-]+", text)
    stems = name_stems(word for word in words if not places_in(word).listed and not is_no_place(word))
    return stems - {stem for place in places_in(text).unlisted for stem in place.stems}


_CAPITALISED = re.compile(r"(?<![\w’'-])[A-ZА-ЯЁ][\w’'-]*[a-zа-яё][\w’'-]*")
"""A word with a capital, but none in capitals: most of those are authorities ("NHS"), who speak of everybody."""

_QUOTED_NAME = re.compile(r"«[A-ZА-ЯЁ][\w-]*(?:\s[\w-]+){0,2}»")

_SENTENCE_START = re.compile(r"(?:^|[:.?!—–]\s)[\s«“‘\"']*$")

_NATION = re.compile(r"\w+(?:ish|ese|ian|ean|ican)", re.IGNORECASE)

_TITLES = """
    president prime minister secretary mayor governor senator judge general king queen prince princess sir doctor
    professor coach singer actor actress президент премьер министр мэр губернатор сенатор генерал судья принц
    принцесса
"""
_INSTITUTIONS = """
    bank united city town airport port hospital school university court group company motors royal air airways
    airlines zoo rovers банк порт суд полиция профсоюз минздрав
"""
_INSTITUTION_STEMS = name_stems(_INSTITUTIONS.split())
_PARTS_OF_NAMES = name_stems(_TITLES.split()) | _INSTITUTION_STEMS
"""Titles and kinds of institutions. They make no two names the same: "Princess Astrid", "Princess Leonie"."""


def name_others(one: str, other: str) -> bool:
    """Whether both headlines name people, firms or unlisted places, and not one of them may be named in both."""
    mine, theirs = names_in(one), names_in(other)
    maybe_mine, maybe_theirs = mine.possible_beside(other), theirs.possible_beside(one)
    if not ((mine.certain and (theirs.certain or maybe_theirs)) or (theirs.certain and maybe_mine)):
        return False
    titles = mine.before_names & theirs.before_names
    return not (
        are_named_in((mine.certain | maybe_mine) - titles, other)
        or are_named_in((theirs.certain | maybe_theirs) - titles, one)
    )


def are_named_in(names: frozenset[str], text: str) -> bool:
    """Whether a text has a word, in any case or form, for any of the names, which are given by their stems."""
    found = {
        stem
        for word in _WORD.findall(text)
        for stem in name_stems([word])
        if not word.islower() or len(stem) >= STEM_LETTERS
    }
    return bool(names) and UnlistedPlace(names).may_be(found - _PARTS_OF_NAMES)


class NamesIn(NamedTuple):
    """The stems of the names in a headline, without listed places.

    Args:
        certain: of words with a capital within a sentence, and of names in quotes.
        possible: of rare words that begin a sentence, or stand in a title in capitals.
        before_names: the possible names before another one, which may be titles: "Banker Otto Brand".
    """

    certain: frozenset[str]
    possible: frozenset[str]
    before_names: frozenset[str]

    def possible_beside(self, other: str) -> frozenset[str]:
        """The possible names without the words that another headline has in lower case: "Explosion", "explosion"."""
        return self.possible - name_stems(word for word in _WORD.findall(other) if word.islower())


@lru_cache(maxsize=CACHED_TEXTS)
def names_in(text: str) -> NamesIn:
    """The names in a headline."""
    certain, possible, before_names = set[str](), set[str](), set[str]()
    in_capitals = places_in(text).is_in_capitals
    quoted = [match.span() for match in _QUOTED_NAME.finditer(text)]
    for match in _CAPITALISED.finditer(text):
        word = match[0]
        in_quotes = any(start < match.start() < end for start, end in quoted)
        is_other = places_in(word).listed or (is_no_place(word) and not _NATION.fullmatch(word))
        if is_other and not in_quotes:
            continue
        starts = in_capitals or _SENTENCE_START.search(text, 0, match.start())
        behind = _CAPITALISED.match(text, match.end() + 1)
        if in_quotes or not starts:
            certain |= name_stems([word])
        elif not is_frequent(word, language_by_letters(text)):
            is_of_institution = behind is not None and not name_stems([behind[0]]).isdisjoint(_INSTITUTION_STEMS)
            (certain if is_of_institution and not in_capitals else possible).update(name_stems([word]))
            before_names |= name_stems([word]) if behind and not is_of_institution else frozenset()
    found = (certain, possible - certain, before_names)
    return NamesIn(*(frozenset(stems) - _PARTS_OF_NAMES for stems in found))
