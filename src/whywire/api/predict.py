"""``whywire.predict``: what may follow a headline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from whywire.answers.analogue_prediction import MAX_PREDICTIONS, MIN_PROBABILITY, Predictor
from whywire.answers.predictions import MIN_WRITTEN_PROBABILITY, Prediction, rank_candidates
from whywire.api.graphs import GraphInput, open_graph
from whywire.api.news_input import HeadlineInput, to_article
from whywire.errors import InputError
from whywire.language_models import LanguageModels
from whywire.news import Language

Writer: TypeAlias = Callable[[str], Sequence[str]]
"""Writes headlines that may follow a headline."""


def predict(
    headlines: Iterable[HeadlineInput],
    past: GraphInput | Predictor | None = None,
    *,
    write: Writer | None = None,
    most: int = MAX_PREDICTIONS,
    min_probability: float | None = None,
    models: LanguageModels | None = None,
) -> list[list[Prediction]]:
    """Predict what may follow each headline, from what followed similar events in other stories of a graph.

    >>> (predictions,) = whywire.predict(["Storm shuts port"], "graph")
    >>> [(prediction.after, prediction.text, prediction.probability) for prediction in predictions]

    Args:
        headlines: texts, articles or rows; for a headline with a time, only what was known by then is used. Stories
            that a headline belongs to, by its words and its time, predict nothing.
        past: where analogues are looked for: a graph, folders that ``build`` wrote, or news; or a ``Predictor``,
            which can be used for several calls.
        write: instead of a past, a function that writes candidates, which the pair model ranks.
        most: the most predictions for a headline.
        min_probability: the least probability (0 to 1): 0.3 by default.
        models: loaded models; the embedded ones by default.

    Returns:
        The predictions for each headline, most probable first; empty if no other story tells what followed a similar
        event, or if the headline is neither English nor Russian.

    Raises:
        InputError: not exactly one of past and writer is given, or a row is not an article.
    """
    if (past is None) == (write is None):
        raise InputError("give either a past to look into or a function that writes", hint="exactly one of them")
    models = models or LanguageModels()
    articles = list(map(to_article, headlines))
    if past is not None:
        predictor = past if isinstance(past, Predictor) else Predictor(open_graph(past, models=models), models)
        least = MIN_PROBABILITY if min_probability is None else min_probability
        return [predictor.predict(article, most=most, min_probability=least) for article in articles]
    assert write is not None  # noqa: S101
    least = MIN_WRITTEN_PROBABILITY if min_probability is None else min_probability
    return [
        []
        if article.language is Language.OTHER
        else rank_candidates(
            article.title, write(article.title), models.pairs(article.language), min_probability=least
        )[:most]
        for article in articles
    ]
