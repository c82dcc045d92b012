"""``whywire predict``: adding to each headline what may follow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from whywire.answers.analogue_prediction import MAX_PREDICTIONS, MIN_PROBABILITY, Predictor
from whywire.answers.chat_writer import effects_by_chat
from whywire.answers.predictions import MIN_WRITTEN_PROBABILITY
from whywire.api.graphs import open_built
from whywire.api.news_input import to_article
from whywire.api.predict import Writer
from whywire.api.predict import predict as predict_effects
from whywire.api.question_rows import predictions_row
from whywire.cli.json_lines import BATCH, SLOW_BATCH, answer_file
from whywire.cli.options import FILE, OUT, STRICT
from whywire.errors import InputError
from whywire.graph.codec import Row
from whywire.language_models import LanguageModels
from whywire.models.chat import AnswerError, ChatEndpoint
from whywire.news import Article, Language

CANDIDATES_PER_PREDICTION = 4
"""Headlines that a language model writes for each wanted prediction, since most of them are dropped."""


class PredictionSource(StrEnum):
    """Values of the option ``--with``."""

    GRAPH = "graph"
    LM = "lm"
    CHAT = "chat"


def predict(
    file: FILE,
    graph: Annotated[
        str | None,
        typer.Option(help="For `graph`: a folder that `build` wrote, or a store, in which analogues are looked for."),
    ] = None,
    source: Annotated[
        PredictionSource, typer.Option("--with", help="Where predictions come from.")
    ] = PredictionSource.GRAPH,
    model: Annotated[
        str | None,
        typer.Option(
            help="For `lm`: a checkpoint trained to write effects, a folder or a name on the hub; for `chat`: the "
            "name of the model."
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, max=50, help="Maximum number of effects per headline.")
    ] = MAX_PREDICTIONS,
    floor: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help=f"The least probability of an effect; by default {MIN_PROBABILITY} for `graph` and "
            f"{MIN_WRITTEN_PROBABILITY} for the others.",
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="For `chat`: timeout, in seconds, waiting for the endpoint.")
    ] = 60.0,
    out: OUT = None,
    strict: STRICT = False,
) -> None:
    """Predict what may follow each headline.

    A row is an article: **title** and, if known, *id, published, language*. Adds *effects*, most probable first: what
    followed a similar event elsewhere (*after*, *text*), *probability*, *fits* (the probability by headline and text
    alone, without the past) and *because*. The list is empty if no other story tells what followed a similar event.

    **--with graph** looks for precedents in the past of a graph, and *because* names them: links between two events
    (*source*, *target*) of another *story* than the headline's, with their *articles*. Names, places and numbers are
    those of that story. A headline with a time is answered from what was known by then.

    **--with lm** has a causal language model write (extra **generate**), **--with chat** a chat model behind an
    endpoint that speaks OpenAI's protocol: WHYWIRE_CHAT_URL (`http://localhost:11434/v1`), WHYWIRE_CHAT_MODEL and,
    if the endpoint asks for one, WHYWIRE_CHAT_KEY. Titles are sent there. The pair model ranks what these models
    write.

    Example: whywire predict headlines.jsonl --graph graph > effects.jsonl
    """
    models = LanguageModels()
    past: Predictor | None = None
    write: Writer | None = None
    name, batch = None, SLOW_BATCH
    match source:
        case PredictionSource.GRAPH:
            if graph is None:
                raise InputError(
                    "there is no past to look into", hint="name a folder that `whywire build` wrote: --graph"
                )
            past, batch = Predictor(open_built(graph), models), BATCH
        case PredictionSource.CHAT:
            endpoint = replace(ChatEndpoint.from_environment(model), timeout=timeout)
            name, write = endpoint.model, partial(effects_by_chat, endpoint=endpoint, most=2 * most)
        case PredictionSource.LM:
            if model is None:
                raise InputError("no language model is named", hint="name a checkpoint that writes effects: --model")
            from whywire.answers.effect_writer import EffectWriter  # needs torch, which only this branch uses

            writer = EffectWriter.from_pretrained(model)
            name, write = model, partial(writer.write, count=CANDIDATES_PER_PREDICTION * most)

    def predicted(headline: Article) -> Row | str:
        if headline.language is Language.OTHER:
            return "its language is neither English nor Russian"
        try:
            (effects,) = predict_effects(
                [headline], past, write=write, most=most, min_probability=floor, models=models
            )
        except AnswerError as error:
            return error.message
        return predictions_row(effects, name)

    def answer(headlines: list[Article]) -> Sequence[Row | str]:
        return list(map(predicted, headlines))

    answer_file(file, to_article, answer, out, strict=strict, batch=batch)
