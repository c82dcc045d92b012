"""Choices: an event shown with several others of its story, of which some are its direct causes.

Pair by pair a model learns what a cause sounds like; asked to choose, it learns what tells a cause from everything
else that happened in the same affair, as in CRAB's multiple choice.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch.nn import functional

from whywire.elements import StrengthClass, strength_class
from whywire_lab.recipes.pair_model import strength_loss
from whywire_lab.recipes.pair_rows import PairRow, with_typos
from whywire_lab.recipes.training_loop import batches_by_length

GRADED = {"event-causes": 5, "main-event-stories": 4, "graded-stories": 1, "e-care": 0.3}
"""Corpora that say which of several events is a cause: choices are drawn from them. Of every effect an epoch sees so
many on average; questions on the news are few."""

OPTIONS, CHOICE_SHARE = 4, 0.5
"""So many events a choice is made of, and what choosing rightly counts beside strength."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An event on the right of every row, with others of its story on the left; some caused it, some did not."""

    causes: Sequence[PairRow]
    others: Sequence[PairRow]

    def drawn(self) -> Choice:
        """At most ``OPTIONS`` of them; mostly one cause, as in CRAB's multiple choice, sometimes two or three."""
        (right,) = random.choices((1, 2, 3), (6, 3, 1))
        causes = random.sample(self.causes, min(right, len(self.causes)))
        return Choice(causes, random.sample(self.others, min(OPTIONS - len(causes), len(self.others))))

    @property
    def rows(self) -> list[PairRow]:
        """Causes first."""
        return [*self.causes, *self.others]


@dataclass(frozen=True, slots=True)
class ChoiceBatch:
    """Choices as a net is shown them: option and effect in either order, now and then with a typo."""

    rows: Sequence[PairRow]
    turned: Sequence[bool]
    sizes: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, choices: Sequence[Choice]) -> ChoiceBatch:
        """The rows of the choices, each turned half of the time."""
        rows = [row for choice in choices for row in choice.rows]
        turned = [random.random() < 0.5 for _ in rows]
        shown = [with_typos(row.mirrored() if turn else row) for row, turn in zip(rows, turned, strict=True)]
        return cls(shown, turned, [(len(choice.causes), len(choice.others)) for choice in choices])

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The texts, left and right."""
        return [(row.left, row.right) for row in self.rows]

    def loss(self, strength: torch.Tensor) -> torch.Tensor:
        """What the strengths (rows, 2) cost, one by one and as choices."""
        forward = strength[torch.arange(len(self.rows)), torch.tensor(self.turned, dtype=torch.long)]
        return strength_loss(strength, self.rows) + CHOICE_SHARE * choice_loss(forward, self.sizes)


def choices_of(rows: Iterable[PairRow]) -> list[Choice]:
    """The effects that at least one event caused and another did not; what came later is one of the others."""
    effects: dict[tuple[str, str], tuple[list[PairRow], list[PairRow]]] = {}
    for row in rows:
        for own in (row, row.mirrored()):
            strength = own.strength[0]
            if strength is not None:
                causes, others = effects.setdefault((own.corpus, own.right), ([], []))
                high = strength_class(100 * strength) is StrengthClass.HIGH
                (causes if high else others).append(own)
    return [Choice(causes, others) for causes, others in effects.values() if causes and others]


def choice_batches(choices: Iterable[Choice], rows: int) -> Iterator[list[Choice]]:
    """Every choice drawn as often as ``GRADED`` says, in batches of about so many rows."""
    drawn = [choice.drawn() for choice in choices for _ in range(_whole(GRADED[choice.causes[0].corpus]))]
    return batches_by_length(drawn, rows // OPTIONS, lambda choice: max(len(row.left) for row in choice.rows))


def _whole(number: float) -> int:
    """One of the whole numbers next to it, by lot, so that many are the number on average."""
    return int(number + random.random())


def choice_loss(logits: torch.Tensor, sizes: Sequence[tuple[int, int]]) -> torch.Tensor:
    """How surprising it is that a cause is chosen from among it and what caused nothing: the mean of all causes.

    Args:
        logits: (options,), how strong each option is; of every choice the causes first.
        sizes: of every choice how many causes it has, and how many others.
    """
    losses: list[torch.Tensor] = []
    for own in logits.float().split([causes + others for causes, others in sizes]):
        causes, others = own.split(sizes[len(losses)])
        losses.append(functional.softplus(others.logsumexp(0) - causes).mean())
    return torch.stack(losses).mean()
