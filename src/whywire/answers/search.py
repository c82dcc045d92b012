"""The answers to a question: the causes of the event asked about, or its effects.

An answer is an event of the graph: all links from one cause are one answer, however many sentences say so. Where no
link answers, a claim of a sentence may, in its own words. A wrong answer is worse than none, since readers believe
the first answer. So an answer needs ``MIN_PROBABILITY``, and what the news denies is listed as denied, never as an
answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from whywire.answers.question import Question, QuestionType
from whywire.answers.similarity import (
    SAME_MEANING,
    EmbeddingModel,
    answer_probabilities,
    articles_telling,
    distinctive_terms,
    event_probabilities,
    events_asked_about,
    leader_clusters,
)
from whywire.answers.sourced_claims import SourcedClaim, claims_of_graph
from whywire.elements import ClaimEvidence, Event, ImpliedEvidence, Link, LinkKind, MentionKind
from whywire.graph.causal_graph import CausalGraph
from whywire.links.strength import combine_probabilities
from whywire.news.language import PRONOUNS

MIN_PROBABILITY = 0.25
"""The least probability of an answer. Of 240 questions on stories that readers summed up, it keeps 24 right first
answers in 25; of the same questions without these stories it leaves one in five answered."""

MAX_PROBABILITY = 0.9
"""The highest probability of an answer: all its sources may be about another event than the one asked about."""

MOST_ANSWERS = 12
"""The most answers by links that are compared with each other; each takes a pass of the model. Of 18 questions to two
builds of 153 and 375 articles the first five answers are those of 24."""

NAMING_TERMS = 2
"""Words with as many distinctive terms can name an answer."""


@dataclass(frozen=True, slots=True)
class Source:
    """A claim that is evidence for an answer. Its probability (0 to 1) is that it answers the question."""

    origin: SourcedClaim
    probability: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and its sources.

    Args:
        text: the event in words, or the words of a claim.
        probability: that the answer is right, by all sources together (0 to 1).
        sources: the sentences that say so, most probable first; an answer by a link may have none.
        event: the event that is the answer; ``None`` if it is a claim's words.
        links: that join the event with the one asked about, the likeliest to answer first.
    """

    text: str
    probability: float
    sources: tuple[Source, ...]
    event: Event | None = None
    links: tuple[Link, ...] = ()


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
    question: Question, graph: CausalGraph, model: EmbeddingModel, *, limit: int | None = None
) -> Answers:
    """Find the answers to a question in a graph; the command, the service and its page all use this function.

    Args:
        graph: events and claims in another language than the question's are ignored.
        model: the pair model of the question's language.
        limit: the most answers, and the most denials; all by default.
    """
    answers = _by_links(question, graph, model)
    claims = _claims_asked_about(question, graph)
    if answers:
        claims = [claim for claim in claims if claim.denied]
    sources = _by_claims(question, claims, model)
    said, denied = ([source for source in sources if source.origin.denied is sign] for sign in (False, True))
    answers = answers or _answers(said, question.type, model)
    return Answers(question, answers[:limit], _answers(denied, question.type, model)[:limit])


def _by_links(question: Question, graph: CausalGraph, model: EmbeddingModel) -> tuple[Answer, ...]:
    """The events that links join with the event asked about, those of one meaning as one answer."""
    of_cause = question.type is QuestionType.CAUSE
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for link in graph.links:
        if link.kind is LinkKind.CAUSES and not link.closed_by:
            links[link.target if of_cause else link.source].append(link)
    linked = (graph.event(name) for name in links)
    asked = events_asked_about(question, _in_language(question, linked), graph)
    found: defaultdict[str, list[tuple[float, Link]]] = defaultdict(list)
    for of_event, of_strength in event_probabilities(question, asked, graph, model).items():
        for link in links[of_event]:
            found[link.source if of_cause else link.target].append((of_strength(link.strength), link))
    answers = []
    for name, given in found.items():
        event = graph.event(name)
        probability = _together(probability for probability, _ in given)
        if probability >= MIN_PROBABILITY and _adds_information(event.title, question):
            answers.append(_linked_answer(graph, event, probability, sorted(given, key=_likeliest_first)))
    answers.sort(key=lambda answer: (-answer.probability, answer.event and answer.event.id))
    del answers[MOST_ANSWERS:]
    # what restates the question is in its cluster, the first, and is no answer
    _, *clusters = _of_one_meaning([question.content, *(answer.text for answer in answers)], model)
    merged = [_merged([answers[at - 1] for at in cluster]) for cluster in clusters]
    return tuple(sorted(merged, key=lambda answer: -answer.probability))


def _likeliest_first(given: tuple[float, Link]) -> tuple[float, str, str]:
    return -given[0], given[1].source, given[1].target


def _together(probabilities: Iterable[float]) -> float:
    """The probability of an answer that several links give."""
    best, *rest = sorted(probabilities, reverse=True)
    return combine_probabilities(best, rest)


def _linked_answer(
    graph: CausalGraph, event: Event, probability: float, given: Sequence[tuple[float, Link]]
) -> Answer:
    claims = {
        piece.claim: likely
        for likely, link in reversed(given)
        for piece in link.evidence
        if isinstance(piece, ClaimEvidence)
    }
    sources = [
        Source(SourcedClaim(claim, graph.articles[claim.article]), likely)
        for claim, likely in ((graph.claim(name), likely) for name, likely in claims.items())
    ]
    sources.sort(key=lambda source: (-source.probability, -source.origin.claim.probability, source.origin.claim.id))
    return Answer(
        _name(graph, event, given[0][1]),
        min(MAX_PROBABILITY, probability),
        tuple(sources),
        event,
        tuple(link for _, link in given),
    )


def _name(graph: CausalGraph, event: Event, link: Link) -> str:
    """What the answer is called: the event's title, or, where that is a headline, its words in the link's evidence.

    A headline often tells of more than the event. Its words in a sentence are taken if they have terms of their own.
    """
    title = " ".join(event.title.split())
    if not event.mentions or event.mentions[event.named_by].kind is not MentionKind.HEADLINE:
        return title
    is_cause = link.source == event.id
    match link.evidence[0]:
        case ClaimEvidence(name):
            claim = graph.claim(name)
            span = claim.cause if is_cause else claim.effect
            words = claim.words(span) if span else ""
        case ImpliedEvidence(cause, effect):
            words = graph.words(cause if is_cause else effect)
        case _:
            return title
    words = " ".join(words.split())
    return words if len(distinctive_terms(words)) >= NAMING_TERMS else title


def _merged(answers: Sequence[Answer]) -> Answer:
    """Answers that mean the same as one: the first, with the sources and links of all."""
    first = answers[0]
    probability = _together(answer.probability for answer in answers)
    sources = tuple(source for answer in answers for source in answer.sources)
    links = tuple(dict.fromkeys(link for answer in answers for link in answer.links))
    return Answer(first.text, min(MAX_PROBABILITY, probability), sources, first.event, links)


def _claims_asked_about(question: Question, graph: CausalGraph) -> list[SourcedClaim]:
    """The claims of the articles that tell of the events asked about."""
    asked = events_asked_about(question, _in_language(question, graph.events), graph)
    articles = articles_telling(map(graph.event, asked))
    return [
        claim
        for claim in claims_of_graph(graph)
        if claim.article.id in articles and claim.article.language is question.language
    ]


def _in_language(question: Question, events: Iterable[Event]) -> Iterator[Event]:
    return (event for event in events if event.language is question.language)


def _by_claims(question: Question, claims: Sequence[SourcedClaim], model: EmbeddingModel) -> list[Source]:
    """The claims that answer a question, most probable first."""
    claim_probabilities = np.array([sourced.claim.probability for sourced in claims])
    least = MIN_PROBABILITY / np.maximum(claim_probabilities, MIN_PROBABILITY)
    probabilities = answer_probabilities(question, claims, model, least) * claim_probabilities
    sources = [
        Source(claim, float(probability))
        for claim, probability in zip(claims, probabilities, strict=True)
        if probability >= MIN_PROBABILITY and _adds_information(_words(claim, question.type), question)
    ]
    return sorted(sources, key=lambda source: (-source.probability, source.origin.claim.id))


def _of_one_meaning(texts: Sequence[str], model: EmbeddingModel) -> list[list[int]]:
    """The numbers of texts that say the same: by meaning, or because one has all terms of the other."""
    terms = list(map(distinctive_terms, texts))
    vectors = model.embed(texts)

    def same(left: int, right: int) -> bool:
        if terms[left] and terms[right] and (terms[left] <= terms[right] or terms[right] <= terms[left]):
            return True
        cosine = np.array([vectors[left] @ vectors[right]], dtype=np.float32)
        return float(model.same_event_by_cosine(cosine)[0]) >= SAME_MEANING

    return leader_clusters(len(texts), same)


def _answers(sources: Sequence[Source], question_type: QuestionType, model: EmbeddingModel) -> tuple[Answer, ...]:
    """Merge the sources that give the same answer: each joins the most probable answer that it equals."""
    words = [_words(source.origin, question_type) for source in sources]
    answers = (
        _answer([sources[index] for index in cluster], words[cluster[0]]) for cluster in _of_one_meaning(words, model)
    )
    return tuple(sorted(answers, key=lambda answer: -answer.probability))


def _answer(sources: Sequence[Source], text: str) -> Answer:
    """One answer; for each outlet, and each sentence several outlets print, only the best source counts."""
    outlets: set[str] = set()
    quotes: set[str] = set()
    independent = []
    for source in sources:
        claim, article = source.origin.claim, source.origin.article
        outlet = article.outlet
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
