"""Predicts by analogy for headlines of either language, from the past of one graph."""

from __future__ import annotations

from whywire.answers.analogue_prediction import MAX_PREDICTIONS, MIN_PROBABILITY, AnaloguePredictor
from whywire.answers.analogues import analogues_of_graph
from whywire.answers.predictions import Prediction
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.news import Article, Language


class Predictor:
    """Predicts what may follow headlines from a graph's past; each language is prepared when first asked.

    Args:
        graph: its links and claims are the analogues.
        models: loaded models, to be used again; the embedded ones by default.
    """

    def __init__(self, graph: CausalGraph, models: LanguageModels | None = None) -> None:
        self._analogues = analogues_of_graph(graph)
        self._models = models or LanguageModels()
        self._predictors: dict[Language, AnaloguePredictor] = {}

    def predict(
        self, headline: Article, *, most: int = MAX_PREDICTIONS, min_probability: float = MIN_PROBABILITY
    ) -> list[Prediction]:
        """Predict what may follow a headline, most probable first; nothing where it is neither English nor Russian.

        Args:
            most: the most predictions returned.
            min_probability: predictions below it (0 to 1) are dropped.
        """
        language = headline.language
        if language is Language.OTHER:
            return []
        if language not in self._predictors:
            own = [one for one in self._analogues if one.language is language]
            self._predictors[language] = AnaloguePredictor(own, self._models.pairs(language))
        return self._predictors[language].predict(headline, most=most, min_probability=min_probability)
