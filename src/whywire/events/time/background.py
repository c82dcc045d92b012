"""Whether a time long past is the time of an event, or only background in its clause.

Reports name earlier times in passing: "the deadliest attack since 2021", "the depot built in 2021", "twice as many
as in 2019". A wrong year for what happened today is worse than missing an old date. So a time further than
`LONG_AGO` before the report counts only next to the verb of its clause ("the dam burst in 1963"), or next to the
noun of a clause without a verb ("the attack in 2021"). It does not count if another verb, a participle, a comparison
or a comma stands between them, or if the verb comes only after it ("the depot built in 2021 burnt").
"""

from __future__ import annotations

import re
from datetime import timedelta

from whywire.events.time.tenses import ADVERBS, PARTICIPLE, tense_marks
from whywire.news.article import Span
from whywire.news.language import Language

LONG_AGO = timedelta(days=365)
"""A time nearer to the report than this is mostly that of the news itself."""

_SAYING = re.compile(
    r"\b(?:said|says|told|reported|announced|confirmed|added|believed|thought|claimed|found|showed|wrote|"
    r"сообщил[аио]?|сообщили|заявил[аио]?|сказал[аио]?|рассказал[аио]?|уточнил[аио]?|отметил[аио]?|написал[аио]?)\b",
    re.IGNORECASE,
)
_THEIR_WORDS = re.compile(rf"{_SAYING.pattern}(?:[^,.;]{{0,40}}?\bthat\b|,\sчто\b)?", re.IGNORECASE)

_OTHER_CLAUSE = (
    r"\b(?:since|after|before|until|till|than|amid|that|who|whose|which|where|"
    r"чем|после|до|тех пор|времени|времён|момента|котор\w+|где)\b"
)
_BEFORE_VERB = re.compile(_OTHER_CLAUSE, re.IGNORECASE)
_BEHIND_VERB = re.compile(
    rf"{_OTHER_CLAUSE}|,\s|\b(?:like|unlike|similar|compared|despite|following|anniversary|previous|from|when|"
    r"(?:to|the) (?:one|those)|as (?:it|he|she|they|we|did|in|of)|"
    r"как|похож\w*|подобн\w+|когда|годовщин\w*|сравнению|предыдущ\w+|против|накануне)\b",
    re.IGNORECASE,
)
_OF_A_NOUN = re.compile(r"(?<!\bend)(?<!beginning)(?<!start)(?<!middle)(?<!month)\sof\s(?:the\s)?$")
_MODIFIED = re.compile(
    rf"(?:\b(?!\w*(?:town|down|own)\b){PARTICIPLE}\b|\b[а-яё]{{3,}}(?:вш|нн|енн|ённ|т)(?:ий|ый|ая|ое|ее|ые|ие|его|ого|ей|ой|ую|юю|им|ым|ем|ом|их|ых)"
    r"(?:ся)?)\s(?:\w+\s)?(?:in|on|during|back in|в|на)?\s?(?:early|late|mid-?|начале|конце|середине)?\s?$",
    re.IGNORECASE,
)
_AUXILIARIES = re.compile(rf"(?:(?:had|has|have|was|were|been|did|not|был[аио]?){ADVERBS}\s)+", re.IGNORECASE)
_SAME_TIME = re.compile(r"(?:when|as|while|когда)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"[^\w,;]*(?:[,;]?\s?(?:and|but|or|when|while|after|before|because|which|who|where|as|so|until|и|а|но|когда|где|"
    r"котор\w+|что|чтобы|из-за|после)\b|[.;])",
    re.IGNORECASE,
)


def is_background(text: str, language: Language, scope: Span, time: Span) -> bool:
    """Whether a time in a statement may be background, not the time of its event.

    Args:
        scope: the span of the text that describes the event.
        time: the span of the time.
    """
    first, last = scope
    for said in _THEIR_WORDS.finditer(text, first, time[0]):
        first = said.end()
    before, after = text[first : time[0]], text[time[1] : last]
    verbs = _verbs(before, language)
    if len(verbs) > 1 or (verbs and _OF_A_NOUN.search(before)):
        return True
    opening = len(before) - len(before.lstrip().partition(" ")[2])
    verb = verbs[0] if verbs else opening
    if _BEFORE_VERB.search(before, opening) or _BEHIND_VERB.search(before, verb):
        return True
    modified = _MODIFIED.search(before)
    if modified and (not verbs or modified.start() > verb):
        return True
    verb_follows = bool(_verbs(after, language)) and not _GOES_ON.match(after)
    return bool(verbs) and verb_follows and not _SAME_TIME.match(before.lstrip())


def _verbs(text: str, language: Language) -> list[int]:
    """The offsets of the verbs that show a tense, behind their auxiliaries, without verbs of saying."""
    verbs: list[int] = []
    for mark in tense_marks(text, language):
        auxiliaries = _AUXILIARIES.match(text, mark.at)
        at = auxiliaries.end() if auxiliaries else mark.at
        if not _SAYING.match(text, at) and at not in verbs:
            verbs.append(at)
    return verbs
