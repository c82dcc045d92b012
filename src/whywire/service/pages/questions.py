"""The page *Why?*, which answers a question from the news, and the bench, which runs the models on given texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from fastapi import Request
from starlette.responses import Response

from whywire.answers.question import parse_question
from whywire.answers.search import Answers
from whywire.api.queries import LinkedEvents, is_question, why
from whywire.api.read import read
from whywire.api.relate import relate
from whywire.elements import Event
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.graph.page_data import pieces_of
from whywire.graph.passages import Piece
from whywire.graph.snapshots import as_of as snapshot
from whywire.news.article import Span
from whywire.news.language import language_by_letters
from whywire.news.sentences import split_sentences
from whywire.pairs.relations import RELATIONS
from whywire.sentences.reading import CausalRelation, Reading
from whywire.service.access import client_of
from whywire.service.context import Context, Service
from whywire.service.pages.rendering import day_of, end_of, html_router, render, tomorrow, wording_of
from whywire.store import Store, StorySummary
from whywire.store.subgraphs import SEARCHED
from whywire.store.terms import terms_of

LISTED_EVENTS = 10
"""How many events are listed whose words fit a question best."""

LISTED_STORIES = 3

MAX_CHARS = 300

EXAMPLES = {
    "en": ("Why did petrol run short?", "What caused the blackout?", "What did the storm lead to?"),
    "ru": ("Почему не хватает бензина?", "Что привело к аварии?", "К чему привёл шторм?"),
}

router = html_router()


@dataclass(frozen=True)
class _Found:
    """What a question found.

    Args:
        graph: what is known, or was known by the end of ``as_of``.
        events: those that fit the question's words.
        stories: those of the words, best first.
        searched: the words that were searched.
        answer: ``None`` if the question could not be answered.
        days: the first and the last day of the reports that were searched.
        as_of: the day asked for; ``None`` if no report is later.
    """

    graph: CausalGraph
    events: list[Event]
    answer: Answers | LinkedEvents | None
    stories: Sequence[StorySummary] = ()
    searched: str = ""
    days: tuple[date, date] | None = None
    as_of: date | None = None


@router.get("/why")
async def ask(request: Request, service: Service, q: str = "", as_of: str = "") -> Response:
    """Answer a question from all news, or the news up to a day, and list the events that fit its words."""
    words = wording_of(request)
    question = " ".join(q.split())
    day = day_of(as_of)
    problem = ""
    result = _Found(CausalGraph(), [], None)
    if len(question) > MAX_CHARS:
        problem = words.text("too long", number=MAX_CHARS)
    elif question:
        try:
            is_question(question)
        except InputError:
            problem = words.text("why not question")
        result = await service.graph_pool.run(
            client_of(request), "why", partial(_look, service, question, day, ask=not problem)
        )
    answers = result.answer if isinstance(result.answer, Answers) else None
    linked = result.answer if isinstance(result.answer, LinkedEvents) else None
    return render(
        request,
        "why.html",
        question=question,
        searched=result.searched,
        problem=problem,
        examples=EXAMPLES[words.language],
        graph=result.graph,
        events=result.events,
        stories=result.stories,
        strongest=service.store.strongest_links([story.id for story in result.stories]),
        outlets=service.store.outlets_of_stories([story.id for story in result.stories]),
        news={},
        answers=answers.answers if answers else (),
        denied=answers.denied if answers else (),
        unanswered=bool(question and not problem and linked is None and not (answers and answers.answers)),
        match=linked.match if linked else None,
        links=linked.links if linked else (),
        as_of=result.as_of,
        first_day=result.days and result.days[0],
        final_day=result.days and result.days[1],
    )


def _look(service: Context, question: str, day: date | None, *, ask: bool) -> _Found:
    """Search what was published by the end of a day for answers, and for events that fit the words."""
    asked = parse_question(question) if ask and is_question(question) else None
    content = asked.content if asked else question
    days = _days_of(service.store)
    if day and days and day < days[1]:
        graph = snapshot(service.graphs.about(content), end_of(day))
        events = _as_known_then(service.store.search(content, limit=SEARCHED), graph, content)[:LISTED_EVENTS]
    else:
        day, graph = None, service.graphs.answering(asked) if asked else service.graphs.about(content)
        events = service.store.search(content, limit=LISTED_EVENTS)
    stories = [] if day else service.store.search_stories(content, limit=LISTED_STORIES)  # as they are now
    result = _Found(graph, events, None, stories, content, days, day)
    if not ask or not events:
        return result
    try:
        return replace(result, answer=why(question, graph, models=service.models))
    except InputError:
        return result


def _days_of(store: Store) -> tuple[date, date] | None:
    """Return the first and the last day of the articles; ``None`` if none has a time."""
    first, last = store.oldest(), store.newest()
    return (min(first.date(), tomorrow()), min(last.date(), tomorrow())) if first and last else None


def _as_known_then(events: Iterable[Event], then: CausalGraph, words: str) -> list[Event]:
    """Return events as they were known then, without those that fit the words only by what was published later."""
    past = {event.id: event for event in then.events}
    wanted = terms_of(words)

    def titles(event: Event) -> str:
        return " ".join((event.title, *(then.articles[name].title for name in event.articles)))

    return [past[event.id] for event in events if event.id in past and wanted & terms_of(titles(past[event.id]))]


MAX_BENCH_CHARS = 1000

MAX_SENTENCES = 8


@dataclass(frozen=True)
class _ReadSentence:
    """A sentence and what it says.

    Args:
        parts: for each relation its heading, its probability, and the sentence with marked words.
    """

    text: str
    parts: list[tuple[str, float, list[Piece]]]
    contrapositive: str | None


@router.get("/bench")
async def bench(request: Request, service: Service, sentence: str = "", left: str = "", right: str = "") -> Response:
    """Read a sentence, or relate two headlines."""
    words = wording_of(request)
    sentence, left, right = (" ".join(text.split()) for text in (sentence, left, right))
    problem, readings, relation = "", None, None
    if max(map(len, (sentence, left, right))) > MAX_BENCH_CHARS:
        problem = words.text("too long", number=MAX_BENCH_CHARS)
    elif sentence:
        readings = await service.model_pool.run(client_of(request), "read", partial(_read, service, sentence))
    elif left and right:
        (relation,) = await service.model_pool.run(
            client_of(request), "relate", partial(relate, [(left, right)], models=service.models)
        )
    elif left or right:
        problem = words.text("bench both")
    probabilities = relation.probabilities if relation else ()
    ranked = sorted(zip(RELATIONS, probabilities, strict=bool(relation)), key=lambda pair: -pair[1])
    return render(
        request,
        "bench.html",
        longest=MAX_BENCH_CHARS,
        sentence=sentence,
        left=left,
        right=right,
        problem=problem,
        readings=readings,
        relation=relation,
        relations=[(name.value, share) for name, share in ranked],
    )


def _read(service: Context, text: str) -> list[_ReadSentence]:
    sentences = [text[start:end] for start, end in split_sentences(text, language_by_letters(text))][:MAX_SENTENCES]
    return list(map(_read_sentence, sentences, read(sentences, models=service.models)))


def _read_sentence(sentence: str, reading: Reading) -> _ReadSentence:
    parts = [
        (heading, relation.probability * weight, pieces_of(sentence, _roles(relation)))
        for heading, weight, relations in (
            ("bench says", reading.causal, reading.relations),
            ("bench denies", reading.denial, reading.denials),
        )
        for relation in relations
    ]
    if reading.antecedent:
        roles = [("antecedent", reading.antecedent)]
        if reading.consequent:
            roles.append(("consequent", reading.consequent))
        parts.append(("bench imagines", reading.counterfactual, pieces_of(sentence, roles)))
    return _ReadSentence(sentence, parts, reading.contrapositive)


def _roles(relation: CausalRelation) -> list[tuple[str, Span]]:
    return [
        ("cause", relation.cause),
        ("effect", relation.effect),
        *(("signal", signal) for signal in relation.signals),
    ]
