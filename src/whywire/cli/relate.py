"""``whywire relate``: pairs of headlines in, the relation of each out."""

from __future__ import annotations

from functools import partial

import typer

from whywire.api.news_input import to_article
from whywire.api.relate import PairRelation
from whywire.api.relate import relate as relate_pairs
from whywire.cli.json_lines import Answers, Fields, answer_rows, answer_usable, read_rows
from whywire.cli.options import DEFAULT_MAX_LINE, FILE, MAX_LINE, OUT, STRICT, characters
from whywire.cli.progress_bars import BarProgress
from whywire.elements import round_probability, round_strength
from whywire.errors import InputError
from whywire.language_models import LanguageModels
from whywire.news import Article
from whywire.pairs.relations import RELATIONS


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("relate", epilog="Example: **whywire relate pairs.jsonl > related.jsonl**")(relate)


def relate(file: FILE, out: OUT = None, strict: STRICT = False, max_line: MAX_LINE = DEFAULT_MAX_LINE) -> None:
    """Relate pairs of headlines: same event, cause, refutation, or another of the seven relations.

    A row has **left_title** and **right_title**, and may have *left_published* and *right_published*. Adds *label*,
    *simple* (no_causality, left_right or right_left; a refutation counts as a cause there), *probabilities* by name,
    *causality* and *same_event* (probabilities), *strength*, and *against_clock* where the label says that the later
    of two reports led to the earlier. The answer for the pair the other way round is the mirror.
    """
    models = LanguageModels()
    with BarProgress() as progress:
        related = partial(relate_pairs, models=models, progress=progress)

        def answer(rows: list[Fields]) -> Answers:
            return answer_usable(rows, _pair, lambda pairs: list(map(_row, related(pairs))))

        answer_rows(read_rows(file, max_characters=characters(max_line)), answer, out, strict)


def _pair(row: Fields) -> tuple[Article, Article]:
    return _headline(row, "left"), _headline(row, "right")


def _headline(row: Fields, side: str) -> Article:
    fields = {name: row.get(f"{side}_{name}") for name in ("title", "published", "published_from")}
    try:
        return to_article(fields)
    except InputError as error:
        raise InputError(error.message.replace("title", f"{side}_title", 1)) from error


def _row(relation: PairRelation) -> Fields:
    return {
        "label": str(relation.label),
        "simple": str(relation.simple),
        "probabilities": {
            str(name): round_probability(probability)
            for name, probability in zip(RELATIONS, relation.probabilities, strict=True)
        },
        "causality": round_probability(relation.causality),
        "same_event": round_probability(relation.same_event),
        "strength": dict(zip(("left_right", "right_left"), map(round_strength, relation.strengths), strict=True)),
    } | ({"against_clock": True} if relation.against_clock else {})
