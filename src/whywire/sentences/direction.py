"""Which of two spans is the cause, where the words around them leave no doubt.

The model's spans are often right where its arrow is not: Russian puts the effect after "из-за чего" and before
"из-за". A connective that joins the two spans decides; where there is none, or where connectives disagree, the model's
arrow stays. Which error is worse? Turning an arrow that was right: so the table holds only words that have one
direction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from whywire.news.article import Span

_BACK = r"(?:чего|чему|чем|этого|этому|этим|котор\w+)\b"
"""What takes up the clause before it: "из-за чего", "благодаря этому"."""

_BECAUSE_OF = r"(?:из-за|вследствие|ввиду|благодаря|в связи с|по причине|под влиянием|по вине)"

_LED = (
    r"(?:приве[лдш]|приводи|повле[кч]|вызва[лв]|вызывает|спровоцирова[лв]|породи[лв]|вынуди|застави|обусловил|обернул"
    r"|вылил|стал\w* (?:\w+ ){0,2}причин|послужи\w+ (?:\w+ ){0,2}(?:причин|повод))\w*"
)
"""Russian verbs whose subject is the cause."""

_THEREFORE = r"(?:,|\w+(?:ли|лись|лось|лся|ло)\b|(?:без|в|во|на|с|у|из|к|по|под|через|около|более|не)\b|\d)"
"""What follows "в результате" that means *therefore*: no noun depends on it."""

_BE = r"\b(?:стал|послуж|явл|явил|оказал|был|будет)\w*"

_CAUSED = r"(?:caused|triggered|sparked|prompted|provoked|ignited|brought about|set off)"


@dataclass(frozen=True, slots=True)
class Connective:
    """Words that tell which of two spans is the cause.

    Args:
        cause_first: the span that stands first is the cause; else the other.
        between: a pattern of what stands between the two spans, perhaps as the beginning of the second.
        before: a pattern of what stands right before the first span, or begins it.
    """

    cause_first: bool
    between: str = ""
    before: str = ""


CONNECTIVES = (
    Connective(True, r"\b(?:поэтому|отчего|вот почему|почему и|так что|следовательно|как следствие|тем самым)\b"),
    Connective(True, r"\b(?:потому|оттого)\b(?!,? (?:\w+ )?что\b)"),
    Connective(True, rf"\b(?:{_BECAUSE_OF}|в результате|на фоне) {_BACK}(?!,? что\b)"),
    Connective(True, rf"(?:, (?:\w+ )?|\bи |[.;] )в (?:результате|итоге)(?=,? {_THEREFORE}|,)"),
    Connective(True, rf"\b(?:что|это|котор(?:ый|ая|ое|ые)) (?:\w+ ){{0,2}}{_LED}"),
    Connective(True, r", (?:\w+ )?(?:приведя|вызвав|спровоцировав|повлекши|породив|вынудив|заставив|лишив)\b"),
    Connective(True, r"\b(?:приве[лд]|приводи)\w*(?: \w+){0,2} ко?\b"),
    Connective(True, rf"{_BE} (?:\w+ ){{0,2}}(?:причиной|поводом)\b"),
    Connective(True, _BE, before=r"\b(?:следствием|последствием|результатом|итогом)"),
    Connective(True, before=rf"\b(?:{_BECAUSE_OF}|в результате)(?! {_BACK})"),
    Connective(False, rf"\b{_BECAUSE_OF}(?! {_BACK})"),
    Connective(False, r"\b(?:потому|оттого|из-за того|благодаря тому),? что\b|\b(?:так как|поскольку|ибо)\b"),
    Connective(False, r"\b(?:вызван|обусловлен|спровоцирован|порожден)\w*"),
    Connective(False, r"\bкотор(?:ого|ую|ое|ые) (?:\w+ )?(?:вызва|спровоцирова|породи|повлек)\w*"),
    Connective(False, rf"{_BE} (?:\w+ ){{0,2}}(?:следствием|последствием|результатом|итогом)\b"),
    Connective(False, rf"—|–|:|{_BE}|\b(?:назва|назы|счита)\w*", before=r"\bпричин(?:ой|а|у)"),
    Connective(False, _BE, before=r"\bповодом (?:для|к)"),
    Connective(False, r"\b(?:приве[лд]|приводи)\w*(?!(?: \w+){0,2} ко?\b)", before=r"\bко?\b"),
    Connective(True, r"\b(?:therefore|consequently|hence|thereby|(?:that|which|this) is why|that[’']s why)\b"),
    Connective(True, r"\bas a (?:result|consequence)\b(?! of\b(?! (?:which|this|that)\b))|\bwith the result that\b"),
    Connective(True, r"\b(?:because of|due to|owing to|thanks to) (?:which|this|that)\b"),
    Connective(
        True, rf"\bwhich (?:\w+ ){{0,2}}(?:led to|resulted in|{_CAUSED}(?! by\b))|, (?:leading to|resulting in)\b"
    ),
    Connective(True, r"\b(?:is|are|was|were|been|being) (?:\w+ly )?blamed for\b"),
    Connective(True, before=r"\b(?:because of|due to|owing to|as a result of|thanks to)"),
    Connective(False, r"\b(?:because(?: of)?|due to|owing to|as a result of|thanks to)\b(?! (?:which|this|that)\b)"),
    Connective(False, rf"\b{_CAUSED} by\b|\b(?:blamed on|attributed to|stem(?:s|med) from|result(?:s|ed) from)\b"),
)
"""Every connective that is certain of its direction, in both languages; letters are small, and ё is е."""

_TABLE = [(one, re.compile(one.between, re.IGNORECASE), re.compile(one.before, re.IGNORECASE)) for one in CONNECTIVES]

_FREE_VERB = re.compile(
    r"\W*(?:\w+о )?(?:вызва|спровоцирова|породи|обуслови)л(?P<ending>[аои]?)\W*|\W*повлек(?P<other>л[аои])?\W*"
)
"""A verb alone between two spans, which may be its subject and its object in either order."""

_OBJECT = "accusative"
_AGREEMENT = (
    (re.compile(r"[^\W\d_]{3,}[ую]"), _OBJECT),
    (re.compile(r"(?![А-ЯЁ]{2})[^\W\d_]*(?:[бвгджзклмнпрстфхцчшщ]|[аеиоуыэюя]й)"), "м"),
    (re.compile(r"\w+(?:[иь]е|ое|ее|ство)"), "ои"),
    (re.compile(r"\w+(?<!м)[ая]"), "маи"),
    (re.compile(r"\w+ы"), "и"),
)
"""By the form of a noun phrase's first word: the endings of a verb in the past whose subject it may be (м: none)."""


def directed(text: str, cause: Span, effect: Span) -> tuple[Span, Span]:
    """Cause and effect of a sentence, the other way round where a connective says so.

    Args:
        cause, effect: half-open characters of ``text``, which do not overlap.
    """
    first, second = sorted((cause, effect))
    said = _cause_is_first(text.replace("ё", "е").replace("Ё", "Е"), first, second)
    if said is None:
        return cause, effect
    return (first, second) if said else (second, first)


def _cause_is_first(text: str, first: Span, second: Span) -> bool | None:
    """Whether the first span is the cause; ``None`` where the words do not tell."""
    joining: list[tuple[Span, bool]] = []
    fronted = False
    for one, between, before in _TABLE:
        if one.before and not _opens(before, text, first[0]):
            continue
        if one.between:
            found = (match.span() for match in between.finditer(text, first[1]))
            joining += [(span, one.cause_first) for span in found if span[0] <= second[0]]
        else:
            fronted = True
    if joining:
        (_, end), nearest = max(joining)
        agree = all(cause_first == nearest for _, cause_first in joining)
        return nearest if agree or len(text[end : second[0]].split()) <= 1 else None
    if fronted:
        return True
    return False if _object_is_first(text, first, second) else None


def _opens(pattern: re.Pattern[str], text: str, start: int) -> bool:
    """Whether the pattern stands right before a place of the text, or begins there."""
    return bool(pattern.match(text, start)) or any(
        not text[found.end() : start].strip(' «"') for found in pattern.finditer(text, 0, start)
    )


def _object_is_first(text: str, first: Span, second: Span) -> bool:
    """Whether a Russian verb stands alone between its object and its subject, as endings tell: it agrees with one."""
    verb = _FREE_VERB.fullmatch(text, first[1], second[0])
    if not verb:
        return False
    ending = verb["ending"] or (verb["other"] or "")[1:] or "м"
    opening, closing = (_agreement(text[slice(*span)]) for span in (first, second))
    if opening == _OBJECT:
        return closing != _OBJECT
    return opening is not None and ending not in opening and ending in (closing or "")


def _agreement(words: str) -> str | None:
    """Of which verbs a noun phrase may be the subject (:data:`_AGREEMENT`); ``None`` where its form does not tell."""
    first = words.split()[0]
    return next((endings for form, endings in _AGREEMENT if form.fullmatch(first)), None)
