"""Whether a time long past is that of an event, or of something that its clause tells in passing.

Reports name earlier times as background: what an attack is the deadliest since, when the depot was built that it hit,
what a rise is compared with. Which error is worse? An event of years ago that was today's. So a time that lies more
than `LONG_AGO` back counts only where it stands with the verb of the clause, or with its noun where it has no verb:
"the dam burst in 1963", "the attack in 2021"; not where another verb, a participle, a comparison or a comma stands
between, nor where the verb comes only after it ("the depot built in 2021 burnt").
"""

from __future__ import annotations

import re
from datetime import timedelta

from whywire.events.time.tenses import ADVERBS, PARTICIPLE, tense_marks
from whywire.news.article import Span
from whywire.news.language import Language

LONG_AGO = timedelta(days=365)
"""Of what began within a year before the report it is commonly news."""

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
    """Whether a time in a statement is not, or not surely, that of its event.

    Args:
        scope: the part of the text that describes the event.
        time: where the time stands in it.
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
    """Where the verbs of a text stand that show a tense, behind their auxiliaries; those of saying are left out."""
    found: list[int] = []
    for mark in tense_marks(text, language):
        auxiliaries = _AUXILIARIES.match(text, mark.at)
        at = auxiliaries.end() if auxiliaries else mark.at
        if not _SAYING.match(text, at) and at not in found:
            found.append(at)
    return found
