"""``whywire read``: adding to each row what its sentence claims, denies and imagines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from whywire.api.read import read as read_sentences
from whywire.api.reading_rows import reading_row, sentence_of
from whywire.cli.json_lines import answer_file
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, OUT, STRICT, characters
from whywire.cli.terminal import BarProgress
from whywire.language_models import LanguageModels

if TYPE_CHECKING:
    from whywire.graph.codec import Row


def read(
    file: FILE,
    out: OUT = None,
    strict: STRICT = False,
    n_best: Annotated[
        int,
        typer.Option(
            "--n-best", min=0, max=100, help="Add *n_best*: this many rival relations, each with its probability."
        ),
    ] = 0,
    max_line: MAX_LINE = DEFAULT_MAX_LINE,
) -> None:
    """Read sentences: what each claims as cause and effect, what it denies, and what it only imagines.

    A line is a sentence, or a JSON object with **text**. Adds *causal*, *denial* and *counterfactual*
    (probabilities), *relations* (cause, effect and signals as [start, end] in the text, with the kind of the signal
    and the sense: cause, purpose, condition, negative condition, prevention, possibility, correlation, concession)
    and *denials* (the same, for causes that the sentence denies), *antecedent* and *consequent* of a counterfactual,
    its grammatical *form* and its *contrapositive*: the fact that it implies. The last two are for English and need
    the extra **grammar**.

    Example: echo 'Fuel ran short after the fire.' | whywire read -
    """
    models = LanguageModels()
    with BarProgress() as progress:

        def answer(texts: list[str]) -> list[Row]:
            readings = read_sentences(texts, n_best=n_best, models=models, progress=progress)
            return [
                reading_row(text, reading, rivals=bool(n_best)) for text, reading in zip(texts, readings, strict=True)
            ]

        answer_file(file, sentence_of, answer, out, strict=strict, plain="text", longest_line=characters(max_line))
