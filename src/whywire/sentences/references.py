"""Words that name no event by themselves, and the events to which "that quake" and "this" refer.

**Times, pronouns, settings, references to another event.** A sentence may name a day or a place as a cause: "Tuesday
led to closures". These must not become events. Since dropping an event is the worse error, only whole spans are
recognised, never a word within a longer span.

**Demonstratives** mostly refer to the event just mentioned, or to an earlier one that the article only recalls. A
quake of years ago must not be taken for today's. So "that" names no event if words set another time or place, in the
sentence or where the event is mentioned; "this" is always current. Otherwise the demonstrative gets the vector of the
words that it refers to, so that both are grouped as one event. "This" at the beginning of a sentence refers to the
sentence before, if that is about one event.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from whywire.news.article import Span
from whywire.news.gazetteer import in_different_places
from whywire.news.places import places_in
from whywire.sentences.reading import MentionReading, Reading

SENTENCES_BACK = 3
"""Sentences before a demonstrative, besides the headline, that are searched for its noun."""

MIN_ACTUAL = 0.3
"""The least probability of having happened of an event to which a demonstrative may refer."""

WHOLE_AND_PIECE = 2
"""Mentions of a sentence of one piece: with and without its punctuation."""

MIN_STEM = 4
"""Forms of a noun share at least this many letters at their beginning, and all but two letters of a long noun."""

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
    """Resolve the demonstratives in the reading of a sentence from what the article says before.

    Args:
        reading: with mentions.
        text: the sentence.
        earlier: the headline and the sentences before, in order; empty for a headline.
    """
    mentions = tuple(_resolved(mention, text, earlier) or mention for mention in reading.mentions)
    elsewhere = {
        mention.span
        for mention, given in zip(mentions, reading.mentions, strict=True)
        if mention is not given and not mention.actual + mention.planned
    }
    relations = tuple(
        replace(relation, edge=0.0) if {relation.cause, relation.effect} & elsewhere else relation
        for relation in reading.relations
    )
    return replace(reading, mentions=mentions, relations=relations)


def _resolved(mention: MentionReading, text: str, earlier: Told) -> MentionReading | None:
    """Return a mention that is a demonstrative as the event it refers to; ``None`` for any other mention."""
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
    """Return the last sentence with one of the nouns, else the sentence before, and its mention of the event.

    ``None`` if neither mentions an event.
    """
    stems = "|".join(re.escape(noun[: max(MIN_STEM, len(noun) - 2)]) for noun in nouns)
    named = re.compile(rf"\b(?:{stems})", re.IGNORECASE)
    after_headline = earlier[1:]
    for text, reading in [*after_headline[: -SENTENCES_BACK - 1 : -1], *earlier[:1]]:
        naming = [mention for mention in reading.mentions if named.search(text[slice(*mention.span)])]
        if naming:
            shortest = min(naming, key=lambda mention: mention.span[1] - mention.span[0])
            return text, shortest if shortest.actual >= MIN_ACTUAL else None
    for text, reading in after_headline[-1:]:
        for mention in reading.mentions[1:] or reading.mentions:
            if mention.actual >= MIN_ACTUAL:
                return text, mention
    return None


def _only_event(reading: Reading) -> MentionReading | None:
    """Return the only event of a sentence: the effect of its relation, or a whole sentence of one clause."""
    if reading.denials or reading.antecedent is not None or len(reading.relations) > 1:
        return None
    if reading.relations:
        telling = [mention for mention in reading.mentions if mention.span == reading.relations[0].effect]
    else:
        telling = list(reading.mentions[-1:] if len(reading.mentions) <= WHOLE_AND_PIECE else ())
    return next((mention for mention in telling if mention.actual >= MIN_ACTUAL), None)


def _is_set_elsewhere(timed: Iterable[str], placed: Iterable[str], earlier: Told) -> bool:
    """Return whether texts name a long past time, a year not in headline and lead, or another place."""
    headline, current = earlier[0][0], " ".join(text for text, _ in earlier[:2])
    return any(
        _LONG_AGO.search(words) or {*_YEAR.findall(words)} - {*_YEAR.findall(current)} for words in timed
    ) or any(in_different_places(places_in(words).located, places_in(headline).listed) for words in placed)


# words that name no event


_NUMBER = r"\d[\d.,:]*(?:st|nd|rd|th)?|one|two|three|four|five|six|seven|eight|nine|ten|dozen|half"

_TIME = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|september|october|november"
    r"|december|(?:mid)?(?:morning|night|day)|afternoon|evening|noon|midday|weekend|week|fortnight|month|year|hour"
    r"|minute|decade|century|today|yesterday|tomorrow|tonight|overnight|summer|winter|autumn|moment|time"
)
_TIME_RU = (
    r"понедельник|вторник|сред[ауые]|четверг|пятниц|суббот|воскресень|январ|феврал|март[ае]?$|апрел|ма[йяе]$|июн|июл"
    r"|август|сентябр|октябр|ноябр|декабр|утр[оаеу]|утром|ноч[ьи]|дн[яеию]|день|дней|вечер|полдень|полноч|полудн|сутк"
    r"|суток|недел|месяц|год[аыу]?$|году?м?$|лет[оаеу]?$|летом$|зим[аыуе]|зимой|осен|весн|час[аыу]?$|часов|минут"
    r"|сегодня|вчера|завтра|накануне|выходны|врем[яе]|момент|десятилети"
)
_AROUND = (
    r"the|a|an|this|that|these|those|on|in|at|by|of|for|from|to|over|during|since|until|about|around|early|late|later"
    r"|last|next|following|previous|same|past|recent|coming|first|second|other|few|several|many|some|more|ago|before"
    r"|after|earlier|then|local|just|only"
)
_AROUND_RU = (
    r"в|во|на|до|к|ко|с|со|по|за|от|из|через|около|спустя|назад|этот|эта|это|эти|эту|этой|этом|того|тот|та|то|ту|той"
    r"|том|же|самый|самое|первый|второй|первое|ранн\w+|поздн\w+|следующ\w+|прошл\w+|предыдущ\w+|нынешн\w+|минувш\w+"
    r"|последн\w+|ближайш\w+|весь|вся|всё|все|несколько|два|две|три|четыре|пять|шесть|семь|десять|после|перед|позже|ранее"
)

_TIMES = re.compile(
    rf"(?:{_TIME})s?(?:'s|’s)?|(?:19|20)\d\d(?:s|-?\w{{1,2}})?|(?-i:March|May)|(?:{_TIME_RU})\w*", re.IGNORECASE
)
_BESIDE_TIMES = re.compile(rf"{_NUMBER}|{_AROUND}|{_AROUND_RU}", re.IGNORECASE)

_PRONOUN = re.compile(
    r"(?:all |both |и |а |всё |все )?"
    r"(?:it|this|that|they|them|he|him|she|her|we|us|i|me|you|which|these|those|what|who"
    r"|such|so|the (?:latter|former|same)|это|этого|этому|этим|этом|то|того|тому|тем|он|она|оно|они|его|её|ее|их|им"
    r"|ей|ему|ими|мы|нас|вы|вас|я|меня|что|чего|чему|чем|котор\w+|последн(?:ее|яя|ий)|всё|все)",
    re.IGNORECASE,
)

_SENTENCE_BEFORE = re.compile(
    r"(?:and |и |а )?(?:all |всё |все )?(?:(?:because of |due to |owing to |as a result of |from )?(?:this|that)"
    r"|as a (?:\w+ )?(?:result|consequence)|for (?:this|that) reason|in consequence|consequently|therefore"
    r"|(?:из-за |вследствие |в результате |в связи с |ввиду |благодаря )?(?:это|этого|этому|этим)"
    r"|в (?:результате|итоге)|в связи с этим|по этой причине|как следствие|вследствие чего|поэтому)",
    re.IGNORECASE,
)
"""Refers to all that was said just before: "This led to", "As a result", «Из-за этого»."""

_OTHER_EVENT = re.compile(
    r"(?:such|such an?|the (?:same|previous|earlier|latter|former)|an earlier|a previous"
    r"|тогдашн\w+|предыдущ\w+|прежн\w+|аналогичн\w+|подобн\w+|так(?:ой|ая|ое|ие)) (?:[\w-]+ )?[\w-]+",
    re.IGNORECASE,
)
"""Refers to another event: "an earlier quake" is not the quake of the day."""

_SETTING = re.compile(
    r"(?:[\w’'-]+ ){0,6}(?:terrain|conditions|landscape|surroundings|setting|backdrop|circumstances"
    r"|местност\w+|рельеф\w*|услови\w+|обстоятельств\w*)|(?:[\w-]+ ){0,4}в условиях(?: [\w-]+){1,3}",
    re.IGNORECASE,
)
"""Where and under what conditions something happens."""

MAX_WORDS_BEFORE = 3
"""Words of a connective before the pronoun at the beginning of a sentence: "Because of this"."""

_EDGES = " \t\n,.;:!?«»“”\"'()–—-"


def names_no_event(text: str, span: Span) -> bool:
    """Return whether a span of an English or Russian text is only a time, a pronoun, a setting or another event."""
    bare = _bare(text, span)
    if any(form.fullmatch(bare) for form in (_PRONOUN, _SENTENCE_BEFORE, _OTHER_EVENT, _SETTING)):
        return True
    tokens = [token.strip(_EDGES) for token in bare.split()]
    times = [bool(_TIMES.fullmatch(token)) for token in tokens]
    return any(times) and all(
        time or _BESIDE_TIMES.fullmatch(token) for time, token in zip(times, tokens, strict=True)
    )


def stands_for_sentence_before(text: str, span: Span) -> bool:
    """Return whether a span opens a sentence and refers to the whole sentence before it."""
    opens = len(text[: span[0]].split()) <= MAX_WORDS_BEFORE and not re.search(r"[,;:—–]", text[: span[0]])
    return opens and bool(_SENTENCE_BEFORE.fullmatch(_bare(text, span)))


def _bare(text: str, span: Span) -> str:
    return " ".join(text[slice(*span)].strip(_EDGES).split())
