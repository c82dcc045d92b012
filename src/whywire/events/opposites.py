"""Opposite directions in two texts: up or down, opened or closed, jailed or freed.

Embeddings put "prices jump" near "prices slump", since both occur in the same contexts. But what followed one says
nothing about the other, and the two are never one event.

Splitting one event that is told from two sides is worse than joining two events: "the rouble fell against the
dollar" and "the dollar rose to 90 roubles" are one event, and so are "Rovers beat Tanner" and "Tanner lost to
Rovers". So two opposite words are compared by their *themes*: the words next to them, up to a preposition, which
name what they are said of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from whywire.events.denials import CACHED_TEXTS


@dataclass(frozen=True, slots=True)
class Axis:
    """Two opposite directions, each as a regular expression of words, English and Russian.

    Args:
        of_subject: the words are said only of what stands before them, as "beat" is of the winner.
    """

    up: str
    down: str
    of_subject: bool = False


LEVEL = Axis(
    r"r(?:ise|ose|isen|ising)s?|jump\w*|surg\w*|soar\w*|climb(?:s|ed|ing)?|gain\w*|increas\w*|gr[eo]w\w*|rall(?:y|ies|ied)|rebound\w*"
    r"|recover\w*|higher|boost\w*|rais(?:e|es|ed|ing)|doubl\w+|hik(?:e|es|ed|ing)|lift(?:s|ed|ing)?|strengthen\w*|accelerat\w*|up(?=\s\d|\s*$)"
    r"|вырос\w*|возрос\w*|раст[её]т|растут|рост[ау]?|подорожа\w*|повы[сш]\w*|увелич\w*|укреп\w*|взлет\w*|подня(?:л|т)\w*"
    r"|подскоч\w*|прибав\w*|подъ[её]м\w*|поднима\w*|ускор\w*",
    r"f[ae]ll(?:s|en|ing)?|drop\w*|slump\w*|plung\w*|tumbl\w*|declin\w*|decreas\w*|s[aiu]nk\w*|slid\w*|shr[aiu]nk\w*"
    r"|lower\w*|cut(?:s|ting)?|slash\w*|crash\w*|collaps\w*|reduc\w*|weaken\w*|trim(?:s|med|ming)?|slow(?:s|ed|ing)?|down(?=\s\d|\s*$)"
    r"|упал\w*|пада\w+|паден\w*|сниз\w*|сниж\w*|пони[зж]\w*|подешеве\w*|сокра[тщ]\w*|рухну\w*|обвал\w*|ослаб\w*"
    r"|уменьш\w*|просе[лд]\w*|опусти\w*|урез\w*|замедл\w*",
)
_RESTRICTIONS = r"\s(?:\w+\s)?(?:ban|bans|sanction|restriction|curb|lockdown|санкц|запрет|огранич|пошлин|карантин)"
ACCESS = Axis(
    rf"(?:re)?open\w*|(?:cancel\w*|scrap\w*|отмен\w*)(?={_RESTRICTIONS})|lift\w*|eas(?:e|es|ed|ing)|resum\w*|restart\w*|allow\w*|relax\w*"
    r"|(?:от|вновь от)кры\w*|снял\w*|снят\w*|снима\w+|смягч\w*|возобнов\w*|разреш\w*",
    rf"(?:cancel\w*|отмен\w*)(?!{_RESTRICTIONS})|clos(?:e|es|ed|ing|ure|ures)|shut\w*|ban|bans|banned|suspend\w*|postpon\w*|halt\w*|lock(?:s|ed|down|downs)"
    r"|restrict\w*|impos\w*|tighten\w*"
    r"|закры\w*|запре\w*|приостан\w*|перен[ое]с\w*|огранич\w*|вв[её]л\w*|введ\w*|ужесточ\w*",
)
FREEDOM = Axis(
    r"free(?:d|s|ing)?|releas\w+|acquit\w*|pardon\w*|let go"
    r"|освобо\w+|отпу(?:ст|щ)\w+|оправда\w+|помилова\w+|на свобод\w+",
    r"jail\w*|imprison\w*|arrest\w*|detain\w*|convict\w*|sentenc\w+|behind bars"
    r"|задерж\w+|арест\w*|посад\w+|осужд\w+|осудил\w*|приговор\w*|за реш[её]тк\w+",
)
VICTORY = Axis(
    r"win|wins|won|beats?|beating|defeats?|defeated|победи\w+|побежда\w+|выигр\w+|обыгр\w+|одолел\w*",
    r"los(?:e|es|t|ing)|проигр\w+|уступи\w+|потерпел\w*",
    of_subject=True,
)
APPROVAL = Axis(
    r"approv\w*|pass(?:es|ed)|adopt\w*|accept\w*|ratif\w+|uph[eo]ld\w*"
    r"|одобр\w+|принял\w*|принят\w*|утверди\w+|утвержд[её]н\w*",
    r"reject\w*|veto\w*|turn(?:s|ed)? down|vote[sd]? down|overturn\w*|quash\w*"
    r"|отклон\w+|отверг\w+|отказа\w+|забаллотир\w+",
)
OFFICE = Axis(
    r"appoint\w*|hire[sd]?|назнач\w+",
    r"fired|sack(?:s|ed)|dismiss(?:es|ed)|oust\w*|уволен\w*|уволил\w*|смещ[её]н\w*",
)
PRESENCE = Axis(
    r"sends?|sent|deploy\w*|направи\w+|отправи\w+|размести\w+",
    r"withdraw\w*|withdrew|pull(?:s|ed|ing)? out|вывод(?:ит|ят)|вывел\w*|отозва\w+",
)
COURSE = Axis(
    r"start(?:s|ed|ing)?|begins?|began|begun|нач(?:ал|ин|ат)\w*|стартова\w+",
    r"end(?:s|ed|ing)?|finish\w*|законч\w+|заверш\w+|прекра[тщ]\w+|окончи\w+",
)
LIFE = Axis(
    r"(?:is|still|found) alive|alive and well|жив[аы]?(?: и здоров[аы]?)?",
    r"die[sd]?|dead|deaths?|killed|dying|умер\w*|сконча\w+|смерт[иьюе]\w*|погиб\w*|не стало",
)
AXES = (LEVEL, ACCESS, FREEDOM, VICTORY, APPROVAL, OFFICE, PRESENCE, COURSE, LIFE)
"""The known opposites."""

_AXES = tuple(
    tuple(re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in (axis.up, axis.down)) for axis in AXES
)

_TOKEN = re.compile(r"[^\W\d_]+|[^\w\s]")

_BARRIER = re.compile(
    r"[^\w'’\"“”«»-]|against|versus|vs|to|from|after|before|amid|by|at|over|on|for|as|despite|while|when|but|and|with"
    r"|because|since|if|than|к|до|на|после|из|за|против|от|при|а|но|и|для|по|когда|пока|если|чем|что|чтобы",
    re.IGNORECASE,
)
"""What ends a theme."""

MAX_THEME_WORDS = 4
"""Words on either side of a direction that may belong to its theme."""

FUNCTION_WORDS = frozenset(
    (
        "the",
        "its",
        "his",
        "her",
        "thei",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "will",
        "been",
        "его",
        "её",
        "их",
    )
)
"""Words that name nothing, cut like the words of a theme."""

_ENDING = re.compile(r"(?<=\w{3})[sаеёиоуыэюяйь]+$")


@dataclass(frozen=True, slots=True)
class Direction:
    """A word of direction with its theme.

    Args:
        axis: index in ``AXES``.
        up: whether the direction is ``up`` of the axis, not ``down``.
        before, after: the first letters of the words of the theme.
    """

    axis: int
    up: bool
    before: frozenset[str]
    after: frozenset[str]

    def shares_theme(self, other: Direction) -> bool:
        """Whether another word of the same axis may be said of the same thing."""
        mine, theirs = self.before | self.after, other.before | other.after
        if not mine or not theirs:
            return True  # "the cut", "the rise": said of the subject of the report
        if self.before & other.before or (self.after & other.after and not AXES[self.axis].of_subject):
            return True
        swapped = bool(self.before & other.after) and bool(self.after & other.before)
        return bool(mine & theirs) and not swapped and not AXES[self.axis].of_subject


def are_opposite(one: str, other: str) -> bool:
    """Whether two texts name opposite directions of some axis; a text that names both directions does not count."""
    return any(
        left and right and left == -right for left, right in zip(_directions(one), _directions(other), strict=True)
    )


def opposite_of_one_thing(one: str, other: str) -> bool:
    """Whether two texts say opposite things of one subject, and do not agree elsewhere on the same axis."""
    pairs = [(left, right) for left in directions(one) for right in directions(other) if left.axis == right.axis]
    agreed = {left.axis for left, right in pairs if left.up == right.up and left.shares_theme(right)}
    return any(left.up != right.up and left.axis not in agreed and left.shares_theme(right) for left, right in pairs)


@lru_cache(maxsize=CACHED_TEXTS)
def directions(text: str) -> tuple[Direction, ...]:
    """The words of direction in a text.

    A word that another one takes away is no direction: "ban" in "lifts the ban". A word without a theme ("the cut")
    counts only if it is the only one.
    """
    tokens = list(_TOKEN.finditer(text))
    found: list[Direction] = []
    for number, patterns in enumerate(_AXES):
        matches = sorted(
            (match.span(), up)
            for up, pattern in zip((True, False), patterns, strict=True)
            for match in pattern.finditer(text)
        )
        reached = -1
        for (start, end), up in matches:
            if start < reached:
                continue
            before = _theme([token for token in reversed(tokens) if token.end() <= start])
            behind = [token for token in tokens if token.start() >= end]
            after = _theme(behind)
            found.append(Direction(number, up, before, after))
            if up and AXES[number] is ACCESS:
                reached = max([end, *(token.end() for token in _reach(behind))])
    return tuple(direction for direction in found if len(found) == 1 or direction.before or direction.after)


def _theme(tokens: list[re.Match[str]]) -> frozenset[str]:
    """The first letters of the words next to a direction, up to a barrier."""
    return (
        frozenset(_ENDING.sub("", token[0].lower())[:4] for token in _reach(tokens) if len(token[0]) >= 3)
        - FUNCTION_WORDS
    )


def _reach(tokens: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    for token in tokens[:MAX_THEME_WORDS]:
        if _BARRIER.fullmatch(token[0]):
            return
        yield token


def _directions(text: str) -> Iterator[int]:
    """For each axis 1 or -1, or 0 if a text names neither direction or both."""
    for up, down in _AXES:
        yield bool(up.search(text)) - bool(down.search(text))
