"""Rows of the questions about headlines: reading a question from a row, and the fields that answer it.

The command line and the service read and write the same rows; docs/formats.md describes them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
