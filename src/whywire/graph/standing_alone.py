"""Whether a sentence can be told alone: it asks nothing, is of the report, and names whom it is about.

The names that a pronoun stands for are often in the sentence before, which a reader of one line does not see. Whether
the owner of a pronoun comes later in the sentence is guessed by its first words.
"""

from __future__ import annotations

import re

from whywire.news.sentences import is_boilerplate


def stands_alone(sentence: str) -> bool:
    """Return whether a sentence, English or Russian, can be understood without those around it.

    >>> stands_alone("The mayor of Orlen said he would resign.")
    True
    >>> stands_alone("He said this event would be the last.")
    False
    """
    return not (asks(sentence) or is_boilerplate(sentence) or _lacks_owner(sentence))


def asks(sentence: str) -> bool:
    """Return whether a sentence is a question."""
    return sentence.rstrip(" \"'”»)").endswith("?")


def _lacks_owner(sentence: str) -> bool:
    opens = _OPENS_WITHOUT_OWNER.match(sentence) and not _OWNERLESS.match(sentence)
    if opens or _AFTER_WHAT.match(sentence):
        return True
    unquoted = _QUOTED.sub(" ", sentence)
    said_by_nobody = len(_WORD.findall(unquoted)) < SPEAKER_WORDS
    return bool(_FIRST_PERSON.search(sentence if said_by_nobody else unquoted))


SPEAKER_WORDS = 2
"""The fewest words outside of quotation marks that can say who speaks: "Marr said"."""

_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"\"[^\"]*(?:\"|$)|[“„][^”“]*(?:[”“]|$)|«[^»]*(?:»|$)|(?<!\w)[‘'][^’']{12,}(?:[’'](?!\w)|$)")
_FIRST_PERSON = re.compile(
    r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur)\b"
    r"|\b(?:[Яя]|[Мм]ы|[Мм]еня|[Мм]не|[Нн]ас|[Нн]ам|[Мм]о(?:й|я|[её]|и|его|ей|ему|им|их))\b"
)
_TIMES = (
    r"week|weekend|month|year|season|morning|afternoon|evening|spring|summer|autumn|fall|winter|time"
    r"|год|недел|месяц|сезон|день|утр|вечер|ноч|весн|лет|осен|зим|раз|врем"
)
_OPENS_WITHOUT_OWNER = re.compile(
    r"(?!\W*(?:after|as|when|while|although|though|because|since|if|before|once|until|despite|in|at|on|with|for|by|to"
    r"|из-за|после|когда|как|хотя|так|поскольку|если|пока|чтобы|в|на|с|по|у|о|об|для|до|от|при)\b)"
    r"\W*(?:[\w’'-]+,?\s+)?"
    r"(?:(?:he|she|they|it|him|them|his|her|their|its|он|она|они|оно|его|ему|е[её]|ей|им|их)\b"
    rf"|(?<!\w\s)(?:this|that|these|those|эт(?:от|а|о|и|ого|ому|ой|у|их|им|ими))\b(?!\s(?:{_TIMES}))"
    rf"|(?:однако|также|кроме того|however|also|but|and)\W+(?:this|that|these|those|эт(?:от|а|о|и|у))\b)",
    re.IGNORECASE,
)
"""A pronoun as the first or second word, unless the sentence opens with a clause whose owner may follow; or a
demonstrative as the first."""

_AFTER_WHAT = re.compile(
    r"\W*(?:после|несмотря на|из-за|до|для|об|к|от|благодаря|because of|despite|after|before|by|due to) "
    rf"(?:эт(?:о|ого|ому|ом|им|ой|их)|that|this|it|him|her|them|него|не[её]|них)\b(?!\s(?:{_TIMES}))"
    r"|\W*[a-z]+ing\b[^,]*, (?:he|she|it|they)\b",
    re.IGNORECASE,
)
"""A pronoun behind the words that the sentence opens with: "after that", "speaking in Tarn, he"."""

_OWNERLESS = re.compile(
    r"\W*(?:\w+,?\s+)?it(?:['’]s| is| was| has been| will be| remains| emerged| appears| seems| turns| turned| comes"
    r"| came| takes| took)\b[^,.]*?\b(?:that|to|whether|how|who|as|out|after|when|since)\b",
    re.IGNORECASE,
)
"""An *it* that stands for nobody: "it was announced that"."""
