"""Headlines that fit what an earlier one was predicted to lead to.

A plausible effect that did not follow is a hard negative (HeadlineCause 2021, sections 3.3, 3.8). Which of these
pairs are unrelated, the pair model says (:mod:`whywire.annotation.priorities`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whywire.answers.kinds import kind_terms, same_kind
from whywire.answers.similarity import EmbeddingModel
from whywire.errors import InputError
from whywire.events.candidates import Pair, Times
from whywire.graph.codec import Row
from whywire.links.order import order_of_reports
from whywire.news import Article

NEAREST = 3
"""Headlines looked for by each effect."""

MIN_FIT = 0.1
"""The least probability that a headline is of the kind of an effect.

Of eight invented headlines the three that an effect speaks of have 0.24 and more, the others less than 0.02.
"""


class Effect(NamedTuple):
    """What may follow a headline, and with which probability (0 to 1)."""

    text: str
    probability: float


def effects_of(row: Row) -> list[Effect]:
    """The effects in a row of ``whywire predict``; none in a row without.

    Raises:
        InputError: an effect has no text or no probability.
    """
    given = row.get("effects") or []
    if not isinstance(given, list) or not all(map(_is_effect, given)):
        raise InputError("effects must be a list of objects with a text and a probability")
    return [Effect(one["text"], one["probability"]) for one in given]


def predicted_pairs(
    articles: Sequence[Article],
    vectors: NDArray[np.float32],
    effects: Sequence[Sequence[Effect]],
    model: EmbeddingModel,
) -> dict[Pair, float]:
    """The headlines that fit an effect best, as pairs (i < j) with its probability times that of the fit.

    A headline fits an effect if it means the same or has the same words for what happened. It is of the four days
    after the one that the effect was predicted from, as far as their times are known.

    Args:
        articles: of one language.
        vectors: of their titles, (articles, size).
        effects: of each article.
    """
    times = Times([article.published for article in articles])
    terms = [kind_terms(article.title, article.language) for article in articles]
    everything, found = np.arange(len(articles)), dict[Pair, float]()
    for number, own in enumerate(effects):
        if not own:
            continue
        cause = articles[number]
        later = [
            other
            for other in np.flatnonzero(~times.outside(np.array([number]), everything)[0]).tolist()
            if articles[other].title != cause.title and order_of_reports(cause.published, articles[other].published)
        ]
        meant = model.same_event_by_cosine(model.embed([effect.text for effect in own]) @ vectors[later].T)
        for effect, meanings in zip(own, meant, strict=True):
            words = kind_terms(effect.text, cause.language)
            fits = [
                (max(float(meaning), same_kind(words, terms[other])), articles[other].title, other)
                for meaning, other in zip(meanings, later, strict=True)
            ]
            for fit, _, other in sorted((one for one in fits if one[0] >= MIN_FIT), reverse=True)[:NEAREST]:
                pair = (min(number, other), max(number, other))
                found[pair] = max(found.get(pair, 0.0), effect.probability * fit)
    return found


def _is_effect(given: object) -> bool:
    if not isinstance(given, dict):
        return False
    return isinstance(given.get("text"), str) and isinstance(given.get("probability"), int | float)
