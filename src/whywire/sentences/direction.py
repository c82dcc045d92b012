"""Decides which of two spans is the cause, if the words between them leave no doubt.

The model's spans are often right when its direction is wrong: Russian puts the effect after "из-за чего" and before
"из-за". A connective between the two spans decides; without one, or if connectives disagree, the model's direction
stays. Reversing a right direction is worse than keeping a wrong one, so the table holds only unambiguous
connectives.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from whywire.news.article import Span

MAX_WORDS_APART = 4
"""The most words between a connective and the second span: "so, the minister said, prices rose"."""

_BECAUSE_OF = r"(?:из[-–—]за|вследствие|ввиду|благодаря|в связи с|по причине|под влиянием|по вине)"

_BACK = r"(?:чего|чему|чем|этого|этому|этим|котор\w+)\b(?!,? что\b)"
"""Pronouns that refer to the clause before: "из-за чего", "благодаря этому"."""

_LED = (
    r"(?:приве[лдш]|приводи|повле[кч]|вызва[лв]|вызывает|спровоцирова[лв]|породи[лв]|вынуди|застави|обусловил|обернул"
    r"|вылил|стал\w* (?:\w+ ){0,2}причин|послужи\w+ (?:\w+ ){0,2}(?:причин|повод))\w*"
)
"""Russian verbs whose subject is the cause."""

_LEADING = (
    r"(?:приведя|вызвав|спровоцировав|повлекши|породив|вынудив|заставив|лишив|оставив|парализовав|приводя|вызывая"
    r"|провоцируя|порождая|вынуждая|заставляя|лишая|оставляя|(?:став|послужив) (?:\w+ )?(?:причиной|поводом))"
)
"""Participles of such verbs, which follow the clause of the cause."""

_THEREFORE = r"(?:,|,? (?:\w+(?:ли|лись|лось|лся|ло)\b|(?:без|в|во|на|с|у|из|к|по|под|через|около|не)\b|\d))"
"""What follows "в результате" if it means *therefore* and no noun depends on it."""

_IS = r"\b(?:стал|послуж|явля|явил|оказал|был|будет|призна|назва|назы|счита)\w*"

_OF_CAUSE = (
    r"\b(?:причин|повод|толчк|импульс|стимул|источник|виновни[кц]|вин)(?:ами|ой|ом|ем|ей)\b(?: (?:для|ко?)\b)?"
)
_OF_EFFECT = r"\b(?:следстви|последстви|результат|итог)(?:ями|ами|ем|ом)\b"
"""Russian predicates that call something a cause or an effect: "стал причиной", "следствием стал"."""

_CAUSED = (
    r"(?:caused|triggered|sparked|prompted|provoked|ignited|precipitated|fuell?ed|unleashed|brought (?:about|on)"
    r"|set off|driven)"
)

_OUTCOME = r"(?:an? |the |one )?(?:\w+ )?(?:results?|consequences?|upshot|outcome|by-?product) of\b"
_GROUNDS = r"(?:an? |the |one )?(?:\w+ )?(?:causes? of|reasons? for)\b"

_INSTRUMENTAL = r"[«\"]?[а-я]{2,}(?:[оеы]м|им|[оеь]ю|[оеь]й|[аяыи]ми)\b"

_MOODS = "(?:fears?|concerns?|worries|hopes?|expectations?|optimism|jitters|woes|speculation|uncertainty)"
"""Moods that move markets: "prices fall on supply fears"."""


@dataclass(frozen=True, slots=True)
class Connective:
    """Words that show which of two spans is the cause.

    Args:
        cause_first: the first span is the cause; otherwise the second.
        between: a pattern of the words between the two spans, which may begin the second.
        before: a pattern that must match right before the first span, or at its beginning; empty if there is none.
        of_clause: the whole clause before the connective is the cause.
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
    Connective(True, rf"{_IS} (?:\w+ ){{0,2}}{_OF_CAUSE}"),
    Connective(True, _IS, before=_OF_EFFECT),
    Connective(True, r"[—–] (?:\w+ )?(?:причина|повод)\b|, (?:а значит|отсюда)\b"),
    Connective(True, r"\b(?:отрази|сказа)л(?:ся|[аои]сь) на\b|\bповлиял[аои]? на\b|\bдал[аои]? толчок\b(?: ко?\b)?"),
    Connective(True, r"\bобернул(?:ся|[аои]сь)(?: для\b)?|\bвылил(?:ся|[аои]сь) во?\b"),
    Connective(True, "[,:—–]", before=r"\b(?:всему виной|виной всему)(?: [—–]| стал\w*)?"),
    Connective(False, rf"\b{_BECAUSE_OF}(?! {_BACK})|(?<![,;.—–] )(?<!\bи )\bв результате(?! {_BACK})"),
    Connective(False, r"\b(?:потому|оттого|из-за того|благодаря тому),? что\b|\b(?:так как|поскольку|ибо)\b"),
    Connective(False, r"\b(?:вызван|обусловлен|спровоцирован|порожден)\w*"),
    Connective(False, r"\bкотор(?:ого|ую) (?:\w+ )?(?:вызва|спровоцирова|породи|повлек)\w*"),
    Connective(False, rf"{_IS} (?:\w+ ){{0,2}}{_OF_EFFECT}|[—–] (?:\w+ )?(?:следствие|последствие|результат)\b"),
    Connective(False, _IS, before=_OF_CAUSE),
    Connective(False, rf"—|–|:|{_IS}", before=r"\bпричин[ау]"),
    Connective(False, r"\b(?:всему виной|виной (?:тому|всему|этому))\b(?: стал\w*)?(?! [^\W\d_]+[еу]\b)"),
    Connective(False, r"\b(?:приве[лд]|приводи)\w*(?!(?:,? \w+){0,4},? ко?\b)", before=r"\bко?\b"),
    Connective(False, " ", before=rf"^\W*(?:приве[лд]\w* ко?\b|{_IS} (?:\w+ )?{_OF_CAUSE})"),
    Connective(
        False, rf"\bобъясн(?:и|я)\w+ (?={_INSTRUMENTAL})|\bсвяз(?:ал[аи]?|ывают|ывает) с(?:о|\s+тем,? что)?\b"
    ),
    Connective(False, r"\bобвин\w+(?! в\b)", before=r"\bво?\b"),
    Connective(True, r"\b(?:therefore|consequently|hence|thereby|(?:that|which|this) is why|that[’']s why)\b"),
    Connective(True, r"\bas a (?:result|consequence)\b(?! of\b(?! which\b))|\bwith the result that\b"),
    Connective(True, r"\b(?:because of|due to|owing to|thanks to) (?:which\b|(?:this|that),)"),
    Connective(True, rf"\bwhich (?:\w+ ){{0,2}}(?:led to|resulted in|{_CAUSED}(?! by\b))"),
    Connective(
        True, r", (?:leading to|resulting in)\b|\b(?:is|are|was|were|been|being) (?:\w+ly )?(?:blamed|to blame) for\b"
    ),
    Connective(True, rf"\b(?:is|are|was|were) {_GROUNDS}"),
    Connective(True, r"\b(?:is|are|was|were)\b", before=rf"\b{_OUTCOME}"),
    Connective(
        False,
        r"\b(?:because(?: of)?|due to|owing to|as a result of|thanks to)\b(?! (?:which\b|(?:this|that),))",
    ),
    Connective(
        False,
        rf"\b(?:on|amid)\b(?= (?:[\w’'-]+ ){{0,3}}{_MOODS}\b)|\bon (?:the back|account) of\b|\bfor (?=lack of\b)",
    ),
    Connective(
        False, rf"\b{_CAUSED} by\b|\b(?:blamed on|(?:attributed|(?:can be|is|are|was|were) (?:traced|put down)) to)\b"
    ),
    Connective(False, r"\b(?:stem(?:s|med)|result(?:s|ed)|ar(?:ises?|ose)|gr(?:ows?|ew) out) (?:from|of)\b"),
    Connective(False, rf"\b(?:is|are|was|were) {_OUTCOME}"),
    Connective(False, r"\b(?:is|are|was|were)\b", before=rf"\b(?:{_GROUNDS}|(?:to blame|responsible) for\b)"),
    Connective(False, r"\b(?:on|down to)\b", before=r"\b(?:blam(?:e|es|ed|ing)|puts?)\b"),
    Connective(False, r"\bto\b", before=r"\battribut(?:e|es|ed|ing)\b"),
    Connective(True, r"\bfor\b", before=r"\bblam(?:e|es|ed|ing)\b"),
)
"""All connectives with a certain direction, in both languages, in lower case and with е for ё."""

_TABLE = [
    (connective, re.compile(connective.between, re.IGNORECASE), re.compile(connective.before, re.IGNORECASE))
    for connective in CONNECTIVES
]

_EDGES = " \u00a0\t\n,;:—–"

_CLAUSE_EDGE = re.compile(r"[,;:—–.!?]\s+(?:(?:что|и|а|но|так как|поскольку|потому что)\s+)?", re.IGNORECASE)

_FRONTED = re.compile(rf"(?:^|[,;:—–] )(?:{_BECAUSE_OF}|в результате|от)\b", re.IGNORECASE)
_VERB = re.compile(r" (?:(?!и )[\w-]+ ){0,2}\w+(?:л[аои]?|л[аои]?с[ья]|[еуюия]тс?я?|[нт][аоы]?) ")
"""The end of a noun phrase, then a verb in the third person or a participle."""

_FREE_VERB = re.compile(
    r"(?:,\s(?:по|как|согласно|считают|говорят|сообщи\w+)\b[^,]*,)?[\s«»\"]*(?:\w+о )?"
    r"(?!если|стал|был|оказал|явил|приве|пережи|перенес|испыта|выдержа|потеря|ожида)"
    r"(?:(?:\w{2,}л|повлек|унес|сжег)(?P<ending>[аои]?)|\w{2,}[еиуюая]т)(?: за собой)?[\s«»\"]*",
    re.IGNORECASE,
)
"""A verb beside its subject and its object, in any order; the subject is the cause."""

_PARTICIPLE = re.compile(r"(?:.*\W)?[^\W\d_]{2,}(?:[аяе]н[аоы]?|ыт|[ыиуя]т[аоы])", re.IGNORECASE)
_AGENT = re.compile(_INSTRUMENTAL)
"""The end of a Russian passive, and the agent that follows, which is the cause: "посевы уничтожены градом"."""

_CLAUSE_OPENS = re.compile(r"(?:^|[,;:.!?—–«\"(]|\b(?:и|а|но|что|однако))\s*$", re.IGNORECASE)

_PREPOSITION = re.compile(
    r"[всуко]|во|со|ко|об|на|за|из|от|до|по|под|при|про|ради|через|для|без|над|перед|после|среди"
)

_TAKING_UP = re.compile(
    r"\s(?:as a (?:\w+ )?(?:result|consequence)|in consequence|because of (?:it|this|that)"
    r"|в (?:результате|итоге)|(?:из-за|вследствие) этого|по этой причине)(?=\W*$|[.,;:!?—–])",
    re.IGNORECASE,
)
"""Words at the end of a clause that make it the effect of the clause before: "fell as a result"."""

_NOMINATIVE = (
    r"(?:оба|обе|дв[ае]|три|четыре|\w+(?:ять|есть|емь|надцать|десят|сот)|сорок|сто|двое|трое|\w+еро|несколько|более"
    r"|свыше|все|\w{2,}(?:[иоы]е|ство|[ая]я|ый))"
)
"""First words of a noun phrase in the nominative, which cannot depend on "в результате" (it takes the genitive)."""

_OPENING = re.compile(
    rf"\W*(?P<words>в (?:результате|итоге)(?={_THEREFORE}|,? {_NOMINATIVE}\b)|по этой причине)\b",
    re.IGNORECASE,
)
"""*Therefore* at the beginning of a sentence, which is the effect of what was said before."""

_NOUN_PHRASE = re.compile(r"^\W*[\w-]+\s+[а-я]")
"""A noun phrase that is more than a name: a word, then a word in lower case."""

_OBJECT = "accusative"

_WORD = re.compile(r"\w[\w-]*")

_SUBJECTS = (
    (re.compile(r"[а-я]{2,}(?:у|[^оеь]ю)"), _OBJECT),
    (re.compile(r"(?![А-ЯЁ]{2}|\w+ям$|\w{3,}ам$)[^\W\d_]*(?:[бвгджзклмнпрстфхцчшщ]|[аеиоуыэюя]й)"), "м"),
    (re.compile(r"\w+(?:[ан]ие|ст[вь]ие|ство|[оеь]е)"), "о"),
    (re.compile(r"\w+ие"), "ои"),
    (re.compile(r"\w+(?<!м)[ая]"), "маи"),
    (re.compile(r"\w+(?:ые?|и)"), "и"),
)
"""Endings of past verbs by the form of the first word of their possible subject; "м" is no ending."""


def directed(text: str, cause: Span, effect: Span) -> tuple[Span, Span]:
    """Return cause and effect of a sentence, swapped if a connective says so.

    Args:
        cause, effect: half-open character spans of ``text``, which do not overlap.

    Returns:
        The two spans, without the connective. A cause before a connective of clauses is its whole clause; an effect
        after a fronted Russian cause begins with its verb. If "в результате" opens the sentence and means
        *therefore*, it stands for the cause, and all that follows is the effect.
    """
    first, second = sorted((cause, effect))
    text = text.replace("ё", "е").replace("Ё", "Е")
    if found := _connective(text, first, second):
        connective, begin, (start, end) = found
        first = (begin, first[1] if first[1] <= start else _last_word(text, start))
        second = (second[0] if end <= second[0] else _first_word(text, end), second[1])
        if connective.of_clause:
            first = _clause_around(text, first, start)
        return (first, second) if connective.cause_first else (second, first)
    if (taking_up := _TAKING_UP.search(text, second[0] + 1)) and taking_up.start() <= _first_word(text, second[1]):
        return first, (second[0], min(second[1], taking_up.start()))
    if opening := _OPENING.match(text):
        begin = _first_word(text, opening.end())
        if cause[1] <= opening.end() and begin < effect[1]:
            return opening.span("words"), (max(begin, effect[0]), effect[1])
        if cause == (begin, _last_word(text, effect[0])):
            return opening.span("words"), (begin, effect[1])
    if cause == first and _after(_FRONTED, text, first) is not None and _VERB.fullmatch(text, first[1], second[0]):
        return first, (_first_word(text, first[1]), second[1])
    passive = _PARTICIPLE.fullmatch(text, first[0], _last_word(text, second[0]))
    if passive and _AGENT.match(text, second[0]):
        return second, passive.span()
    subject_is_first = _subject_is_first(text, first, second)
    if subject_is_first is None:
        return cause, effect
    return (first, second) if subject_is_first else (second, first)


def _connective(text: str, first: Span, second: Span) -> tuple[Connective, int, Span] | None:
    """Return the connective between two spans, the start of the first span's words, and the connective's span.

    ``None`` if there is no connective, or its direction is not certain.
    """
    joining = [
        (*match.span(), begin, connective)
        for connective, between, before in _TABLE
        if (begin := _after(before, text, first) if connective.before else first[0]) is not None
        for match in between.finditer(text, first[0] + 1)
        if match.end() >= first[1] and match.start() <= second[0]
        if text[begin : match.start()].strip(_EDGES) and text[match.end() : second[1]].strip(_EDGES)
    ]
    if not joining:
        return None
    start, end, begin, last = max(joining, key=lambda candidate: candidate[:2])
    agree = all(connective.cause_first is last.cause_first for *_, connective in joining)
    apart = text[end : second[0]]
    near = len(apart.split()) <= (MAX_WORDS_APART if agree else 1) and (last.cause_first or "," not in apart)
    return (last, begin, (start, end)) if near else None


def _after(pattern: re.Pattern[str], text: str, span: Span) -> int | None:
    """Return where the words of a span begin after a pattern; ``None`` if the pattern is not right before them."""
    for match in pattern.finditer(text, 0, span[1]):
        if match.start() <= span[0] and not text[match.end() : span[0]].strip(' «"'):
            return max(span[0], _first_word(text, match.end()))
    return None


def _first_word(text: str, start: int) -> int:
    """Return where the first word after an offset begins."""
    return start + len(text[start:]) - len(text[start:].lstrip(_EDGES))


def _last_word(text: str, end: int) -> int:
    """Return where the last word before an offset ends."""
    return len(text[:end].rstrip(_EDGES))


def _clause_around(text: str, span: Span, connective: int) -> Span:
    """Return the clause of a span up to a connective; the span itself if another clause lies between."""
    end = _last_word(text, connective)
    start = max((edge.end() for edge in _CLAUSE_EDGE.finditer(text, 0, span[0])), default=0)
    if _CLAUSE_EDGE.search(text, span[1], end) or text.startswith("котор", start):
        return span
    return start, end


def _subject_is_first(text: str, first: Span, second: Span) -> bool | None:
    """Return whether a Russian verb's subject stands before its object, judged by endings and agreement.

    ``None`` if the endings do not show it, or the two spans are not beside a single verb.
    """
    between = text[first[1] : second[0]]
    verb = _FREE_VERB.fullmatch(between if between.strip() else text[: first[0]])
    if not verb or (between.strip() and not _CLAUSE_OPENS.search(text[: first[0]])):
        return None
    opening, closing = (_subject_of(text, span) for span in (first, second))
    if _OBJECT in (opening, closing):
        return None if opening == closing else closing == _OBJECT
    if opening is None or verb["ending"] is None:
        return None
    ending = verb["ending"] or "м"
    if closing is None:
        return None if ending in opening or not _NOUN_PHRASE.search(text[slice(*first)]) else False
    return None if (ending in opening) == (ending in closing) else ending in opening


def _subject_of(text: str, span: Span) -> str | None:
    """Return the endings of verbs whose subject a noun phrase may be (:data:`_SUBJECTS`); ``None`` if unclear."""
    match = _WORD.search(text, *span)
    if not match:
        return None
    word, opens = match[0], _WORD.search(text, 0, span[0]) is None
    word = word[0].lower() + word[1:] if opens else word
    if _PREPOSITION.fullmatch(word):
        return None
    return next((endings for form, endings in _SUBJECTS if form.fullmatch(word)), None)
