"""Prediction by analogy: what followed past events may follow a headline like them (Radinsky et al. 2012).

What is predicted is a kind of event, with the precedents that show it, or nothing:

- A precedent is an analogue of *another* story than those that the headline belongs to. It was known by the time of
  the headline, and if it is as recent, it does not name whom the headline names.
- Its cause is of the headline's kind, by the words for what happened, and not its opposite.
- Its effect says nothing that the headline or its own stories have said.
- Precedents of several stories whose effects are of one kind are one prediction, and raise its probability.

A wrong prediction is worse than none, since nobody can check it: most headlines get none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from whywire.answers.analogues import Analogue, analogues_of_graph, story_of
from whywire.answers.kinds import kind_terms, same_kind
from whywire.answers.own_stories import OwnStories, may_be_near, share_a_name
from whywire.answers.predictions import AnalogueMatch, Prediction, RelatingModel, leading_to
from whywire.answers.search import MAX_PROBABILITY
from whywire.answers.similarity import SAME_MEANING, leader_clusters
from whywire.elements import Event
from whywire.events.opposites import are_opposite
from whywire.graph.causal_graph import CausalGraph
from whywire.language_models import LanguageModels
from whywire.links.order import order_of_reports
from whywire.links.strength import combine_probabilities
from whywire.news import Article, Language

MIN_SIMILARITY = 0.02
"""The least probability, by embeddings, that a headline and an analogue's cause report the same event.

It is low, since an analogue is a different event of the same kind, which words tell better.
"""

GENERIC_SHARE, GENERIC_COUNT = 0.01, 20
"""A cause that matches more than 1% of all causes, and more than 20, is too generic to predict from.

Of 35 judged predictions from such causes (such as a pandemic) none made sense.
"""

SAMPLE_SIZE = 1000
"""Causes, sampled evenly, that estimate how generic a cause is."""

MIN_PROBABILITY = 0.3
"""The least probability of a prediction. On fresh news 12 of 17 that reached it made sense."""

MAX_PREDICTIONS = 5
"""The most predictions of a headline."""


class Predictor:
    """Predicts what may follow headlines and events, in either language, from the past of a graph.

    The analogues of a language are embedded when the first headline in it comes.

    Args:
        graph: its causal links are the analogues.
        models: loaded models; the embedded ones by default.
    """

    def __init__(self, graph: CausalGraph, models: LanguageModels | None = None) -> None:
        self._graph, self._models = graph, models or LanguageModels()
        self._predictors: dict[Language, AnaloguePredictor] = {}

    def predict(
        self,
        headline: Article | Event,
        *,
        most: int = MAX_PREDICTIONS,
        min_probability: float = MIN_PROBABILITY,
    ) -> list[Prediction]:
        """Predict what may follow a headline, most probable first; nothing if it is neither English nor Russian.

        Args:
            headline: an article, of which the title and the time are used; or an event, whose story is known.
            most: the most predictions returned.
            min_probability: predictions below it (0 to 1) are dropped.
        """
        language = headline.language
        if language is Language.OTHER:
            return []
        if language not in self._predictors:
            self._predictors[language] = AnaloguePredictor(self._graph, language, self._models.pairs(language))
        return self._predictors[language].predict(headline, most=most, min_probability=min_probability)


class AnaloguePredictor:
    """Predicts from the analogues in one language; their causes are embedded once and kept in memory.

    Args:
        graph: its causal links are the analogues.
        model: the pair model of the language.
    """

    def __init__(self, graph: CausalGraph, language: Language, model: RelatingModel) -> None:
        self._model, self._own = model, OwnStories(graph, language, model)
        analogues = [one for one in analogues_of_graph(graph) if one.cause.language is language]
        vectors = model.embed([analogue.cause.title for analogue in analogues])
        specific = np.flatnonzero(~_generic(vectors, model.cosine_for(SAME_MEANING))).tolist()
        self._vectors = vectors[specific]
        self._analogues = [analogues[index] for index in specific]
        self._terms = [kind_terms(analogue.cause.title, language) for analogue in self._analogues]

    def predict(
        self,
        headline: Article | Event,
        *,
        most: int = MAX_PREDICTIONS,
        min_probability: float = MIN_PROBABILITY,
    ) -> list[Prediction]:
        """Predict what may follow a headline in this language; see :meth:`Predictor.predict`."""
        stories = {story_of(headline)} if isinstance(headline, Event) else set()
        if isinstance(headline, Event):
            headline = Article(headline.id, headline.title, language=headline.language, published=headline.last_seen)
        matches = [match for match in self._matches(headline) if match.probability >= min_probability / 2]
        new = self._of_other_stories(matches, headline, stories) if matches else []
        kinds = [_independent(kind) for kind in self._kinds(new, headline.language)]
        sure = [(probability, kind) for kind in kinds if (probability := _together(kind)) >= min_probability]
        sure = sorted(sure, key=lambda item: -item[0])[:most]
        texts = [kind[0].analogue.effect.title for _, kind in sure]
        fits = leading_to(headline.title, texts, self._model)
        return [
            Prediction(text, probability, fit, tuple(kind))
            for text, fit, (probability, kind) in zip(texts, fits, sure, strict=True)
        ]

    def _matches(self, headline: Article) -> list[AnalogueMatch]:
        """The usable analogues of a headline, most probable first."""
        similarity = self._model.same_event_by_cosine(self._vectors @ self._model.embed([headline.title])[0])
        terms = kind_terms(headline.title, headline.language)
        matches = [
            AnalogueMatch(self._analogues[place], float(similarity[place]), probability)
            for place in np.flatnonzero(similarity >= MIN_SIMILARITY).tolist()
            if (probability := same_kind(terms, self._terms[place])) and _is_usable(self._analogues[place], headline)
        ]
        return sorted(matches, key=lambda match: (-match.probability, match.analogue.effect.title))

    def _of_other_stories(
        self, matches: Sequence[AnalogueMatch], headline: Article, stories: set[str]
    ) -> list[AnalogueMatch]:
        """The matches of other stories than these and those of a headline, without what they or it have told."""
        own = stories | self._own.of(headline)
        others = [match for match in matches if match.analogue.story not in own]
        told = self._own.tell(own, headline.title, [match.analogue.effect.title for match in others])
        return [match for match, is_told in zip(others, told, strict=True) if not is_told]

    def _kinds(self, matches: Sequence[AnalogueMatch], language: Language) -> list[list[AnalogueMatch]]:
        """Matches, most probable first, in groups whose effects are of one kind or have one meaning."""
        effects = [match.analogue.effect.title for match in matches]
        vectors, terms = self._model.embed(effects), [kind_terms(effect, language) for effect in effects]
        meaning = self._model.same_event_by_cosine(vectors @ vectors.T)

        def are_alike(one: int, other: int) -> bool:
            return bool(meaning[one, other] >= SAME_MEANING) or same_kind(terms[one], terms[other]) >= MIN_PROBABILITY

        return [[matches[index] for index in kind] for kind in leader_clusters(len(effects), are_alike)]


def _is_usable(analogue: Analogue, headline: Article) -> bool:
    """Whether an analogue was known in time for a headline, is not its opposite, and is not about the same people."""
    if order_of_reports(analogue.known_since, headline.published) is None:
        return False
    words = f"{analogue.cause.title}\n{analogue.effect.title}"
    is_recent = may_be_near(analogue.known_since, headline.published)
    return not (is_recent and share_a_name(headline.title, words)) and not are_opposite(
        analogue.cause.title, headline.title
    )


def _independent(matches: Sequence[AnalogueMatch]) -> list[AnalogueMatch]:
    """The most probable match of each story, without those whose effect is told in the words of an earlier one."""
    by_story: dict[str, AnalogueMatch] = {}
    for match in matches:
        by_story.setdefault(match.analogue.story, match)
    by_words: dict[str, AnalogueMatch] = {}
    for match in by_story.values():
        by_words.setdefault(match.analogue.effect.title, match)
    return [*by_words.values()]


def _together(matches: Sequence[AnalogueMatch]) -> float:
    """The probability of a prediction that rests on independent matches."""
    best, *rest = (match.probability for match in matches)
    return min(MAX_PROBABILITY, combine_probabilities(best, rest))


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
