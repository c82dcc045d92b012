"""The probability that a claim or a link answers a question, from embeddings and shared words together.

Embeddings match "walked out" with "went on strike"; shared words distinguish the strike in one port from that in
another. Neither suffices alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from heapq import nsmallest
from math import fsum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from whywire.answers.question import Question, QuestionType
from whywire.answers.sourced_claims import SourcedClaim
from whywire.elements import Event
from whywire.graph.causal_graph import CausalGraph
from whywire.models.odds import log_odds, probabilities_of
from whywire.news.numbers import numbers
from whywire.news.stems import rarities, stems

ARGUMENT_WEIGHT, TITLE_WEIGHT = 0.435, 0.422
ARGUMENT_TERMS_WEIGHT, CONTEXT_TERMS_WEIGHT, INTERCEPT = 3.164, 2.838, -1.389
"""Weights of the four features of a logistic regression: the log-odds, by embeddings, that the argument and the title
report the event asked about, and the shares of its terms in the argument and around it.

They were fitted so that the claim's probability times the result is the probability of a right answer, on 82
questions, 54 of them answerable from the bundled example or from held-out sentences of RECESS; another 80 were kept
for testing. Other vectors were used then: their log-odds were matched with those of the present vectors, quantile by
quantile, on 180,000 pairs of an effect and a claim of the example, which gives the first two weights and the
intercept.
"""

SAME_MEANING = 0.4
"""The probability, by embeddings, from which two answers or effects count as one, or an effect repeats a headline.

The probability is calibrated on whole reports; phrases of the same meaning are less similar.
"""

MAX_COMPARED = 500
"""The most claims compared by embedding: those that share most terms with the question."""

UNSHARED_MEANING = 1.0
"""The highest log-odds, by embeddings, of two arguments that share no word: one of 117,000 such pairs from two days
of news in both languages had more. A claim whose quote and title share no word with the question either never reached
the odds of an answer, so it is not compared at all."""

EVENT_TERMS_WEIGHT, EVENT_MEANING_WEIGHT, STRENGTH_WEIGHT, EVENT_INTERCEPT = 4.47, 0.19, 1.36, -3.49
"""Weights of a logistic regression, that a link answers a question: the share of the question's terms that the event
asked about has, the log-odds, by embeddings, that words for it mean the same, and the strength of the link (0 to 1).

Fitted on 15,639 links near 240 questions: why main events of stories happened that readers had summed up, in English
and Russian; right is a link whose other end is a cause that readers graded 50 and more. Other stories were kept for
measuring (``lab/experiments/why_questions.py``).
"""

MOST_EVENTS = 20
"""The most events compared with a question by embedding: those that share most of its terms."""

MOST_ARTICLES = 5
"""The most articles of an event asked about whose claims are compared: of the deaths in a pandemic hundreds tell."""

SHORT, LEAST_SHARE, SAME_WORDS = 5, 0.7, 0.0
"""A question of up to ``SHORT`` terms must find ``LEAST_SHARE`` of them in an event, or the log-odds ``SAME_WORDS``,
by embeddings, with words for it: of "why did the mayor of Wexmoor resign" the one term that is missing is the point.
"""

LEAST_SHARE_OF_CLAIM = 0.55
"""The least share of the terms of such a question around a claim: its verb may have another form ("gave", "give")."""

_ACRONYM = re.compile(r"\b[A-ZА-ЯЁ]{2,3}\b")


class EmbeddingModel(Protocol):
    """A model that embeds texts, with cosines calibrated as probabilities."""

    def embed(self, headlines: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors (texts, size)."""

    def same_event_by_cosine(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability that two texts with this cosine report the same event."""


def distinctive_terms(text: str) -> set[str]:
    """The stems, numbers and acronyms of a text."""
    return stems(text) | numbers(text) | {name.lower() for name in _ACRONYM.findall(text)}


def leader_clusters(count: int, same: Callable[[int, int], bool]) -> list[list[int]]:
    """Cluster items by the leader algorithm: an item joins the first cluster whose first member is the same.

    Args:
        count: the number of items, best first.
        same: whether two items are the same; called with a later and an earlier index.

    Returns:
        The indices of each cluster; the first index represents the cluster.
    """
    clusters: list[list[int]] = []
    for item in range(count):
        matching = (cluster for cluster in clusters if same(item, cluster[0]))
        if (cluster := next(matching, None)) is not None:
            cluster.append(item)
        else:
            clusters.append([item])
    return clusters


def asked_argument(claim: SourcedClaim, question_type: QuestionType) -> str:
    """The argument of a claim to compare with the event asked about: the effect if the question asks for a cause."""
    return claim.effect if question_type is QuestionType.CAUSE else claim.cause


def answer_probabilities(
    question: Question, claims: Sequence[SourcedClaim], model: EmbeddingModel, least: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probability (claims,) that each claim answers the question, given that the claim is right.

    Args:
        claims: all in the question's language.
        least: (claims,), the probability that each needs. If the terms of a claim show that it cannot reach this, or
            the terms and the title, 0 is returned, and what would not change that is not embedded.
    """
    weights = term_weights(question)
    asked = weights.keys()
    arguments = [asked_argument(claim, question.type) for claim in claims]
    contexts = [_shared(asked, f"{sourced.claim.quote}\n{sourced.article.title}") for sourced in claims]

    def share(words: Iterable[str]) -> float:
        return fsum(weights[word] for word in asked & {*words})

    shares = np.array(
        [
            (share(distinctive_terms(argument)) if around else 0.0, share(around))
            for argument, around in zip(arguments, contexts, strict=True)
        ]
    )
    probabilities = np.zeros(len(claims))
    if not claims:
        return probabilities
    near = np.argsort(-shares.sum(axis=1), kind="stable")[:MAX_COMPARED]
    if asked:
        near = near[shares[near].any(axis=1)]
    if len(asked) <= SHORT:
        near = near[shares[near].max(axis=1) >= LEAST_SHARE_OF_CLAIM]
    odds = shares[near] @ np.array([ARGUMENT_TERMS_WEIGHT, CONTEXT_TERMS_WEIGHT]) + INTERCEPT
    same_words = log_odds(model.same_event_by_cosine(np.ones(1, dtype=np.float32)))
    highest = ARGUMENT_WEIGHT * np.where(shares[near, 0] > 0, same_words, np.minimum(same_words, UNSHARED_MEANING))
    possible = probabilities_of(odds + highest + TITLE_WEIGHT * same_words) >= least[near]
    near, odds, highest = near[possible], odds[possible], highest[possible]
    odds += TITLE_WEIGHT * _meaning(question.content, [claims[place].article.title for place in near], model)
    possible = probabilities_of(odds + highest) >= least[near]
    near, odds = near[possible], odds[possible]
    odds += ARGUMENT_WEIGHT * _meaning(question.content, [arguments[place] for place in near], model)
    probabilities[near] = probabilities_of(odds)
    return probabilities


def term_weights(question: Question) -> dict[str, float]:
    """The distinctive terms of a question, with the share of its meaning that each has: together 1.

    The rarer a term is in news, the greater its share, whatever graph is asked, so that an answer depends only on
    events and claims that have terms of the question.
    """
    known = rarities(question.content, question.language)
    terms = sorted(distinctive_terms(question.content))
    weights = {term: known.get(term, max(known.values(), default=1.0)) for term in terms}
    total = fsum(weights.values()) or 1.0
    return {term: weight / total for term, weight in weights.items()}


def events_asked_about(question: Question, events: Iterable[Event], graph: CausalGraph) -> dict[str, float]:
    """The events that share most of a question's terms, at most ``MOST_EVENTS``, with their shares; best first.

    An event has the terms of its title, its mentions and the headlines of its articles. Among equals, those come
    first that share more with their own words, for all events of an article share its headline; then ties go by id.

    Args:
        events: all in the question's language. Those that share no term with the question are left out.
    """
    weights = term_weights(question)
    shares = []
    for event in events:
        own = _shared(weights.keys(), "\n".join(_words_for(event, graph)))
        headlines = _shared(weights.keys(), "\n".join(graph.articles[article].title for article in event.articles))
        if shared := own | headlines:
            share, of_own = (fsum(weights[term] for term in terms) for terms in (shared, own))
            shares.append((-share, -of_own, event.id))
    return {name: -share for share, _, name in nsmallest(MOST_EVENTS, shares)}


def articles_telling(events: Iterable[Event]) -> set[str]:
    """The first ``MOST_ARTICLES`` articles of each event: their claims may answer a question about it."""
    return {article for event in events for article in event.articles[:MOST_ARTICLES]}


def event_probabilities(
    question: Question, shares: Mapping[str, float], graph: CausalGraph, model: EmbeddingModel
) -> dict[str, Callable[[float], float]]:
    """For events that may be asked about, by id: the probability that a link of a strength at this event answers.

    Args:
        shares: of the terms of the question, by event (:func:`events_asked_about`).
    """
    weights = term_weights(question)
    words = [_nearest_words(graph.event(name), graph, weights) for name in shares]
    meanings = _meaning(question.content, words, model)
    is_long = len(weights) > SHORT
    found: dict[str, Callable[[float], float]] = {}
    for (name, share), meaning in zip(shares.items(), map(float, meanings), strict=True):
        if is_long or share >= LEAST_SHARE or meaning >= SAME_WORDS:
            odds = EVENT_TERMS_WEIGHT * share + EVENT_MEANING_WEIGHT * meaning + EVENT_INTERCEPT
            found[name] = partial(_with_strength, odds)
    return found


def _nearest_words(event: Event, graph: CausalGraph, weights: Mapping[str, float]) -> str:
    """The words for an event that share most of a question's terms; the title first, then mentions in their order."""
    return max(
        _words_for(event, graph),
        key=lambda words: fsum(weights[term] for term in _shared(weights.keys(), words)),
    )


def _words_for(event: Event, graph: CausalGraph) -> list[str]:
    """What an event is called: its title, and the words of its mentions."""
    return [event.title, *(" ".join(graph.words(mention).split()) for mention in event.mentions)]


def _with_strength(odds: float, strength: float) -> float:
    return float(probabilities_of(np.array(odds + STRENGTH_WEIGHT * strength / 100)))


def _shared(asked: Set[str], text: str) -> set[str]:
    """The distinctive terms of a text that are also in the question.

    Most texts have none, and searching for the letters of each term is a faster test than stemming. Numbers may be
    written differently ("two", "1,200"), so a question with a number always needs the stems.
    """
    lowered = text.lower()
    may_share = any(term in lowered or not term.isalpha() for term in asked)
    return distinctive_terms(text) & asked if may_share else set()


def _meaning(asked: str, texts: Sequence[str], model: EmbeddingModel) -> NDArray[np.float64]:
    """The log-odds (texts,) that each text reports the event asked about, by embeddings."""
    unique = {text: number for number, text in enumerate(dict.fromkeys([asked, *texts]))}
    vectors = model.embed(list(unique))
    return log_odds(model.same_event_by_cosine(vectors[[unique[text] for text in texts]] @ vectors[0]))
