"""``read`` and ``relate``: rows in, the same rows with answers out, in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Any

import typer

from whywire.cli.progress import BarProgress
from whywire.cli.row_files import (
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
from whywire.exchange.jsonl import relation_to_row
from whywire.language_models import LanguageModels
from whywire.links.order import order_of
from whywire.news import Language, detect_language, read_row
from whywire.news.rows import read_published
from whywire.pairs.model import share_of
from whywire.pairs.relations import RELATIONS, Relation, as_three, column, decide_three, most_likely
from whywire.progress import Progress
from whywire.sentences.counterfactual.reading import with_contrapositives
from whywire.sentences.reading import CausalRelation, Reading
from whywire.sentences.signals import signal_of

WITH_CARE = 0.8
"""Share of the work on a pair that goes into its relation; the rest goes into strength."""

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
    """Add the commands to the program."""
    app.command("read", epilog="Example: **echo 'Fuel ran short after the fire.' | whywire read -**")(read)
    app.command("relate", epilog="Example: **whywire relate pairs.jsonl > related.jsonl**")(relate)


def read(
    file: FILE, out: OUT = None, strict: STRICT = False, n_best: N_BEST = 0, longest: LONGEST = LONGEST_MB
) -> None:
    """Read sentences: what each claims as cause and effect, what it denies, and what it only imagines.

    A line is a sentence, or a JSON object with **text**. Adds *causal*, *denial* and *counterfactual*
    (probabilities), *relations* (cause, effect and signals as [start, end] in the text, with the kind of the signal
    and the sense: cause, purpose, condition, negative condition) and *denials* (the same, of causes that the sentence
    denies), *antecedent* and *consequent* of a counterfactual, its grammatical *form* and its *contrapositive*: what
    it says of the world. The last two are for English and need the extra **grammar**.
    """
    models = LanguageModels()
    with output(out) as target, BarProgress() as progress:
        for chunk in chunks(rows(file, "text", characters(longest))):
            answer(chunk, partial(_readings, n_best=n_best, models=models, progress=progress), target, strict)


def relate(file: FILE, out: OUT = None, strict: STRICT = False, longest: LONGEST = LONGEST_MB) -> None:
    """Relate pairs of headlines: same event, cause, refutation, or another of the seven relations.

    A row has **left_title** and **right_title**, and may have *left_published* and *right_published*. Adds *label*,
    *simple* (no_causality, left_right or right_left; a refutation counts as a cause there), *probabilities* by name,
    *causality* and *same_event* (probabilities), *strength*, and *against_clock* where the label says that the later
    of two reports led to the earlier. The answer for the pair the other way round is the mirror.
    """
    models = LanguageModels()
    with output(out) as target, BarProgress() as progress:
        for chunk in chunks(rows(file, longest=characters(longest))):
            answer(chunk, partial(_relations, models=models, progress=progress), target, strict)


def _readings(rows: list[Fields], n_best: int, models: LanguageModels, progress: Progress) -> Answers:
    answers: Answers = ["there is no text" if "text" not in row else "text must be a string" for row in rows]
    by_language: dict[Language, list[int]] = {}
    for number, row in enumerate(rows):
        text = row.get("text")
        if isinstance(text, str) and text.strip():
            by_language.setdefault(model_language(text), []).append(number)
        elif isinstance(text, str):
            answers[number] = "the text is empty"
    for language, numbers in by_language.items():
        advance = progress.start(f"reading sentences ({language})", len(numbers))
        texts = [rows[number]["text"] for number in numbers]
        readings = models.sentences(language).read(texts, advance, n_best=n_best)
        if language is Language.ENGLISH:
            readings = with_contrapositives(texts, readings)
        for number, text, reading in zip(numbers, texts, readings, strict=True):
            answers[number] = _reading_row(text, reading, rivals=bool(n_best))
    return answers


def _reading_row(text: str, reading: Reading, *, rivals: bool) -> Fields:
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


def _relations(rows: list[Fields], models: LanguageModels, progress: Progress) -> Answers:
    answers: Answers = ["" for _ in rows]
    by_language: dict[Language, list[tuple[int, tuple[str, str]]]] = {}
    for number, row in enumerate(rows):
        try:
            pair = (_title(row, "left_title"), _title(row, "right_title"))
        except InputError as error:
            answers[number] = error.message
        else:
            by_language.setdefault(model_language(" ".join(sorted(pair))), []).append((number, pair))
    for language, numbered in by_language.items():
        advance = progress.start(f"relating headlines ({language})", len(numbered))
        model = models.headlines(language)
        pairs = [pair for _, pair in numbered]
        relations, table = model.ask_and_relate(pairs, share_of(advance, WITH_CARE))
        back = [(right, left) for left, right in pairs]
        judged = model.strengths(pairs + back, share_of(advance, (1 - WITH_CARE) / 2)).reshape(2, -1).T.tolist()
        same = model.same_event(relations, model.similarity(pairs)).tolist()
        for (number, _), probabilities, strengths, alike in zip(numbered, table, judged, same, strict=True):
            label = most_likely(probabilities)
            answers[number] = {
                "label": str(label),
                "simple": str(decide_three(as_three(probabilities))),
                "probabilities": {
                    str(relation): round_probability(probability)
                    for relation, probability in zip(RELATIONS, probabilities, strict=True)
                },
                "causality": round_probability(
                    probabilities[column(Relation.LEFT_RIGHT_CAUSE)]
                    + probabilities[column(Relation.RIGHT_LEFT_CAUSE)]
                ),
                "same_event": round_probability(alike),
                "strength": dict(zip(("left_right", "right_left"), map(round_strength, strengths), strict=True)),
            } | ({"against_clock": True} if _against_clock(label, rows[number]) else {})
    return answers


def _against_clock(label: Relation, row: Mapping[str, Any]) -> bool:
    """Whether the label's arrow runs from a report that is certainly later to an earlier one."""
    try:
        left, right = read_published(row, "left_published"), read_published(row, "right_published")
    except InputError:
        return False
    if label in (Relation.LEFT_RIGHT_CAUSE, Relation.LEFT_RIGHT_REFUTE):
        return order_of(left, right) is None
    if label in (Relation.RIGHT_LEFT_CAUSE, Relation.RIGHT_LEFT_REFUTE):
        return order_of(right, left) is None
    return False


def _title(row: Mapping[str, Any], name: str) -> str:
    try:
        return read_row({"title": row.get(name)})[0].title
    except InputError as error:
        raise InputError(error.message.replace("title", name, 1)) from error


def model_language(text: str) -> Language:
    """The language whose model should read this: Cyrillic goes to the Russian one, which has the letters."""
    if any("а" <= letter <= "я" for letter in text.lower()):
        return Language.RUSSIAN
    return detect_language(text) if text.isascii() is False else Language.ENGLISH
