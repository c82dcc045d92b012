"""Labels of several workers, item by item: the majority, and a majority weighed by the workers' skill.

A vote is (item, worker, label). Nothing depends on the order of votes, and a tie is never broken: it has several
labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)
Worker = TypeVar("Worker", bound=Hashable)
Label = TypeVar("Label", bound=Hashable)

Votes = Iterable[tuple[Item, Worker, Label]]
"""Item, worker and label of each vote. A worker may vote several times on an item; each vote counts."""

MIN_AGREEMENT = 0.7
"""The share of its votes that a label must win for HeadlineCause to keep a pair (Gusev and Tikhonov 2021, figure 4;
seven of ten in the authors' ``toloka/aggregate.py``). The seven relations and the three classes are counted apart:
votes for two relations of one class are votes for that class."""


@dataclass(frozen=True, slots=True)
class Decision(Generic[Label]):
    """What the votes on an item say.

    Args:
        labels: the label with the highest share; several, ordered by their ``repr``, where they tie.
        share: of the votes, their weight, or the probability, that each of these labels has; 0 to 1.
        votes: how many there are.
    """

    labels: tuple[Label, ...]
    share: float
    votes: int

    @property
    def label(self) -> Label | None:
        """The one label with the highest share; ``None`` where several tie."""
        return self.labels[0] if len(self.labels) == 1 else None

    def agrees(self, least: float = MIN_AGREEMENT) -> bool:
        """Whether one label has this share or more."""
        return self.label is not None and self.share >= least


def majority(
    votes: Votes[Item, Worker, Label], weights: Mapping[Worker, float] | None = None
) -> dict[Item, Decision[Label]]:
    """The label of each item with most votes.

    Args:
        weights: how much a vote of each worker counts, 0 or more; 1 by default. Where all who voted on an item weigh
            0, they count the same.

    Raises:
        KeyError: a worker has no weight.
    """
    by_item: dict[Item, dict[Label, list[float]]] = defaultdict(lambda: defaultdict(list))
    for item, worker, label in votes:
        by_item[item][label].append(1.0 if weights is None else weights[worker])
    return {item: _decide(given) for item, given in by_item.items()}


def keep_agreed(decisions: Mapping[Item, Decision[Label]], least: float = MIN_AGREEMENT) -> dict[Item, Label]:
    """The labels of the items on which at least this share agrees, as HeadlineCause keeps them."""
    return {item: decision.labels[0] for item, decision in decisions.items() if decision.agrees(least)}


def skills(votes: Votes[Item, Worker, Label]) -> dict[Worker, float]:
    """The share of each worker's votes that the majority agrees with, 0 to 1.

    Where labels tie, a vote for one of them counts as its share of these labels: half a vote of two.
    """
    given = list(votes)
    decisions = majority(given)
    agreed: dict[Worker, list[float]] = defaultdict(list)
    for item, worker, label in given:
        winners = decisions[item].labels
        agreed[worker].append((label in winners) / len(winners))
    return {worker: fsum(own) / len(own) for worker, own in agreed.items()}


def wawa(votes: Votes[Item, Worker, Label]) -> dict[Item, Decision[Label]]:
    """Worker agreement with aggregate (Wawa): a majority in which each worker weighs as much as the :func:`skills`.

    One round only: easy to explain to a worker, and robust where each has voted on few items.
    """
    given = list(votes)
    return majority(given, skills(given))


def _decide(given: Mapping[Label, list[float]]) -> Decision[Label]:
    weighed = {label: fsum(own) for label, own in given.items()}
    whole = fsum(weight for own in given.values() for weight in own)
    if not whole:
        weighed = {label: float(len(own)) for label, own in given.items()}
        whole = fsum(weighed.values())
    most = max(weighed.values())
    winners = sorted((label for label, weight in weighed.items() if weight == most), key=repr)
    return Decision(tuple(winners), most / whole, sum(map(len, given.values())))
