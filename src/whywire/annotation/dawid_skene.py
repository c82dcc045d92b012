"""The labels most likely to be true, and each worker's confusions, found together by EM (Dawid and Skene 1979).

A worker is described by a confusion matrix: how probable each answer is, given the true label. Who always gives one
answer, or mistakes one label for another, is told from who errs at random, and a spammer's votes come to count for
nothing. What is assumed: most workers are better than random, and given the true label they err independently. Who
copies answers breaks the second.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from whywire.annotation.votes import Decision, Item, Label, Votes, Worker

Floats = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)

SMOOTHING, PRIOR_ACCURACY = 2.0, 0.7
"""Answers to each true label that every worker is taken to have given already, and the share of them that is right;
the others are spread evenly over the other labels. Without these answers EM explains rare labels away as mistakes
where votes are few (``docs/experiments/annotation-simulation.md``)."""

MAX_ITERATIONS = 200
TOLERANCE = 1e-6
"""EM stops where no probability changes by more."""

TINY = 1e-12
"""Probabilities below are taken for this one, so that they have a logarithm."""


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkene(Generic[Item, Worker, Label]):
    """What EM has found.

    Args:
        items, workers, labels: the names of rows and columns, ordered by their ``repr``.
        probabilities: (items, labels): how probable each label is; rows sum to 1.
        prior: (labels,): how frequent each label is.
        confusion: (workers, true label, given label): how probable each answer of a worker is; rows sum to 1.
        votes: (items,): how many votes there are.
        iterations: of EM.
    """

    items: tuple[Item, ...]
    workers: tuple[Worker, ...]
    labels: tuple[Label, ...]
    probabilities: Floats
    prior: Floats
    confusion: Floats
    votes: NDArray[np.int64]
    iterations: int

    def decisions(self) -> dict[Item, Decision[Label]]:
        """The most probable label of each item, with its probability."""
        found = {}
        for item, row, votes in zip(self.items, self.probabilities, self.votes.tolist(), strict=True):
            most = float(row.max())
            winners = np.flatnonzero(np.isclose(row, most, rtol=0, atol=TOLERANCE))
            found[item] = Decision(tuple(self.labels[place] for place in winners), most, votes)
        return found

    def skills(self) -> dict[Worker, float]:
        """How probable it is that a worker's answer to an item drawn at random is right, 0 to 1."""
        diagonal = np.einsum("wll,l->w", self.confusion, self.prior)
        return dict(zip(self.workers, diagonal.tolist(), strict=True))


def dawid_skene(
    votes: Votes[Item, Worker, Label],
    labels: Sequence[Label] = (),
    *,
    known: Mapping[Item, Label] | None = None,
    smoothing: float = SMOOTHING,
    max_iterations: int = MAX_ITERATIONS,
) -> DawidSkene[Item, Worker, Label]:
    """Estimate the labels of items, and the confusion matrices of workers, from their votes.

    EM starts from the shares of the votes (section 3). The order of votes does not matter.

    Args:
        labels: those there may be; those that were given are added.
        known: the true labels of some items, such as controls, which are not estimated.
        smoothing: answers to each true label that every worker is taken to have given already, 0 or more, of which
            :data:`PRIOR_ACCURACY` are right (the mode under a Dirichlet prior); 0 is the method of the paper.
        max_iterations: at which EM stops, converged or not.

    Raises:
        ValueError: there are no votes, or the smoothing is below 0.
    """
    given = sorted(votes, key=repr)
    if not given:
        raise ValueError("without votes there is nothing to estimate")
    if smoothing < 0:
        raise ValueError(f"the smoothing must be 0 or more, not {smoothing}")
    known = known or {}
    items = _ordered(item for item, _, _ in given)
    workers = _ordered(worker for _, worker, _ in given)
    names = _ordered([*(label for _, _, label in given), *labels, *known.values()])
    rows = _Rows(
        np.array([items[item] for item, _, _ in given]),
        np.array([workers[worker] for _, worker, _ in given]),
        np.array([names[label] for _, _, label in given]),
        (len(items), len(workers), len(names)),
    )
    fixed = [(items[item], names[label]) for item, label in known.items() if item in items]
    probabilities = rows.shares()
    _fix(probabilities, fixed)
    iterations, change = 0, 1.0
    while change >= TOLERANCE and iterations < max_iterations:
        prior, confusion = rows.maximize(probabilities, smoothing)
        expected = rows.expect(prior, confusion)
        _fix(expected, fixed)
        change = float(np.abs(expected - probabilities).max())
        probabilities = expected
        iterations += 1
    prior, confusion = rows.maximize(probabilities, smoothing)
    return DawidSkene(
        tuple(items), tuple(workers), tuple(names), probabilities, prior, confusion, rows.counts(), iterations
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """The votes in numbers: item, worker and label of each, all (votes,)."""

    item: NDArray[np.int64]
    worker: NDArray[np.int64]
    label: NDArray[np.int64]
    sizes: tuple[int, int, int]

    def counts(self) -> NDArray[np.int64]:
        """Votes by item."""
        return np.bincount(self.item, minlength=self.sizes[0])

    def shares(self) -> Floats:
        """The shares of the votes of each item (equation 3.1)."""
        items, _, labels = self.sizes
        votes = np.bincount(self.item * labels + self.label, minlength=items * labels).reshape(items, labels)
        result: Floats = votes / votes.sum(axis=1, keepdims=True)
        return result

    def maximize(self, probabilities: Floats, smoothing: float) -> tuple[Floats, Floats]:
        """Prior and confusion matrices by the probabilities of labels (equations 2.3 and 2.4)."""
        _, workers, labels = self.sizes
        cells = self.worker * labels + self.label
        counts = np.stack(
            [
                np.bincount(cells, probabilities[self.item, true], workers * labels).reshape(workers, labels)
                for true in range(labels)
            ],
            axis=1,
        )
        wrong = (1 - PRIOR_ACCURACY) / max(labels - 1, 1)
        answers: Floats = counts + smoothing * (wrong + (PRIOR_ACCURACY - wrong) * np.eye(labels)) + TINY
        prior = probabilities.sum(axis=0) + smoothing / labels
        return prior / prior.sum(), answers / answers.sum(axis=2, keepdims=True)

    def expect(self, prior: Floats, confusion: Floats) -> Floats:
        """The probabilities of labels by prior and confusion matrices (equation 2.5)."""
        items, _, labels = self.sizes
        logs = np.log(np.maximum(confusion, TINY))
        by_label = [np.bincount(self.item, logs[self.worker, true, self.label], items) for true in range(labels)]
        total = np.stack(by_label, axis=1) + np.log(np.maximum(prior, TINY))
        powers = np.exp(total - total.max(axis=1, keepdims=True))
        result: Floats = powers / powers.sum(axis=1, keepdims=True)
        return result


def _ordered(names: Any) -> dict[Any, int]:
    """Each name once, with its place, ordered by ``repr``."""
    return {name: place for place, name in enumerate(sorted(set(names), key=repr))}


def _fix(probabilities: Floats, fixed: Sequence[tuple[int, int]]) -> None:
    for item, label in fixed:
        probabilities[item] = 0.0
        probabilities[item, label] = 1.0
