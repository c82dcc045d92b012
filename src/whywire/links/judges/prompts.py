"""The prompts of CRAB's four questions, in our own words, and how their answers are read.

A pair is scored from 0 to 100, put into one of four classes, or called causal or not; an event's causes are picked
from several (Romanou et al. 2023, section 4). Every question is one message of the user's, since not every model
knows another role, and its answer stands in tags, after the model's reasoning. Instructions are English;
events and documents may be in any language the model reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from string import ascii_uppercase

from whywire.elements import CLASS_MIDPOINTS, StrengthClass
from whywire.links.judges.judge import Choice, EventPair
from whywire.models.chat import without_marks
from whywire.news import split_sentences


class PromptKind(StrEnum):
    """The question a chat model is asked: for a score, a class, yes or no, or one of several options."""

    SCORE = "score"
    CLASS = "class"
    BINARY = "binary"
    CHOICE = "choice"


DOCUMENT_WORDS = 250
"""Most words of a document in a prompt, which is cut at a sentence's end: news says the main things first, and small
models have short contexts."""

YES, NO = CLASS_MIDPOINTS[StrengthClass.HIGH], CLASS_MIDPOINTS[StrengthClass.NONE]
"""The strengths that yes and no stand for."""

CLASSES = dict(zip("ABCD", reversed(CLASS_MIDPOINTS.values()), strict=True))
"""The letters of the classes *high*, *medium*, *low* and *none*, and the middle of each."""

MAX_OPTIONS = len(ascii_uppercase)

_RULES = (
    "You judge whether and how strongly one news event led to another. Go by the documents, where there are any, and "
    "by what is commonly known. An event is no cause merely because it came earlier or belongs to the same story, "
    "and what happened later never caused what happened before."
)

_ASKED = {
    PromptKind.SCORE: (
        "How strongly did the first event cause the second, from 0 to 100?\n"
        "81 to 100: it certainly led to the second.\n51 to 80: it probably did.\n"
        "21 to 50: there is a faint sign that it had a part.\n0 to 20: it did not, however related the two are.",
        "a whole number from 0 to 100",
    ),
    PromptKind.CLASS: (
        "How strongly did the first event cause the second?\n"
        "A. Strongly: it certainly led to the second.\nB. Moderately: it probably did.\n"
        "C. Weakly: there is a faint sign that it had a part.\nD. Not at all, however related the two are.",
        "one letter, A, B, C or D",
    ),
    PromptKind.BINARY: ("Did the first event cause the second?", "yes or no"),
}

_HOW = "Think it over in two sentences at most. Then end with {answer} in tags, like this: <answer>{example}</answer>"

_EXAMPLES = {
    PromptKind.SCORE: "number",
    PromptKind.CLASS: "letter",
    PromptKind.BINARY: "yes or no",
    PromptKind.CHOICE: "letters",
}

_CHOICE_ANSWER = "the letters, with commas between them, or the word none"


def pair_prompt(pair: EventPair, kind: PromptKind) -> str:
    """The question about one pair.

    Args:
        kind: any but ``CHOICE``.
    """
    asked, answer = _ASKED[kind]
    events = f"First event: {_line(pair.cause)}\nSecond event: {_line(pair.effect)}"
    how = _HOW.format(answer=answer, example=_EXAMPLES[kind])
    return "\n\n".join([_RULES, *_documents(pair), events, asked, how])


def choice_prompt(choice: Choice) -> str:
    """The question which of at most ``MAX_OPTIONS`` options caused the effect; more than one may, or none."""
    lettered = zip(ascii_uppercase, choice.options, strict=False)
    options = "\n".join(f"{letter}. {_line(option)}" for letter, option in lettered)
    asked = (
        f"Event: {_line(choice.effect)}\n\n"
        f"Which of these events caused it directly? It may be one, several or none.\n{options}"
    )
    how = _HOW.format(answer=_CHOICE_ANSWER, example=_EXAMPLES[PromptKind.CHOICE])
    return "\n\n".join([_RULES, *_documents(choice), asked, how])


def reminder(kind: PromptKind) -> str:
    """The reminder of the answer's form, added to a question whose answer could not be read."""
    answer = _CHOICE_ANSWER if kind is PromptKind.CHOICE else _ASKED[kind][1]
    return f"Answer with nothing but {answer}, in tags: <answer>{_EXAMPLES[kind]}</answer>"


def read_pair(content: str, kind: PromptKind) -> float | None:
    """The strength in an answer about a pair, 0 to 100; ``None`` where it has none."""
    return _READERS[kind](_answer(content))


def read_choice(content: str, options: int) -> list[float] | None:
    """The strength of each option, ``YES`` or ``NO``; ``None`` if the answer is not letters of the options."""
    answer = _answer(content).strip(_TRIMMED).upper()
    if answer in _NOTHING:
        return [NO] * options
    letters = [part.strip(_TRIMMED).translate(_LOOKALIKES) for part in _BETWEEN.split(answer)]
    known = ascii_uppercase[:options]
    if not letters or any(len(letter) != 1 or letter not in known for letter in letters):
        return None
    return [YES if letter in letters else NO for letter in known]


_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE | re.DOTALL)
_THOUGHT = re.compile(r"\A.*</think>", re.DOTALL)
_NUMBER = re.compile(r"(\d{1,3}(?:[.,]\d+)?)\s*(?:%|/\s*100)?")
_BETWEEN = re.compile(r"\s*(?:[,;/&\s]|\bAND\b|\bИ\b)+\s*")
_TRIMMED = " \t\n\r.,;:()[]*\"'`"
_NOTHING = ("NONE", "НЕТ", "NO", "NONE OF THEM", "НИ ОДНО", "НИ ОДИН")
_LOOKALIKES = str.maketrans("АВЕКМНОРСТХ", "ABEKMHOPCTX")  # Cyrillic letters, typed for Latin ones


def _answer(content: str) -> str:
    """The text in the last tags, or all of it without tags; without the model's reasoning."""
    said = _THOUGHT.sub("", content)
    tagged = _TAGGED.findall(said)
    return str(tagged[-1] if tagged else said).strip()


def _score(answer: str) -> float | None:
    found = _NUMBER.fullmatch(answer.strip(_TRIMMED))
    strength = float(found[1].replace(",", ".")) if found else -1.0
    return strength if 0 <= strength <= 100 else None


def _class(answer: str) -> float | None:
    return CLASSES.get(answer.strip(_TRIMMED).upper().translate(_LOOKALIKES))


def _yes_or_no(answer: str) -> float | None:
    return {"yes": YES, "да": YES, "no": NO, "нет": NO}.get(answer.strip(_TRIMMED).lower())


_READERS: dict[PromptKind, Callable[[str], float | None]] = {
    PromptKind.SCORE: _score,
    PromptKind.CLASS: _class,
    PromptKind.BINARY: _yes_or_no,
}


def _documents(asked: EventPair | Choice) -> list[str]:
    return [
        f"Document {number}:\n{without_marks(_clipped(text, split_sentences(text, asked.language)))}"
        for number, text in enumerate(filter(str.strip, asked.context), start=1)
    ]


def _clipped(text: str, sentences: Sequence[tuple[int, int]]) -> str:
    """As many of the first sentences as fit into ``DOCUMENT_WORDS`` words, but at least one sentence."""
    words, end = 0, 0
    for start, stop in sentences:
        words += len(text[start:stop].split())
        if end and words > DOCUMENT_WORDS:
            break
        end = stop
    return text[:end].strip()


def _line(text: str) -> str:
    return " ".join(without_marks(text).split())
