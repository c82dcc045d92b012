"""What "that quake" and "this" stand for: mostly the event just told, or another one, which the article only recalls.

Which error is worse? To take the quake of years ago for that of the day: so words that set another time or place,
in the sentence or where the event is told, let "that" name no event; "this" is always near. Where nothing does, it
stands for what an earlier sentence tells, and gets the vector of its words there, so that both are grouped as one
event. "This" at the beginning of a sentence stands for what the one before tells, if that is one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from whywire.news.gazetteer import in_different_places
from whywire.news.places import places_in
from whywire.sentences.no_events import stands_for_sentence_before
from whywire.sentences.reading import MentionReading, Reading

SENTENCES_BACK = 3
"""How far before the phrase an event is looked for by its noun, besides in the headline."""

MIN_ACTUAL = 0.3
"""The probability of having happened from which words may be what a demonstrative stands for."""

WHOLE_AND_PIECE = 2
"""Mentions of a sentence of one piece: itself, and itself without punctuation."""

MIN_STEM = 4
"""Letters of a noun that another form of it begins with, at least; of a long one all but two."""

_THIS = r"(?:th(?:is|ese)|э(?:тот|та|то|ти|того|той|тому|тим|тих|том|ту))"
_THAT = r"(?:th(?:at|ose)|т(?:от|а|о|е|ого|ой|ому|у))"
_WHERE = r"(?:in|near|at|off|of|в|во|на|под|около|у|от)"

_PHRASE = re.compile(
    rf"\W*(?:{_THIS}|(?P<far>{_THAT})) (?P<nouns>(?:(?!{_WHERE} )[\w’'-]+ ?){{1,3}})(?P<setting>,? {_WHERE} .*)?",
    re.IGNORECASE,
)
_OPENING = re.compile(rf"^\W*(?:{_THIS}|{_THAT}) $", re.IGNORECASE)
_PARENTHESIS = re.compile(rf",? {_WHERE} [^,.;]*", re.IGNORECASE)

_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d\b(?![.,]\d)")
_LONG_AGO = re.compile(
    r"\b(?:(?:years?|decades?|centur(?:y|ies)) (?:ago|earlier|before)|last (?:year|century|decade)"
    r"|(?:лет|года?|десятилети\w+) (?:назад|тому|раньше)|в прошлом (?:году|веке)|прошлого (?:года|века))\b",
    re.IGNORECASE,
)

Told = Sequence[tuple[str, Reading]]
"""Texts and readings of an article's headline and the sentences after it."""


def in_context(reading: Reading, text: str, earlier: Told) -> Reading:
    """The reading of a sentence of an article, where demonstratives stand for what the article tells.

    Args:
        reading: with mentions.
        text: of the sentence.
        earlier: what stands before it in the article, in order; empty for a headline.
    """
    found = {one.span: resolved for one in reading.mentions if (resolved := _resolved(one, text, earlier))}
    elsewhere = {span for span, one in found.items() if not one.actual + one.planned}
    return replace(
        reading,
        mentions=tuple(found.get(one.span, one) for one in reading.mentions),
        relations=tuple(
            replace(one, edge=0.0) if {one.cause, one.effect} & elsewhere else one for one in reading.relations
        ),
    )


def _resolved(mention: MentionReading, text: str, earlier: Told) -> MentionReading | None:
    """A mention that is a demonstrative, as what it stands for; ``None`` where it is none."""
    start, end = mention.span
    if stands_for_sentence_before(text, mention.span):
        only = _only_event(earlier[-1][1]) if earlier else None
        if only is None:
            return replace(mention, actual=0.0, planned=0.0, alone=0.0)
        return replace(mention, vector=only.vector, actual=only.actual, planned=only.planned, alone=0.0)
    phrase = _PHRASE.fullmatch(text, 0 if _OPENING.search(text[:start]) else start, end)
    if not phrase:
        return None
    told, words = _told(phrase["nouns"].split(), earlier) or ("", None)
    beside = _PARENTHESIS.match(text, end)
    setting = (phrase["setting"] or "") + (beside[0] if beside else "")
    if phrase["far"] and (not told or _is_set_elsewhere((text, told), (setting, told), earlier)):
        return replace(mention, actual=0.0, planned=0.0, alone=0.0)
    return replace(mention, vector=words.vector) if words else mention


def _told(nouns: Sequence[str], earlier: Told) -> tuple[str, MentionReading | None] | None:
    """The last sentence that has one of the nouns, else the one before, and its words for the event.

    ``None`` where there is no such sentence, or the one before tells of no event.
    """
    stems = "|".join(re.escape(noun[: max(MIN_STEM, len(noun) - 2)]) for noun in nouns)
    after_headline = earlier[1:]
    for text, reading in [*after_headline[: -SENTENCES_BACK - 1 : -1], *earlier[:1]]:
        naming = [
            one for one in reading.mentions if re.search(rf"\b(?:{stems})", text[slice(*one.span)], re.IGNORECASE)
        ]
        if naming:
            shortest = min(naming, key=lambda one: one.span[1] - one.span[0])
            return text, shortest if shortest.actual >= MIN_ACTUAL else None
    for text, reading in after_headline[-1:]:
        for one in reading.mentions[1:] or reading.mentions:
            if one.actual >= MIN_ACTUAL:
                return text, one
    return None


def _only_event(reading: Reading) -> MentionReading | None:
    """The mention of what a sentence tells: the effect of its relation, or all of it if it is of one piece."""
    if reading.denials or reading.antecedent is not None or len(reading.relations) > 1:
        return None
    if reading.relations:
        telling = [one for one in reading.mentions if one.span == reading.relations[0].effect]
    else:
        telling = list(reading.mentions[-1:] if len(reading.mentions) <= WHOLE_AND_PIECE else ())
    return next((one for one in telling if one.actual >= MIN_ACTUAL), None)


def _is_set_elsewhere(timed: Iterable[str], placed: Iterable[str], earlier: Told) -> bool:
    """Whether texts tell of years ago, of a year that headline and lead do not name, or of another place."""
    headline, current = earlier[0][0], " ".join(text for text, _ in earlier[:2])
    return any(_LONG_AGO.search(one) or {*_YEAR.findall(one)} - {*_YEAR.findall(current)} for one in timed) or any(
        in_different_places(places_in(one).located, places_in(headline).listed) for one in placed
    )
