"""Says when two reports or mentions cannot be of one event, whatever their vectors and the pair model say.

Vectors are near where words are shared, and happenings that recur share nearly all of theirs: two strikes on one
town, a rate raised and cut, fires in two cities. What tells them apart are a few words, and these rules read them:

- **days**: the words of both state when, and the times do not overlap; a night is of both its days;
- **place**: they name different places, neither inside the other (:mod:`whywire.events.scenes`);
- **direction**: they say opposite things of one subject: rates raised and cut, an editor jailed and freed;
- **repetition**: "again", "for the third time", "another blast" in one, and an earlier report without it; or
  "again" in both, days apart;
- **polarity**: one denies what the other asserts;
- **level**: a rate, a price or a sum differs, in reports of different days;
- **toll**: other counts of people, in reports that are themselves of two events. Alone it tells nothing apart: tolls
  rise while one event is reported.

A bare mention, which names nobody and no place, is where and when its sentence or its headline says: "heavy snow"
that stopped a ferry is not that which closed an airport elsewhere.

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
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whywire.events.contradictions import counts_disagree, counts_otherwise, denies, may_deny, negates, without_outlet
from whywire.events.mentions import MentionCandidate
from whywire.events.opposites import directions, opposite_of_one_thing
from whywire.events.scenes import (
    Scene,
    are_classed_apart,
    are_listed_apart,
    has_name,
    may_be_apart,
    may_be_two,
    say_nearly_the_same,
    say_one_thing,
    scene_in,
)
from whywire.events.time.event_time import event_time, versions
from whywire.news import Article, Language, split_sentences
from whywire.news.article import Published, Span
from whywire.news.gazetteer import Place
from whywire.news.numbers import PEOPLE_TERMS, counts
from whywire.news.places import places_in
from whywire.news.stems import stems

DISTINCT = -1.0
"""What a pair that is told apart counts among the probabilities of *same event* of two groups. Two groups that are
sure to be one otherwise stay apart from a quarter of such pairs on.
"""

REPEATED_AFTER = timedelta(hours=6)
"""By how much "again" must come after a report without it to be of another event: of outlets that report one event at
the same time not all call it a repetition.
"""

SECOND_AFTER = timedelta(hours=3)
"""The same for "a second blast" and "another blast", which say more plainly that there are two."""

REPEATED_ANEW = timedelta(hours=40)
"""By how much reports that both say "again" must lie apart to be of two repetitions: news of one is out in a day."""

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
        days: the first moment of the days or the night that words state, and the first after them.
        scene: the places that words name.
        report: what the headline of a mention's article tells; ``None`` for a headline.
        of_report: the mention is probably of the event in that headline, and told apart by what the headline says.
        is_bare: the mention names nobody and no place: "heavy snow", "a fire".
    """

    words: str
    published: Published | None = None
    days: tuple[datetime, datetime] | None = None
    scene: Scene = field(default_factory=Scene)
    report: Told | None = None
    of_report: bool = False
    is_bare: bool = False

    @property
    def alike(self) -> tuple[Told, ...]:
        """The words themselves and, where they are of the event in the headline, the headline."""
        return (self, self.report) if self.report and self.of_report else (self,)


@lru_cache(maxsize=4096)
def told_by_report(article: Article) -> Told:
    """What a headline tells; the first sentence under it says when and where, if the headline does not."""
    title = without_outlet(article.title)
    spans = split_sentences(article.text[:LEAD_CHARACTERS], article.language)
    lead = _DATELINE.sub("", article.text[slice(*spans[0])]) if spans else ""
    days = _stated_days(title, article) or _day_of_lead(lead, article)
    background = f"{title}\n{article.text[:LEAD_CHARACTERS]}"
    named, around = scene_in(title, _places(title)), scene_in(lead, places_in(lead).located)
    if lead and places_in(title).is_in_capitals:
        named = replace(named, unlisted=frozenset())  # "Row In Court Over Ban"
    scene = Scene(
        named.listed or around.listed,
        named.unlisted or around.unlisted,
        named.is_region if named.listed else around.is_region,
        background,
        named.classed,
    )
    return Told(title, article.published, days, scene)


def told_by_mention(mention: MentionCandidate, report: Told, of_report: bool) -> Told:
    """What a mention tells.

    Args:
        report: what the headline of its article tells. Where a mention has neither a place nor a name, nor one in its
            sentence, the headline says where it was: "the storm" of one town is not that of another.
        of_report: the mention is probably of the event in the headline.
    """
    if mention.is_headline:
        return report
    article = mention.article
    start, end = mention.clause
    text = getattr(article, mention.mention.field)
    clause, sentence = text[start:end], text[slice(*_sentence_around(mention))]
    is_bare = not has_name(mention.words)
    days = _stated_days(clause, article, (mention.time_scope[0] - start, mention.time_scope[1] - start))
    if days is None and is_bare:
        days = _stated_days(sentence, article)
    own = (
        scene_in(mention.words, _places(mention.words)),
        *(scene_in(part, places_in(part).located) for part in (clause, sentence)),
    )
    scene = next(
        filter(None, own[: 3 if is_bare else 2]), report.scene if is_bare or not mention.can_name else Scene()
    )
    return Told(
        mention.words,
        article.published,
        days,
        replace(scene, background=report.scene.background, classed=own[0].classed or report.scene.classed),
        report,
        of_report,
        is_bare,
    )


def _sentence_around(mention: MentionCandidate) -> Span:
    """The span of the sentence of a mention, in its field."""
    article = mention.article
    if mention.mention.field == "title":
        return 0, len(article.title)
    return next(span for span in _sentences(article.text, article.language) if mention.mention.span[0] < span[1])


@lru_cache(maxsize=8)
def _sentences(text: str, language: Language) -> list[Span]:
    """`split_sentences`, remembered from one mention of an article to the next."""
    return split_sentences(text, language)


def distinction(one: Told, other: Told) -> Distinction | None:
    """What tells two reports or mentions apart, in either order; ``None`` where they may be of one event."""
    found = (_in_words(mine, theirs) for mine in one.alike for theirs in other.alike)
    return next((what for what in found if what), None) or _as_twins(one, other)


def _as_twins(one: Told, other: Told) -> Distinction | None:
    """What tells apart bare mentions of two reports that say nearly the same of two days."""
    if not (one.is_bare and other.is_bare and one.report and other.report) or (one.days and other.days):
        return None
    mine, theirs = one.days or one.report.days, other.days or other.report.days
    twins = _do_not_overlap(mine, theirs) and say_nearly_the_same(one.report.words, other.report.words)
    return Distinction.DAYS if twins else None


def _do_not_overlap(one: tuple[datetime, datetime] | None, other: tuple[datetime, datetime] | None) -> bool:
    return bool(one and other and (one[1] <= other[0] or other[1] <= one[0]))


def _is_somewhere(one: Told) -> bool:
    return bool(one.scene or one.scene.classed)


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
        return False  # two reports of one event name other places beside it
    return say_one_thing(one.words, other.words) or _headlines_apart(one.report, other.report)


def _headlines_apart(one: Told, other: Told) -> bool:
    """Whether the words of two headlines allow that they are of two events in two places, one of them on no list."""
    if one.scene.unlisted and other.scene.unlisted:
        return may_be_two(one.words, other.words)
    return say_nearly_the_same(one.words, other.words)  # a large town holds places that no list knows: "in Camden"


class _Signs(NamedTuple):
    """What words hold that may tell them apart from others: most hold nothing, and need not be compared."""

    directions: bool
    repetition: bool
    denial: bool
    number: bool


@lru_cache(maxsize=65_536)
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
    if (mine.denial and denies(one.words, other.words)) or (theirs.denial and denies(other.words, one.words)):
        return Distinction.POLARITY
    if not (mine.number and theirs.number and counts_disagree(one.words, other.words)):
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
        any(one.days or (one.report and one.report.days) for one in alike),
        any(map(_is_somewhere, alike)),
        any(directions(one.words) for one in alike),
        any(_counted(one.words) for one in alike),
    ]


@lru_cache(maxsize=65_536)
def _marks(words: str) -> bool:
    """Whether words speak of a repetition or negate something: one of the two is enough."""
    return _occurrence(words) > _FIRST or bool(_another_of(words)) or negates(words)


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


def _stated_days(text: str, article: Article, within: Span | None = None) -> tuple[datetime, datetime] | None:
    """The days that a text states for its event; none where the extra that reads times is missing.

    A night is of two days, whichever of them is named: "late on Monday", "overnight into Tuesday".
    """
    while versions():
        when = event_time(text, article.language, article.published, within)
        if when is None:
            break
        start, end = when.span
        opens = len(text[:start].split()) <= 1  # "On Tuesday, police said"
        behind = text[end:].removeprefix(",") if opens else text[end:]
        if not (_SAID_BEFORE.search(text[:start]) or _SAID_AFTER.search(behind)):
            first, last = (datetime.combine(day, time()) for day in (when.start, when.end))
            if last - first == timedelta(days=1):
                if _NIGHT_AFTER.search(text[:end]) or _NIGHT_AFTER_BEHIND.match(text[end:]):
                    return first + EVENING, last + MORNING
                if _NIGHT_BEFORE.search(text[:start]) or _NIGHT_BEFORE_BEHIND.match(text[end:]):
                    return first + EVENING - timedelta(days=1), first + MORNING
            return first, last
        text = text[:start] + "_" * (end - start) + text[end:]
    return None


EVENING, MORNING = timedelta(hours=17), timedelta(hours=10)
"""When a night begins and ends, at the widest."""

_NIGHT_AFTER = re.compile(
    r"\b(?:\S+ (?:night|evening)"
    r"|(?:late(?: on)?|(?:evening|night) of|(?:поздно|вечером)(?: вечером)?(?: во?)?) (?:\S+ )?\S+)$",
    re.IGNORECASE,
)
_NIGHT_AFTER_BEHIND = re.compile(r"^,? (?:late|(?:поздно )?вечером|поздно)\b", re.IGNORECASE)
"""Words around a day that make it the night behind it."""

_NIGHT_BEFORE = re.compile(
    r"\b(?:(?:overnight )?into|(?:overnight|early)(?: on)?|(?:early|small) hours (?:of|on)|before dawn on|night to"
    r"|в ночь на|ночью (?:на|во?)|рано утром(?: во?)?|под утро(?: во?)?|утром(?: во?)?)\s$",
    re.IGNORECASE,
)
_NIGHT_BEFORE_BEHIND = re.compile(r"^,? (?:before dawn|рано утром|под утро|ночью)\b", re.IGNORECASE)
"""Words around a day that make it the night before it."""


def _day_of_lead(lead: str, article: Article) -> tuple[datetime, datetime] | None:
    """A single day near the report; without the report's own time a day may be that of the report."""
    days = _stated_days(lead, article) if article.published else None
    if days is None or article.published is None or days[1] - days[0] > timedelta(days=1):
        return None
    return days if abs(article.published.at.date() - days[0].date()) <= LEAD_DAYS else None


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
    return places_in(_NO_SCENE.sub("", words)).listed


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
"""Another of what the other report tells of: "second breach at Lumen Bank", after "Hackers breach Lumen Bank"."""

_NO_KIND = stems(
    "half quarter month week year floor place birthday anniversary полугодие квартал месяц неделя этаж мировой "
    "рождения годовщина"
)
"""Stems of what is numbered without having happened before."""

_FIRST, _AGAIN_RANK = 1, 1.5


@lru_cache(maxsize=65_536)
def _occurrence(words: str) -> float:
    """Which occurrence words speak of, 1 for the first; 0 where they do not say, between 1 and 2 for "again"."""
    for number, ordinal in enumerate(_OCCURRENCES, 1):
        if ordinal.search(words):
            return number
    return _AGAIN_RANK if _AGAIN.search(words) else 0


@lru_cache(maxsize=65_536)
def _another_of(words: str) -> frozenset[str]:
    """The stems of what words speak of another one."""
    found = [match["what"] for pattern in _OF_A_KIND for match in pattern.finditer(words)]
    return frozenset(stems(" ".join(found))) - _NO_KIND


def _is_later_one(later: Told, earlier: Told) -> bool:
    """Whether the one tells of a later occurrence than the other."""
    mine, theirs = _occurrence(later.words), _occurrence(earlier.words)
    another = _another_of(later.words)
    is_another = bool(another) and not another.isdisjoint(stems(earlier.words))
    if is_another:
        mine = max(mine, _AGAIN_RANK)
    if mine <= _FIRST or mine < theirs:
        return False
    if mine == theirs:
        return mine == _AGAIN_RANK and _distance(later, earlier) >= REPEATED_ANEW
    both_numbered = _AGAIN_RANK not in (mine, theirs) and theirs > 0
    is_plain = is_another or mine > _AGAIN_RANK
    return both_numbered or _distance(later, earlier) >= (SECOND_AFTER if is_plain else REPEATED_AFTER)


# how many


@lru_cache(maxsize=65_536)
def _counted(words: str) -> frozenset[str]:
    """What words count."""
    return frozenset(count.counted for count in counts(words))


def _counts_people(words: str) -> bool:
    return not _counted(words).isdisjoint(PEOPLE_TERMS)
