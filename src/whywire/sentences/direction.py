"""Which of two spans is the cause, where the words between them leave no doubt.

The model's spans are often right where its arrow is not: Russian puts the effect after "из-за чего" and before
"из-за". A connective that stands between the two spans decides; where there is none, or where connectives disagree,
the model's arrow stays. Which error is worse? Turning an arrow that was right: so the table holds only words that
have one direction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from whywire.news.article import Span

MAX_WORDS_APART = 4
"""Words between a connective and the second span, at most: "so, the minister said, prices rose"."""

_BECAUSE_OF = r"(?:из[-–—]за|вследствие|ввиду|благодаря|в связи с|по причине|под влиянием|по вине)"

_BACK = r"(?:чего|чему|чем|этого|этому|этим|котор\w+)\b(?!,? что\b)"
"""What takes up the clause before it: "из-за чего", "благодаря этому"."""

_LED = (
    r"(?:приве[лдш]|приводи|повле[кч]|вызва[лв]|вызывает|спровоцирова[лв]|породи[лв]|вынуди|застави|обусловил|обернул"
    r"|вылил|стал\w* (?:\w+ ){0,2}причин|послужи\w+ (?:\w+ ){0,2}(?:причин|повод))\w*"
)
"""Russian verbs whose subject is the cause."""

_LEADING = (
    r"(?:приведя|вызвав|спровоцировав|повлекши|породив|вынудив|заставив|лишив|оставив|парализовав|приводя|вызывая"
    r"|провоцируя|порождая|вынуждая|заставляя|лишая|оставляя|(?:став|послужив) (?:\w+ )?(?:причиной|поводом))"
)
"""Their participles, which follow the clause of the cause."""

_THEREFORE = r"(?:,|,? (?:\w+(?:ли|лись|лось|лся|ло)\b|(?:без|в|во|на|с|у|из|к|по|под|через|около|не)\b|\d))"
"""What follows "в результате" that means *therefore*: no noun depends on it."""

_BE = r"\b(?:стал|послуж|явл|явил|оказал|был|будет)\w*"

_CAUSED = r"(?:caused|triggered|sparked|prompted|provoked|ignited|brought about|set off)"

_MOODS = "(?:fears?|concerns?|worries|hopes?|expectations?|optimism|jitters|woes|speculation|uncertainty)"
"""What markets move on: "prices fall on supply fears"."""


@dataclass(frozen=True, slots=True)
class Connective:
    """Words that tell which of two spans is the cause.

    Args:
        cause_first: the span that stands first is the cause; else the other.
        between: a pattern of what stands between the two spans, perhaps as the beginning of the second.
        before: a pattern of what stands right before the first span besides, or begins it; empty where nothing must.
        of_clause: what stands before it is a clause, all of which is the cause.
    """

    cause_first: bool
    between: str
    before: str = ""
    of_clause: bool = False


CONNECTIVES = (
    Connective(True, r"\b(?:поэтому|отчего|вот почему|почему и|так что|следовательно|тем самым)\b", of_clause=True),
    Connective(True, r"\b(?:потому|оттого)\b(?!,? (?:\w+ )?что\b)|, за что\b", of_clause=True),
    Connective(True, r"\b(?:по этой причине|как (?:следствие|результат))\b|[,—–] (?:и )?в ответ\b", of_clause=True),
    Connective(True, rf"\b(?:{_BECAUSE_OF}|в результате|в силу|на фоне) {_BACK}", of_clause=True),
    Connective(True, rf"(?:, (?:и |а )?|\bи |[.;] )в (?:результате|итоге)(?={_THEREFORE})", of_clause=True),
    Connective(True, rf"\b(?:что|чем|это) (?:\w+ ){{0,2}}{_LED}", of_clause=True),
    Connective(True, rf", (?:\w+ )?{_LEADING}\b", of_clause=True),
    Connective(True, rf"\bкотор(?:ая (?:\w+ ){{0,2}}{_LED}|(?:ый|ое|ые) (?:\w+ ){{0,2}}приве[лд])"),
    Connective(True, r"\b(?:приве[лд]|приводи)\w*(?:,? \w+){0,4},? ко?\b"),
    Connective(True, rf"{_BE} (?:\w+ ){{0,2}}(?:причиной|поводом)\b"),
    Connective(True, _BE, before=r"\b(?:следствием|последствием|результатом|итогом)"),
    Connective(False, rf"\b{_BECAUSE_OF}(?! {_BACK})"),
    Connective(False, r"\b(?:потому|оттого|из-за того|благодаря тому),? что\b|\b(?:так как|поскольку|ибо)\b"),
    Connective(False, r"\b(?:вызван|обусловлен|спровоцирован|порожден)\w*"),
    Connective(False, r"\bкотор(?:ого|ую) (?:\w+ )?(?:вызва|спровоцирова|породи|повлек)\w*"),
    Connective(False, rf"{_BE} (?:\w+ ){{0,2}}(?:следствием|последствием|результатом|итогом)\b"),
    Connective(False, rf"—|–|:|{_BE}|\b(?:назва|назы|счита)\w*", before=r"\bпричин(?:ой|а|у)"),
    Connective(False, _BE, before=r"\bповодом (?:для|к)"),
    Connective(False, r"\b(?:приве[лд]|приводи)\w*(?!(?:,? \w+){0,4},? ко?\b)", before=r"\bко?\b"),
    Connective(True, r"\b(?:therefore|consequently|hence|thereby|(?:that|which|this) is why|that[’']s why)\b"),
    Connective(True, r"\bas a (?:result|consequence)\b(?! of\b(?! which\b))|\bwith the result that\b"),
    Connective(True, r"\b(?:because of|due to|owing to|thanks to) (?:which\b|(?:this|that),)"),
    Connective(True, rf"\bwhich (?:\w+ ){{0,2}}(?:led to|resulted in|{_CAUSED}(?! by\b))"),
    Connective(True, r", (?:leading to|resulting in)\b|\b(?:is|are|was|were|been|being) (?:\w+ly )?blamed for\b"),
    Connective(
        False,
        r"\b(?:because(?: of)?|due to|owing to|as a result of|thanks to)\b(?! (?:which\b|(?:this|that),))",
    ),
    Connective(False, rf"\b(?:on|amid)\b(?= (?:[\w’'-]+ ){{0,3}}{_MOODS}\b)"),
    Connective(False, rf"\b{_CAUSED} by\b|\b(?:blamed on|attributed to|stem(?:s|med) from|result(?:s|ed) from)\b"),
)
"""Every connective that is certain of its direction, in both languages; letters are small, and ё is е."""

_TABLE = [(one, re.compile(one.between, re.IGNORECASE), re.compile(one.before, re.IGNORECASE)) for one in CONNECTIVES]

_EDGES = " ,;:—–"

_CLAUSE_EDGE = re.compile(r"[,;:—–.!?]\s+(?:(?:что|и|а|но|так как|поскольку|потому что)\s+)?", re.IGNORECASE)

_FRONTED = re.compile(rf"(?:^|[,;:—–] )(?:{_BECAUSE_OF}|в результате|от)\b", re.IGNORECASE)
_VERB = re.compile(r" (?:(?!и )[\w-]+ ){0,2}\w+(?:л[аои]?|л[аои]?с[ья]|[еуюия]тс?я?|[нт][аоы]?) ")
"""The end of a noun phrase, and a verb in a form of the third person or a participle."""

_FREE_VERB = re.compile(
    r"\W*(?:\w+о )?(?:(?:вызва|спровоцирова|породи|обуслови)л(?P<ending>[аои]?)|повлек(?P<other>л[аои])?)\W*"
)
"""A verb alone between two spans, which may be its subject and its object in either order."""

_OBJECT = "accusative"

_SUBJECTS = (
    (re.compile(r"[^\W\d_]{3,}[ую]"), _OBJECT),
    (re.compile(r"(?![А-ЯЁ]{2})[^\W\d_]*(?:[бвгджзклмнпрстфхцчшщ]|[аеиоуыэюя]й)"), "м"),
    (re.compile(r"\w+(?:[ан]ие|ст[вь]ие|ство|[оеь]е)"), "о"),
    (re.compile(r"\w+ие"), "ои"),
    (re.compile(r"\w+(?<!м)[ая]"), "маи"),
    (re.compile(r"\w+ые?"), "и"),
)
"""By the first word of a noun phrase: the endings of past verbs whose subject it may be; "м" stands for no ending."""


def directed(text: str, cause: Span, effect: Span) -> tuple[Span, Span]:
    """Cause and effect of a sentence, the other way round where a connective says so.

    Args:
        cause, effect: half-open characters of ``text``, which do not overlap.

    Returns:
        The two spans, without the connective. A cause before a connective of clauses is its whole clause; an effect
        after a fronted Russian cause begins with its verb.
    """
    first, second = sorted((cause, effect))
    text = text.replace("ё", "е").replace("Ё", "Е")
    if found := _connective(text, first, second):
        one, (start, end) = found
        first = (first[0], first[1] if first[1] <= start else _last_word(text, start))
        second = (second[0] if end <= second[0] else _first_word(text, end), second[1])
        if one.of_clause:
            first = _clause_around(text, first, start)
        return (first, second) if one.cause_first else (second, first)
    if cause == first and _opens(_FRONTED, text, first[0]) and _VERB.fullmatch(text, first[1], second[0]):
        return first, (_first_word(text, first[1]), second[1])
    return (second, first) if _object_is_first(text, first, second) else (cause, effect)


def _connective(text: str, first: Span, second: Span) -> tuple[Connective, Span] | None:
    """The connective between two spans and where it stands; ``None`` where there is none or it is not certain."""
    joining = [
        (*match.span(), one)
        for one, between, before in _TABLE
        if not one.before or _opens(before, text, first[0])
        for match in between.finditer(text, first[0] + 1)
        if match.end() >= first[1] and match.start() <= second[0]
        if text[first[0] : match.start()].strip(_EDGES) and text[match.end() : second[1]].strip(_EDGES)
    ]
    if not joining:
        return None
    start, end, last = max(joining, key=lambda found: found[:2])
    agree = all(one.cause_first is last.cause_first for *_, one in joining)
    apart = text[end : second[0]]
    near = len(apart.split()) <= (MAX_WORDS_APART if agree else 1) and (last.cause_first or "," not in apart)
    return (last, (start, end)) if near else None


def _opens(pattern: re.Pattern[str], text: str, start: int) -> bool:
    """Whether the pattern stands right before a place of the text, or begins there."""
    return bool(pattern.match(text, start)) or any(
        not text[found.end() : start].strip(' «"') for found in pattern.finditer(text, 0, start)
    )


def _first_word(text: str, start: int) -> int:
    """Where the first word from a place on begins."""
    return start + len(text[start:]) - len(text[start:].lstrip(_EDGES))


def _last_word(text: str, end: int) -> int:
    """Where the last word before a place ends."""
    return len(text[:end].rstrip(_EDGES))


def _clause_around(text: str, span: Span, connective: int) -> Span:
    """The clause of a span that ends before a connective; the span itself where another clause lies between."""
    end = _last_word(text, connective)
    start = max((edge.end() for edge in _CLAUSE_EDGE.finditer(text, 0, span[0])), default=0)
    if _CLAUSE_EDGE.search(text, span[1], end) or text.startswith("котор", start):
        return span
    return start, end


def _object_is_first(text: str, first: Span, second: Span) -> bool:
    """Whether a Russian verb stands alone between its object and its subject, as endings tell: it agrees with one."""
    verb = _FREE_VERB.fullmatch(text, first[1], second[0])
    if not verb:
        return False
    ending = verb["ending"] or (verb["other"] or "")[1:] or "м"
    opening, closing = (_subject_of(text[slice(*span)]) for span in (first, second))
    if opening == _OBJECT:
        return closing != _OBJECT
    return opening is not None and ending not in opening and ending in (closing or "")


def _subject_of(words: str) -> str | None:
    """Of which verbs a noun phrase may be the subject (:data:`_SUBJECTS`); ``None`` where its form does not tell."""
    first = re.match(r"\W*([\w-]*)", words)
    return next((endings for form, endings in _SUBJECTS if first and form.fullmatch(first[1])), None)
