"""Answers to a question, found among claims, with the combined probability of those that agree.

A wrong answer is worse than none, since the first one printed is believed. So an answer needs ``MIN_PROBABILITY``,
and what the news denies is listed as denied, never as an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.answers.question import Question, QuestionType
from whywire.answers.similarity import (
    SAME_MEANING,
    EmbeddingModel,
    answer_probabilities,
    distinctive_terms,
    leader_clusters,
)
from whywire.answers.sourced_claims import SourcedClaim
from whywire.links.strength import combine_probabilities
from whywire.news.language import PRONOUNS

MIN_PROBABILITY = 0.25
"""The least probability of an answer. Of the thresholds tried on the questions used for fitting, it rejects most
unanswerable ones while losing no more than one right answer in forty."""

MAX_PROBABILITY = 0.9
"""The highest probability of an answer: all its sources may be about another event than the one asked about.

Of the eleven answers that reached it on the questions used for fitting, eight were right.
"""


@dataclass(frozen=True, slots=True)
class Source:
    """A claim that gives an answer, and the probability (0 to 1) that it answers the question."""

    origin: SourcedClaim
    probability: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and its sources.

    Args:
        text: in the words of the first source.
        probability: that it answers the question, by all sources together (0 to 1).
        sources: most probable first, never empty.
    """

    text: str
    probability: float
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to a question; both fields most probable first.

    Args:
        answers: empty where nothing in the news answers the question.
        denied: what the news says was not the cause, or not the effect.
    """

    question: Question
    answers: tuple[Answer, ...]
    denied: tuple[Answer, ...]


def find_answers(question: Question, claims: Sequence[SourcedClaim], model: EmbeddingModel) -> Answers:
    """Find the answers to a question among claims.

    Args:
        claims: those in another language than the question's are ignored.
        model: the headline model of that language.
    """
    claims = [one for one in claims if one.article.language is question.language]
    right = np.array([one.claim.probability for one in claims])
    least = MIN_PROBABILITY / np.maximum(right, MIN_PROBABILITY)
    probabilities = answer_probabilities(question, claims, model, least) * right
    sources = [
        Source(one, float(probability))
        for one, probability in zip(claims, probabilities, strict=True)
        if probability >= MIN_PROBABILITY and _adds_information(_words(one, question.type), question)
    ]
    sources.sort(key=lambda source: (-source.probability, source.origin.claim.id))
    by_sign = ([source for source in sources if source.origin.denied is denied] for denied in (False, True))
    answers, denied = (_answers(found, question.type, model) for found in by_sign)
    return Answers(question, answers, denied)


def _answers(sources: Sequence[Source], question_type: QuestionType, model: EmbeddingModel) -> tuple[Answer, ...]:
    """Merge the sources that give the same answer: each joins the most probable answer that it equals."""
    words = [_words(source.origin, question_type) for source in sources]
    vectors = model.embed(words)
    clusters = leader_clusters(len(words), lambda one, other: _same(one, other, words, vectors, model))
    answers = (_answer([sources[place] for place in cluster], words[cluster[0]]) for cluster in clusters)
    return tuple(sorted(answers, key=lambda answer: -answer.probability))


def _same(one: int, other: int, words: Sequence[str], vectors: NDArray[np.float32], model: EmbeddingModel) -> bool:
    """Whether two answers are one: they mean the same, or the terms of one are among those of the other."""
    left, right = distinctive_terms(words[one]), distinctive_terms(words[other])
    if left and right and (left <= right or right <= left):
        return True
    cosine = np.array([vectors[one] @ vectors[other]], dtype=np.float32)
    return float(model.same_event_by_cosine(cosine)[0]) >= SAME_MEANING


def _answer(sources: Sequence[Source], text: str) -> Answer:
    """One answer; of each outlet, and of each sentence that several outlets print, only the best source counts."""
    outlets: set[str] = set()
    quotes: set[str] = set()
    independent = []
    for source in sources:
        claim, article = source.origin.claim, source.origin.article
        outlet = article.source or article.id
        if outlet not in outlets and claim.quote not in quotes:
            independent.append(source.probability)
        outlets.add(outlet)
        quotes.add(claim.quote)
    first, *others = independent
    return Answer(text, min(MAX_PROBABILITY, combine_probabilities(first, others)), tuple(sources))


def _words(claim: SourcedClaim, question_type: QuestionType) -> str:
    """The words of the claim that answer."""
    return " ".join((claim.cause if question_type is QuestionType.CAUSE else claim.effect).split())


def _adds_information(words: str, question: Question) -> bool:
    """Whether an answer has terms that the question has not, and is more than pronouns."""
    terms = distinctive_terms(words)
    if terms and terms <= distinctive_terms(question.content):
        return False
    return any(word.strip(".,;:«»\"'").lower() not in PRONOUNS for word in words.split())
