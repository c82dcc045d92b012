"""The tense of a text, past, present or future, by the forms of its verbs.

No parser is needed: in English and Russian the past and the future have forms of their own, and few other words look
like them. A text with neither form counts as present, the tense of headlines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from whywire.news.language import Language

AFTER_FACTOR = 2
"""The factor by which a verb after the time counts as further away."""


class Tense(StrEnum):
    """When something happens, seen from the report."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Mark:
    """A verb that shows a tense, and where it starts."""

    at: int
    tense: Tense


def tense_marks(text: str, language: Language) -> list[Mark]:
    """The verbs of a text that show the past or the future, in order; Russian rules for Russian, else English."""
    future, past, alike = _RUSSIAN if language is Language.RUSSIAN else _ENGLISH
    ahead = [match.span() for match in future.finditer(text)]
    marks = [Mark(start, Tense.FUTURE) for start, _ in ahead]
    for match in past.finditer(text):
        if alike.fullmatch(match[0].lower()) or any(start <= match.start() < end for start, end in ahead):
            continue
        marks.append(Mark(match.start(), Tense.PAST))
    return sorted(marks, key=lambda mark: mark.at)


def main_marks(text: str, language: Language) -> list[Mark]:
    """The marks of the sentence's own verbs, without those of relative clauses, which describe a noun."""
    return [mark for mark in tense_marks(text, language) if not _RELATIVE.search(text, 0, mark.at)]


def tense_of(text: str, language: Language) -> Tense:
    """The tense of the first verb that shows one outside of relative clauses; the present if none does."""
    marks = main_marks(text, language)
    return marks[0].tense if marks else Tense.PRESENT


def tense_near(text: str, language: Language, at: int) -> Tense:
    """The tense of the verb nearest to a time; a verb after the time counts as further away.

    Next to a time, the present of some verbs means the future: "the law comes into force on Monday".

    Args:
        at: the offset of the time.
    """
    pattern = _RUSSIAN_TIMETABLE if language is Language.RUSSIAN else _ENGLISH_TIMETABLE
    marks = [Mark(match.start(), Tense.FUTURE) for match in pattern.finditer(text)]
    marks += tense_marks(text, language)
    if not marks:
        return Tense.PRESENT
    return min(marks, key=lambda mark: at - mark.at if mark.at < at else AFTER_FACTOR * (mark.at - at)).tense


_RELATIVE = re.compile(
    r"(?:\b(?:who|which|that)(?:\s(?:also|later|then|once|\w+ly))?\s|,\s(?:who|which|whose|where)\s[^,]*"
    r"|\b(?:котор\w+|где|чь\w)\s[^,]*)$",
    re.IGNORECASE,
)
"""The words of a relative clause up to its verb."""

_ENGLISH_FUTURE = re.compile(
    r"\b(?:will|won['’]t|shall|(?:is|are|was|were) (?:(?:also|now|still) )?(?:to|set to|due to|due on|expected to|"
    r"scheduled|slated|planned for|going to|likely to|poised to)|(?:plan|hope|intend|aim|prepare|expect)s? to|"
    r"planning to|preparing to|aiming to|ahead of|upcoming|coming)\b|\b(?:I|we|he|she|it|they)['’]ll\b",
    re.IGNORECASE,
)
_ENGLISH_TIMETABLE = re.compile(
    r"\b(?:come|begin|start|open|return|resume|reopen|expire|end|launche|kick|air|debut|take|goe)s\b"
)
ADVERBS = r"(?:\s(?:also|already|now|just|since|only|all|both|again|later|then|first|\w+ly))*"
PARTICIPLE = (
    r"(?:[\w-]+ed|\w+wn|become|begun|born|bought|broken|brought|built|caught|chosen|come|cut|dealt|done|driven|fallen|"
    r"fought|found|frozen|given|gone|held|hidden|hit|hurt|kept|left|led|lent|lost|made|met|paid|put|read|risen|run|seen|"
    r"sent|set|shaken|shot|shut|sold|spent|split|spoken|spread|stolen|struck|stuck|sued|sunk|swept|taken|taught|told|torn|"
    r"won|written)\b"
)
_PERFECT = rf"(?:been{ADVERBS}\s{PARTICIPLE}|{PARTICIPLE})"
_ENGLISH_PAST = re.compile(
    rf"\b(?:(?:had|has|have|was|were)(?={ADVERBS}\s{_PERFECT})|did|went|came|became|began|broke|brought|built|burst|"
    r"bought|caught|chose|cut|drew|drove|ate|fell|felt|fought|found|fled|flew|forgot|froze|gave|got|grew|held|heard|hid|"
    r"hit|kept|knew|led|left|lent|let|lost|made|meant|met|paid|put|quit|ran|rode|rose|said|sank|saw|sent|set|shook|shot|"
    r"shut|slid|slept|sold|spent|split|spoke|spread|stole|stood|struck|stuck|sued|swept|swore|swung|taught|tore|told|"
    r"took|thought|threw|tumbled|understood|underwent|overtook|oversaw|withdrew|withheld|woke|won|wore|wrote|dealt|dug|"
    r"(?<!-)(?<!\bis )(?<!\bare )(?<!ly )(?<!\ba )(?<!\ban )(?<!\bthe )(?<!\bof )(?<!\bwith )(?<!\bfor )"
    r"[a-z]{2,}ed)\b"
)
_ENGLISH_ALIKE = re.compile(
    "need|indeed|speed|seed|feed|breed|bleed|proceed|succeed|exceed|hundred|naked|sacred|weed|greed|limited|united|"
    "unprecedented|alleged|related|based|biased|detailed|aged|reed|wicked|rugged|gifted|talented|renowned|beloved|"
    "advanced|sophisticated"
)

_RUSSIAN_FUTURE = re.compile(
    r"\b(?:буд(?:ет|ут|ем)|планиру\w+|намерен\w*|собира(?:ется|ются)|запланирован\w*|ожида(?:ется|ются)|предсто(?:ит|ят)|долж\w+|пройти|состояться|"
    r"(?:состо|заверш|продл|прекрат|появ|прибл|повыс|сниз|измен|увелич|получ|наступ|поступ|объяв|вступ|отмет|выступ)"
    r"(?:ит|ят)(?:ся)?|(?:про|вы|при|пере|во)й?д(?:[её]т|ут)|начн(?:[её]т|ут)(?:ся)?|(?:верн|стан|смог|смож|займ)"
    r"(?:[её]т|ут)(?:ся)?|(?:от|за|пере)кро(?:ет|ют)(?:ся)?|введ(?:[её]т|ут)|провед(?:[её]т|ут)|покаж(?:ет|ут)|"
    r"следующ\w+|предстоящ\w+|ближайш\w+)\b",
    re.IGNORECASE,
)
_RUSSIAN_TIMETABLE = re.compile(
    r"\b(?:истека|старту|открыва|вступа)(?:ет|ют)(?:ся)?\b|\b(?:заканчива|начина)(?:ет|ют)ся\b|\bжд(?:[её]т|ут)\b"
)
_RUSSIAN_PAST = re.compile(
    r"\b[а-яё]{2,}(?:л|ла|ло|ли)(?:сь|ся)?\b"
    r"|\b[а-яё]{4,}(?:[аяеё]н|нят|крыт)(?:а|о|ы)\b|\b(?:раз|за|у|вы|из)?бит[аоы]?\b"
    r"|\b[а-яё]{4,}(?:ован|ержан|явлен|щ[её]н)\b|\b(?:ранен|открыт|закрыт|задержан|арестован|найден|назначен|уволен|принят|введ[её]н|отмен[её]н|создан|выдан)\b"
    r"|\b(?:умер|погиб|смог|помог|возник|исчез|(?:вы|воз)рос|(?:при|у|по)(?:в[её]з|н[её]с)|достиг|проник|"
    r"подверг(?:ся)?|(?:по|про|во|на|у|при|пере)ш[её]л|вышел)\b",
    re.IGNORECASE,
)
_RUSSIAN_ALIKE = re.compile(
    r"(?:капита|материа|персона|журна|телекана|кана|сигна|генера|адмира|метал|кримина|порта|потенциа|кварта|фина|"
    r"сканда|интерва|филиа|арсена|вокза|термина|сериа|уго|сто|футбо|баскетбо|волейбо|титу|смыс|отде|разде|преде|"
    r"обва|бал|автого|го|по|те|де|се|чис|стек|крес|цик|шква|молеку|шко|си|капел|ска|минера|ритуа|ансамб|протоко|"
    r"национа)л(?:а|о|и)?"
    r"|был[аио]?|около|мало|немало|тепло|тяжело|весело|смело|сначала|начало|вдали|нежели|если|или|ли|доли|роли|боли|соли|цели|"
    r"мысли|земли|отрасли|области|модели|недели|детали|медали|панели|прибыли|правил[ао]?|антител[ао]?|корабли|"
    r"пыли|консоли|торговли|гибели|жители|зрители|родители|водители|автомобили|двигатели|показатели|"
    r"[а-яё]{3,}(?:тели)|данил[аы]?|даниил[аы]?|михаил[аы]?|павел|кирилл[аы]?|времена|имена|племена|ураганы|мембраны|антигены"
)
_RUSSIAN = (_RUSSIAN_FUTURE, _RUSSIAN_PAST, _RUSSIAN_ALIKE)
_ENGLISH = (_ENGLISH_FUTURE, _ENGLISH_PAST, _ENGLISH_ALIKE)
