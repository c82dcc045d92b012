"""The kind of a relation's signal, and the sense of the relation.

The kinds are those of the Penn Discourse Treebank, as RECESS (section 3) takes them over: a *connective* is a fixed
conjunction, preposition or adverb ("because", "as a result of"); anything else that carries the link is an
*alternative lexicalisation* ("sparked", "the reason why"); a relation without either is *implicit*. The senses are
those that its annotators were told to mark: cause, purpose, condition and negative condition. Both are told by the
words of the signal, and by the form of the cause where there is none. Three more senses tell of causes that are none
(:mod:`whywire.sentences.factuality`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from whywire.sentences.factuality import Sense, unreal_sense
from whywire.sentences.reading import CausalRelation


class SignalKind(StrEnum):
    """How a sentence says that two things belong together as cause and effect."""

    CONNECTIVE = "connective"
    ALTERNATIVE = "alternative lexicalisation"
    IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True)
class Signal:
    """Kind and sense of one relation's signal."""

    kind: SignalKind
    sense: Sense


def signal_of(text: str, relation: CausalRelation) -> Signal:
    """Tell the signal of a relation in this sentence, English or Russian."""
    words = _ADVERBS.sub("", " … ".join(" ".join(text[a:b].lower().split()) for a, b in relation.signals)).strip()
    if not relation.signals:
        kind = SignalKind.IMPLICIT
    else:
        kind = SignalKind.CONNECTIVE if _CONNECTIVE.fullmatch(words) else SignalKind.ALTERNATIVE
    told = next((sense for sense, pattern in _SENSES.items() if pattern.search(words)), None)
    if told not in (Sense.CONDITION, Sense.NEGATIVE_CONDITION):
        told = unreal_sense(text, relation.cause, relation.effect) or told
    aims = _INFINITIVE.match(text[slice(*relation.cause)])
    return Signal(kind, told or (Sense.PURPOSE if aims else Sense.CAUSE))


_ADVERBS = re.compile(
    r"\b(and|but|only|even|just|also|mainly|partly|largely|simply|apparently|allegedly|not|и|а|но|лишь|только|не)\b\s?"
)
"""Words that may stand beside a connective without making another of it."""

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
"""What tells a sense, the first that fits; a bare "demanding" or "to" says what someone acts for."""

_INFINITIVE = re.compile(r"\s*(to (?!the\b|a\b|an\b|this\b|his\b|her\b|their\b|its\b)\w+|чтобы\b)", re.IGNORECASE)
