"""Routes that ask the models or the graph: read, relate, group, score, choose, predict, why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from whywire.answers.analogue_prediction import MAX_PREDICTIONS, MIN_PROBABILITY
from whywire.answers.question import parse_question
from whywire.answers.search import find_answers
from whywire.api import read as reading
from whywire.api.answer_rows import answer_rows, linked_event_rows
from whywire.api.graphs import open_graph
from whywire.api.group import group as group_articles
from whywire.api.news_input import to_article
from whywire.api.predict import predict as predict_effects
from whywire.api.queries import causes, is_question
from whywire.api.question_rows import choice_row, group_rows, headlines_of, predictions_row, relation_row, score_row
from whywire.api.reading_rows import answer_usable, reading_row, sentence_of
from whywire.api.relate import EVEN
from whywire.api.relate import relate as relate_pairs
from whywire.api.score import choose as choose_causes
from whywire.api.score import score as score_pairs
from whywire.api.score import to_choice, to_pair
from whywire.errors import InputError
from whywire.events.headline_events import COLLECTION_PRIOR
from whywire.graph.codec import Row
from whywire.links.judges.choosing import CAUSAL_THRESHOLD
from whywire.links.judges.embedded import EmbeddedJudge
from whywire.news import Article, Language
from whywire.service.access import READS, client_of
from whywire.service.context import Context, Service
from whywire.service.problems import ProblemError
from whywire.service.responses import TaggedRoute, json_answer, kept_until_changed
from whywire.service.rows import Answers
from whywire.service.v1.parameters import MinStrength, OfEvidence, Time, WholeNumber, body_of, described

router = APIRouter(route_class=TaggedRoute, dependencies=[READS], tags=["questions"])

T = TypeVar("T")

MAX_ITEMS = 64
"""Rows of one question."""

MAX_TEXT = 10_000
"""Characters of one sentence, headline or question; no model reads further."""

MAX_OPTIONS = 32

MAX_ALL_OPTIONS = 256
"""Options of all choices in a request: 256 pairs of an option and its effect take about ten seconds, and two or
three times as long with documents."""

MAX_DOCUMENTS = 32
"""Different documents in a request: the longest take a second each."""

MAX_N_BEST = 20
MAX_PREDICTED = 50


class Rows(BaseModel):
    """Rows of a question."""

    model_config = ConfigDict(extra="forbid", strict=True)

    items: list[dict[str, Any]] = Field(min_length=1)


def _example(items: list[Any], **fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [{"items": items, **fields}]})


class Sentences(Rows):
    """Sentences to read."""

    model_config = _example([{"text": "Fuel ran short after the fire."}], n_best=0)

    n_best: WholeNumber = Field(
        0, ge=0, le=MAX_N_BEST, description="How many rival relations of each sentence to add."
    )


class Pairs(Rows):
    """Pairs of headlines, with or without the texts below them."""

    model_config = _example(
        [{"left_title": "Storm cuts power to the bay", "right_title": "Schools stay closed after power cut"}],
        prior=0.5,
    )

    prior: float = Field(
        EVEN, gt=0, lt=1, description="For same_event: the share of the items whose headlines report one event."
    )


class Headlines(Rows):
    """Articles to group; their titles and times matter most."""

    model_config = _example([{"title": "Storm cuts power"}, {"title": "Storm leaves the bay without power"}])

    prior: float | None = Field(
        None,
        gt=0,
        lt=1,
        description=f"The share of pairs of similar items that report one event; {COLLECTION_PRIOR} by default.",
    )


class Causes(Rows):
    """Pairs of a cause and an effect."""

    model_config = _example([{"cause": "Fire shuts refinery", "effect": "Fuel runs short"}], threshold=50)

    threshold: float = Field(CAUSAL_THRESHOLD, ge=0, le=100, description="A pair is causal above this strength.")


class Choices(Rows):
    """Effects, each with events that may have caused it."""

    model_config = _example([{"effect": "Fuel runs short", "options": ["Fire shuts refinery", "Actor wins prize"]}])

    together: bool = Field(
        False,
        description="Answer items of one effect consistently, each with at least one cause among its options.",
    )


class Futures(Rows):
    """Headlines whose effects to predict."""

    model_config = _example([{"title": "Storm shuts port"}], most=5)

    most: WholeNumber = Field(
        MAX_PREDICTIONS, ge=1, le=MAX_PREDICTED, description="Maximum number of effects per headline."
    )
    min_probability: float = Field(MIN_PROBABILITY, ge=0, le=1)


@router.post("/read", response_model=Answers, **described(Sentences))
async def read(request: Request, service: Service, asked: Annotated[Sentences, body_of(Sentences)]) -> Response:
    """What sentences claim, deny and imagine."""

    def answer(texts: list[str]) -> list[Row]:
        readings = reading.read(texts, n_best=asked.n_best, models=service.models)
        return [reading_row(*pair, rivals=bool(asked.n_best)) for pair in zip(texts, readings, strict=True)]

    return await _answered(request, service, "read", asked, sentence_of, answer)


@router.post("/relate", response_model=Answers, **described(Pairs))
async def relate(request: Request, service: Service, asked: Annotated[Pairs, body_of(Pairs)]) -> Response:
    """The relation of two reports: same event, cause, refutation, or another."""

    def answer(pairs: list[tuple[Article, Article]]) -> list[Row]:
        return list(map(relation_row, relate_pairs(pairs, prior=asked.prior, models=service.models)))

    return await _answered(request, service, "relate", asked, headlines_of, answer)


@router.post("/group", response_model=Answers, **described(Headlines))
async def group(request: Request, service: Service, asked: Annotated[Headlines, body_of(Headlines)]) -> Response:
    """Which articles report the same event, and which belong to one story."""

    def answer(articles: list[Article]) -> list[Row]:
        prior = COLLECTION_PRIOR if asked.prior is None else asked.prior
        return group_rows(group_articles(articles, prior=prior, models=service.models))

    return await _answered(request, service, "group", asked, to_article, answer)


@router.post("/score", response_model=Answers, **described(Causes))
async def score(request: Request, service: Service, asked: Annotated[Causes, body_of(Causes)]) -> Response:
    """How strongly one event caused another."""
    _check_documents(asked.items)
    judge = EmbeddedJudge(service.models)

    def answer(pairs: list[Any]) -> list[Row | str]:
        return [score_row(score, asked.threshold) for score in score_pairs(pairs, judge=judge)]

    return await _answered(request, service, "score", asked, to_pair, answer)


@router.post("/choose", response_model=Answers, **described(Choices))
async def choose(request: Request, service: Service, asked: Annotated[Choices, body_of(Choices)]) -> Response:
    """Which of several events caused another directly."""
    _check_documents(asked.items)
    options = sum(len(given) for row in asked.items if isinstance(given := row.get("options"), list))
    if options > MAX_ALL_OPTIONS:
        raise ProblemError(
            422, f"there are {options:,} options together, and may be {MAX_ALL_OPTIONS}: send fewer items at a time"
        )
    judge = EmbeddedJudge(service.models)

    def parse(row: Row) -> Any:
        choice = to_choice(row)
        if len(choice.options) > MAX_OPTIONS:
            raise InputError(f"there are {len(choice.options)} options, and may be {MAX_OPTIONS}")
        return choice

    def answer(choices: list[Any]) -> list[Row | str]:
        return [choice_row(chosen) for chosen in choose_causes(choices, judge=judge, together=asked.together)]

    return await _answered(request, service, "choose", asked, parse, answer)


@router.post("/predict", response_model=Answers, **described(Futures))
async def predict(request: Request, service: Service, asked: Annotated[Futures, body_of(Futures)]) -> Response:
    """What may follow a headline, by what followed similar events in other stories; if it has a time, by then."""

    def parse(row: Row) -> Article:
        article = to_article(row)
        if article.language is Language.OTHER:
            raise InputError("its language is neither English nor Russian")
        return article

    def answer(articles: list[Article]) -> list[Row]:
        limits: Any = {"most": asked.most, "min_probability": asked.min_probability, "models": service.models}
        return [
            predictions_row(effects)
            for article in articles
            for effects in predict_effects([article], service.graphs.past(article.title), **limits)
        ]

    return await _answered(request, service, "predict", asked, parse, answer)


@router.get("/why", response_model=Answers)
@kept_until_changed
async def why(
    request: Request,
    service: Service,
    question: Annotated[
        str,
        Query(
            min_length=1,
            max_length=500,
            description="A question for a cause or an effect, in English or Russian; or the name of an event: its "
            "id, its title, or words near a headline.",
            examples=["Why did petrol run short in Calder Bay?"],
        ),
    ],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    min_strength: MinStrength = 0,
    evidence: OfEvidence = [],  # noqa: B006  FastAPI copies it
    as_of: Time = None,
) -> Response:
    """Why something happened or what it led to, with the sentences that say so; for an event, the links to it.

    The items are the rows of `whywire why --json`.
    """

    def answer() -> Response:
        if is_question(question):
            asked = parse_question(question)
            graphs = service.graphs
            graph = graphs.answering(asked) if as_of is None else open_graph(graphs.about(asked.content), as_of=as_of)
            found = find_answers(asked, graph, service.models.pairs(asked.language), limit=limit)
            return json_answer({"items": list(answer_rows(graph, found))})
        graph = open_graph(service.graphs.about(question), as_of=as_of, at_least=min_strength, evidence=evidence)
        linked = causes(question, graph, models=service.models)
        rows = linked_event_rows(graph, linked.match.event, linked.links[:limit], of_effects=False)
        return json_answer({"items": list(rows)})

    return await service.graph_pool.run(client_of(request), "why", answer)


def _check_documents(rows: Sequence[Row]) -> None:
    """Raise a ``ProblemError`` where the rows have too many documents as context."""
    contexts = (given for row in rows if isinstance(given := row.get("context"), list))
    count = len({text for context in contexts for text in context if isinstance(text, str)})
    if count > MAX_DOCUMENTS:
        raise ProblemError(
            422, f"there are {count:,} documents together, and may be {MAX_DOCUMENTS}: send fewer items at a time"
        )


async def _answered(
    request: Request,
    service: Context,
    question: str,
    asked: Rows,
    parse: Callable[[Row], T],
    answer: Callable[[list[T]], Sequence[Row | str]],
) -> Response:
    """Answer with the given rows, each with its answer or an error."""
    if len(asked.items) > MAX_ITEMS:
        raise ProblemError(413, f"there are {len(asked.items):,} items, and may be {MAX_ITEMS}")

    def parsed(row: Row) -> T:
        if any(isinstance(value, str) and len(value) > MAX_TEXT for value in row.values()):
            raise InputError(f"a text may have {MAX_TEXT:,} characters")
        return parse(row)

    def answered() -> Response:
        answers = answer_usable(asked.items, parsed, answer)
        rows = [
            {**row, **({"error": given} if isinstance(given, str) else given)}
            for row, given in zip(asked.items, answers, strict=True)
        ]
        return json_answer({"items": rows})

    return await service.model_pool.run(client_of(request), question, answered)
