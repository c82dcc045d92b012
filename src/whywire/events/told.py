"""What a report or a mention tells of its event: its words, and when and where they say that it happened.

Day and place of a report are those in its headline, else those in its first sentence. A bare mention, which names
nobody and no place, takes them from its sentence or its headline: the "heavy snow" that stopped a ferry is not the
one that closed an airport elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from functools import cached_property, lru_cache
from itertools import chain

from whywire.events.denials import CACHED_TEXTS, without_outlet
from whywire.events.mentions import MentionCandidate
from whywire.events.time.event_time import event_time, versions
from whywire.news import Article, Language, split_sentences
from whywire.news.article import Published, Span
from whywire.news.gazetteer import Place, is_town
from whywire.news.places import ClassedPlace, UnlistedPlace, places_in

LEAD_CHARACTERS = 600
"""The part of a text in which its first sentence is looked for."""

LEAD_DAYS = timedelta(days=4)
"""How far a day in the lead may lie from the report; a day further away is that of an earlier event."""


@dataclass(frozen=True)
class Scene:
    """Where an event happened, as far as words say it.

    Args:
        listed: places on the list.
        unlisted: other places.
        is_region: the words speak of a region, so a listed name may be that of the region and not of a town.
        background: the beginning of the report, which may name the place in another way.
        classed: places named with their class ("Mill Street") or with a modifier ("Upper Drayle"). They alone make no
            scene: a street does not say in which town it is.
    """

    listed: frozenset[Place] = frozenset()
    unlisted: frozenset[UnlistedPlace] = frozenset()
    is_region: bool = False
    background: str = ""
    classed: frozenset[ClassedPlace] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.listed or self.unlisted)

    @cached_property
    def towns(self) -> list[Place | UnlistedPlace]:
        """The places that are probably towns; none lies in another."""
        listed = () if self.is_region else filter(is_town, self.listed)
        return [*listed, *(place for place in self.unlisted if not place.is_region)]

    @cached_property
    def regions(self) -> list[UnlistedPlace]:
        """The unlisted places that may contain towns."""
        return [place for place in self.unlisted if place.is_region]


@lru_cache(maxsize=CACHED_TEXTS)
def scene_in(words: str, listed: frozenset[Place]) -> Scene:
    """The scene that words name.

    Args:
        listed: the listed places among the words that are places of the event.
    """
    named = places_in(words)
    return Scene(listed, named.unlisted, named.speaks_of_region, classed=named.classed)


@dataclass(frozen=True)
class Told:
    """The words of a report or a mention, and what they tell of the event.

    Args:
        words: the headline, or the words of the mention.
        published: when the article was published.
        days: the first moment of the stated days or night, and the first moment after them.
        scene: the places that words name.
        report: what the headline of a mention's article tells; ``None`` for a headline.
        of_report: the mention is probably of the headline's event, so what the headline tells holds for it, too.
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
        """The words and, if they are of the headline's event, the headline."""
        return (self, self.report) if self.report and self.of_report else (self,)


@lru_cache(maxsize=4096)
def told_by_report(article: Article) -> Told:
    """What a headline tells, with day and place from the first sentence if the headline has none."""
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
        report: what the headline of its article tells. It gives the place of a mention that has no place or name, not
            even in its sentence: "the storm" of one town is not that of another.
        of_report: the mention is probably of the headline's event.
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
    named = scene_in(mention.words, _places(mention.words))
    around = (scene_in(part, places_in(part).located) for part in ((clause, sentence) if is_bare else (clause,)))
    scene = next(filter(None, chain((named,), around)), report.scene if is_bare or not mention.can_name else Scene())
    return Told(
        mention.words,
        article.published,
        days,
        replace(scene, background=report.scene.background, classed=named.classed or report.scene.classed),
        report,
        of_report,
        is_bare,
    )


def _sentence_around(mention: MentionCandidate) -> Span:
    article = mention.article
    if mention.mention.field == "title":
        return 0, len(article.title)
    return next(span for span in _sentences(article.text, article.language) if mention.mention.span[0] < span[1])


@lru_cache(maxsize=8)
def _sentences(text: str, language: Language) -> list[Span]:
    return split_sentences(text, language)


def has_name(words: str) -> bool:
    """Whether words contain a name: a word after the first that begins with a capital."""
    return bool(re.search(r"(?<=[\s«“\"(])[A-ZА-ЯЁ]", words))


# when

_SPEECH = (
    r"(?:said|says?|told|tells|announced|reported|reports|confirmed|wrote|tweeted|added|according to|statement"
    r"|spokes\w+|сообщ\w+|заяв\w+|расска\w+|переда(?:л|[её]т)\w*|пиш[еу]т|написа\w+|объяв\w+|уточни\w+|отмети\w+"
    r"|подтверди\w+|со ссылкой)"
)
_SAID_BEFORE = re.compile(rf"\b{_SPEECH}(?:\s[\w’'.-]+){{0,3}},?\s(?:(?:on|in|late|early|в|во)\s)*$", re.IGNORECASE)
_SAID_AFTER = re.compile(rf"^\s(?:[\w’'.-]+\s){{0,2}}{_SPEECH}\b", re.IGNORECASE)
"""A day next to these words is that of the statement ("police said on Tuesday"), unless a comma stands between them:
"fell on 7 May, he said"."""

_DATELINE = re.compile(r"^(?=[^–—-]*(?:\d|\(|\b[A-ZА-ЯЁ]{4,}))[^.!?]{0,60}?\s[–—-]+\s")
"""The dateline: where and when a report was written, before its first sentence."""


def _stated_days(text: str, article: Article, within: Span | None = None) -> tuple[datetime, datetime] | None:
    """The days that a text states for its event; ``None`` if the extra that reads times is not installed.

    A night belongs to two days, whichever of them is named: "late on Monday", "overnight into Tuesday".
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
"""The earliest beginning and the latest end of a night."""

_NIGHT_AFTER = re.compile(
    r"\b(?:\S+ (?:night|evening)"
    r"|(?:late(?: on)?|(?:evening|night) of|(?:поздно|вечером)(?: вечером)?(?: во?)?) (?:\S+ )?\S+)$",
    re.IGNORECASE,
)
_NIGHT_AFTER_BEHIND = re.compile(r"^,? (?:late|(?:поздно )?вечером|поздно)\b", re.IGNORECASE)
"""Words around a day that stand for the night after it."""

_NIGHT_BEFORE = re.compile(
    r"\b(?:(?:overnight )?into|(?:overnight|early)(?: on)?|(?:early|small) hours (?:of|on)|before dawn on|night to"
    r"|в ночь на|ночью (?:на|во?)|рано утром(?: во?)?|под утро(?: во?)?|утром(?: во?)?)\s$",
    re.IGNORECASE,
)
_NIGHT_BEFORE_BEHIND = re.compile(r"^,? (?:before dawn|рано утром|под утро|ночью)\b", re.IGNORECASE)
"""Words around a day that stand for the night before it."""


def _day_of_lead(lead: str, article: Article) -> tuple[datetime, datetime] | None:
    """The day of a lead, if it is a single day near the report; ``None`` for a report without a time."""
    days = _stated_days(lead, article) if article.published else None
    if days is None or article.published is None or days[1] - days[0] > timedelta(days=1):
        return None
    return days if abs(article.published.at.date() - days[0].date()) <= LEAD_DAYS else None


# where

_NO_SCENE = re.compile(rf"(?<!\bin )(?<!\bthe )\b(?:U\.?S\.?|U\.?K\.?)(?=\s)|\b[A-ZА-ЯЁ][\w-]+(?=,?\s{_SPEECH}\b)")
"""Names that are no place of an event: countries as adjectives ("US troops"), and whoever speaks."""


def _places(words: str) -> frozenset[Place]:
    return places_in(_NO_SCENE.sub("", words)).listed
