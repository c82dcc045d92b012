"""Parsing of questions: whether a question asks for a cause or an effect, and which event it asks about.

Questions are recognised by patterns, in English and Russian, which are tried in the order below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from whywire.errors import InputError
from whywire.news.language import Language, language_by_letters

EXAMPLES = "ask as in: Why did fuel run short? What caused the blackout? What did the strike lead to? Почему …?"


class QuestionType(StrEnum):
    """Whether a question asks for a cause or for an effect."""

    CAUSE = "cause"
    EFFECT = "effect"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a cause or an effect.

    Args:
        text: the question as it was asked.
        type: whether it asks for a cause or for an effect.
        content: the event asked about, such as ``fuel run short``.
    """

    text: str
    type: QuestionType
    content: str
    language: Language


_CAUSE_OF, _EFFECT_OF = QuestionType.CAUSE, QuestionType.EFFECT

_AUXILIARY = r"(?:did|does|do|is|are|was|were|has|have|had|will|would|can|could|should|must)(?:n['’]t)?"
_CAUSED = (
    r"(?:caus(?:ed|es|ing|e)|(?:led|leads?|leading) to|triggered|triggers|sparked|sparks|prompted|prompts|provoked"
    r"|brought about|brought on|resulted in|results in|set off|touched off|explains|explained|made|forced|drove)"
)
_CAUSE = r"(?:lead to|led to|cause|caused|result in|resulted in|trigger|spark|prompt|provoke|bring about|set off)"
_EFFECTS = r"(?:effects?|consequences?|results?|outcomes?|aftermath|impacts?|fallout|upshot)"
_FORMS = (
    (_EFFECT_OF, rf"what {_AUXILIARY} (.+) {_CAUSE}"),
    (_EFFECT_OF, rf"what (?:is|was|are|were|have been|has been) (?:the |an? )?(?:\w+ )?{_EFFECTS} of (.+)"),
    (_EFFECT_OF, r"what happened (?:because of|as a result of|due to|owing to|after|following) (.+)"),
    (_EFFECT_OF, r"what (?:came of|came from|followed from|followed|resulted from) (.+)"),
    (_CAUSE_OF, rf"(?:why|because of what|for what reason|due to what) {_AUXILIARY} (.+)"),
    (_CAUSE_OF, r"(?:why|how come) (.+)"),
    (_CAUSE_OF, r"(?:what|who) (?:is|was|were|are) (?:to blame for|behind) (.+)"),
    (
        _CAUSE_OF,
        r"what (?:is|was|were|are) (?:the |an? )?(?:\w+ )?(?:cause|reason)s? (?:of|for|behind|why) (.+)",
    ),
    (_CAUSE_OF, r"what (?:is|was|were|are) (.+) (?:caused by|due to|triggered by|prompted by|blamed on)"),
    (_CAUSE_OF, rf"what (?:has |have |had |is |was )?{_CAUSED} (.+)"),
    (_EFFECT_OF, r"к чему прив(?:ёл|ел|ела|ело|ели|едёт|едет|едут|одит|одят) (.+)"),
    (_EFFECT_OF, r"что (?:вызвал[аи]?|спровоцировал[аи]?|повл[её]к|повлекл[аи]) (?:за собой )?(.+)"),
    (_EFFECT_OF, r"чем (?:обернул|закончил|кончил|завершил)(?:ся|ась|ось|ись) (.+)"),
    (
        _EFFECT_OF,
        r"(?:каковы|какие|какими) (?:были )?(?:последстви[яй]|результаты|итоги)(?: были)? (?:у |от )?(.+)",
    ),
    (
        _EFFECT_OF,
        r"что (?:произошло|случилось|последовало|стало) (?:из-за|после|за|в результате|вследствие) (.+)",
    ),
    (_EFFECT_OF, r"что (?:стало|явилось|было) (?:следствием|результатом|последствием|итогом) (.+)"),
    (_CAUSE_OF, r"(?:почему|отчего|зачем|из-за чего|вследствие чего|по какой причине|от чего|с чего) (.+)"),
    (_CAUSE_OF, r"что (?:стало|послужило|явилось|является|было) причиной (.+)"),
    (_CAUSE_OF, r"(?:какова|каковы|какие|в ч[её]м) (?:была |были )?причин[аы] (.+)"),
    (_CAUSE_OF, r"чем (?:был[аои]? )?(?:вызван[аоы]?|обусловлен[аоы]?|объясня[ею]тся) (.+)"),
    (_CAUSE_OF, r"что (?:привело к|вызвало|спровоцировало|повлекло(?: за собой)?|заставило|вынудило) (.+)"),
    (_CAUSE_OF, r"(?:кто|что) виноват[оаы]? в (.+)"),
)
"""The type and the form of a question; the group of a form is the event asked about. In Russian the verb's ending
distinguishes cause from effect: «что вызвало пожар» asks for the cause, «что вызвал пожар» for the effect."""

_QUESTIONS = [
    (type_, re.compile(rf"(?:(?:so|and|but|а|и|но|так),? )?{form}", re.IGNORECASE)) for type_, form in _FORMS
]
_MARKS = " \t\n?!.…\"'«»“”„"


def parse_question(text: str) -> Question:
    """Parse a question.

    Raises:
        InputError: it asks neither for a cause nor for an effect.
    """
    words = " ".join(text.split()).strip(_MARKS)
    for type_, form in _QUESTIONS:
        if match := form.fullmatch(words):
            language = language_by_letters(words)
            return Question(text.strip(), type_, match[1].strip(_MARKS), language)
    raise InputError(f"{text.strip()!r} asks neither for a cause nor for an effect", hint=EXAMPLES)
