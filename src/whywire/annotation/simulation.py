"""Made-up workers: what control items, overlap and ways of aggregating do in a campaign, before anybody is paid.

A made-up worker answers by a confusion matrix and by chance; a copycat repeats what another would answer. Real
workers also tire, learn, and err on the same hard items, which is not simulated, so real votes agree less well with
the truth than simulated ones. Everything follows from its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whywire.annotation.dawid_skene import dawid_skene
from whywire.annotation.votes import Decision, majority, wawa

Floats = NDArray[np.float64]
VoteList = list[tuple[int, int, int]]
Aggregation = Callable[[VoteList], Mapping[int, Decision[int]]]

AGGREGATIONS: Mapping[str, Aggregation] = {
    "majority": majority,
    "Wawa": wawa,
    "Dawid–Skene": lambda votes: dawid_skene(votes).decisions(),
}
"""The ways to make one label of several votes."""

ROUNDING = 1e-9
"""The product of a share and a number may fall just above the whole number that it is."""


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedWorker:
    """How a made-up worker answers.

    Args:
        confusion: (true label, given label): how probable each answer is; rows sum to 1.
        copies: the number of the worker whose answers this one repeats; ``None`` for who answers alone.
    """

    confusion: Floats
    copies: int | None = None

    @classmethod
    def careful(cls, accuracy: float, labels: int) -> SimulatedWorker:
        """Right with this probability whatever the true label is, else any other label."""
        wrong = (1 - accuracy) / (labels - 1)
        return cls(np.full((labels, labels), wrong) + (accuracy - wrong) * np.eye(labels))

    @classmethod
    def confusing(cls, accuracy: float, labels: int, one: int, other: int, rate: float) -> SimulatedWorker:
        """As a careful one, but takes label ``one`` for ``other`` with probability ``rate``."""
        confusion = cls.careful(accuracy, labels).confusion.copy()
        confusion[one] *= (1 - rate) / (1 - confusion[one, other])
        confusion[one, other] = rate
        return cls(confusion)

    @classmethod
    def random(cls, labels: int) -> SimulatedWorker:
        """A spammer who gives any answer with the same probability."""
        return cls(np.full((labels, labels), 1 / labels))

    @classmethod
    def always(cls, label: int, labels: int) -> SimulatedWorker:
        """A spammer who always gives one answer."""
        return cls(np.tile(np.eye(labels)[label], (labels, 1)))

    @classmethod
    def copycat(cls, of: int, labels: int) -> SimulatedWorker:
        """Repeats the answers of another worker, who must not be a copycat."""
        return cls(np.full((labels, labels), 1 / labels), of)

    def accuracy(self, prior: ArrayLike) -> float:
        """How probable a right answer is where labels are as frequent as in ``prior`` (labels,); not of a copycat."""
        return float(np.diagonal(self.confusion) @ np.asarray(prior, dtype=np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """A simulated campaign.

    Args:
        truth: (items,): the true label of each.
        votes: item, worker and label of each.
    """

    truth: NDArray[np.int64]
    votes: VoteList

    def accuracy(self, decisions: Mapping[int, Decision[int]]) -> float:
        """The share of items decided right, 0 to 1; of labels that tie, one is drawn."""
        right = [(self.truth[item] in decision.labels) / len(decision.labels) for item, decision in decisions.items()]
        return float(np.mean(right))


def simulate(
    workers: Sequence[SimulatedWorker], prior: ArrayLike, *, items: int, overlap: int, seed: int
) -> Simulation:
    """Let workers answer items, each of which gets to as many workers as the overlap says, drawn at random.

    Args:
        prior: (labels,): how frequent each label is among the items.
        overlap: votes on each item.

    Raises:
        ValueError: there are fewer workers than the overlap asks for.
    """
    if overlap > len(workers):
        raise ValueError(f"{len(workers)} workers cannot give {overlap} votes on an item")
    rng = np.random.default_rng(seed)
    shares = np.asarray(prior, dtype=np.float64)
    truth = rng.choice(len(shares), size=items, p=shares)
    answers = _answers(workers, truth, rng)
    chosen = np.argsort(rng.random((items, len(workers))), axis=1)[:, :overlap]
    votes = [(item, worker, int(answers[item, worker])) for item in range(items) for worker in chosen[item].tolist()]
    return Simulation(truth, votes)


def compare_aggregations(simulation: Simulation) -> dict[str, float]:
    """The share of items that each of the :data:`AGGREGATIONS` decides right."""
    return {name: simulation.accuracy(aggregate(simulation.votes)) for name, aggregate in AGGREGATIONS.items()}


def exclusion_probabilities(accuracy: float, controls: int, *, least: float, after: int) -> Floats:
    """How probable it is that control items have excluded a worker, after each of them.

    A worker is excluded after a control at which the share of right answers is below a threshold, but not before a
    number of controls. Exact, by the distribution of right answers of those who are not excluded yet.

    Args:
        accuracy: how probable it is that the worker answers a control right.
        controls: how many the worker answers, if not excluded.
        least: the threshold, 0 to 1.
        after: the number of controls before which nobody is excluded.

    Returns:
        (controls + 1,): from none answered on; never falls.
    """
    alive = np.zeros(controls + 1)
    alive[0] = 1.0
    excluded = [0.0]
    for answered in range(1, controls + 1):
        right = np.concatenate([[0.0], alive[:-1]]) * accuracy
        alive = alive * (1 - accuracy) + right
        if answered >= after:
            alive[np.arange(controls + 1) < least * answered - ROUNDING] = 0.0
        excluded.append(max(0.0, 1 - float(alive.sum())))
    return np.array(excluded)


def _answers(
    workers: Sequence[SimulatedWorker], truth: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """What each worker would answer to each item (items, workers)."""
    luck = rng.random((len(truth), len(workers)))
    answers = np.zeros(luck.shape, dtype=np.int64)
    for place, worker in enumerate(workers):
        bounds = np.cumsum(worker.confusion, axis=1)[:, :-1]
        answers[:, place] = (luck[:, place, None] >= bounds[truth]).sum(axis=1)
    for place, worker in enumerate(workers):
        if worker.copies is not None:
            answers[:, place] = answers[:, worker.copies]
    return answers
