"""The answers to a question, found among claims; claims that agree make one answer, with a combined probability.

A wrong answer is worse than none, since readers believe the first answer. So an answer needs ``MIN_PROBABILITY``,
and what the news denies is listed as denied, never as an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
"""The least probability of an answer. Of the thresholds tried on the questions used for fitting, it is the one that
rejects most unanswerable questions and loses at most one right answer in forty."""

MAX_PROBABILITY = 0.9
"""The highest probability of an answer: all its sources may be about another event than the one asked about.

Of the eleven answers that reached it on the questions used for fitting, eight were right.
"""


@dataclass(frozen=True, slots=True)
class Source:
    """A claim that is evidence for an answer. Its probability (0 to 1) is that it answers the question."""

    origin: SourcedClaim
    probability: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and its sources.

    Args:
        text: the words of the first source.
        probability: that the answer is right, by all sources together (0 to 1).
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


def find_answers(
    question: Question, claims: Sequence[SourcedClaim], model: EmbeddingModel, *, limit: int | None = None
) -> Answers:
    """Find the answers to a question among claims; the command, the service and its page all use this function.

    Args:
        claims: claims in another language than the question's are ignored.
        model: the pair model of the question's language.
        limit: the most answers, and the most denials; all by default.
    """
    claims = [claim for claim in claims if claim.article.language is question.language]
    claim_probabilities = np.array([sourced.claim.probability for sourced in claims])
    least = MIN_PROBABILITY / np.maximum(claim_probabilities, MIN_PROBABILITY)
    probabilities = answer_probabilities(question, claims, model, least) * claim_probabilities
    sources = [
        Source(claim, float(probability))
        for claim, probability in zip(claims, probabilities, strict=True)
        if probability >= MIN_PROBABILITY and _adds_information(_words(claim, question.type), question)
    ]
    sources.sort(key=lambda source: (-source.probability, source.origin.claim.id))
    said, denied = ([source for source in sources if source.origin.denied is sign] for sign in (False, True))
    answers = _answers(said, question.type, model)[:limit]
    return Answers(question, answers, _answers(denied, question.type, model)[:limit])


def _answers(sources: Sequence[Source], question_type: QuestionType, model: EmbeddingModel) -> tuple[Answer, ...]:
    """Merge the sources that give the same answer: each joins the most probable answer that it equals."""
    words = [_words(source.origin, question_type) for source in sources]
    terms = list(map(distinctive_terms, words))
    vectors = model.embed(words)

    def same(left: int, right: int) -> bool:
        """Whether two answers mean the same, or the terms of one are among those of the other."""
        if terms[left] and terms[right] and (terms[left] <= terms[right] or terms[right] <= terms[left]):
            return True
        cosine = np.array([vectors[left] @ vectors[right]], dtype=np.float32)
        return float(model.same_event_by_cosine(cosine)[0]) >= SAME_MEANING

    clusters = leader_clusters(len(words), same)
    answers = (_answer([sources[index] for index in cluster], words[cluster[0]]) for cluster in clusters)
    return tuple(sorted(answers, key=lambda answer: -answer.probability))


def _answer(sources: Sequence[Source], text: str) -> Answer:
    """One answer; for each outlet, and each sentence several outlets print, only the best source counts."""
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
    best, *rest = independent
    return Answer(text, min(MAX_PROBABILITY, combine_probabilities(best, rest)), tuple(sources))


def _words(claim: SourcedClaim, question_type: QuestionType) -> str:
    """The words of the claim that answer the question, in one line."""
    return " ".join((claim.cause if question_type is QuestionType.CAUSE else claim.effect).split())


def _adds_information(words: str, question: Question) -> bool:
    """Whether an answer is more than pronouns and has terms that the question does not have.

    An answer without distinctive terms need only be more than pronouns.
    """
    terms = distinctive_terms(words)
    if terms and terms <= distinctive_terms(question.content):
        return False
    return any(word.strip(".,;:«»\"'").lower() not in PRONOUNS for word in words.split())
