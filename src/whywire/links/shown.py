"""Links between events from their headlines: which led to which, which refutes which.

Which error is worse? A false link is: a reader who follows one wrong arrow doubts them all. So a link needs the
calibrated probability of its kind to reach one half, on the average of the headline pairs that were asked, and
the times must not speak against it: an event that certainly came later is never the source. Which of two
reports refutes the other is for the clock alone to say, where it can: nobody denies what was not yet said. And a
refutation must be seen in the words (``contradictions``), whatever the model thinks of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whywire.elements import Event, LinkKind, Order
from whywire.links.order import order_of_events
from whywire.links.refutations import refuted_in
from whywire.pairs.relations import Relation, column

FORWARD = {
    LinkKind.CAUSES: column(Relation.LEFT_RIGHT_CAUSE),
    LinkKind.REFUTES: column(Relation.LEFT_RIGHT_REFUTE),
}
BACKWARD = {
    LinkKind.CAUSES: column(Relation.RIGHT_LEFT_CAUSE),
    LinkKind.REFUTES: column(Relation.RIGHT_LEFT_REFUTE),
}


@dataclass(frozen=True, slots=True)
class RelationScore:
    """What the headlines say of one possible link between two events.

    Args:
        source: number of the earlier event.
        target: number of the later event.
        probability: mean over the headline pairs asked.
        related: mean probability that the two have any relationship.
        pairs: the article numbers of each headline pair, source side first, and its probability; best first.
    """

    source: int
    target: int
    kind: LinkKind
    probability: float
    related: float
    order: Order
    pairs: tuple[tuple[int, int, float], ...]


def relation_scores(
    asked: Mapping[tuple[int, int], Sequence[tuple[int, int]]],
    answers: Mapping[tuple[int, int], NDArray[np.float64]],
    events: Sequence[Event],
) -> list[RelationScore]:
    """What the answers say of every link the clock allows, both kinds, in both directions.

    Args:
        asked: for a pair of event numbers, the pairs of article numbers asked.
        answers: for a pair of article numbers, the probabilities of the seven relations.
        events: by their numbers.
    """
    result = []
    for (left, right), pairs in asked.items():
        rows = np.stack([answers[pair] for pair in pairs])
        related = 1 - float(rows[:, column(Relation.NO_RELATIONSHIP)].mean())
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
                result.append(RelationScore(source, target, kind, mean, related, order, tuple(evidence)))
    return result


def shows_contradiction(score: RelationScore, titles: Sequence[str]) -> bool:
    """Whether the words of some pair of headlines show a contradiction; a refutation that cannot be seen is none."""
    return any(refuted_in(titles[source], titles[target]) is not None for source, target, _ in score.pairs)
