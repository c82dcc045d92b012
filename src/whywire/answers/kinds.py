"""How far two events are of one kind: the words for what happened, without who, where and how many.

Embeddings of reports hardly help here. They are trained to tell one event from another of its kind, so of two fires
in two towns they say that these are two.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from whywire.news.language import Language
from whywire.news.places import places_in
from whywire.news.stems import rarities

SHARED_WEIGHT, SHARE_WEIGHT, INTERCEPT = 0.11, 2.9, -3.15
"""Weights of a logistic regression: the rarity that two events have in common, and its share in that of both.

Fitted on 128 pairs of a headline and a past cause, for 600 headlines of one day of both streams; six of the ten pairs
that reach 0.3 had an effect that made sense after the headline, and nine of the others. The similarity of their
embeddings, the strength and probability of the link, and what the pair model thinks of headline and effect added
nothing (docs/experiments/predictions.md).
"""

MIN_SHARED = 2
"""Words that two events of one kind have in common; one word alone ("deal", "film") is chance."""


def kind_terms(text: str, language: Language) -> dict[str, float]:
    """The rarities of the stems of a text, without numbers and, behind the first word, names."""
    words = text.split()
    if not places_in(text).is_in_capitals:
        words = [*words[:1], *(word for word in words[1:] if not word.strip("«“‘\"'(")[:1].isupper())]
    return {stem: weight for stem, weight in rarities(" ".join(words), language).items() if not stem.isdigit()}


def same_kind(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The probability that what followed one event may follow another of its kind; 0 if they share one word or none.

    Args:
        one, other: their :func:`kind_terms`.
    """
    shared = one.keys() & other.keys()
    if len(shared) < MIN_SHARED:
        return 0.0
    weight = sum(one[stem] for stem in sorted(shared))
    share = 2 * weight / (sum(one.values()) + sum(other.values()))
    return 1 / (1 + exp(-(INTERCEPT + SHARED_WEIGHT * weight + SHARE_WEIGHT * share)))
