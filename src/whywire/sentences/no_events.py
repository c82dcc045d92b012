"""Words that name no event by themselves: times, pronouns, references to another event, settings.

A sentence may take a day or a place for a cause: "Tuesday led to closures". Nothing in a graph should be named so.
Which error is worse? To drop an event; so whole spans are told, never one word in a longer one.
"""

from __future__ import annotations

import re

from whywire.news.article import Span

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
"""It stands for what was told just before, all of it: "This led to", "As a result", «Из-за этого»."""

_OTHER_EVENT = re.compile(
    r"(?:such|such an?|the (?:same|previous|earlier|latter|former)|an earlier|a previous"
    r"|тогдашн\w+|предыдущ\w+|прежн\w+|аналогичн\w+|подобн\w+|так(?:ой|ая|ое|ие)) (?:[\w-]+ )?[\w-]+",
    re.IGNORECASE,
)
"""It points to an event told of elsewhere: "an earlier quake" is not the quake of the day."""

_SETTING = re.compile(
    r"(?:[\w’'-]+ ){0,6}(?:terrain|conditions|landscape|surroundings|setting|backdrop|circumstances"
    r"|местност\w+|рельеф\w*|услови\w+|обстоятельств\w*)|(?:[\w-]+ ){0,4}в условиях(?: [\w-]+){1,3}",
    re.IGNORECASE,
)
"""Where and under what conditions something happens."""

MAX_WORDS_BEFORE = 3
"""Words of a connective before the pronoun that opens a sentence with it: "Because of this"."""

_EDGES = " \t\n,.;:!?«»“”\"'()–—-"


def names_no_event(text: str, span: Span) -> bool:
    """Whether words of a sentence are a time, a pronoun, a setting or point to another event.

    Args:
        text: English or Russian.
        span: half-open characters of the words in it.
    """
    bare = _bare(text, span)
    if any(form.fullmatch(bare) for form in (_PRONOUN, _SENTENCE_BEFORE, _OTHER_EVENT, _SETTING)):
        return True
    tokens = [token.strip(_EDGES) for token in bare.split()]
    times = [bool(_TIMES.fullmatch(token)) for token in tokens]
    return any(times) and all(
        time or _BESIDE_TIMES.fullmatch(token) for time, token in zip(times, tokens, strict=True)
    )


def stands_for_sentence_before(text: str, span: Span) -> bool:
    """Whether words that name no event open a sentence and stand for what the sentence before it tells."""
    opens = len(text[: span[0]].split()) <= MAX_WORDS_BEFORE and not re.search(r"[,;:—–]", text[: span[0]])
    return opens and bool(_SENTENCE_BEFORE.fullmatch(_bare(text, span)))


def _bare(text: str, span: Span) -> str:
    return " ".join(text[slice(*span)].strip(_EDGES).split())
