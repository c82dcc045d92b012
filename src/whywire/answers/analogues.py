"""What may follow a headline, by what followed the events before it that are most like it (Radinsky et al. 2012).

The nearest analogues of a headline are found by what their causes mean; what followed them may follow it. How likely
that is, four signs tell together: how like the headline the cause is, by meaning and by words, and what the model of
pairs says of headline and effect, that the one led to the other or that both tell of one event. Several analogues of
one effect make it likelier. Where the past holds nothing like the headline, nothing is foretold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from math import log

import numpy as np
from numpy.typing import NDArray

from whywire.answers.opposites import opposed
from whywire.answers.past import Analogue
from whywire.answers.predictions import LEADS_TO, SAME, Judge, Likened, Prediction, groups_of_one_meaning, says_more
from whywire.answers.search import SUREST
from whywire.answers.similarity import distinctive_terms
from whywire.answers.told import Told
from whywire.links.order import order_of
from whywire.links.strength import combined
from whywire.models.odds import log_odds, probabilities_of
from whywire.news import Article
from whywire.pairs.relations import Relation, column

MEANING, LEADS, REPEATS, WORDS, SHIFT = 0.714, 0.491, -0.211, 0.672, 0.1
"""What the four signs count, fitted so that they give the probability that what followed may follow again.

Against each other on 467 predictions judged one by one, for 42 invented headlines and 80 of the English stream's
first day; all of them together, and the shift, on 88 from a whole build's past. Signs that are probabilities count
by their log-odds. How sure a claim is, how long or whose its effect is, told little more.
"""

ALIKE = 0.05
"""The probability that a headline and a cause tell of one event from which on the one is looked at as a analogue.

Of the judged predictions below it one in fifty made sense.
"""

GENERIC_SHARE, GENERIC_COUNT = 0.01, 20
"""A cause that is the same as more than this share of all, and this many, foretells nothing in particular.

A pandemic is behind everything: of 35 judged predictions from such causes none made sense.
"""

COMPARED = 1000
"""So many causes, drawn evenly, show how many of all are the same as one."""

FLOOR = 0.3
"""Nothing less probable is foretold. Of fresh predictions that reached it one in two made sense."""

MOST = 5
"""So many things at most may follow a headline."""

LOOKED_AT = 16
"""So many analogues, those most like a headline, go through the model of pairs."""

_REPEATS = column(Relation.SAME_EVENT)


def predict(
    headlines: Sequence[Article],
    past: Iterable[Analogue],
    model: Judge,
    *,
    most: int = MOST,
    floor: float = FLOOR,
) -> list[list[Prediction]]:
    """Predict, from analogues, what may follow each headline.

    A headline whose time is known is answered from what the news knew by then.

    Args:
        headlines: in one language; only the title, time and id are looked at.
        past: what led to what; analogues in other languages are passed over.
        model: of the headlines of that language.
        most: so many predictions a headline at most.
        floor: predictions less probable (0 to 1) fall out.

    Returns:
        The predictions of each headline, most probable first; empty where the past has nothing like it.
    """
    languages = {headline.language for headline in headlines}
    analogues = Analogues([analogue for analogue in past if analogue.language in languages], model)
    return [analogues.predict(headline, most=most, floor=floor) for headline in headlines]


class Analogues:
    """A past ready to be asked: what its causes mean is worked out once, and held in memory.

    Args:
        past: what led to what, in one language.
        model: of the headlines of that language.
    """

    def __init__(self, past: Sequence[Analogue], model: Judge) -> None:
        self._model = model
        causes = {cause: number for number, cause in enumerate(dict.fromkeys(one.cause for one in past))}
        vectors = model.embed(list(causes))[[causes[one.cause] for one in past]]
        telling = np.flatnonzero(~_generic(vectors, model.cosine_for(SAME))).tolist()
        self._vectors = vectors[telling]
        self._past = [past[place] for place in telling]
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(self._past):
            for word in distinctive_terms(one.cause):
                self._holders[word].append(place)

    def predict(self, headline: Article, *, most: int = MOST, floor: float = FLOOR) -> list[Prediction]:
        """What may follow a headline, most probable first."""
        title = headline.title
        similarity, signs = self._similarity(title)
        best_first = sorted(np.flatnonzero(similarity >= ALIKE).tolist(), key=lambda place: -signs[place])
        near = list(islice((place for place in best_first if self._speaks(place, headline)), LOOKED_AT))
        relations = self._model.ask([(title, self._past[place].effect) for place in near])
        judged = log_odds(relations[:, [LEADS_TO, _REPEATS]]) @ np.array([LEADS, REPEATS])
        probabilities = probabilities_of(signs[near] + judged + SHIFT).tolist()
        fits = self._model.as_picked(relations)[:, LEADS_TO].tolist()
        likened = [
            Likened(self._past[place], float(similarity[place]), probability, fit)
            for place, probability, fit in zip(near, probabilities, fits, strict=True)
            if probability >= floor / 2
        ]
        return _predictions(title, likened, self._model, floor)[:most]

    def _similarity(self, title: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The probability that each cause (analogues,) and a headline are one event, and what it counts."""
        probabilities = self._model.same_event_by_cosine(self._vectors @ self._model.embed([title])[0])
        shared = np.zeros(len(self._past))
        total = 0.0
        for word in distinctive_terms(title):
            holders = self._holders.get(word, [])
            weight = log(1 + len(self._past) / (1 + len(holders)))
            shared[holders] += weight
            total += weight
        return probabilities, MEANING * log_odds(probabilities) + WORDS * shared / (total or 1.0)

    def _speaks(self, place: int, headline: Article) -> bool:
        """Whether a analogue has something to say to a headline."""
        analogue = self._past[place]
        if not says_more(analogue.effect, headline.title) or opposed(analogue.cause, headline.title):
            return False
        return _knew(headline, analogue)


def _generic(causes: NDArray[np.float32], same: float) -> NDArray[np.bool_]:
    """Which causes (causes,) are too common to foretell anything.

    Args:
        causes: their vectors, (causes, size).
        same: the cosine from which two are the same.
    """
    drawn = causes[:: max(1, len(causes) // COMPARED)]
    shares = (causes @ drawn.T >= same).mean(axis=1) if len(causes) else np.zeros(0)
    result: NDArray[np.bool_] = shares > max(GENERIC_SHARE, GENERIC_COUNT / max(1, len(causes)))
    return result


def _knew(headline: Article, analogue: Analogue) -> bool:
    """Whether a headline comes after its analogue and is not itself what tells of it."""
    own = isinstance(analogue.origin, Told) and analogue.origin.article.id == headline.id
    return not own and order_of(analogue.known, headline.published) is not None


def _predictions(title: str, likened: Sequence[Likened], model: Judge, floor: float) -> list[Prediction]:
    """What the analogues of a headline foretell, most probable first; what means the same is one prediction."""
    likened = sorted(likened, key=lambda one: (-one.probability, one.analogue.effect))
    effects = [one.analogue.effect for one in likened]
    vectors = model.embed([title, *effects])
    again = model.same_event_by_cosine(vectors[1:] @ vectors[0]) >= SAME
    kept = np.flatnonzero(~again).tolist()
    groups = groups_of_one_meaning([effects[place] for place in kept], vectors[1:][kept], model)
    witnesses = [_independent([likened[kept[place]] for place in group]) for group in groups]
    predictions = (
        Prediction(group[0].analogue.effect, _together(group), group[0].fits, group) for group in witnesses
    )
    return sorted((one for one in predictions if one.probability >= floor), key=lambda one: -one.probability)


def _independent(likened: Sequence[Likened]) -> tuple[Likened, ...]:
    """Of each event, of each voice and of each wording only the first.

    A second report of one earthquake is no second earthquake.
    """
    heard: set[object] = set()
    kept = []
    for one in likened:
        marks = {one.analogue.event, one.analogue.voice, one.analogue.effect}
        if not heard & marks:
            kept.append(one)
        heard |= marks
    return tuple(kept)


def _together(likened: Sequence[Likened]) -> float:
    """The probability by several analogues of one effect, best first."""
    first, *others = (one.probability for one in likened)
    return min(SUREST, combined(first, others))
