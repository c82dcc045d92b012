"""How well a claim fits a question: by what its words mean, and by the words themselves.

Meaning finds "walked out" for "went on strike"; the words see to it that it was at this port and not at another.
Neither alone is enough: similarity of meaning alone takes any strike for the one that was asked about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.answers.question import Asks, Question
from whywire.answers.told import Told
from whywire.models.odds import log_odds, probabilities_of
from whywire.news.distinctive_terms import stems
from whywire.news.numbers import numbers

MEANING, TITLE_MEANING, WORDS, WORDS_AROUND, SHIFT = 0.387, 0.46, 3.164, 2.838, -1.654
"""What the four similarities count, fitted so that claim's probability times similarity is the probability of a
right answer.

On 82 questions, 54 of which the bundled example or sentences of RECESS kept from training answer; another 80 were
kept to measure by.
"""

LOOKED_AT = 2000
"""So many claims, those that share most with the question, are compared by meaning too: a second or two of work."""

_ACRONYM = re.compile(r"\b[A-ZА-ЯЁ]{2,3}\b")


class Meaning(Protocol):
    """What is asked of a model of headlines."""

    def embed(self, headlines: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors (texts, size)."""

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability that two texts with this cosine tell of one event."""


def distinctive_terms(text: str) -> set[str]:
    """Stems of long words, numbers, and names too short to have a stem."""
    return stems(text) | numbers(text) | {name.lower() for name in _ACRONYM.findall(text)}


def gathered(count: int, same: Callable[[int, int], bool]) -> list[list[int]]:
    """Put together what is the same: each place joins the first group whose first member it is the same as.

    Args:
        count: how many places there are, best first.
        same: whether two places are the same; asked about a later and an earlier one.
    """
    groups: list[list[int]] = []
    for place in range(count):
        alike = (group for group in groups if same(place, group[0]))
        if (group := next(alike, None)) is not None:
            group.append(place)
        else:
            groups.append([place])
    return groups


def asked_side(told: Told, asks: Asks) -> str:
    """The words of the claim that should say what the question asks about."""
    return told.effect if asks is Asks.CAUSE else told.cause


def similarity(question: Question, told: Sequence[Told], model: Meaning) -> NDArray[np.float64]:
    """The probability, for each claim (claims,), that it answers the question, if it is a claim at all.

    Args:
        told: all there are in the question's language: how telling a word is depends on them.
    """
    asked = distinctive_terms(question.content)
    sides = [asked_side(one, question.asks) for one in told]
    around = [distinctive_terms(f"{one.claim.quote}\n{one.article.title}") for one in told]
    holders = Counter(word for words in around for word in words & asked)
    weight = {word: log((len(told) + 1) / (holders[word] + 0.5)) for word in asked}
    total = sum(weight.values()) or 1.0

    def share(words: Iterable[str]) -> float:
        return sum(weight[word] for word in asked.intersection(words)) / total

    shares = np.array(
        [(share(distinctive_terms(side)), share(words)) for side, words in zip(sides, around, strict=True)]
    )
    probabilities = np.zeros(len(told))
    if not told:
        return probabilities
    near = np.argsort(-shares.sum(axis=1), kind="stable")[:LOOKED_AT]
    texts = [question.content, *(sides[place] for place in near), *(told[place].article.title for place in near)]
    unique = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    vectors = model.embed(list(unique))
    cosines = vectors[[unique[text] for text in texts[1:]]] @ vectors[0]
    meaning, title_meaning = log_odds(model.same_event_by_cosine(cosines)).reshape(2, -1)
    odds = MEANING * meaning + TITLE_MEANING * title_meaning + shares[near] @ np.array([WORDS, WORDS_AROUND]) + SHIFT
    probabilities[near] = probabilities_of(odds)
    return probabilities
