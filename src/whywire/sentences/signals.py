"""The kind of a relation's signal, and the relation's sense: whether the effect came, and came from the cause.

The kinds are those of the Penn Discourse Treebank, as in RECESS (section 3): a *connective* is a fixed conjunction,
preposition or adverb ("because", "as a result of"); other words that express the relation are an *alternative
lexicalisation* ("sparked", "the reason why"); a relation without either is *implicit*.

Four senses are those of RECESS: cause, purpose, condition and negative condition, recognised by the words of the
signal or, without one, by the form of the cause. In four more the cause did not bring about the effect: "the vaccine
prevented 2,000 deaths", "the leak nearly caused an explosion", "sugar is linked to diabetes", "the ferry sailed
despite the storm". They are recognised by the words before and between the two spans and at the beginning of the
effect, so that no link leads to what did not happen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from whywire.news.article import Span, overlap
from whywire.sentences.reading import CausalRelation


class Sense(StrEnum):
    """The sense of a relation between cause and effect."""

    CAUSE = "cause"
    PURPOSE = "purpose"
    """The cause is what someone wants to achieve with the effect."""
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
    CONCESSION = "concession"
    """The effect came although the cause speaks against it; that the one led to the other is not said or denied."""

    @property
    def happened(self) -> bool:
        """Whether the cause brought about the effect, or was its purpose."""
        return self in (Sense.CAUSE, Sense.PURPOSE)


RECESS_SENSES = (Sense.CAUSE, Sense.PURPOSE, Sense.CONDITION, Sense.NEGATIVE_CONDITION)
"""The senses annotated in RECESS, on which the heads of mentions were trained."""


class SignalKind(StrEnum):
    """How a sentence expresses a causal relation."""

    CONNECTIVE = "connective"
    ALTERNATIVE = "alternative lexicalisation"
    IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True)
class Signal:
    """Kind and sense of one relation's signal."""

    kind: SignalKind
    sense: Sense


def signal_of(text: str, relation: CausalRelation) -> Signal:
    """Return kind and sense of a relation's signal in an English or Russian sentence."""
    words = _ADVERBS.sub("", " … ".join(" ".join(text[a:b].lower().split()) for a, b in relation.signals)).strip()
    if not relation.signals:
        kind = SignalKind.IMPLICIT
    else:
        kind = SignalKind.CONNECTIVE if _CONNECTIVE.fullmatch(words) else SignalKind.ALTERNATIVE
    told = next((sense for sense, pattern in _SENSES.items() if pattern.search(words)), None)
    if concedes(text, relation):
        told = Sense.CONCESSION
    elif told not in (Sense.CONDITION, Sense.NEGATIVE_CONDITION):
        told = unreal_sense(text, relation.cause, relation.effect) or told
    aims = _INFINITIVE.match(text[slice(*relation.cause)])
    return Signal(kind, told or (Sense.PURPOSE if aims else Sense.CAUSE))


_ADVERBS = re.compile(
    r"\b(and|but|only|even|just|also|mainly|partly|largely|simply|apparently|allegedly|not|и|а|но|лишь|только|не)\b\s?"
)
"""Words beside a connective that do not change it."""

_CONNECTIVE = re.compile(
    "|".join(
        [
            r"because|since|as|for|so|to|if|unless|until|till|when|once|after|while|although|though|lest",
            r"(because|ahead|regardless|by dint) of|so (that|as to)|so … (that|as to)|for … for|to … to|as though",
            r"if … (then|so)|(either|whether) … or|in order (to|that)|in case( of)?|provided( that)?",
            r"therefore|thus|hence|thereby|consequently|accordingly|otherwise|or else|then|as (long|soon) as",
            r"as a (result|consequence)( of)?|in (the )?(view|light|wake|course|face) of|in response to|in spite of",
            r"due to|owing to|thanks to|given( that)?|on account of|despite|following|within|without|through|against",
            r"over|by|with|amid|from|of|about|at|on|under|in|upon|towards?",
            r"потому( …)?,? что|так как|поскольку|из-за( того,? что)?|благодаря( тому,? что)?|вследствие( чего)?",
            r"в связи с( тем,? что)?|в результате( чего)?|ввиду|по причине|за то,? что|оттого,? что|ибо|поэтому",
            r"(для того,? |с тем,? )?чтобы|дабы|ради|для|если|если … то|в случае|когда|раз|как только|потому",
            r"так что|следовательно|тем самым|отчего|почему|на фоне|после( того,? как)?|несмотря на|хотя|вопреки",
            r"от|за|по|из|с|под|при|в|на",
        ]
    )
)

_SENSES = {
    Sense.NEGATIVE_CONDITION: re.compile(
        r"^(unless|lest|otherwise|or else|without|if not|until|till|если … не|иначе|пока не|а то)\b"
    ),
    Sense.CONDITION: re.compile(
        r"^(if|in case|provided|as long as|whether|on condition|если|в случае|при условии)\b"
    ),
    Sense.PURPOSE: re.compile(
        r"^(to|so that|so as to|for … to)\b(?! (which|this|that|these|those|the)\b)|\bin order (to|that)\b"
        r"|\b(bid|attempts?|effort|aim|aimed|aims|aiming|hope|hoping|trying|tried|seek|seeks|seeking|sought|purpose|goal)\b"
        r"|^(demand|call|ask|press|urg)\w*\b|\bwas to$|чтобы|дабы|\b(с целью|ради|в целях|ради того)\b|^для\b"
        r"|\b(попытк|стрем|пыта|добив|требу)\w*"
    ),
}
"""Words that show a sense, of which the first that fits applies; a bare "demanding" or "to" shows a purpose."""

_INFINITIVE = re.compile(r"\s*(to (?!the\b|a\b|an\b|this\b|his\b|her\b|their\b|its\b)\w+|чтобы\b)", re.IGNORECASE)


# whether the effect came


_CONCEDING = (
    r"(?:(?:even )?(?:though|although)|even (?:if|when)|даже (?:если|когда)"
    r"|(?:despite|in spite of|regardless of|notwithstanding|несмотря на|невзирая на|вопреки)"
    r"(?: the fact that| that|,?\sт(?:о|ому),? что)?|хот[яь](?: и)?)"
)
"""Words that open what is conceded."""
_CONCEDED = re.compile(rf"\b{_CONCEDING}\b", re.IGNORECASE)
_CLAUSE_EDGE = re.compile(r"[,;:]|\s[—–-]\s")
_BEFORE_CONCEDED = re.compile(rf"\b{_CONCEDING}[\s,«“\"]*(?:the|a|an)?\s*$", re.IGNORECASE)


def concedes(text: str, relation: CausalRelation) -> bool:
    """Return whether one side of a relation is what the sentence concedes: "despite rain", "хотя шёл дождь".

    It is not if both sides are of the clause that is conceded: "although the rain caused a flood".
    """
    first, second = sorted((relation.cause, relation.effect))
    clause_ends = _CLAUSE_EDGE.search(text, first[1], second[0]) is not None
    return (clause_ends and _is_conceded(text, first)) or _is_conceded(text, second)


def signals_concession(text: str, relation: CausalRelation) -> bool:
    """Return whether the signal of a relation is a word that opens what is conceded, wherever it stands."""
    return any(_CONCEDED.search(text, *span) for span in relation.signals)


def _is_conceded(text: str, span: Span) -> bool:
    start = span[0]
    return bool(_CONCEDED.match(text, start) or _BEFORE_CONCEDED.search(text, max(0, start - _REACH), start))


_REACH = 40
"""Characters beyond a span that a pattern overlapping it may reach: "saved" … "from"."""

_OPENING = re.compile(r"\S*(?:\s+(?!(?:that|who|which|что|котор\w+)\b)\S+){0,3}")
"""The first words of an effect, which may belong to its verb: at most four, none of a subordinate clause."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


PREVENTED = _any(
    r"\b(?:prevent|avert|avoid|forestall|thwart|foil)(?:s|ed|ing)?\b",
    r"\b(?:stav|ward|fend|head)(?:es|s|ed|ing) off\b|\b(?:is|are|was|were|been|being) spared\b",
    r"\b(?:(?:spar|sav|rescu|stop|block|protect)(?:es|s|p?ed|p?ing)|keeps?|kept) (?:\w+ ){1,5}from\b",
    r"\b(?:предотвра[тщ]|предупреди[лт]|избе[жг]|уберег|помеша[лв]|воспрепятств)\w*",
    r"\bне (?:допусти|допуска|да[лв]|позволи)\w*|\b(?:спас|защити)\w* (?:\w+ ){1,4}от\b",
)
_HALTED = _any(
    r"\b(?:stop|halt|block|curb)(?:s|p?ed|p?ing)?\W*$|\b(?:spared|saved|protected)\W*$",
    r"\b(?:останови|приостанови|прекрати)л?[аои]?\W*$",
)
"""Words right before an effect that was stopped: "quarantine halted" … "the spread"."""

ALMOST = _any(
    r"\b(?:nearly|almost|narrowly|all but)\s+(?:\w+ed|led|brought|sent|cost|made|left|struck|sank|broke|fell)\b",
    r"\b(?:c[ao]me|coming) close to\b|\bon the (?:verge|brink) of\b",
    r"\b(?:едва|чуть)(?: было| ли)? не\b|\bпочти \w+(?:л[аои]?|л[аои]?с[ья])\b",
)
_FAILED = _any(r"\bfail(?:s|ed|ing)? to\b")
_NEGATED = re.compile(r"(?:\b(?:not|never|cannot|failed to|не)|n['’]t)\s(?:\w+\s)?$", re.IGNORECASE)
POSSIBLE = _any(
    r"\b(?:could|might|(?-i:may)|would(?= (?:\w+ )?have\b))\b(?! not\b| no longer\b)",
    r"\bcan (?:\w+ )?(?:cause|lead|result|trigger|bring|contribute)\b|\b(?:potential|possib)ly\b",
    r"\b(?:un)?likely to\b",
    r"\b(?:может|могут|мог(?:ла|ло|ли)?|способ(?:ен|на|но|ны)|бы|якобы|возможно|вероятно)\b",
)
THREATENED = _any(
    r"\bthreatens?\b|\bthreaten(?:ed|ing) (?:to|an?|the)\b|\brisk(?:s|ed|ing) (?:\w+ing|an?|the)\b",
    r"\bгроз(?:ит|ят|ил\w*)\b|\b(?:угрожа|риску)\w+",
)
"""Words of a threat or a risk: they count only between a cause and its effect, for a threat can itself be an
effect."""

_CORRELATED = _any(
    r"\b(?:link|ti|associat|correlat|connect|relat)ed (?:to|with)\b|\bcorrelat\w+ (?:with|between)\b",
    r"\bhand in hand\b|\b(?:links?|correlations?|associations?) (?:was|were|is|has been|between)\b",
    r"\bсвязан[аоы]? со?\b(?! тем)|\b(?:ассоциир|коррелир|сопряж[её]н)\w*",
)
_SUPPOSED = _any(
    r"\b(?:if|unless|provided(?: that)?|in case(?: of)?|in the event of|but for|without)\s+(?:(?:the|an?|any)\s+)?$",
    r"^\W*(?:should|were|had)\s+$|\b(?:если|коли|если бы не|в случае|при условии|не будь|без)\s+$",
)
"""Words before a cause that is only supposed."""

_SUPPOSES = _any(r"(?:even )?(?:if|unless|provided|should|in case|but for|если|в случае|при условии|не будь)\b")
"""The beginning of a supposed cause that includes such words."""


@lru_cache(maxsize=16_384)
def unreal_sense(text: str, cause: Span, effect: Span) -> Sense | None:
    """Return the sense of a relation whose effect the sentence does not assert; ``None`` if it may assert it.

    Args:
        cause, effect: half-open character spans of ``text``, which do not overlap.
    """
    between = (min(cause[1], effect[1]), max(cause[0], effect[0]))
    opening = _OPENING.match(text, *effect)
    verb = (between[0], opening.end() if opening else effect[1]) if cause < effect else (effect[0], between[1])
    if _meets(PREVENTED, text, verb) or (cause < effect and _HALTED.search(text, *between)):
        return Sense.PREVENTION
    if _meets(_CORRELATED, text, between):
        return Sense.CORRELATION
    if _SUPPOSED.search(text, 0, cause[0]) or _SUPPOSES.match(text, *cause):
        return Sense.CONDITION
    unsure = (ALMOST, _FAILED, POSSIBLE, *([THREATENED] if cause < effect else []))
    if any(_meets(pattern, text, verb) for pattern in unsure):
        return Sense.POSSIBILITY
    return None


def averts(text: str, cause: Span, effect: Span) -> bool:
    """Return whether a cause nearly led to its effect, or kept it from coming: no denial, though it may be negative.

    "Did not prevent" is none of the two.
    """
    start, end = min(cause[1], effect[1]), max(cause[0], effect[0])
    found = [match for one in (ALMOST, PREVENTED) for match in one.finditer(text, start, end)]
    return any(not _NEGATED.search(text, 0, match.start()) for match in found)


def effect_is_absent(text: str, cause: Span, effect: Span) -> bool:
    """Return whether an effect names what, according to the sentence, did not or only may follow its cause."""
    absent = unreal_sense(text, cause, effect) in (Sense.PREVENTION, Sense.POSSIBILITY)
    return absent and cause < effect and unreal_sense(text, (effect[0], effect[0]), effect) is None


def _meets(pattern: re.Pattern[str], text: str, span: Span) -> bool:
    """Return whether a pattern matches words that overlap a span."""
    region = pattern.finditer(text, max(0, span[0] - _REACH), span[1] + _REACH)
    return any(overlap(match.span(), span) for match in region)
