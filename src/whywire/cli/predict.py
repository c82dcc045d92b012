"""``whywire predict``: headlines in, the same rows with what may follow each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from whywire.answers.analogues import FLOOR, MOST, Analogues
from whywire.answers.endpoint import effects_by_chat
from whywire.answers.past import Linked, past_of_graph
from whywire.answers.predictions import PLAUSIBLE, Likened, Prediction, ranked
from whywire.cli.row_files import (
    CHUNK,
    FILE,
    LONGEST,
    LONGEST_MB,
    OUT,
    STRICT,
    Answers,
    Fields,
    answer,
    characters,
    chunks,
    output,
    rows,
)
from whywire.elements import round_probability, round_strength
from whywire.errors import InputError
from whywire.graph.build_folder import is_build_folder
from whywire.graph.read_build import read_graph
from whywire.language_models import LanguageModels
from whywire.models.chat import AnswerError, ChatEndpoint
from whywire.news import Article, Language, read_row
from whywire.pairs.model import HeadlineModel

TOGETHER = 16
"""Headlines answered at a time where each takes seconds."""

DRAWN = 4
"""So many headlines are written for each that is wanted, since most of them fall out."""


class Oracle(StrEnum):
    """Who says what may follow."""

    GRAPH = "graph"
    LM = "lm"
    CHAT = "chat"


Predict = Callable[[list[Article], HeadlineModel], Answers]
"""The effects of headlines in one language, or why there are none, by the model of that language's headlines."""

Write = Callable[[str], list[str]]
"""Headlines that somebody makes up to follow one."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("predict", epilog="Example: **whywire predict headlines.jsonl --graph graph > effects.jsonl**")(
        predict
    )


def predict(
    file: FILE,
    graph: Annotated[
        Path | None, typer.Option(help="A folder that `build` wrote: the past that `--with graph` looks into.")
    ] = None,
    oracle: Annotated[Oracle, typer.Option("--with", help="Who says what may follow.")] = Oracle.GRAPH,
    model: Annotated[
        str | None,
        typer.Option(
            help="For `lm` a checkpoint that has learned effects, a folder or on the hub; for `chat` a name."
        ),
    ] = None,
    most: Annotated[int, typer.Option(min=1, max=50, help="The most effects of a headline.")] = MOST,
    floor: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help=f"The least probability: {FLOOR} for `graph`, {PLAUSIBLE} for the others if not given."
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="For `chat`: seconds that the endpoint may be silent.")
    ] = 60.0,
    out: OUT = None,
    strict: STRICT = False,
    longest: LONGEST = LONGEST_MB,
) -> None:
    """Predict what may follow each headline.

    A row is an article: **title** and, where known, *id, published, language*. Adds *effects*, most probable first:
    *text*, *probability*, *fits* (how probable by headline and text alone, whatever the past says) and *because*. The
    list is empty where nobody knows of anything.

    **--with graph** looks for analogues in a graph's past, and *because* names them: links between two events
    (*source*, *target*) or claims of an article (*cause* and *effect* are offsets into it), each with its
    *similarity* to the headline and its own *probability*. A headline with a time is answered from what was known by
    then.

    **--with lm** has a causal language model write (needs the extra **train**), **--with chat** a chat model behind
    an endpoint that speaks OpenAI's protocol: WHYWIRE_CHAT_URL (`http://localhost:11434/v1`), WHYWIRE_CHAT_MODEL and,
    where it is needed, WHYWIRE_CHAT_KEY; titles are sent there. The model of headline pairs ranks what they write.
    """
    if oracle is Oracle.GRAPH:
        size, foretell = CHUNK, _by_analogues(graph, most, FLOOR if floor is None else floor)
    else:
        name, write = _chat_model(model, most, timeout) if oracle is Oracle.CHAT else _language_model(model, most)
        size, foretell = TOGETHER, _by_writer(name, write, most, PLAUSIBLE if floor is None else floor)
    models = LanguageModels()
    with output(out) as target:
        for chunk in chunks(rows(file, longest=characters(longest)), size):
            answer(chunk, partial(_effects, foretell=foretell, models=models), target, strict)
            target.flush()


def _by_analogues(graph: Path | None, most: int, floor: float) -> Predict:
    if graph is None:
        raise InputError("there is no past to look into", hint="name a folder that `whywire build` wrote: --graph")
    if not is_build_folder(graph):
        raise InputError("not a folder that `whywire build` wrote", where=str(graph))
    past = past_of_graph(read_graph(graph))
    ready: dict[Language, Analogues] = {}

    def foretell(headlines: list[Article], model: HeadlineModel) -> Answers:
        language = headlines[0].language
        if language not in ready:
            ready[language] = Analogues([one for one in past if one.language is language], model)
        found = (ready[language].predict(headline, most=most, floor=floor) for headline in headlines)
        return [_row(predictions, lambda one: list(map(_because, one.because))) for predictions in found]

    return foretell


def _by_writer(name: str, write: Write, most: int, floor: float) -> Predict:
    def foretell(headlines: list[Article], model: HeadlineModel) -> Answers:
        return [_one(headline, model) for headline in headlines]

    def _one(headline: Article, model: HeadlineModel) -> Fields | str:
        try:
            found = ranked(headline.title, write(headline.title), model, floor=floor)[:most]
        except AnswerError as error:
            return error.message
        return _row(found, lambda _: [{"kind": "model", "model": name}])

    return foretell


def _chat_model(model: str | None, most: int, timeout: float) -> tuple[str, Write]:
    endpoint = replace(ChatEndpoint.from_environment(model), timeout=timeout)
    return endpoint.model, partial(effects_by_chat, endpoint=endpoint, most=2 * most)


def _language_model(model: str | None, most: int) -> tuple[str, Write]:
    if model is None:
        raise InputError("no language model is named", hint="name a checkpoint that has learned effects: --model")
    from whywire.answers.effect_writer import EffectWriter  # torch is not installed where nobody generates

    return model, partial(EffectWriter.from_pretrained(model).write, count=DRAWN * most)


def _effects(found: list[Fields], foretell: Predict, models: LanguageModels) -> Answers:
    answers: Answers = ["its language is neither English nor Russian" for _ in found]
    by_language: dict[Language, dict[int, Article]] = {Language.ENGLISH: {}, Language.RUSSIAN: {}}
    for number, row in enumerate(found):
        try:
            article = read_row(row)[0]
        except InputError as error:
            answers[number] = error.message
            continue
        if article.language in by_language:
            by_language[article.language][number] = article
    for language, articles in by_language.items():
        if articles:
            effects = foretell(list(articles.values()), models.headlines(language))
            for number, effect in zip(articles, effects, strict=True):
                answers[number] = effect
    return answers


def _row(predictions: Sequence[Prediction], because: Callable[[Prediction], list[Fields]]) -> Fields:
    return {
        "effects": [
            {
                "text": one.text,
                "probability": round_probability(one.probability),
                "fits": round_probability(one.fits),
                "because": because(one),
            }
            for one in predictions
        ]
    }


def _because(likened: Likened) -> dict[str, Any]:
    analogue, origin = likened.analogue, likened.analogue.origin
    probabilities = {
        "likeness": round_probability(likened.similarity),
        "probability": round_probability(analogue.probability),
    }
    if isinstance(origin, Linked):
        return {
            "kind": "link",
            "source": origin.source.id,
            "target": origin.target.id,
            "source_title": origin.source.title,
            "target_title": origin.target.title,
            "strength": round_strength(origin.link.strength),
            **probabilities,
        }
    claim, article = origin.claim, origin.article
    return {
        "kind": "claim",
        "claim": claim.id,
        "event": claim.event,
        "article": article.id,
        "title": article.title,
        "url": article.url,
        "field": claim.field,
        "sentence": list(claim.sentence),
        "quote": claim.quote,
        "cause": list(claim.cause or ()),
        "effect": list(claim.effect or ()),
        **probabilities,
    }
