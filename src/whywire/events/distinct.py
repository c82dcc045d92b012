"""Says when two reports or mentions cannot be of one event, whatever their vectors and the pair model say.

Recurring events are reported in nearly the same words, so their vectors are near each other: two strikes on one town,
a rate raised and cut, fires in two cities. A few words tell them apart, and these rules read them:

- **days**: both state when the event happened, and the times do not overlap; a night belongs to both its days;
- **place**: they name different places, neither inside the other (:mod:`whywire.events.scenes`);
- **direction**: they say opposite things of one subject: rates raised and cut, an editor jailed and freed;
- **repetition**: one says "again", "for the third time" or "another blast", and an earlier report does not; or both
  say "again", days apart;
- **polarity**: one denies what the other asserts;
- **level**: a rate, a price or a sum differs, in reports of different days;
- **toll**: numbers of people differ, and the reports are of two events by another rule. A toll alone tells nothing
  apart: it rises while one event is reported.

:mod:`whywire.events.told` reads what each report or mention tells.

Joining two events is worse than dividing one: a joined event puts words into a source's mouth, hides a link between
the two, and closes nothing when one is denied; a divided event only repeats a line. But a rule that wrongly fires
divides an event whatever else is known. So each rule needs words on both sides (a place that one report leaves out
contradicts nothing), and ambiguous words tell nothing apart: a day beside "said", "US" as an adjective, a rouble
that falls while the dollar rises. And a pair that is told apart counts as ``DISTINCT`` in the mean of a group
instead of forbidding the merge: one misread word among twenty reports does not divide them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whywire.events.contradictions import counts_disagree, counts_otherwise, denies, may_deny
from whywire.events.denials import CACHED_TEXTS, is_denial, negates
from whywire.events.opposites import directions, opposite_of_one_thing
from whywire.events.scenes import (
    are_classed_apart,
    are_listed_apart,
    may_be_apart,
    may_be_two,
    say_nearly_the_same,
    say_one_thing,
)
from whywire.events.told import Told
from whywire.news.numbers import PEOPLE_TERMS, counts
from whywire.news.stems import stems

DISTINCT = -1.0
"""The value, in the mean probability of two groups, of a pair that is told apart. If a quarter of the pairs are told
apart, the groups stay apart although all other pairs are certain.
"""

REPEATED_AFTER = timedelta(hours=6)
"""How much later a report with "again" must come than one without it to be of another event: not all outlets call an
event a repetition.
"""

SECOND_AFTER = timedelta(hours=3)
"""The same for "a second blast" and "another blast", which are plainer."""

AGAIN_REPEATED = timedelta(hours=40)
"""How far apart two reports with "again" must lie to be of two repetitions: one is reported within a day."""

OTHER_DAY = timedelta(hours=12)
"""How far apart reports must lie for another rate or sum to be another decision and no correction."""


class Distinction(StrEnum):
    """What tells two reports or mentions apart; see the module for the rules."""

    DAYS = "days"
    PLACE = "place"
    DIRECTION = "direction"
    REPETITION = "repetition"
    POLARITY = "polarity"
    LEVEL = "level"
    TOLL = "toll"


def distinction(one: Told, other: Told) -> Distinction | None:
    """What tells two reports or mentions apart, in either order; ``None`` if they may be of one event."""
    by_words = (_in_words(mine, theirs) for mine in one.alike for theirs in other.alike)
    return next(filter(None, by_words), None) or _as_twins(one, other)


def _as_twins(one: Told, other: Told) -> Distinction | None:
    """``DAYS`` for two bare mentions whose reports say nearly the same of different days."""
    if not (one.is_bare and other.is_bare and one.report and other.report) or (one.days and other.days):
        return None
    mine, theirs = one.days or one.report.days, other.days or other.report.days
    twins = _do_not_overlap(mine, theirs) and say_nearly_the_same(one.report.words, other.report.words)
    return Distinction.DAYS if twins else None


def _do_not_overlap(one: tuple[datetime, datetime] | None, other: tuple[datetime, datetime] | None) -> bool:
    return bool(one and other and (one[1] <= other[0] or other[1] <= one[0]))


def _is_somewhere(one: Told) -> bool:
    return bool(one.scene.listed or one.scene.unlisted or one.scene.classed)


def _in_two_places(one: Told, other: Told) -> bool:
    if are_listed_apart(one.scene, other.scene):
        return True
    if are_classed_apart(one.scene, other.scene) and say_nearly_the_same(
        (one.report or one).words, (other.report or other).words
    ):
        return True
    if not may_be_apart(one.scene, other.scene):
        return False
    if not (one.report and other.report):
        return _headlines_apart(one, other)
    if (one.is_bare or other.is_bare) and not (
        are_listed_apart(one.report.scene, other.report.scene) or may_be_apart(one.report.scene, other.report.scene)
    ):
        return False  # a report of one event may name other places too
    return say_one_thing(one.words, other.words) or _headlines_apart(one.report, other.report)


def _headlines_apart(one: Told, other: Told) -> bool:
    """Whether two headlines may be of two events in two places, at least one of them unlisted."""
    if one.scene.unlisted and other.scene.unlisted:
        return may_be_two(one.words, other.words)
    return say_nearly_the_same(one.words, other.words)  # a large town holds places that no list knows: "in Camden"


class _Signs(NamedTuple):
    """What words contain that may tell them apart from others; most contain nothing and need no comparison."""

    directions: bool
    repetition: bool
    denial: bool
    number: bool


@lru_cache(maxsize=CACHED_TEXTS)
def _signs(words: str) -> _Signs:
    repeats = _occurrence(words) > _FIRST or bool(_another_of(words))
    return _Signs(bool(directions(words)), repeats, may_deny(words), bool(_counted(words)))


def _in_words(one: Told, other: Told) -> Distinction | None:
    mine, theirs = _signs(one.words), _signs(other.words)
    if one.days and other.days and _do_not_overlap(one.days, other.days):
        return Distinction.DAYS
    if _is_somewhere(one) and _is_somewhere(other) and _in_two_places(one, other):
        return Distinction.PLACE
    if mine.directions and theirs.directions and opposite_of_one_thing(one.words, other.words):
        return Distinction.DIRECTION
    if (mine.repetition and _is_later_one(one, other)) or (theirs.repetition and _is_later_one(other, one)):
        return Distinction.REPETITION
    if (mine.denial and _stands_against(one, other)) or (theirs.denial and _stands_against(other, one)):
        return Distinction.POLARITY
    if not (mine.number and theirs.number and counts_disagree(one.words, other.words)):
        return None
    if _counts_people(one.words) or _counts_people(other.words):
        of_two = one.report and other.report and _in_words(one.report, other.report)
        return Distinction.TOLL if of_two else None
    other_day = abs(_distance(one, other)) >= OTHER_DAY
    return Distinction.LEVEL if other_day and counts_otherwise(one.words, other.words) else None


def _stands_against(one: Told, other: Told) -> bool:
    """Whether one denies the other, or is a denial and the other a mention inside a text that negates nothing."""
    is_inside = other.report is not None
    return denies(one.words, other.words) or (is_inside and is_denial(one.words) and not negates(other.words))


def distinct_pairs(told: Sequence[Told]) -> NDArray[np.bool_]:
    """Which pairs are told apart, (items, items), symmetric."""
    apart = np.zeros((len(told), len(told)), dtype=bool)
    for i, j in np.argwhere(np.triu(_comparable(told), 1)).tolist():
        apart[i, j] = apart[j, i] = distinction(told[i], told[j]) is not None
    return apart


def _comparable(told: Sequence[Told]) -> NDArray[np.bool_]:
    """The pairs that contain anything to tell them apart by, (items, items): most contain nothing."""
    of_both = np.array([_needed_in_both(item.alike) for item in told], dtype=bool).reshape(-1, 4)
    of_either = np.array([any(_marks(words.words) for words in item.alike) for item in told], dtype=bool)
    result: NDArray[np.bool_] = of_both @ of_both.T | of_either[:, None] | of_either
    return result


def _needed_in_both(alike: Sequence[Told]) -> list[bool]:
    """Whether there is a day, a place, a direction, a count; each tells apart only if both sides have it."""
    return [
        any(one.days or (one.report and one.report.days) for one in alike),
        any(map(_is_somewhere, alike)),
        any(directions(one.words) for one in alike),
        any(_counted(one.words) for one in alike),
    ]


@lru_cache(maxsize=CACHED_TEXTS)
def _marks(words: str) -> bool:
    """Whether words speak of a repetition or negate something, which tells apart even if only one side does."""
    return _occurrence(words) > _FIRST or bool(_another_of(words)) or may_deny(words)


def _distance(one: Told, other: Told) -> timedelta:
    """The least time by which ``one`` appeared after the other report; negative if before, zero if unknown."""
    if one.published is None or other.published is None:
        return timedelta(0)
    if one.published.at < other.published.at:
        return -_distance(other, one)
    days_only = one.published.day_only and other.published.day_only
    return one.published.at - (other.published.at if days_only else other.published.until)


# how often

_EVENTS = (
    "attack strike airstrike raid blast explosion bombing earthquake quake tremor aftershock fire blaze "
    "wildfire flood storm shooting stabbing crash derailment collision protest rally walkout clash riot "
    "ambush shelling missile launch test outage blackout leak spill eruption avalanche landslide arrest "
    "wave round death suspect victim hike cut vote referendum summit trial lockdown recall"
)
_RUSSIAN_EVENTS = (
    "удар атак взрыв обстрел пожар землетряс теракт авари налёт налет забастов протест митинг наводнен шторм стрельб "
    "крушен столкнов запуск испытан отключен утечк изверж лавин оползн арест волн раунд смерт жертв погром повышен "
    "снижен локдаун голосован саммит суд"
)
"""Nouns for events that may recur, and stems of Russian ones."""

_EVENT = rf"(?:(?:{'|'.join(_EVENTS.split())})(?:e?s)?|(?:{'|'.join(_RUSSIAN_EVENTS.split())})\w*)"

_AGAIN = re.compile(
    r"\b(?:again|anew|once more|twice(?! as| the)|renews?|re-?(?:arrest|elect)\w*"
    rf"|(?:another|new|fresh|renewed|further|repeat)\s(?:[\w-]+\s)?{_EVENT}"
    r"|снова|вновь|опять|повторно|вторично|дважды|ещ[её]\s(?:раз|один|одн[аоуи]\w*)"
    rf"|(?:очередн|нов|повторн)\w+\s(?:\w+\s)?{_EVENT})\b",
    re.IGNORECASE,
)

_ADJECTIVE_ENDINGS = "(?:ый|ой|ая|ое|ого|ому|ую|ом|ым)"

_ORDINALS = (
    f"first|1st|перв{_ADJECTIVE_ENDINGS}",
    f"second|2nd|втор{_ADJECTIVE_ENDINGS}",
    "third|3rd|трет(?:ий|ья|ье|ьего|ьему|ью|ьем|ьей|ьим)",
    f"fourth|4th|четв[её]рт{_ADJECTIVE_ENDINGS}",
    f"fifth|5th|пят{_ADJECTIVE_ENDINGS}",
    f"sixth|6th|шест{_ADJECTIVE_ENDINGS}",
    f"seventh|7th|седьм{_ADJECTIVE_ENDINGS}",
    f"eighth|8th|восьм{_ADJECTIVE_ENDINGS}",
    f"ninth|9th|девят{_ADJECTIVE_ENDINGS}",
    f"tenth|10th|десят{_ADJECTIVE_ENDINGS}",
)

_OCCURRENCES = tuple(
    re.compile(
        rf"\b(?:{ordinal})\s(?:\w+\s){{0,3}}(?:time|straight|consecutive|раз|подряд|кряду|{_EVENT})\b"
        rf"|\b(?:{ordinal})\s(?:such\s)?(?:in|within|this|за)\s(?:\w+\s)?"
        r"(?:hours?|days?|weeks?|months?|years?|сут|дн|ден|недел|месяц|год)\w*"
        rf"|\bfor (?:a |the )?(?:{ordinal})\s(?:\w+\s)?(?:night|day|week|month|year)\b",
        re.IGNORECASE,
    )
    for ordinal in _ORDINALS
)

_OF_A_KIND = tuple(
    re.compile(rf"\b(?i:{word})\s(?P<what>(?:[a-zа-яё]+\s){{0,2}}[a-zа-яё]+)") for word in (*_ORDINALS[1:], "another")
)
"""A further event of the kind that the other report tells of: "second breach at Lumen Bank", after "Hackers breach
Lumen Bank"."""

_NO_KIND = stems(
    "half quarter month week year floor place birthday anniversary полугодие квартал месяц неделя этаж мировой "
    "рождения годовщина"
)
"""Stems of what is numbered although it does not recur: "second half"."""

_FIRST, _AGAIN_RANK = 1, 1.5


@lru_cache(maxsize=CACHED_TEXTS)
def _occurrence(words: str) -> float:
    """Which occurrence words speak of: 1 for the first, between 1 and 2 for "again", 0 if they do not say."""
    for number, ordinal in enumerate(_OCCURRENCES, 1):
        if ordinal.search(words):
            return number
    return _AGAIN_RANK if _AGAIN.search(words) else 0


@lru_cache(maxsize=CACHED_TEXTS)
def _another_of(words: str) -> frozenset[str]:
    """The stems of what follows "second", "another" and the like."""
    kinds = [match["what"] for pattern in _OF_A_KIND for match in pattern.finditer(words)]
    return frozenset(stems(" ".join(kinds))) - _NO_KIND


def _is_later_one(later: Told, earlier: Told) -> bool:
    """Whether the first tells of a later occurrence than the second."""
    mine, theirs = _occurrence(later.words), _occurrence(earlier.words)
    another = _another_of(later.words)
    is_another = bool(another) and not another.isdisjoint(stems(earlier.words))
    if is_another:
        mine = max(mine, _AGAIN_RANK)
    if mine <= _FIRST or mine < theirs:
        return False
    if mine == theirs:
        return mine == _AGAIN_RANK and _distance(later, earlier) >= AGAIN_REPEATED
    both_numbered = _AGAIN_RANK not in (mine, theirs) and theirs > 0
    is_plain = is_another or mine > _AGAIN_RANK
    return both_numbered or _distance(later, earlier) >= (SECOND_AFTER if is_plain else REPEATED_AFTER)


# how many


@lru_cache(maxsize=CACHED_TEXTS)
def _counted(words: str) -> frozenset[str]:
    """The things counted by the numbers in a text."""
    return frozenset(count.counted for count in counts(words))


def _counts_people(words: str) -> bool:
    return not _counted(words).isdisjoint(PEOPLE_TERMS)
