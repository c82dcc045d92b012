"""Whether two texts are set in different places.

Listed places (:mod:`whywire.news.places`) are compared whatever else the texts say. Of an unlisted place nobody knows
in which region it lies: "Fire in Leeds mill" and "Mill in West Yorkshire burns" may be one fire. So it is compared
with towns if it seems to be a town, else with regions, and it tells nothing apart if either report has a word for the
place of the other, or if both are about one person or firm (:func:`may_be_two`). Names with a class ("Mill Street")
or a modifier ("Upper Drayle") are compared with names of the same kind, if the headlines say nearly the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from whywire.events.denials import CACHED_TEXTS
from whywire.events.told import Scene
from whywire.news.gazetteer import Place, in_different_places
from whywire.news.numbers import NUMBER_WORDS
from whywire.news.places import UnlistedPlace, different_by_kind, is_no_place, name_stems, places_in

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
