"""Rows of the questions that need no graph: reading a question from a row, and the fields that answer it.

The command line and the service read and write the same rows; docs/formats.md describes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from whywire.answers.predictions import AnalogueMatch, Prediction
from whywire.api.news_input import to_article
from whywire.api.relate import PairRelation
from whywire.api.score import ChosenCauses, Score
from whywire.elements import round_probability, round_strength
from whywire.errors import InputError
from whywire.graph.codec import Row, article_row, time_text
from whywire.links.judges.choosing import CAUSAL_THRESHOLD
from whywire.links.judges.judge import NoScore
from whywire.news import Article
from whywire.pairs.relations import RELATIONS
from whywire.pipeline import Groups
from whywire.sentences.reading import CausalRelation, Reading
from whywire.sentences.relation_rows import relation_to_row
from whywire.sentences.signals import signal_of

T = TypeVar("T")
R = TypeVar("R")


def answer_usable(
    rows: Sequence[Row], parse: Callable[[Row], T], answer: Callable[[list[T]], Sequence[R]]
) -> list[R | str]:
    """Return the answers to rows, in their order; for a row that cannot be used, the reason.

    Args:
        parse: reads the question in a row; raises ``InputError`` if the row cannot be used.
        answer: returns the answers to questions, in their order.
    """
    usable: dict[int, T] = {}
    answers: dict[int, R | str] = {}
    for number, row in enumerate(rows):
        try:
            usable[number] = parse(row)
        except InputError as error:
            answers[number] = error.message
    answers |= zip(usable, answer(list(usable.values())), strict=True)
    return [answers[number] for number in range(len(rows))]


def sentence_of(row: Row) -> str:
    """The sentence in a row of ``read``.

    Raises:
        InputError: there is no text.
    """
    text = row.get("text")
    if not isinstance(text, str):
        raise InputError("text must be a string" if "text" in row else "there is no text")
    if not text.strip():
        raise InputError("the text is empty")
    return text


def reading_row(text: str, reading: Reading, *, rivals: bool = False) -> Row:
    """Return the fields that ``read`` adds; with ``n_best`` if rivals were asked for."""

    def listed(relations: Iterable[CausalRelation]) -> list[Row]:
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


def _relation_row(text: str, relation: CausalRelation) -> Row:
    signal = signal_of(text, relation)
    row = relation_to_row(relation)
    return row | {
        "probability": round_probability(row["probability"]),
        "signal": signal.kind.value,
        "sense": signal.sense.value,
    }


def headlines_of(row: Row) -> tuple[Article, Article]:
    """The left and the right headline in a row of ``relate``.

    Raises:
        InputError: a headline is missing, or cannot be used.
    """
    return _headline(row, "left"), _headline(row, "right")


def _headline(row: Row, side: str) -> Article:
    fields = {name: row.get(f"{side}_{name}") for name in ("title", "text", "published", "published_from")}
    try:
        return to_article(fields)
    except InputError as error:
        raise InputError(re.sub("title|published", rf"{side}_\g<0>", error.message, count=1)) from error


def relation_row(relation: PairRelation) -> Row:
    """Return the fields that ``relate`` adds."""
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


def score_row(score: Score | NoScore, threshold: float = CAUSAL_THRESHOLD) -> Row | str:
    """Return the fields that ``score`` adds, or why there is no score."""
    if isinstance(score, NoScore):
        return score.reason
    return {
        "strength": round_strength(score.strength),
        "class": str(score.strength_class),
        "causal": score.is_causal(threshold),
    }


def choice_row(choice: ChosenCauses | NoScore) -> Row | str:
    """Return the fields that ``choose`` adds, or why nothing was chosen."""
    if isinstance(choice, NoScore):
        return choice.reason
    return {"strengths": list(map(round_strength, choice.strengths)), "answer": list(choice.direct_causes)}


def group_rows(groups: Groups) -> list[Row]:
    """Return the fields that ``group`` adds to each row."""
    return [{"event": event, "story": story} for event, story in zip(groups.events, groups.stories, strict=True)]


def predictions_row(predictions: Sequence[Prediction], model: str | None = None) -> Row:
    """Return the fields that ``predict`` adds.

    Args:
        model: the name of the model that wrote the predictions; ``None`` if they rest on analogues.
    """
    return {
        "effects": [
            {
                "after": effect.after,
                "text": effect.text,
                "probability": round_probability(effect.probability),
                "fits": round_probability(effect.fits),
                "because": [{"kind": "model", "model": model}] if model else list(map(_analogue_row, effect.because)),
            }
            for effect in predictions
        ]
    }


def _analogue_row(match: AnalogueMatch) -> Row:
    analogue = match.analogue
    return {
        "kind": "link",
        "source": analogue.cause.id,
        "target": analogue.effect.id,
        "source_title": analogue.cause.title,
        "target_title": analogue.effect.title,
        "published": time_text(analogue.known_since),
        "story": analogue.story,
        "story_title": analogue.story_title,
        "articles": [article_row(article, text=False) for article in analogue.articles],
        "strength": round_strength(analogue.link.strength),
        "likeness": round_probability(match.similarity),
        "probability": round_probability(analogue.link.probability),
    }
