"""Whether a clause says nothing but what a passage says: whether it is the passage, shortened.

A wrong clause is worse than a missing one, and whoever writes it may be misled by the very article that it tells. So
nothing is taken on trust: a clause holds the words of one passage, in their order.

- It begins where the passage begins, a clause of it, or the words that it has to tell.
- It ends before punctuation, a preposition or a conjunction, and leaves out in between only what stands between two
  marks of punctuation. So a number stays with what it counts, and a verb with its subject: "two of the nine crew
  died" cannot become "nine crew died".
- Each word is as true as it was: what the passage denies, supposes or alleges, the clause must, too. "The leak may
  have caused a fire" cannot become "the leak caused a fire".

Articles (*the*), case and punctuation do not count. What the rules cannot see is a loss of meaning within a phrase
that still ends well: "the mayor of Orlen's brother" has no "mayor", but "a cut of a tenth in wages" has "a cut".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from whywire.events.denials import DENIES, FALSEHOOD, NEGATION
from whywire.graph.plans import SUPPOSES
from whywire.news.article import Span
from whywire.sentences.signals import ALMOST, POSSIBLE, PREVENTED, THREATENED

LEAST_WORDS = 3
"""A clause of fewer words cannot be understood alone: "the blast", or a noun in the case that some verb asked for."""


def shortened(clause: str, passage: str, about: Span) -> str | None:
    """The words of a passage that a clause holds, as they stand in the passage; ``None`` if it does not shorten it.

    Args:
        clause: by whoever is not trusted; nothing of it but the choice of words is in what is returned.
        about: half-open character offsets of the words of the passage that the clause must tell; at least one of them
            must be in it.
    """
    kept, said = _words(clause), _words(passage)
    if len(kept) < LEAST_WORDS:
        return None
    # where in the passage the words of the clause so far may be; of those that end at one word, one that tells more
    found = {
        at: _Choice((at,), _is_in(said[at], about))
        for at, word in enumerate(said)
        if word.same(kept[0]) and _may_begin(said, at, about)
    }
    for word in kept[1:]:
        longer: dict[int, _Choice] = {}
        for end, choice in found.items():
            for at in _next(said, end):
                tells = choice.tells or _is_in(said[at], about)
                if said[at].same(word) and (at not in longer or tells > longer[at].tells):
                    longer[at] = _Choice((*choice.places, at), tells)
        found = longer
    whole = [choice.places for end, choice in found.items() if choice.tells and _may_end(said, end, about)]
    return _text_of(whole[0], said, passage) if whole else None


def _text_of(places: Sequence[int], said: Sequence[_Word], passage: str) -> str:
    """The words at some places: what stands between neighbours as it is, a space for what is left out."""
    text = ""
    for before, at in zip((None, *places), places, strict=False):
        between = said[at].gap
        if before is None or at != before + 1:
            between = " " + "".join(_OPENING.findall(between))
        text += between + passage[slice(*said[at].span)]
    for opening, closing in ("«»", "“”", '""', "()"):
        if text.count(opening) != text.count(closing) or (opening == closing and text.count(opening) % 2):
            text = text.replace(opening, "").replace(closing, "")
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class _Choice:
    """Some words of a passage, by their places, and whether they tell what a clause has to be about."""

    places: tuple[int, ...]
    tells: bool


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a text.

    Args:
        moods: in which ways the text does not assert it: ``"denied"``, ``"supposed"``.
        gap: what stands between it and the word before, articles included.
    """

    text: str
    span: Span
    moods: frozenset[str]
    gap: str

    def same(self, other: _Word) -> bool:
        return self.text == other.text and self.moods == other.moods

    @property
    def follows_break(self) -> bool:
        return bool(_BREAK.search(self.gap))

    @property
    def opens_clause(self) -> bool:
        return bool(_CLAUSE_BREAK.search(self.gap)) or self.text in _CONJUNCTIONS

    @property
    def opens_phrase(self) -> bool:
        return self.follows_break or self.text in _CONJUNCTIONS or self.text in _PREPOSITIONS

    @property
    def ends_nothing(self) -> bool:
        return self.text in _CONJUNCTIONS or self.text in _PREPOSITIONS or self.text in _UNFINISHED


def _words(text: str) -> list[_Word]:
    denied = [
        *_reach((NEGATION, DENIES, PREVENTED, ALMOST, _LACKS), text, _CLAUSE_EDGE),
        *_reach((FALSEHOOD,), text, _SENTENCE_EDGE),
    ]
    supposed = [*_reach((POSSIBLE, THREATENED, SUPPOSES, _ALLEGES), text, _SENTENCE_EDGE)]
    words: list[_Word] = []
    end = 0
    for match in _WORD.finditer(text):
        if match[0].lower() in _ARTICLES:
            continue
        moods = [
            name
            for name, spans in (("denied", denied), ("supposed", supposed))
            if any(start <= match.start() < stop for start, stop in spans)
        ]
        plain = match[0].casefold().replace("ё", "е").replace("’", "'")
        words.append(_Word(plain, match.span(), frozenset(moods), text[end : match.start()]))
        end = match.end()
    return words


def _reach(patterns: Iterable[re.Pattern[str]], text: str, edge: re.Pattern[str]) -> Iterable[Span]:
    """The parts of a text between edges in which one of the patterns is."""
    cuts = [0, *(match.start() for match in edge.finditer(text)), len(text)]
    found = [match.start() for pattern in patterns for match in pattern.finditer(text)]
    return [(start, end) for start, end in pairwise(cuts) if any(start <= at < end for at in found)]


def _is_in(word: _Word, span: Span) -> bool:
    return span[0] <= word.span[0] < span[1]


def _may_begin(said: Sequence[_Word], at: int, about: Span) -> bool:
    before = said[at - 1] if at else None
    starts_about = said[at].span[0] >= about[0] and (before is None or before.span[0] < about[0])
    opened = before is None or before.text in _CONJUNCTIONS or before.text in _SPEECH
    return opened or starts_about or said[at].opens_clause


def _may_end(said: Sequence[_Word], at: int, about: Span) -> bool:
    after = at + 1
    if after == len(said):
        return True
    ends_about = said[at].span[1] <= about[1] <= said[after].span[0]
    return ends_about or (said[after].opens_phrase and not said[at].ends_nothing)


def _next(said: Sequence[_Word], at: int) -> Iterable[int]:
    """Where the next word of a clause may stand in the passage: right after the last one, or after an aside."""
    after = at + 1
    if after < len(said):
        yield after
    if after < len(said) and said[after].follows_break:
        yield from (later for later in range(after + 1, len(said)) if said[later].follows_break)


_WORD = re.compile(r"\w+(?:[-'’.,/]\w+)*|[%$€£¥₽₹]")
_ARTICLES = frozenset({"a", "an", "the"})
_OPENING = re.compile(r"(?:\b(?:an?|the)\s+)?[\"“«]?$", re.IGNORECASE)
_BREAK = re.compile(r"[,;:()\[\]…—–]|\s-\s")
_CLAUSE_BREAK = re.compile(r"[,;:…—–]|\s-\s")
_OPENERS = """
    because since as when while after before that who which whose where although though if so
    потому что поскольку так когда пока после который которая которое которые которого которой которых где хотя если
    чтобы
"""
_CONJUNCTIONS = frozenset(_OPENERS.split())
"""Words that open a clause. Not *and* and *or*: half of "only the rook and the king" is another thing."""
_SPEECH = frozenset({"said", "says", "сообщил", "сообщила", "сообщили", "заявил", "заявила", "заявили"})
"""Verbs behind which a clause may begin."""
_OF_PLACE_AND_TIME = """
    about above across against along amid among around at behind below beneath beside between beyond by despite
    down during for from in inside into near of off on onto out outside over past through throughout
    toward towards under until up upon via with within
    в во вокруг для до за из из-за из-под к ко между на над о об около от перед по под при про против ради с
    со среди у через
"""
_PREPOSITIONS = frozenset(_OF_PLACE_AND_TIME.split())
"""Words that open a phrase. Not those that take back a part of what was said, such as *except* and *without*, and not
*to*, which completes a verb, and *per*."""
_UNFINISHED = frozenset(
    {
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "has",
        "have",
        "had",
        "will",
        "would",
        "to",
        "not",
        "and",
        "or",
        "и",
        "а",
    }
)
"""Words that a clause cannot end with."""
_SUBORDINATES = (
    r"because|since|as|when|while|after|before|due to|owing to|thanks to|amid|although|though|despite|over"
    r"|потому|поскольку|так как|из-за|когда|пока|после|благодаря|в связи|вследствие|хотя|несмотря"
)
_CLAUSE_EDGE = re.compile(
    rf"[;:.!?()…](?=\s|$)|,(?!\s*(?:что|чтобы|that)\b)(?=\s)|\s[—–-]\s"
    rf"|(?<!\bnot)(?<!\bnor)(?<!\bне)\s(?=(?:{_SUBORDINATES}|but|но)\b)",
    re.IGNORECASE,
)
"""Where a denial ends: "not because of rain" denies the rain, "did not sail because of rain" does not."""
_SENTENCE_EDGE = re.compile(r"[;.!?…](?=\s|$)|,\s(?:and|but|while|и|а|но|однако)\b", re.IGNORECASE)
"""Where a supposition ends: "may have burst, flooding the town" supposes the flood as well."""
_LACKS = re.compile(
    r"\b(?:without|unable|refus(?:es?|ed|ing) to|lack of|instead of|rather than|без|вместо|отказал\w*|отказыва\w+)\b",
    re.IGNORECASE,
)
_ALLEGES = re.compile(
    r"\b(?:alleg\w+|accus\w+|suspect\w*|suppos\w+|reportedly|claim(?:s|ed|ing)?|rumou?r\w*|believ\w+|fear(?:s|ed)?"
    r"|blam\w+|якобы|обвин\w+|подозр\w+|подозрева\w+|предпол\w+|слух\w*|по версии|опаса\w+)\b",
    re.IGNORECASE,
)
"""Words of what somebody says or fears and nobody knows."""
