"""*Why?*: a question, and the words of the news that answer it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from fastapi import Request
from starlette.responses import Response

from whywire.answers.event_lookup import EventMatch
from whywire.answers.question import parse_question
from whywire.answers.search import Answers
from whywire.api.queries import LinkedEvents, is_question, why
from whywire.elements import Event
from whywire.errors import InputError
from whywire.graph.causal_graph import CausalGraph
from whywire.service.context import Context, Service
from whywire.service.pages.html_routes import html_router
from whywire.service.pages.rendering import render, wording_of

LISTED_EVENTS = 10
"""Events whose words fit a question best."""

MAX_CHARS = 300

EXAMPLES = {
    "en": ("Why did petrol run short?", "What caused the blackout?", "What did the storm lead to?"),
    "ru": ("Почему не хватает бензина?", "Что привело к аварии?", "К чему привёл шторм?"),
}

router = html_router()


@dataclass(frozen=True)
class _Found:
    """What was found on a question."""

    graph: CausalGraph
    events: list[Event]
    answer: Answers | LinkedEvents | None


@router.get("/why")
async def ask(request: Request, service: Service, q: str = "") -> Response:
    """Answer a question from the news, and list the events that its words fit."""
    words = wording_of(request)
    question = " ".join(q.split())
    problem = ""
    found = _Found(CausalGraph(), [], None)
    if len(question) > MAX_CHARS:
        problem = words.text("too long", number=MAX_CHARS)
    elif question:
        try:
            is_question(question)
        except InputError:
            problem = words.text("why not question")
        found = await service.passes.run("why", partial(_look, service, question, ask=not problem))
    answers = found.answer if isinstance(found.answer, Answers) else None
    linked = found.answer if isinstance(found.answer, LinkedEvents) else None
    return render(
        request,
        "why.html",
        question=question,
        problem=problem,
        examples=EXAMPLES[words.language],
        graph=found.graph,
        events=found.events,
        answers=answers.answers if answers else (),
        denied=answers.denied if answers else (),
        unanswered=bool(question and not problem and linked is None and not (answers and answers.answers)),
        match=linked.match if linked else None,
        links=linked.links if linked else (),
    )


def _look(service: Context, question: str, *, ask: bool) -> _Found:
    """Look for answers, and for events that the words fit."""
    content = question
    if ask and is_question(question):
        content = parse_question(question).content
    events = service.store.search(content, limit=LISTED_EVENTS)
    graph = service.graphs.about(content)
    if not ask or not events:
        return _Found(graph, events, None)
    try:
        answer = why(
            question if content != question else EventMatch(question, (events[0],)), graph, models=service.models
        )
    except InputError:
        return _Found(graph, events, None)
    return _Found(graph, events, answer)
