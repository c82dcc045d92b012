"""``whywire read``: sentences in, what each claims, denies and imagines out."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from whywire.api.question_rows import answer_usable, reading_row, sentence_of
from whywire.api.read import read as read_sentences
from whywire.cli.json_lines import Answers, Fields, answer_rows, read_rows
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, OUT, STRICT, characters
from whywire.cli.progress_bars import BarProgress
from whywire.language_models import LanguageModels

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
    and the sense: cause, purpose, condition, negative condition, prevention, possibility, correlation) and *denials*
    (the same, of causes that the sentence denies), *antecedent* and *consequent* of a counterfactual, its grammatical
    *form* and its *contrapositive*: what it says of the world. The last two are for English and need the extra
    **grammar**.
    """
    models = LanguageModels()
    with BarProgress() as progress:

        def answer(rows: list[Fields]) -> Answers:
            return answer_usable(rows, sentence_of, partial(_answer, n_best=n_best, models=models, progress=progress))

        answer_rows(read_rows(file, "text", characters(max_line)), answer, out, strict)


def _answer(texts: list[str], n_best: int, models: LanguageModels, progress: BarProgress) -> list[Fields]:
    readings = read_sentences(texts, n_best=n_best, models=models, progress=progress)
    return [reading_row(text, reading, rivals=bool(n_best)) for text, reading in zip(texts, readings, strict=True)]
