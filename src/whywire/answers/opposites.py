"""Opposite directions in two texts: up or down, opened or closed.

Embeddings put "prices jump" near "prices slump", since both occur in the same contexts. What followed the one says
nothing of the other.
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
"""Each pair of opposites: the words of one direction and those of the other, English and Russian."""

_AXES = [tuple(re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in axis) for axis in AXES]


def are_opposite(one: str, other: str) -> bool:
    """Whether two texts name opposite directions of some axis; a text that names both directions names none."""
    return any(
        left and right and left == -right for left, right in zip(_directions(one), _directions(other), strict=True)
    )


def _directions(text: str) -> Iterator[int]:
    """For each axis 1 or -1, or 0 where a text names neither direction or both."""
    for up, down in _AXES:
        yield bool(up.search(text)) - bool(down.search(text))
