"""``whywire relate``: pairs of headlines in, the relation of each out."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from whywire.api.question_rows import answer_usable, headlines_of, relation_row
from whywire.api.relate import EVEN, check_prior
from whywire.api.relate import relate as relate_pairs
from whywire.cli.json_lines import Answers, Fields, answer_rows, read_rows
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, OUT, STRICT, characters
from whywire.cli.progress_bars import BarProgress
from whywire.language_models import LanguageModels


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("relate", epilog="Example: **whywire relate pairs.jsonl > related.jsonl**")(relate)


PRIOR = Annotated[
    float,
    typer.Option(help="The share of pairs of one event among the rows, which *same_event* starts from (0 to 1)."),
]


def relate(
    file: FILE, out: OUT = None, strict: STRICT = False, max_line: MAX_LINE = DEFAULT_MAX_LINE, prior: PRIOR = EVEN
) -> None:
    """Relate pairs of headlines: same event, cause, refutation, or another of the seven relations.

    A row has **left_title** and **right_title**, and may have *left_text* and *right_text*, of which the beginning is
    read, *left_published* and *right_published*. Adds *label*, *simple* (no_causality, left_right or right_left; a
    refutation counts as a cause there), *probabilities* by name, *causality* and *same_event* (probabilities),
    *strength*, and *against_clock* where the label says that the later of two reports led to the earlier. The answer
    for the pair the other way round is the mirror.
    """
    check_prior(prior)
    models = LanguageModels()
    with BarProgress() as progress:
        related = partial(relate_pairs, prior=prior, models=models, progress=progress)

        def answer(rows: list[Fields]) -> Answers:
            return answer_usable(rows, headlines_of, lambda pairs: list(map(relation_row, related(pairs))))

        answer_rows(read_rows(file, max_characters=characters(max_line)), answer, out, strict)
