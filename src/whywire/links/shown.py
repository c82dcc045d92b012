"""Evidence for links in headlines (*shown*): the relation that the pair model finds between two of them.

A false link is worse than a missed one: a reader who follows one wrong arrow doubts them all. So the mean calibrated
probability of the headline pairs that were scored must reach ``MIN_PROBABILITY``, or ``MIN_DENIED_PROBABILITY`` where
one headline denies the other's words (both in :mod:`whywire.links.strength`). The times must not contradict the
link: an event that certainly came later is never the source. Which of two reports refutes the other is decided by
their times where these differ: nobody denies what has not been said yet. And the words must show the contradiction
(:mod:`whywire.events.contradictions`), whatever probability the model gives. The model takes "after power failure"
for any power failure, so a headline that says what happened in its own town shows no cause in another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Event, LinkKind, Order
from whywire.events.contradictions import denies
from whywire.events.scenes import are_classed_apart, are_of_two_towns
from whywire.events.told import has_name, told_by_report
from whywire.links.order import order_of_events
from whywire.links.refutations import refuted_in
from whywire.links.strength import MIN_DENIED_PROBABILITY
from whywire.news import Article
from whywire.pairs.relations import Relation, column

FORWARD = {
    LinkKind.CAUSES: column(Relation.LEFT_RIGHT_CAUSE),
    LinkKind.REFUTES: column(Relation.LEFT_RIGHT_REFUTE),
}
BACKWARD = {
    LinkKind.CAUSES: column(Relation.RIGHT_LEFT_CAUSE),
    LinkKind.REFUTES: column(Relation.RIGHT_LEFT_REFUTE),
}

_FELT_AFAR = re.compile(r"quake|eruption|tsunami|землетряс|изверж|цунами", re.IGNORECASE)
"""Happenings that headlines of another town name without their own place."""


@dataclass(frozen=True, slots=True)
class RelationScore:
    """The probability of one possible link between two events, by their headlines.

    Args:
        source: index of the earlier event.
        target: index of the later event.
        probability: mean over the headline pairs that were scored (0 to 1).
        pairs: the indices of the two articles of each headline pair, that of the source first, and its probability;
            most probable first.
    """

    source: int
    target: int
    kind: LinkKind
    probability: float
    pairs: tuple[tuple[int, int, float], ...]


def relation_scores(
    asked: Mapping[tuple[int, int], Sequence[tuple[int, int]]],
    answers: Mapping[tuple[int, int], NDArray[np.float64]],
    events: Sequence[Event],
) -> list[RelationScore]:
    """The score of every link that the times allow, of both kinds and in both directions.

    Args:
        asked: for a pair of indices of events, the pairs of indices of articles whose headlines were scored.
        answers: for a pair of indices of articles, the probabilities (7,) of the relations.
        events: by index.
    """
    result = []
    for (left, right), pairs in asked.items():
        rows = np.stack([answers[pair] for pair in pairs])
        for columns, source, target in ((FORWARD, left, right), (BACKWARD, right, left)):
            for kind, place in columns.items():
                order = order_of_events(events[source], events[target], kind)
                if order is None:
                    continue
                probabilities = rows[:, place]
                if kind is LinkKind.REFUTES and order is Order.FORWARD:
                    probabilities = rows[:, [FORWARD[kind], BACKWARD[kind]]].sum(axis=1)
                evidence = sorted(
                    (
                        (*(pair if source == left else pair[::-1]), probability)
                        for pair, probability in zip(pairs, probabilities.tolist(), strict=True)
                    ),
                    key=lambda item: (-item[2], item[:2]),
                )
                mean = float(probabilities.mean())
                result.append(RelationScore(source, target, kind, mean, tuple(evidence)))
    return result


def is_denied_plainly(score: RelationScore, articles: Sequence[Article]) -> bool:
    """Whether a lower probability suffices for this refutation, since one headline denies the other's words."""
    return score.probability >= MIN_DENIED_PROBABILITY and any(
        denies(articles[target].title, articles[source].title) for source, target, _ in score.pairs
    )


def shows_contradiction(score: RelationScore, articles: Sequence[Article]) -> bool:
    """Whether the words of any of the headline pairs show a contradiction; without one there is no refutation."""
    return any(refuted_in(articles[source], articles[target]) is not None for source, target, _ in score.pairs)


def has_cause_of_its_own(effect: Article, causes: Iterable[str], other: Article) -> bool:
    """Whether a report names a bare happening as its cause, and is of another town than the other report.

    Args:
        causes: the words of the headline of ``effect`` that name causes.
        other: the report that seems to tell of another cause.
    """
    if not any(not has_name(words) and not _FELT_AFAR.search(words) for words in causes):
        return False
    here, there = told_by_report(effect).scene, told_by_report(other).scene
    return are_of_two_towns(here, there) or are_classed_apart(here, there)
