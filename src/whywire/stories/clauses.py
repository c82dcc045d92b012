"""The part of a sentence that states the event: without dateline, opening adverb, attribution and trailing clauses.

Everything is cut from the two ends, so what is left is one span of the text. "Police said that" and ", officials
said" go where the speaker is one whose word news takes for the fact; anybody else's word stays, and is seen to be a
claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from whywire.news.article import Span
from whywire.news.language import Language
from whywire.stories.tenses import tense_marks

KEPT_TOKENS = 5
"""A clause is only cut off where so many words, a verb among them, stand before it."""

SHORT_TOKENS = 14
"""A statement up to this long keeps its trailing clauses."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """What surrounds the event in a sentence of one language.

    Args:
        heads: matched at the beginning, one after the other.
        tails: found at the end.
        clause: where a trailing clause begins.
    """

    heads: tuple[re.Pattern[str], ...]
    tails: tuple[re.Pattern[str], ...]
    clause: re.Pattern[str]


def event_clause(text: str, sentence: Span, language: Language) -> Span:
    """The part of the sentence that states its event, as a span of the text; never empty."""
    rules = _RUSSIAN if language is Language.RUSSIAN else _ENGLISH
    start, end = sentence
    for pattern in rules.heads:
        if (found := pattern.match(text, start, end)) and end - found.end() > 1:
            start = found.end()
    for pattern in rules.tails:
        if (found := pattern.search(text, start, end)) and _states(text, start, found.start(), language):
            end = found.start()
    if len(TOKEN.findall(text, start, end)) > SHORT_TOKENS:
        for found in rules.clause.finditer(text, start, end):
            if _states(text, start, found.start(), language) and not _open(text, start, found.start(), end):
                end = found.start()
                break
    while end - start > 1 and text[end - 1] in " .;:,—–-":
        end -= 1
    return start, end


def _states(text: str, start: int, end: int, language: Language) -> bool:
    """Whether enough words with a verb stand here to be a statement of their own."""
    words = text[start:end]
    if _SUBORDINATE.match(words):
        return False
    return len(TOKEN.findall(words)) >= KEPT_TOKENS and bool(tense_marks(words, language))


def _open(text: str, start: int, at: int, end: int) -> bool:
    """Whether a bracket or an insertion between two dashes is left open where the clause would be cut off."""
    inserted = _DASH.match(text, at) is not None and len(_DASH.findall(text, start, end)) > 1
    return inserted or text.count("(", start, at) > text.count(")", start, at)


_SUBORDINATE = re.compile(
    r"(?:as|while|when|after|before|since|although|though|если|когда|пока|после того|хотя)\b", re.IGNORECASE
)
_DASH = re.compile(r"\s[–—-]{1,2}\s")
TOKEN = re.compile(r"\w[\w'’-]*")
"""A word, as statements are measured in."""


def _any(*lines: str) -> str:
    """A pattern for any of these words, which ``|`` parts, in any case."""
    return rf"(?i:{'|'.join(lines)})"


_WORD = r"[\w'’.-]+"
_SPOKE = _any("said|says?|reported|reports|confirmed|added|told|wrote|stated")
_SOURCE = _any(
    "police|officials?|authorities|minist(?:ry|ers?)|government|prosecutors?|court|army|military|company|agency",
    "department|hospital|office|spokes(?:man|woman|person)|statement|rescuers|firefighters|council|commission|service",
    "union|reports?|media|data|figures|sources?|witnesses|organi[sz]ation",
)
_TIMED = _any("on|in|at|last|this|earlier|late|that|to|there")
_CONNECTIVE = _any(
    "but|and|however|meanwhile|also|earlier|later|then|in addition|additionally|moreover|furthermore|instead",
    "separately|in turn|in fact|of course|thus|hence|still|yet|in the meantime|as a result|notably|nevertheless",
    "at the same time|on the other hand|for (?:example|instance)|following this|breaking|update|report|watch|video",
)
_ENGLISH = _Rules(
    heads=(
        # LONDON, May 2 (Reuters) -
        re.compile(r"(?:[A-Z][\w.'’/ -]{1,40}(?:, [\w.'’ ]{2,20}){0,2}\s)?\([^()\n]{2,40}\)\s*(?:[-–—]{1,2}|:)\s*"),
        # New Delhi, May 3:
        re.compile(r"(?:[A-Z][a-z]+ ?){1,3}, [A-Z][a-z]{2,8}\.? \d{1,2}(?: \([^()]*\))?:\s"),
        # NEW DELHI: or OSLO, Norway —
        re.compile(
            r"[A-Z][A-Z.'’/-]{2,}(?:[ ,/][A-Z][A-Z.,'’/-]+|, [A-Z][\w.]+(?: \d{1,2})?){0,4}"
            r"\s*(?:[-–—]{1,2}|:)\s+(?=[A-Z])"
        ),
        re.compile(rf"(?:(?:{_CONNECTIVE}[,:]|{_any('but|and|meanwhile|then')})\s)+"),
        re.compile(r"[Aa]ccording to [^,\n]{3,80},\s"),
        re.compile(
            rf"(?:{_WORD}\s){{0,8}}?{_SOURCE}(?:\s{_WORD}){{0,6}}?\s{_SPOKE}"
            r"(?:\s(?:on|late|early|last|this|week|month|in a (?:brief )?statement|\w+day))*\sthat\s"
        ),
        re.compile(rf"(?:{_WORD}\s){{0,5}}?{_SOURCE}\s{_SPOKE}(?:\s(?:on\s)?\w+day)?\s(?!{_TIMED})(?=[a-z\d])"),
    ),
    tails=(
        re.compile(rf",\s(?:(?:[\w.'’()-]+\s){{1,8}}?{_SPOKE}|{_SPOKE}\s|according to\s|citing\s|as per\s)[^\"“”]*$"),
        re.compile(r"\s(?:according to|as per)\s[^\"“”]*$"),
        re.compile(rf"(?::|\s[-–|])\s(?:[A-Z]\w+\s)?(?:{_SOURCE}|CEO|[Ss]tudy)$"),
    ),
    clause=re.compile(
        r",\s(?=(?:which|who|whose|where|when|while|whereas|although|though|because|since|as|with|including|adding|"
        r"saying|citing|making|bringing|leaving|after|before|following|amid|despite|but|"
        r"and (?=\w+ (?:is|was|has|had|will)))\b)|;\s|\s[–—-]{1,2}\s"
    ),
)

_RU_SOURCE = _any(
    "полици|МЧС|МВД|минист|ведомств|прокур|штаб|следств|следком|роспотреб|власт|пресс-служб|правительств|агентств",
    "комитет|источник|СМИ|издани|газет|телеканал|портал|сайт|ТАСС|Интерфакс|РИА|Минздрав|Минобороны|служб|администрац",
    "ВОЗ|компани",
)
_RU_SPOKE = _any(
    "сообща(?:ет|ют|ется|ли|ла?)|сообщил[аио]?|переда(?:[её]т|л[аио]?)|пиш[еу]т|рассказал[аи]?|заявил[аио]?|отметил[аио]?",
    "сказал[аи]?|говорится|следует из|уточнил[аио]?|добавил[аио]?|подчеркнул[аио]?|продолжил[аио]?|заключил[аио]?",
    "информиру[ею]т|стало известно",
)
_RU_CONNECTIVE = _any(
    "но|а|и|однако|также|так|кроме того|при этом|между тем|тем временем|напомним|отметим|добавим|ранее|позже|позднее",
    "затем|потом|в свою очередь|в частности|например|впрочем|по его словам|к слову|кстати|уточняется|примечательно",
)
_RU_REPORTED = _any("как (?:сообщ|переда|пиш|стало|уточн|рассказ|отме|заяви|говор)\\w+|согласно")
_RU_KNOWN = _any(
    "оказалось|сообщается(?: также)?(?:,? о том)?|стало известно(?: о том)?|известно|установлено|отмечается"
)
_RUSSIAN = _Rules(
    heads=(
        # МОСКВА, 4 мая - РИА Новости. or Москва. 4 мая. ИНТЕРФАКС -
        re.compile(
            r"[А-ЯЁ][А-ЯЁа-яё-]{2,20}(?:[.,]\s\d{1,2}\s[а-я]{3,8})?\.?[\s,]*[/–—-]{0,2}\s*/?(?:РИА Новости|ТАСС|"
            r"ИНТЕРФАКС|Интерфакс|INTERFAX\.RU|ИА [^.\n]{2,20})/?[.,:]?\s*(?:[–—-]\s)?(?=[А-ЯЁ«\d])"
        ),
        re.compile(rf"(?:{_RU_CONNECTIVE}(?:,\s(?:что\s)?|\s(?=[\w«])))+"),
        re.compile(
            rf"(?:{_any('по (?:данным|информации|сведениям|сообщению)')}|{_RU_REPORTED})[^,\n]{{0,80}},\s(?:что\s)?"
        ),
        re.compile(
            rf"(?:[^\s,]+\s){{0,6}}?\S*{_RU_SOURCE}\S*(?:\s[^\s,]+){{0,7}}?\s{_RU_SPOKE}(?:\s[^\s,]+){{0,4}},\sчто\s"
        ),
        re.compile(rf"{_RU_KNOWN},\sчто\s"),
    ),
    tails=(
        re.compile(rf",\s*(?:[—–-]\s*)?(?:[^\s,]+\s){{0,3}}?{_RU_SPOKE}(?![а-яё])[^«»\"]*$"),
        re.compile(r",?\sсо ссылкой на\s.*$|,\sпо (?:данным|информации)\s.*$"),
    ),
    clause=re.compile(
        r",\s(?=(?:котор|где|когда|чтобы|так как|поскольку|хотя|однако|но|а (?!также)|потому|после чего|в том числе|"
        r"включая|несмотря|куда|откуда|чья|чей|чьи|что позвол|поэтому|сообща|пишет|переда|добавив|отметив|заявив|"
        r"сообщив))|;\s|\s[–—]\s(?=[а-яё])"
    ),
)
