"""Whether a sentence tells a plan: what somebody decided, scheduled or announced, and what lies ahead.

A hope, an opinion, a need and a likelihood are of things to come too, but nobody has decided on them. What was to be
and was put off is no plan either.
"""

from __future__ import annotations

import re
from datetime import date

from whywire.elements import Event
from whywire.graph.passages import Passage

SUPPOSES = re.compile(
    r"\b(?:if|unless|whether|in case|in the event|(?-i:may)|might|could|would)\b|^\W*should\b"
    r"|\b(?:если|в случае|бы|может|могут|возможно|вероятно)\b",
    re.IGNORECASE,
)
"""Words of what is only supposed."""

_HOLDS = re.compile(
    r"\b(?:feels?|felt|thinks?|thought|believes?|believed|hop(?:es?|ed|ing|eful)|optimis\w+|convinced"
    r"|confident|estimates?|in (?:my|his|her|their|our) (?:view|opinion)|should|ought to|needs? to|needed|wants? to"
    r"|would like|wish(?:es)?"
    r"|(?:un)?likely|probab\w+|possib\w+|likelihood|chances?|maybe|perhaps)\b"
    r"|\b(?:наде(?:ется|ются|юсь|емся)|надежд\w+|уверен[аоы]?|убежд[её]н[аоы]?|(?:счита|полага|дума)(?:ет|ют|ю|ем)"
    r"|вер(?:ит|ят|ю)|по (?:\w+ )?мнению|нужн[аоы]?|нужен|надо|необходим[аоы]?|следует|хо(?:чет|тят|тел[аи]?|телось)"
    r"|вероятн\w+|возможн\w+|шанс\w*|желательн\w+)\b",
    re.IGNORECASE,
)
"""Words of an opinion, a hope, a need or a likelihood."""

_WAS_TO_BE = re.compile(
    r"\b(?:was|were|had been) (?:originally |initially |also )?(?:due|scheduled|supposed|meant|slated|planned|set)\b"
    r"|\bindefinitely\b|\bдолж(?:ен|на|но|ны) был[аои]?\b|\bна неопредел[её]нный срок\b"
    r"|\bбыл[аои]? (?:\w+ )?(?:запланирован|намечен|назначен)[аоы]?\b",
    re.IGNORECASE,
)
"""Words of what was to be, and may be no more."""

_WEIGHS = re.compile(
    r"\b(?:consider(?:s|ed|ing)?|discuss(?:es|ed|ing)?|in talks|proposed?|рассматрива\w+|обсужда\w+|предлага\w+)\b",
    re.IGNORECASE,
)
"""Words of what somebody only weighs."""

_MUST = re.compile(r"\b(?:must|have to|has to|долж(?:ен|на|но|ны))\b", re.IGNORECASE)
"""Words of a need, or of a plan if they come with a date."""

_MONTH = (
    r"(?:jan|feb|mar(?!\w*k)|apr|may\b|june?\b|july?\b|aug|sept?|oct|nov|dec"
    r"|янв|фев|март|апр|ма[йя]\b|июн|июл|авг|сент|окт|ноя|дек)"
)
_DATE = re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th|-?го)? {_MONTH}|\b{_MONTH}\w*\.? \d{{1,2}}\b", re.IGNORECASE)

_CLAUSE_EDGE = re.compile(r"[,;:]|\s[—–-]\s")
_CONDITION = re.compile(r"\W*(?:but )?(?:only )?(?:if|unless|если|при условии)\b", re.IGNORECASE)


def is_dated(event: Event) -> bool:
    """Return whether a time of an event is known, or a date is among its words."""
    return event.when is not None or _DATE.search(event.title) is not None


def is_plan(event: Event, passage: Passage, latest: date | None) -> bool:
    """Return whether a sentence tells an event that is planned as a plan that lies ahead.

    What is said elsewhere in the sentence may be unsure: "the final is on 8 August, and others may follow".

    Args:
        passage: a sentence with the event's words marked; all of it counts if none are.
        latest: the day of the story's latest report; ``None`` if it is unknown.
    """
    if not event.planned or (latest and event.when and event.when.end <= latest):
        return False
    text = passage.text
    end = _end_of_marked(passage)
    edge = _CLAUSE_EDGE.search(text, end)
    reach = text[: edge.start()] if edge else text
    later = text[edge.start() :] if edge else ""
    return not (
        _HOLDS.search(text)
        or _WAS_TO_BE.search(text)
        or _WEIGHS.search(reach)
        or SUPPOSES.search(reach)
        or (_MUST.search(reach) and not is_dated(event))
        or _CONDITION.match(later)
    )


def _end_of_marked(passage: Passage) -> int:
    """The offset behind the last marked word of a passage; its length if none is marked."""
    end, at = 0, 0
    for text, roles in passage.pieces:
        at += len(text)
        end = at if roles else end
    return end or at
