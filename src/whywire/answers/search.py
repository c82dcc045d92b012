"""Answers from claims: which fit the question, which say the same, and how sure they are together.

A wrong answer is worse than none: who asks believes what is printed first. So an answer needs ``FLOOR``, and what
is only denied is told as denied, never as an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.answers.question import Asks, Question
from whywire.answers.similarity import Meaning, distinctive_terms, gathered, similarity
from whywire.answers.told import Told
from whywire.links.strength import combined

FLOOR = 0.25
"""Nothing answers below this. Of the floors tried on the questions the similarity was fitted on, it refuses most of
those that nothing answers without losing more than one right answer in forty."""

SAME = 0.5
"""From this probability on, by meaning, two answers are one."""

SUREST = 0.9
"""However many say so, all may have been taken to speak of another event than the one asked about.

Of the eleven answers to the questions tried that reach it, eight were right.
"""

_POINTERS = frozenset(
    (
        *("it", "this", "that", "these", "those", "they", "them", "which", "who", "he", "she", "his", "her", "its"),
        *("это", "этого", "этому", "этим", "этом", "то", "того", "тому", "том", "чего", "чему", "что", "их", "его"),
        *("он", "она", "оно", "они", "её", "который", "которая", "которое", "которые", "которого", "которой"),
    )
)
"""Words that only point at an answer given elsewhere."""


@dataclass(frozen=True, slots=True)
class Source:
    """A claim that gives an answer, and the probability (0 to 1) that it does."""

    told: Told
    probability: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and who gives it.

    Args:
        text: as the first source says it.
        probability: that it answers the question, by all sources together (0 to 1).
        sources: most probable first, never empty.
    """

    text: str
    probability: float
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """All that the news says to a question; both most probable first.

    Args:
        answers: empty where nothing in the news answers.
        denied: what the news says was not the cause, or not the effect.
    """

    question: Question
    answers: tuple[Answer, ...]
    denied: tuple[Answer, ...]


def find_answers(question: Question, told: Sequence[Told], model: Meaning) -> Found:
    """Find the answers to a question among claims.

    Args:
        told: the claims; those in another language than the question's are passed over.
        model: of the headlines of that language.
    """
    told = [one for one in told if one.article.language is question.language]
    probabilities = similarity(question, told, model) * np.array([one.claim.probability for one in told])
    sources = [
        Source(one, float(probability))
        for one, probability in zip(told, probabilities, strict=True)
        if probability >= FLOOR and _says_something(_words(one, question.asks), question)
    ]
    sources.sort(key=lambda source: (-source.probability, source.told.claim.id))
    sides = ([source for source in sources if source.told.denied is denied] for denied in (False, True))
    answers, denied = (_answers(found, question.asks, model) for found in sides)
    return Found(question, answers, denied)


def _answers(sources: Sequence[Source], asks: Asks, model: Meaning) -> tuple[Answer, ...]:
    """Put together what says the same: a source joins the most probable answer it is the same as."""
    words = [_words(source.told, asks) for source in sources]
    vectors = model.embed(words)
    groups = gathered(len(words), lambda one, other: _same(one, other, words, vectors, model))
    answers = (_answer([sources[place] for place in group], words[group[0]]) for group in groups)
    return tuple(sorted(answers, key=lambda answer: -answer.probability))


def _same(one: int, other: int, words: Sequence[str], vectors: NDArray[np.float32], model: Meaning) -> bool:
    """Whether two answers are one: they mean the same, or one is the other in fewer words."""
    left, right = distinctive_terms(words[one]), distinctive_terms(words[other])
    if left and right and (left <= right or right <= left):
        return True
    return float(model.same_event_by_cosine(np.array([vectors[one] @ vectors[other]], dtype=np.float32))[0]) >= SAME


def _answer(sources: Sequence[Source], text: str) -> Answer:
    """One answer; of each outlet, and of each sentence that several print, only the best counts as a voice."""
    outlets: set[str] = set()
    quotes: set[str] = set()
    voices = []
    for source in sources:
        outlet = source.told.article.source or source.told.article.id
        if outlet not in outlets and source.told.claim.quote not in quotes:
            voices.append(source.probability)
        outlets.add(outlet)
        quotes.add(source.told.claim.quote)
    first, *others = voices
    return Answer(text, min(SUREST, combined(first, others)), tuple(sources))


def _words(told: Told, asks: Asks) -> str:
    """The words of the claim that answer."""
    return " ".join((told.cause if asks is Asks.CAUSE else told.effect).split())


def _says_something(words: str, question: Question) -> bool:
    """Whether an answer says more than the question does, and does not just point at what was said before."""
    told = distinctive_terms(words)
    if told and told <= distinctive_terms(question.content):
        return False
    return any(word.strip(".,;:«»\"'").lower() not in _POINTERS for word in words.split())
