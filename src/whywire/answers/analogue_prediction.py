"""Prediction by analogy: what followed past events may follow a headline like them (Radinsky et al. 2012).

The nearest analogues are found by the embeddings of their causes. The probability that an analogue's effect follows
comes from a logistic regression over four features: the similarity of headline and cause by embedding and by shared
terms, and the pair model's probabilities that headline and effect are cause and effect, and that they are one event.
Several independent analogues of one effect raise its probability. Without similar analogues nothing is predicted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from math import log

import numpy as np
from numpy.typing import NDArray

from whywire.answers.analogues import Analogue, analogues_of_graph
from whywire.answers.predictions import (
    LEADS_TO,
    AnalogueMatch,
    Prediction,
    RelatingModel,
    adds_terms,
    clusters_by_meaning,
)
from whywire.answers.search import MAX_PROBABILITY
from whywire.answers.similarity import SAME_MEANING, distinctive_terms
from whywire.answers.sourced_claims import SourcedClaim
from whywire.events.opposites import are_opposite
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.links.order import order_of_reports
from whywire.links.strength import combine_probabilities
from whywire.models.odds import log_odds, probabilities_of
from whywire.news import Article, Language
from whywire.pairs.relations import Relation, column

SIMILARITY_WEIGHT, CAUSE_WEIGHT, SAME_EVENT_WEIGHT, TERMS_WEIGHT, INTERCEPT = 0.803, 0.491, -0.211, 0.672, 0.521
"""Weights of the four features; features that are probabilities enter as log-odds.

The relative weights were fitted on 467 predictions judged one by one, for 42 invented headlines and 80 of the English
stream's first day; their scale and the intercept on 88 predictions from a whole build. The first weight and the
intercept were then carried over from other vectors (:mod:`whywire.answers.similarity`). The claim's probability, the
effect's length and the outlet added little.
"""

MIN_SIMILARITY = 0.02
"""The least probability that a headline and an analogue's cause report the same event.

It is low, since an analogue is a different event of the same kind. It keeps as many analogues as the threshold for
the earlier vectors with which predictions were judged; of the predictions below that threshold one in fifty made
sense.
"""

GENERIC_SHARE, GENERIC_COUNT = 0.01, 20
"""A cause that matches more than 1% of all causes, and more than 20, is too generic to predict from.

Of 35 judged predictions from such causes (such as a pandemic) none made sense.
"""

SAMPLE_SIZE = 1000
"""Causes, sampled evenly, that estimate how generic a cause is."""

MIN_PROBABILITY = 0.3
"""The least probability of a prediction. One in two of the new predictions that reached it made sense."""

MAX_PREDICTIONS = 5
"""The most predictions of a headline."""

MAX_RELATED = 16
"""The pair model relates this many of the nearest analogues to a headline."""

_SAME_EVENT = column(Relation.SAME_EVENT)


class Predictor:
    """Predicts what may follow headlines, in either language, from the past of a graph.

    The analogues of a language are embedded when the first headline in it comes.

    Args:
        graph: its links and claims are the analogues.
        models: loaded models; the embedded ones by default.
    """

    def __init__(self, graph: CausalGraph, models: LanguageModels | None = None) -> None:
        self._analogues = analogues_of_graph(graph)
        self._models = models or LanguageModels()
        self._predictors: dict[Language, AnaloguePredictor] = {}

    def predict(
        self, headline: Article, *, most: int = MAX_PREDICTIONS, min_probability: float = MIN_PROBABILITY
    ) -> list[Prediction]:
        """Predict what may follow a headline, most probable first; nothing if it is neither English nor Russian.

        Args:
            most: the most predictions returned.
            min_probability: predictions below it (0 to 1) are dropped.
        """
        language = headline.language
        if language is Language.OTHER:
            return []
        if language not in self._predictors:
            analogues = [analogue for analogue in self._analogues if analogue.language is language]
            self._predictors[language] = AnaloguePredictor(analogues, self._models.pairs(language))
        return self._predictors[language].predict(headline, most=most, min_probability=min_probability)


class AnaloguePredictor:
    """Predicts from analogues in one language; their causes are embedded once and kept in memory.

    Args:
        analogues: in one language.
        model: the pair model of that language.
    """

    def __init__(self, analogues: Sequence[Analogue], model: RelatingModel) -> None:
        self._model = model
        distinct = dict.fromkeys(analogue.cause for analogue in analogues)
        causes = {cause: number for number, cause in enumerate(distinct)}
        vectors = model.embed(list(causes))[[causes[analogue.cause] for analogue in analogues]]
        specific = np.flatnonzero(~_generic(vectors, model.cosine_for(SAME_MEANING))).tolist()
        self._vectors = vectors[specific]
        self._analogues = [analogues[index] for index in specific]
        self._with_term: defaultdict[str, list[int]] = defaultdict(list)
        for index, analogue in enumerate(self._analogues):
            for term in distinctive_terms(analogue.cause):
                self._with_term[term].append(index)

    def predict(
        self, headline: Article, *, most: int = MAX_PREDICTIONS, min_probability: float = MIN_PROBABILITY
    ) -> list[Prediction]:
        """Predict what may follow a headline, most probable first; nothing if no analogue is similar.

        Args:
            headline: its title, time and id are used; if it has a time, only analogues known by then are used.
            most: the most predictions returned.
            min_probability: predictions below it (0 to 1) are dropped.
        """
        title = headline.title
        similarity, scores = self._similarity(title)
        best_first = sorted(np.flatnonzero(similarity >= MIN_SIMILARITY).tolist(), key=lambda index: -scores[index])
        usable = (index for index in best_first if _is_usable(self._analogues[index], headline))
        near = list(islice(usable, MAX_RELATED))
        pairs = [(title, self._analogues[index].effect) for index in near]
        relations = self._model.title_probabilities(pairs)
        related = log_odds(relations[:, [LEADS_TO, _SAME_EVENT]]) @ np.array([CAUSE_WEIGHT, SAME_EVENT_WEIGHT])
        probabilities = probabilities_of(scores[near] + related + INTERCEPT).tolist()
        fits = self._model.relate(pairs)[:, LEADS_TO].tolist()
        matches = [
            AnalogueMatch(self._analogues[index], float(similarity[index]), probability, fit)
            for index, probability, fit in zip(near, probabilities, fits, strict=True)
            if probability >= min_probability / 2
        ]
        return _predictions(title, matches, self._model, min_probability)[:most]

    def _similarity(self, title: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The probability (analogues,) that each cause and a title report one event, and its part of the log-odds."""
        probabilities = self._model.same_event_by_cosine(self._vectors @ self._model.embed([title])[0])
        shared = np.zeros(len(self._analogues))
        total = 0.0
        for term in distinctive_terms(title):
            indices = self._with_term.get(term, [])
            weight = log(1 + len(self._analogues) / (1 + len(indices)))
            shared[indices] += weight
            total += weight
        return probabilities, SIMILARITY_WEIGHT * log_odds(probabilities) + TERMS_WEIGHT * shared / (total or 1.0)


def _generic(causes: NDArray[np.float32], same: float) -> NDArray[np.bool_]:
    """A mask (causes,) of the causes that are too generic to predict from.

    Args:
        causes: their vectors, (causes, size).
        same: the cosine from which two causes are the same.
    """
    sample = causes[:: max(1, len(causes) // SAMPLE_SIZE)]
    shares = (causes @ sample.T >= same).mean(axis=1) if len(causes) else np.zeros(0)
    result: NDArray[np.bool_] = shares > max(GENERIC_SHARE, GENERIC_COUNT / max(1, len(causes)))
    return result


def _is_usable(analogue: Analogue, headline: Article) -> bool:
    """Whether an analogue adds something to a headline, is not its opposite, and was known in time for it."""
    if not adds_terms(analogue.effect, headline.title) or are_opposite(analogue.cause, headline.title):
        return False
    is_same_article = isinstance(analogue.origin, SourcedClaim) and analogue.origin.article.id == headline.id
    return not is_same_article and order_of_reports(analogue.known_since, headline.published) is not None


def _predictions(
    title: str, matches: Sequence[AnalogueMatch], model: RelatingModel, min_probability: float
) -> list[Prediction]:
    """The predictions of matched analogues, most probable first; effects of the same meaning are one prediction."""
    matches = sorted(matches, key=lambda match: (-match.probability, match.analogue.effect))
    effects = [match.analogue.effect for match in matches]
    vectors = model.embed([title, *effects])
    repeats = model.same_event_by_cosine(vectors[1:] @ vectors[0]) >= SAME_MEANING
    kept = np.flatnonzero(~repeats).tolist()
    predictions = []
    for cluster in clusters_by_meaning([effects[index] for index in kept], vectors[1:][kept], model):
        basis = _independent([matches[kept[index]] for index in cluster])
        best, *rest = (match.probability for match in basis)
        probability = min(MAX_PROBABILITY, combine_probabilities(best, rest))
        if probability >= min_probability:
            predictions.append(Prediction(basis[0].analogue.effect, probability, basis[0].fits, basis))
    return sorted(predictions, key=lambda prediction: -prediction.probability)


def _independent(matches: Sequence[AnalogueMatch]) -> tuple[AnalogueMatch, ...]:
    """Drop matches that share an event, a source or a wording with an earlier match: they are not independent."""
    seen: set[object] = set()
    kept = []
    for match in matches:
        keys = {match.analogue.event, match.analogue.source, match.analogue.effect}
        if not seen & keys:
            kept.append(match)
        seen |= keys
    return tuple(kept)
