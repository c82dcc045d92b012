"""Predictions for headlines of either language from one graph's past."""

from __future__ import annotations

from whywire.answers.analogues import FLOOR, MOST, Analogues
from whywire.answers.past import past_of_graph
from whywire.answers.predictions import Prediction
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.news import Article, Language


class Predictor:
    """Predicts what may follow headlines, by analogues in a graph; each language is made ready when first asked.

    Args:
        graph: the past.
        models: the models of either language; the embedded ones if not given.
    """

    def __init__(self, graph: CausalGraph, models: LanguageModels | None = None) -> None:
        self._past = past_of_graph(graph)
        self._models = models or LanguageModels()
        self._ready: dict[Language, Analogues] = {}

    def predict(self, headline: Article, *, most: int = MOST, floor: float = FLOOR) -> list[Prediction]:
        """What may follow a headline, most probable first; nothing where it is in neither language.

        Args:
            most: so many predictions at most.
            floor: predictions less probable (0 to 1) fall out.
        """
        language = headline.language
        if language is Language.OTHER:
            return []
        if language not in self._ready:
            past = [one for one in self._past if one.language is language]
            self._ready[language] = Analogues(past, self._models.headlines(language))
        return self._ready[language].predict(headline, most=most, floor=floor)
