"""``whywire read``: sentences in, what each claims, denies and imagines out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated

import typer

from whywire.api.read import read as read_sentences
from whywire.cli.json_lines import Answers, Fields, answer_rows, answer_usable, read_rows
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, OUT, STRICT, characters
from whywire.cli.progress_bars import BarProgress
from whywire.elements import round_probability
from whywire.errors import InputError
from whywire.exchange.jsonl import relation_to_row
from whywire.language_models import LanguageModels
from whywire.sentences.reading import CausalRelation, Reading
from whywire.sentences.signals import signal_of

N_BEST = Annotated[
    int,
    typer.Option(
        "--n-best",
        min=0,
        max=100,
        help="Add *n_best*: so many rival relations of each sentence, each with its probability.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("read", epilog="Example: **echo 'Fuel ran short after the fire.' | whywire read -**")(read)


def read(
    file: FILE, out: OUT = None, strict: STRICT = False, n_best: N_BEST = 0, max_line: MAX_LINE = DEFAULT_MAX_LINE
) -> None:
    """Read sentences: what each claims as cause and effect, what it denies, and what it only imagines.

    A line is a sentence, or a JSON object with **text**. Adds *causal*, *denial* and *counterfactual*
    (probabilities), *relations* (cause, effect and signals as [start, end] in the text, with the kind of the signal
    and the sense: cause, purpose, condition, negative condition) and *denials* (the same, of causes that the sentence
    denies), *antecedent* and *consequent* of a counterfactual, its grammatical *form* and its *contrapositive*: what
    it says of the world. The last two are for English and need the extra **grammar**.
    """
    models = LanguageModels()
    with BarProgress() as progress:

        def answer(rows: list[Fields]) -> Answers:
            return answer_usable(rows, _text, partial(_answer, n_best=n_best, models=models, progress=progress))

        answer_rows(read_rows(file, "text", characters(max_line)), answer, out, strict)


def _text(row: Fields) -> str:
    text = row.get("text")
    if not isinstance(text, str):
        raise InputError("text must be a string" if "text" in row else "there is no text")
    if not text.strip():
        raise InputError("the text is empty")
    return text


def _answer(texts: list[str], n_best: int, models: LanguageModels, progress: BarProgress) -> list[Fields]:
    readings = read_sentences(texts, n_best=n_best, models=models, progress=progress)
    return [_row(text, reading, rivals=bool(n_best)) for text, reading in zip(texts, readings, strict=True)]


def _row(text: str, reading: Reading, *, rivals: bool) -> Fields:
    def listed(relations: Iterable[CausalRelation]) -> list[Fields]:
        return [_relation_row(text, relation) for relation in relations]

    return {
        "causal": round_probability(reading.causal),
        "relations": listed(reading.relations),
        "denial": round_probability(reading.denial),
        "denials": listed(reading.denials),
        "counterfactual": round_probability(reading.counterfactual),
        "antecedent": reading.antecedent and list(reading.antecedent),
        "consequent": reading.consequent and list(reading.consequent),
        "form": reading.form and reading.form.value,
        "contrapositive": reading.contrapositive,
    } | ({"n_best": listed(reading.n_best)} if rivals else {})


def _relation_row(text: str, relation: CausalRelation) -> Fields:
    signal = signal_of(text, relation)
    row = relation_to_row(relation)
    return row | {
        "probability": round_probability(row["probability"]),
        "signal": signal.kind.value,
        "sense": signal.sense.value,
    }
