"""Whether a sentence that joins a cause and an effect says that the effect came, and came from the cause.

"The vaccine prevented 2,000 deaths", "the leak nearly caused an explosion" and "sugar is linked to diabetes" are
relations, as RECESS annotates them, and none is a cause that brought its effect about: a link between the two would
say what nobody said. It is told by the words between the two spans and by those that open the effect. Which error is
worse? A link to what did not happen.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from whywire.news.article import Span, overlap


class Sense(StrEnum):
    """In which sense the one brings about the other."""

    CAUSE = "cause"
    PURPOSE = "purpose"
    """The cause is what someone wants to reach by the effect."""
    CONDITION = "condition"
    """The effect comes if the cause does."""
    NEGATIVE_CONDITION = "negative condition"
    """The effect comes if the cause does not."""
    PREVENTION = "prevention"
    """The cause kept the effect from coming."""
    POSSIBILITY = "possibility"
    """The cause may bring the effect, could have done so, nearly did or failed to."""
    CORRELATION = "correlation"
    """The two go together, and the sentence names neither as the cause."""

    @property
    def happened(self) -> bool:
        """Whether the sentence says that the cause brought the effect about, or was meant to."""
        return self in (Sense.CAUSE, Sense.PURPOSE)


RECESS_SENSES = (Sense.CAUSE, Sense.PURPOSE, Sense.CONDITION, Sense.NEGATIVE_CONDITION)
"""The senses that annotators of RECESS mark, from which the heads of mentions learnt."""

_REACH = 40
"""Characters beyond a span to which a pattern that touches it may reach: "saved" … "from"."""

_OPENING = re.compile(r"\S*(?:\s+(?!(?:that|who|which|что|котор\w+)\b)\S+){0,3}")
"""The words of an effect that may belong to its verb: four at most, and none of a subordinate clause."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_PREVENTED = _any(
    r"\b(?:prevent|avert|avoid|forestall|thwart|foil)(?:s|ed|ing)?\b",
    r"\b(?:stav|ward|fend|head)(?:es|s|ed|ing) off\b",
    r"\b(?:(?:spar|sav|rescu|stop|block|protect)(?:es|s|p?ed|p?ing)|keeps?|kept) (?:\w+ ){1,5}from\b",
    r"\b(?:предотвра[тщ]|предупреди[лт]|избе[жг]|уберег|помеша[лв]|воспрепятств)\w*",
    r"\bне (?:допусти|допуска|да[лв]|позволи)\w*|\b(?:спас|защити)\w* (?:\w+ ){1,4}от\b",
)
_HALTED = _any(
    r"\b(?:stop|halt|block|curb)(?:s|p?ed|p?ing)?\W*$|\b(?:spared|saved|protected)\W*$",
    r"\b(?:останови|приостанови|прекрати)л?[аои]?\W*$",
)
"""What ends right before an effect that did not go on: "quarantine halted" … "the spread"."""

_ALMOST = _any(
    r"\b(?:nearly|almost|narrowly|all but)\s+(?:\w+ed|led|brought|sent|cost|made|left|struck|sank|broke|fell)\b",
    r"\b(?:c[ao]me|coming) close to\b|\bon the (?:verge|brink) of\b|\bfail(?:s|ed|ing)? to\b",
    r"\b(?:едва|чуть)(?: было| ли)? не\b|\bпочти \w+(?:л[аои]?|л[аои]?с[ья])\b",
)
_POSSIBLE = _any(
    r"\b(?:could|might|(?-i:may)|would(?= (?:\w+ )?have\b))\b(?! not\b| no longer\b)",
    r"\bcan (?:\w+ )?(?:cause|lead|result|trigger|bring|contribute)\b|\b(?:potential|possib)ly\b",
    r"\b(?:un)?likely to\b",
    r"\b(?:может|могут|мог(?:ла|ло|ли)?|способ(?:ен|на|но|ны)|бы|якобы|возможно|вероятно)\b",
)
_THREATENED = _any(
    r"\bthreatens?\b|\bthreaten(?:ed|ing) (?:to|an?|the)\b|\brisk(?:s|ed|ing) (?:\w+ing|an?|the)\b",
    r"\bгроз(?:ит|ят|ил\w*)\b|\b(?:угрожа|риску)\w+",
)
"""Only between a cause and its effect: that somebody threatens or risks something is an effect in itself."""

_CORRELATED = _any(
    r"\b(?:link|ti|associat|correlat|connect|relat)ed (?:to|with)\b|\bcorrelat\w+ (?:with|between)\b",
    r"\bhand in hand\b|\b(?:links?|correlations?|associations?) (?:was|were|is|has been|between)\b",
    r"\bсвязан[аоы]? со?\b(?! тем)|\b(?:ассоциир|коррелир|сопряж[её]н)\w*",
)
_SUPPOSED = _any(
    r"\b(?:if|unless|provided(?: that)?|in case(?: of)?|in the event of|but for|without)\s+(?:(?:the|an?|any)\s+)?$",
    r"^\W*(?:should|were|had)\s+$|\b(?:если|коли|если бы не|в случае|при условии|не будь|без)\s+$",
)
"""What stands before a cause that is only supposed."""

_SUPPOSES = _any(r"(?:even )?(?:if|unless|provided|should|in case|but for|если|в случае|при условии|не будь)\b")
"""How such a cause begins, if those words are part of it."""


@lru_cache(maxsize=16_384)
def unreal_sense(text: str, cause: Span, effect: Span) -> Sense | None:
    """The sense of a relation whose effect a sentence does not assert; ``None`` where it may.

    Args:
        cause, effect: half-open characters of ``text``, which do not overlap.
    """
    between = (min(cause[1], effect[1]), max(cause[0], effect[0]))
    verb = (between[0], _end(_OPENING, text, effect)) if cause < effect else (effect[0], between[1])
    if _meets(_PREVENTED, text, verb) or (cause < effect and _HALTED.search(text, *between)):
        return Sense.PREVENTION
    if _meets(_CORRELATED, text, between):
        return Sense.CORRELATION
    if _SUPPOSED.search(text, 0, cause[0]) or _SUPPOSES.match(text, *cause):
        return Sense.CONDITION
    unsure = (_ALMOST, _POSSIBLE, _THREATENED) if cause < effect else (_ALMOST, _POSSIBLE)
    if any(_meets(pattern, text, verb) for pattern in unsure):
        return Sense.POSSIBILITY
    return None


def effect_is_absent(text: str, cause: Span, effect: Span) -> bool:
    """Whether the words of an effect name what the sentence says did not, or only may, come after its cause."""
    absent = unreal_sense(text, cause, effect) in (Sense.PREVENTION, Sense.POSSIBILITY)
    return absent and cause < effect and unreal_sense(text, (effect[0], effect[0]), effect) is None


def _meets(pattern: re.Pattern[str], text: str, span: Span) -> bool:
    """Whether the pattern matches words some of which are in the span."""
    region = pattern.finditer(text, max(0, span[0] - _REACH), span[1] + _REACH)
    return any(overlap(found.span(), span) for found in region)


def _end(pattern: re.Pattern[str], text: str, span: Span) -> int:
    found = pattern.match(text, *span)
    return found.end() if found else span[1]
