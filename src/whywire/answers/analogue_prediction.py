"""Prediction by analogy: what followed past events like a headline may follow it (Radinsky et al. 2012).

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

from whywire.answers.analogues import Analogue
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
from whywire.links.order import order_of_reports
from whywire.links.strength import combine_probabilities
from whywire.models.odds import log_odds, probabilities_of
from whywire.news import Article
from whywire.pairs.relations import Relation, column

MEANING, LEADS, REPEATS, WORDS, SHIFT = 0.803, 0.491, -0.211, 0.672, 0.521
"""Weights of the four features and the intercept; features that are probabilities enter as log-odds.

The relative weights were fitted on 467 predictions judged one by one, for 42 invented headlines and 80 of the English
stream's first day; their scale and the intercept on 88 predictions from a whole build. The first weight and the
intercept were then carried over from other vectors (:mod:`whywire.answers.similarity`). The claim's probability, the
effect's length and the outlet added little.
"""

MIN_SIMILARITY = 0.02
"""The least probability that a headline and an analogue's cause report the same event.

An analogue is another event of the same kind, so it is low. It was set so that as many are kept as by the vectors
that predictions were judged with, of which below it one in fifty made sense.
"""

GENERIC_SHARE, GENERIC_COUNT = 0.01, 20
"""A cause equal to more than this share of all causes, and to more than this many, is too generic to predict from.

Of 35 judged predictions from such causes (a pandemic, for one) none made sense.
"""

SAMPLE_SIZE = 1000
"""Causes, sampled evenly, that estimate how generic a cause is."""

MIN_PROBABILITY = 0.3
"""The least probability of a prediction. Of new predictions that reached it one in two made sense."""

MAX_PREDICTIONS = 5
"""Predictions given for a headline at most."""

MAX_RELATED = 16
"""Analogues, the nearest ones, that the pair model relates to a headline."""

_SAME_EVENT = column(Relation.SAME_EVENT)


class AnaloguePredictor:
    """Predicts from analogues in one language; their causes are embedded once and kept in memory.

    Args:
        analogues: in one language.
        model: the pair model of that language.
    """

    def __init__(self, analogues: Sequence[Analogue], model: RelatingModel) -> None:
        self._model = model
        causes = {cause: number for number, cause in enumerate(dict.fromkeys(one.cause for one in analogues))}
        vectors = model.embed(list(causes))[[causes[one.cause] for one in analogues]]
        specific = np.flatnonzero(~_generic(vectors, model.cosine_for(SAME_MEANING))).tolist()
        self._vectors = vectors[specific]
        self._analogues = [analogues[place] for place in specific]
        self._places_of_term: defaultdict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(self._analogues):
            for term in distinctive_terms(one.cause):
                self._places_of_term[term].append(place)

    def predict(
        self, headline: Article, *, most: int = MAX_PREDICTIONS, min_probability: float = MIN_PROBABILITY
    ) -> list[Prediction]:
        """Predict what may follow a headline, most probable first; empty where no analogue is similar.

        Args:
            headline: its title, time and id are used; where it has a time, only analogues known by then.
            most: the most predictions returned.
            min_probability: predictions below it (0 to 1) are dropped.
        """
        title = headline.title
        similarity, scores = self._similarity(title)
        best_first = sorted(np.flatnonzero(similarity >= MIN_SIMILARITY).tolist(), key=lambda place: -scores[place])
        near = list(islice((place for place in best_first if self._is_usable(place, headline)), MAX_RELATED))
        pairs = [(title, self._analogues[place].effect) for place in near]
        relations = self._model.title_probabilities(pairs)
        related = log_odds(relations[:, [LEADS_TO, _SAME_EVENT]]) @ np.array([LEADS, REPEATS])
        probabilities = probabilities_of(scores[near] + related + SHIFT).tolist()
        fits = self._model.relate(pairs)[:, LEADS_TO].tolist()
        matches = [
            AnalogueMatch(self._analogues[place], float(similarity[place]), probability, fit)
            for place, probability, fit in zip(near, probabilities, fits, strict=True)
            if probability >= min_probability / 2
        ]
        return _predictions(title, matches, self._model, min_probability)[:most]

    def _similarity(self, title: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The probability (analogues,) that each cause and a title are one event, and its part of the log-odds."""
        probabilities = self._model.same_event_by_cosine(self._vectors @ self._model.embed([title])[0])
        shared = np.zeros(len(self._analogues))
        total = 0.0
        for term in distinctive_terms(title):
            places = self._places_of_term.get(term, [])
            weight = log(1 + len(self._analogues) / (1 + len(places)))
            shared[places] += weight
            total += weight
        return probabilities, MEANING * log_odds(probabilities) + WORDS * shared / (total or 1.0)

    def _is_usable(self, place: int, headline: Article) -> bool:
        """Whether an analogue adds something to a headline, is not its opposite, and was known by then."""
        analogue = self._analogues[place]
        if not adds_terms(analogue.effect, headline.title) or are_opposite(analogue.cause, headline.title):
            return False
        return _was_known(headline, analogue)


def _generic(causes: NDArray[np.float32], same: float) -> NDArray[np.bool_]:
    """Which causes (causes,) are too generic to predict from.

    Args:
        causes: their vectors, (causes, size).
        same: the cosine from which two causes are the same.
    """
    sample = causes[:: max(1, len(causes) // SAMPLE_SIZE)]
    shares = (causes @ sample.T >= same).mean(axis=1) if len(causes) else np.zeros(0)
    result: NDArray[np.bool_] = shares > max(GENERIC_SHARE, GENERIC_COUNT / max(1, len(causes)))
    return result


def _was_known(headline: Article, analogue: Analogue) -> bool:
    """Whether an analogue was known when the headline came, and is not taken from the headline's own article."""
    own = isinstance(analogue.origin, SourcedClaim) and analogue.origin.article.id == headline.id
    return not own and order_of_reports(analogue.known, headline.published) is not None


def _predictions(
    title: str, matches: Sequence[AnalogueMatch], model: RelatingModel, min_probability: float
) -> list[Prediction]:
    """The predictions of matched analogues, most probable first; effects of the same meaning are one prediction."""
    matches = sorted(matches, key=lambda one: (-one.probability, one.analogue.effect))
    effects = [one.analogue.effect for one in matches]
    vectors = model.embed([title, *effects])
    repeats = model.same_event_by_cosine(vectors[1:] @ vectors[0]) >= SAME_MEANING
    kept = np.flatnonzero(~repeats).tolist()
    clusters = clusters_by_meaning([effects[place] for place in kept], vectors[1:][kept], model)
    bases = [_independent([matches[kept[place]] for place in cluster]) for cluster in clusters]
    predictions = (Prediction(basis[0].analogue.effect, _combined(basis), basis[0].fits, basis) for basis in bases)
    return sorted(
        (one for one in predictions if one.probability >= min_probability), key=lambda one: -one.probability
    )


def _independent(matches: Sequence[AnalogueMatch]) -> tuple[AnalogueMatch, ...]:
    """The first match of each event, of each source and of each wording.

    A second report of one earthquake is no second earthquake.
    """
    seen: set[object] = set()
    kept = []
    for one in matches:
        keys = {one.analogue.event, one.analogue.source, one.analogue.effect}
        if not seen & keys:
            kept.append(one)
        seen |= keys
    return tuple(kept)


def _combined(matches: Sequence[AnalogueMatch]) -> float:
    """The probability of an effect by its analogues together; the most probable comes first."""
    first, *others = (one.probability for one in matches)
    return min(MAX_PROBABILITY, combine_probabilities(first, others))
