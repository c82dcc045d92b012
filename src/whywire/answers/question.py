"""What a question asks for: the cause of an event, or its effect.

A question is known by its form, in English or Russian; whatever the form leaves over is the event asked about.
The forms are declared below, in the order they are tried.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from whywire.errors import InputError
from whywire.news.language import Language

EXAMPLES = "ask as in: Why did fuel run short? What caused the blackout? What did the strike lead to? Почему …?"


class Asks(StrEnum):
    """Which side of a causal relation a question wants."""

    CAUSE = "cause"
    EFFECT = "effect"


@dataclass(frozen=True, slots=True)
class Question:
    """A question that news can answer.

    Args:
        text: as it was asked.
        asks: what for.
        content: the event asked about, such as ``fuel run short``.
    """

    text: str
    asks: Asks
    content: str
    language: Language


_AUXILIARY = r"(?:did|does|do|is|are|was|were|has|have|had|will|would|can|could|should|must)(?:n['’]t)?"
_CAUSED = (
    r"(?:caus(?:ed|es|ing|e)|(?:led|leads?|leading) to|triggered|triggers|sparked|sparks|prompted|prompts|provoked"
    r"|brought about|brought on|resulted in|results in|set off|touched off|explains|explained|made|forced|drove)"
)
_CAUSE = r"(?:lead to|led to|cause|caused|result in|resulted in|trigger|spark|prompt|provoke|bring about|set off)"
_EFFECTS = r"(?:effects?|consequences?|results?|outcomes?|aftermath|impacts?|fallout|upshot)"
_FORMS = (
    (Asks.EFFECT, rf"what {_AUXILIARY} (.+) {_CAUSE}"),
    (Asks.EFFECT, rf"what (?:is|was|are|were|have been|has been) (?:the |an? )?(?:\w+ )?{_EFFECTS} of (.+)"),
    (Asks.EFFECT, r"what happened (?:because of|as a result of|due to|owing to|after|following) (.+)"),
    (Asks.EFFECT, r"what (?:came of|came from|followed from|followed|resulted from) (.+)"),
    (Asks.CAUSE, rf"(?:why|because of what|for what reason|due to what) {_AUXILIARY} (.+)"),
    (Asks.CAUSE, r"(?:why|how come) (.+)"),
    (Asks.CAUSE, r"(?:what|who) (?:is|was|were|are) (?:to blame for|behind) (.+)"),
    (Asks.CAUSE, r"what (?:is|was|were|are) (?:the |an? )?(?:\w+ )?(?:cause|reason)s? (?:of|for|behind|why) (.+)"),
    (Asks.CAUSE, r"what (?:is|was|were|are) (.+) (?:caused by|due to|triggered by|prompted by|blamed on)"),
    (Asks.CAUSE, rf"what (?:has |have |had |is |was )?{_CAUSED} (.+)"),
    (Asks.EFFECT, r"к чему прив(?:ёл|ел|ела|ело|ели|едёт|едет|едут|одит|одят) (.+)"),
    (Asks.EFFECT, r"что (?:вызвал[аи]?|спровоцировал[аи]?|повл[её]к|повлекл[аи]) (?:за собой )?(.+)"),
    (Asks.EFFECT, r"чем (?:обернул|закончил|кончил|завершил)(?:ся|ась|ось|ись) (.+)"),
    (Asks.EFFECT, r"(?:каковы|какие|какими) (?:были )?(?:последстви[яй]|результаты|итоги)(?: были)? (?:у |от )?(.+)"),
    (Asks.EFFECT, r"что (?:произошло|случилось|последовало|стало) (?:из-за|после|за|в результате|вследствие) (.+)"),
    (Asks.EFFECT, r"что (?:стало|явилось|было) (?:следствием|результатом|последствием|итогом) (.+)"),
    (Asks.CAUSE, r"(?:почему|отчего|зачем|из-за чего|вследствие чего|по какой причине|от чего|с чего) (.+)"),
    (Asks.CAUSE, r"что (?:стало|послужило|явилось|является|было) причиной (.+)"),
    (Asks.CAUSE, r"(?:какова|каковы|какие|в ч[её]м) (?:была |были )?причин[аы] (.+)"),
    (Asks.CAUSE, r"чем (?:был[аои]? )?(?:вызван[аоы]?|обусловлен[аоы]?|объясня[ею]тся) (.+)"),
    (Asks.CAUSE, r"что (?:привело к|вызвало|спровоцировало|повлекло(?: за собой)?|заставило|вынудило) (.+)"),
    (Asks.CAUSE, r"(?:кто|что) виноват[оаы]? в (.+)"),
)
"""What a form asks for, and the form; its group is the event asked about. Russian tells the two by the ending:
«что вызвало пожар» asks for the cause, «что вызвал пожар» for the effect."""

_QUESTIONS = [(asks, re.compile(rf"(?:(?:so|and|but|а|и|но|так),? )?{form}", re.IGNORECASE)) for asks, form in _FORMS]
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_MARKS = " \t\n?!.…\"'«»“”„"


def parse_question(text: str) -> Question:
    """Recognise what a question asks for.

    Raises:
        InputError: it asks neither for a cause nor for an effect.
    """
    words = " ".join(text.split()).strip(_MARKS)
    for asks, form in _QUESTIONS:
        if match := form.fullmatch(words):
            language = Language.RUSSIAN if _CYRILLIC.search(words) else Language.ENGLISH
            return Question(text.strip(), asks, match[1].strip(_MARKS), language)
    raise InputError(f"{text.strip()!r} asks neither for a cause nor for an effect", hint=EXAMPLES)
