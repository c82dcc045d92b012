"""``whywire predict``: headlines in, the same rows with what may follow each out."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from whywire.answers.analogue_prediction import MAX_PREDICTIONS, MIN_PROBABILITY
from whywire.answers.chat_writer import effects_by_chat
from whywire.answers.predictions import MIN_WRITTEN_PROBABILITY
from whywire.answers.predictor import Predictor
from whywire.api.graphs import open_built
from whywire.api.news_input import to_article
from whywire.api.predict import Writer
from whywire.api.predict import predict as predict_effects
from whywire.api.question_rows import answer_usable, predictions_row
from whywire.cli.json_lines import BATCH, SLOW_BATCH, Answers, Fields, answer_rows, read_rows
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, OUT, STRICT, characters
from whywire.errors import InputError
from whywire.language_models import LanguageModels
from whywire.models.chat import AnswerError, ChatEndpoint
from whywire.news import Article, Language

CANDIDATES_PER_PREDICTION = 4
"""Headlines that a language model writes for each prediction wanted, since most of them are dropped."""


class PredictionSource(StrEnum):
    """Values of the option ``--with``."""

    GRAPH = "graph"
    LM = "lm"
    CHAT = "chat"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("predict", epilog="Example: **whywire predict headlines.jsonl --graph graph > effects.jsonl**")(
        predict
    )


def predict(
    file: FILE,
    graph: Annotated[
        str | None,
        typer.Option(help="A folder that `build` wrote, or a store: the past that `--with graph` looks into."),
    ] = None,
    source: Annotated[PredictionSource, typer.Option("--with", help="What predicts.")] = PredictionSource.GRAPH,
    model: Annotated[
        str | None,
        typer.Option(
            help="For `lm` a checkpoint that was trained to write effects, a folder or on the hub; for `chat` a name."
        ),
    ] = None,
    most: Annotated[int, typer.Option(min=1, max=50, help="The most effects of a headline.")] = MAX_PREDICTIONS,
    floor: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help=f"The least probability: {MIN_PROBABILITY} for `graph`, {MIN_WRITTEN_PROBABILITY} for the others if "
            "not given.",
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="For `chat`: seconds that the endpoint may be silent.")
    ] = 60.0,
    out: OUT = None,
    strict: STRICT = False,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
) -> None:
    """Predict what may follow each headline.

    A row is an article: **title** and, where known, *id, published, language*. Adds *effects*, most probable first:
    *text*, *probability*, *fits* (how probable by headline and text alone, whatever the past says) and *because*. The
    list is empty where nothing similar is known.

    **--with graph** looks for analogues in a graph's past, and *because* names them: links between two events
    (*source*, *target*) or claims of an article (*cause* and *effect* are offsets into it), each with its
    *likeness* to the headline and its own *probability*. A headline with a time is answered from what was known by
    then.

    **--with lm** has a causal language model write (needs the extra **generate**), **--with chat** a chat model
    behind an endpoint that speaks OpenAI's protocol: WHYWIRE_CHAT_URL (`http://localhost:11434/v1`),
    WHYWIRE_CHAT_MODEL and, where it is needed, WHYWIRE_CHAT_KEY; titles are sent there. The model of headline pairs
    ranks what they write.
    """
    models = LanguageModels()
    if source is PredictionSource.GRAPH:
        past = _past(graph, models)
        name, batch = None, BATCH
        ask = partial(predict_effects, past=past, most=most, min_probability=floor, models=models)
    else:
        by_chat = source is PredictionSource.CHAT
        name, write = _chat_writer(model, most, timeout) if by_chat else _lm_writer(model, most)
        batch = SLOW_BATCH
        ask = partial(predict_effects, write=write, most=most, min_probability=floor, models=models)

    def effects(headline: Article) -> Fields | str:
        if headline.language is Language.OTHER:
            return "its language is neither English nor Russian"
        try:
            return predictions_row(ask([headline])[0], name)
        except AnswerError as error:
            return error.message

    def answer(rows: list[Fields]) -> Answers:
        return answer_usable(rows, to_article, lambda headlines: list(map(effects, headlines)))

    answer_rows(read_rows(file, max_characters=characters(max_line)), answer, out, strict, batch=batch)


def _past(graph: str | None, models: LanguageModels) -> Predictor:
    if graph is None:
        raise InputError("there is no past to look into", hint="name a folder that `whywire build` wrote: --graph")
    return Predictor(open_built(graph), models)


def _chat_writer(model: str | None, most: int, timeout: float) -> tuple[str, Writer]:
    endpoint = replace(ChatEndpoint.from_environment(model), timeout=timeout)
    return endpoint.model, partial(effects_by_chat, endpoint=endpoint, most=2 * most)


def _lm_writer(model: str | None, most: int) -> tuple[str, Writer]:
    if model is None:
        raise InputError("no language model is named", hint="name a checkpoint that writes effects: --model")
    from whywire.answers.effect_writer import EffectWriter  # torch is not installed where nobody generates

    write = partial(EffectWriter.from_pretrained(model).write, count=CANDIDATES_PER_PREDICTION * most)
    return model, write
