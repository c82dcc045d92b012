"""Says when two reports or mentions cannot be of one event, whatever their vectors and the pair model say.

Vectors are near where words are shared, and happenings that recur share nearly all of theirs: two strikes on one
town, a rate raised and cut, fires in two cities. What tells them apart are a few words, and these rules read them:

- **days**: the words of both state when, and the times do not overlap;
- **place**: they name different places, neither inside the other;
- **direction**: they say opposite things of one subject: rates raised and cut, an editor jailed and freed;
- **repetition**: "again", "for the third time", "another blast" in one, and an earlier report without it;
- **polarity**: one denies what the other asserts;
- **level**: a rate, a price or a sum differs, in reports of different days;
- **toll**: other counts of people, in reports that are themselves of two events. Alone it tells nothing apart: tolls
  rise while one event is reported.

Which error is worse? Two events in one: that puts words into a source's mouth, hides a link between the two, and
closes nothing when one is denied. One event in two only repeats a line. But a rule that fires on reports of one event
divides it whatever else is known. So each asks for words on both sides (a place that one report leaves out
contradicts nothing), and what may be meant in two ways tells nothing apart: a day beside "said", "US" as an
adjective, a rouble that falls while the dollar rises. For the same reason a pair that is told apart counts
``DISTINCT`` in the mean of a group and does not forbid it: one word misread among twenty reports divides none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from whywire.events.contradictions import counts_disagree, counts_otherwise, denies, negates, without_outlet
from whywire.events.mentions import FoundMention
from whywire.events.opposites import directions, opposite_of_one_thing
from whywire.events.time.event_time import event_time, versions
from whywire.news import Article, split_sentences
from whywire.news.article import Published, Span
from whywire.news.numbers import PEOPLE_TERMS, counts
from whywire.news.places import Place, in_different_places, located_places, places

DISTINCT = -1.0
"""What a pair that is told apart counts among the probabilities of *same event* of two groups. Two groups that are
sure to be one otherwise stay apart from a quarter of such pairs on.
"""

REPEATED_AFTER = timedelta(hours=6)
"""By how much "again" must come after a report without it to be of another event: of outlets that report one event at
the same time not all call it a repetition.
"""

OTHER_DAY = timedelta(hours=12)
"""By how much reports must lie apart for another rate or sum to be another decision, and no correction."""

LEAD_CHARACTERS = 600
"""How much of a text is looked at for its first sentence."""

LEAD_DAYS = timedelta(days=4)
"""How far the day of a lead may lie from its report; one further away is of what went before."""


class Distinction(StrEnum):
    """What tells two reports or mentions apart; the module says when."""

    DAYS = "days"
    PLACE = "place"
    DIRECTION = "direction"
    REPETITION = "repetition"
    POLARITY = "polarity"
    LEVEL = "level"
    TOLL = "toll"


@dataclass(frozen=True)
class Told:
    """The words of a report or a mention, and what they tell of the event.

    Args:
        words: the headline, or the words of the mention.
        published: when the article was published.
        days: the first day that words state, and the day after the last.
        places: that words name.
        report: what the headline of a mention's article tells; ``None`` for a headline.
        of_report: the mention is probably of the event in that headline, and told apart by what the headline says.
    """

    words: str
    published: Published | None = None
    days: tuple[date, date] | None = None
    places: frozenset[Place] = frozenset()
    report: Told | None = None
    of_report: bool = False

    @property
    def alike(self) -> tuple[Told, ...]:
        """The words themselves and, where they are of the event in the headline, the headline."""
        return (self, self.report) if self.report and self.of_report else (self,)


def told_by_report(article: Article) -> Told:
    """What a headline tells; the first sentence under it says when and where, if the headline does not."""
    title = without_outlet(article.title)
    spans = split_sentences(article.text[:LEAD_CHARACTERS], article.language)
    lead = _DATELINE.sub("", article.text[slice(*spans[0])]) if spans else ""
    days = _stated_days(title, article) or _day_of_lead(lead, article)
    return Told(title, article.published, days, _places(title) or located_places(lead))


def told_by_mention(mention: FoundMention, article: Article, report: Told, of_report: bool) -> Told:
    """What a mention tells.

    Args:
        report: what the headline of its article tells. Where a mention is that is not understood without its
            sentence and names no place, the headline says.
        of_report: the mention is probably of the event in the headline.
    """
    if mention.is_headline:
        return report
    start, end = mention.clause
    clause = getattr(article, mention.mention.field)[start:end]
    days = _stated_days(clause, article, (mention.time_scope[0] - start, mention.time_scope[1] - start))
    where = _places(mention.words) or located_places(clause)
    return Told(
        mention.words,
        article.published,
        days,
        where if where or mention.can_name else report.places,
        report,
        of_report,
    )


def distinction(one: Told, other: Told) -> Distinction | None:
    """What tells two reports or mentions apart, in either order; ``None`` where they may be of one event."""
    found = (_in_words(mine, theirs) for mine in one.alike for theirs in other.alike)
    return next((what for what in found if what), None)


def _in_words(one: Told, other: Told) -> Distinction | None:
    if one.days and other.days and (one.days[1] <= other.days[0] or other.days[1] <= one.days[0]):
        return Distinction.DAYS
    if in_different_places(one.places, other.places):
        return Distinction.PLACE
    if opposite_of_one_thing(one.words, other.words):
        return Distinction.DIRECTION
    if _is_later_one(one, other) or _is_later_one(other, one):
        return Distinction.REPETITION
    if denies(one.words, other.words) or denies(other.words, one.words):
        return Distinction.POLARITY
    if not counts_disagree(one.words, other.words):
        return None
    if _counts_people(one.words) or _counts_people(other.words):
        of_two = one.report and other.report and _in_words(one.report, other.report)
        return Distinction.TOLL if of_two else None
    other_day = abs(_distance(one, other)) >= OTHER_DAY
    return Distinction.LEVEL if other_day and counts_otherwise(one.words, other.words) else None


def distinct_pairs(told: Sequence[Told]) -> NDArray[np.bool_]:
    """Which pairs are told apart, (told, told), symmetric."""
    apart = np.zeros((len(told), len(told)), dtype=bool)
    for i, j in np.argwhere(np.triu(_comparable(told), 1)).tolist():
        apart[i, j] = apart[j, i] = distinction(told[i], told[j]) is not None
    return apart


def _comparable(told: Sequence[Told]) -> NDArray[np.bool_]:
    """The pairs in which there is something to tell them apart by: most have nothing, and need not be looked at."""
    of_both = np.array([_told_of_one(one.alike) for one in told], dtype=bool).reshape(-1, 4)
    of_either = np.array([any(_marks(mine.words) for mine in one.alike) for one in told], dtype=bool)
    result: NDArray[np.bool_] = of_both @ of_both.T | of_either[:, None] | of_either
    return result


def _told_of_one(alike: Sequence[Told]) -> list[bool]:
    """Whether there is a day, a place, a direction and a count: two of the same are needed."""
    return [
        any(one.days for one in alike),
        any(one.places for one in alike),
        any(directions(one.words) for one in alike),
        any(_counted(one.words) for one in alike),
    ]


@lru_cache(maxsize=65_536)
def _marks(words: str) -> bool:
    """Whether words speak of a repetition or negate something: one of the two is enough."""
    return _occurrence(words) > _FIRST or negates(words)


# when

_SPEECH = (
    r"(?:said|says?|told|tells|announced|reported|reports|confirmed|wrote|tweeted|added|according to|statement"
    r"|spokes\w+|сообщ\w+|заяв\w+|расска\w+|переда(?:л|[её]т)\w*|пиш[еу]т|написа\w+|объяв\w+|уточни\w+|отмети\w+"
    r"|подтверди\w+|со ссылкой)"
)
_SAID_BEFORE = re.compile(rf"\b{_SPEECH}(?:\s[\w’'.-]+){{0,3}},?\s(?:(?:on|in|late|early|в|во)\s)*$", re.IGNORECASE)
_SAID_AFTER = re.compile(rf"^\s(?:[\w’'.-]+\s){{0,2}}{_SPEECH}\b", re.IGNORECASE)
"""Beside these a day is that of the report: "police said on Tuesday"; not with a comma: "fell on 7 May, he said"."""

_DATELINE = re.compile(r"^(?=[^–—-]*(?:\d|\(|\b[A-ZА-ЯЁ]{4,}))[^.!?]{0,60}?\s[–—-]+\s")
"""Where and when a report was written, before its first sentence."""


def _stated_days(text: str, article: Article, within: Span | None = None) -> tuple[date, date] | None:
    """The days that a text states for its event; none where the extra that reads times is missing."""
    while versions():
        when = event_time(text, article.language, article.published, within)
        if when is None:
            break
        start, end = when.span
        opens = len(text[:start].split()) <= 1  # "On Tuesday, police said"
        behind = text[end:].removeprefix(",") if opens else text[end:]
        if not (_SAID_BEFORE.search(text[:start]) or _SAID_AFTER.search(behind)):
            return when.start, when.end
        text = text[:start] + "_" * (end - start) + text[end:]
    return None


def _day_of_lead(lead: str, article: Article) -> tuple[date, date] | None:
    """A single day near the report; without the report's own time a day may be that of the report."""
    days = _stated_days(lead, article) if article.published else None
    if days is None or article.published is None or days[1] - days[0] > timedelta(days=1):
        return None
    return days if abs(article.published.at.date() - days[0]) <= LEAD_DAYS else None


def _distance(one: Told, other: Told) -> timedelta:
    """How long after the other report the one appeared, at least; nothing where that is unknown."""
    if one.published is None or other.published is None:
        return timedelta(0)
    if one.published.at < other.published.at:
        return -_distance(other, one)
    days_only = one.published.day_only and other.published.day_only
    return one.published.at - (other.published.at if days_only else other.published.until)


# where

_NO_SCENE = re.compile(rf"(?<!\bin )(?<!\bthe )\b(?:U\.?S\.?|U\.?K\.?)(?=\s)|\b[A-ZА-ЯЁ][\w-]+(?=,?\s{_SPEECH}\b)")
"""Names of countries that say whose somebody or something is, wherever that is ("US troops"), and who speaks."""


def _places(words: str) -> frozenset[Place]:
    return places(_NO_SCENE.sub("", words))


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
"""Nouns of what may happen twice, and the stems of the Russian ones."""

_EVENT = rf"(?:(?:{'|'.join(_EVENTS.split())})(?:e?s)?|(?:{'|'.join(_RUSSIAN_EVENTS.split())})\w*)"

_AGAIN = re.compile(
    r"\b(?:again|once more|twice(?! as| the)|renews?|re-?(?:arrest|elect)\w*"
    rf"|(?:another|new|fresh|renewed|further|repeat)\s(?:[\w-]+\s)?{_EVENT}"
    r"|снова|вновь|опять|повторно|дважды|ещ[её]\s(?:один|одн[аоуи]\w*)"
    rf"|(?:очередн|нов|повторн)\w+\s(?:\w+\s)?{_EVENT})\b",
    re.IGNORECASE,
)

_ADJECTIVE_ENDINGS = "(?:ый|ой|ая|ое|ого|ому|ую|ом|ым)"

_ORDINALS = tuple(
    re.compile(
        rf"\b(?:{ordinal})\s(?:\w+\s){{0,3}}(?:time|раз|подряд|{_EVENT})\b"
        rf"|\bfor (?:a |the )?(?:{ordinal})\s(?:\w+\s)?(?:night|day|week|month|year)\b",
        re.IGNORECASE,
    )
    for ordinal in (
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
)

_FIRST, _AGAIN_RANK = 1, 1.5


@lru_cache(maxsize=65_536)
def _occurrence(words: str) -> float:
    """Which occurrence words speak of, 1 for the first; 0 where they do not say, between 1 and 2 for "again"."""
    for number, ordinal in enumerate(_ORDINALS, 1):
        if ordinal.search(words):
            return number
    return _AGAIN_RANK if _AGAIN.search(words) else 0


def _is_later_one(later: Told, earlier: Told) -> bool:
    """Whether the one tells of a later occurrence than the other."""
    mine, theirs = _occurrence(later.words), _occurrence(earlier.words)
    if mine <= _FIRST or mine <= theirs:
        return False
    both_numbered = _AGAIN_RANK not in (mine, theirs) and theirs > 0
    return both_numbered or _distance(later, earlier) >= REPEATED_AFTER


# how many


@lru_cache(maxsize=65_536)
def _counted(words: str) -> frozenset[str]:
    """What words count."""
    return frozenset(count.counted for count in counts(words))


def _counts_people(words: str) -> bool:
    return not _counted(words).isdisjoint(PEOPLE_TERMS)
