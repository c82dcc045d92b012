"""Which way a text says that something went: more or less, open or shut.

Similarity of meaning takes "prices jump" for "prices slump", since the two are told of in the same words. What
followed the one is no analogue for the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

AXES = (
    (
        r"r(?:ise|ose|isen|ising)s?|jump\w*|surg\w*|soar\w*|climb\w*|gain\w*|increas\w*|gr[eo]w\w*|rall(?:y|ies|ied)|rebound\w*"
        r"|recover\w*|higher|boost\w*|rais(?:e|es|ed|ing)|doubl\w+"
        r"|вырос\w*|возрос\w*|раст[её]т|растут|рост[ау]?|подорожа\w*|повы[сш]\w*|увелич\w*|укреп\w*|взлет\w*",
        r"f[ae]ll(?:s|en|ing)?|drop\w*|slump\w*|plung\w*|tumbl\w*|declin\w*|decreas\w*|s[aiu]nk\w*|slid\w*|shr[aiu]nk\w*"
        r"|lower\w*|cut(?:s|ting)?|slash\w*|crash\w*|collaps\w*|reduc\w*|weaken\w*"
        r"|упал\w*|пада\w+|паден\w*|сниз\w*|сниж\w*|подешеве\w*|сокра[тщ]\w*|рухну\w*|обвал\w*|ослаб\w*|уменьш\w*",
    ),
    (
        r"(?:re)?open\w*|lift\w*|eas(?:e|es|ed|ing)|resum\w*|restart\w*|allow\w*|relax\w*"
        r"|откры\w*|снял\w*|снят\w*|смягч\w*|возобнов\w*|разреш\w*",
        r"clos(?:e|es|ed|ing|ure|ures)|shut\w*|ban|bans|banned|suspend\w*|cancel\w*|postpon\w*|halt\w*|lock(?:s|ed|down|downs)"
        r"|restrict\w*|impos\w*|tighten\w*"
        r"|закры\w*|запре\w*|приостан\w*|отмен\w*|перен[ое]с\w*|огранич\w*|вв[её]л\w*|введ\w*|ужесточ\w*",
    ),
)
"""Of each pair of opposites the words that say the one, and those that say the other, in English and in Russian."""

_AXES = [tuple(re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in axis) for axis in AXES]


def opposed(one: str, other: str) -> bool:
    """Whether one text says the opposite of the other: on some axis each names one side, and not the same."""
    return any(left and right and left == -right for left, right in zip(_sides(one), _sides(other), strict=True))


def _sides(text: str) -> Iterator[int]:
    """For each axis 1 or -1, or 0 where a text names neither side or both."""
    for up, down in _AXES:
        yield bool(up.search(text)) - bool(down.search(text))
