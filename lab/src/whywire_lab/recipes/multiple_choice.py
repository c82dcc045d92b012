"""Multiple choice: an effect with several events of its story, some of which are its direct causes.

A pair alone teaches what a cause looks like; a choice teaches what distinguishes it from the other events of the same
story, as in CRAB's multiple choice.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch.nn import functional

from whywire.elements import StrengthClass, strength_class
from whywire_lab.recipes.pair_rows import PairRow, with_typos
from whywire_lab.recipes.report_pair_loss import strength_loss
from whywire_lab.recipes.training_loop import batches_by_length

GRADED = {"event-causes": 5, "main-event-stories": 4, "graded-stories": 1, "e-care": 0.3}
"""Corpora that choices are made of, and the mean number of choices an epoch shows for each of their effects."""

OPTIONS, CHOICE_SHARE = 4, 0.5
"""Events in a choice, and the weight of its loss beside that of strength."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Rows of one effect (on the right) with its causes and with other events of its story (on the left)."""

    causes: Sequence[PairRow]
    others: Sequence[PairRow]

    def drawn(self) -> Choice:
        """A random choice of at most ``OPTIONS`` rows with one to three causes, mostly one."""
        (right,) = random.choices((1, 2, 3), (6, 3, 1))
        causes = random.sample(self.causes, min(right, len(self.causes)))
        return Choice(causes, random.sample(self.others, min(OPTIONS - len(causes), len(self.others))))

    @property
    def rows(self) -> list[PairRow]:
        """All rows, causes first."""
        return [*self.causes, *self.others]


@dataclass(frozen=True, slots=True)
class ChoiceBatch:
    """The rows of several choices as a net is shown them: in random order of the sides, sometimes with typos."""

    rows: Sequence[PairRow]
    flipped: Sequence[bool]
    sizes: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, choices: Sequence[Choice]) -> ChoiceBatch:
        """The rows of the choices, each mirrored with probability one half."""
        rows = [row for choice in choices for row in choice.rows]
        flipped = [random.random() < 0.5 for _ in rows]
        shown = [with_typos(row.mirrored() if turn else row) for row, turn in zip(rows, flipped, strict=True)]
        return cls(shown, flipped, [(len(choice.causes), len(choice.others)) for choice in choices])

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The texts, left and right."""
        return [(row.left, row.right) for row in self.rows]

    def loss(self, strength: torch.Tensor) -> torch.Tensor:
        """The loss of strengths (rows, 2): of each row, plus that of the choices."""
        forward = strength[torch.arange(len(self.rows)), torch.tensor(self.flipped, dtype=torch.long)]
        return strength_loss(strength, self.rows) + CHOICE_SHARE * choice_loss(forward, self.sizes)


def choices_of(rows: Iterable[PairRow]) -> list[Choice]:
    """A choice for each effect with at least one cause and one other event; later events count as others."""
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
    """Random choices, as many of each effect as ``GRADED`` says, in batches of about ``rows`` rows."""
    drawn = [choice.drawn() for choice in choices for _ in range(_round_at_random(GRADED[choice.causes[0].corpus]))]
    return batches_by_length(drawn, rows // OPTIONS, lambda choice: max(len(row.left) for row in choice.rows))


def _round_at_random(number: float) -> int:
    """The number rounded up or down at random, with itself as the mean."""
    return int(number + random.random())


def choice_loss(logits: torch.Tensor, sizes: Sequence[tuple[int, int]]) -> torch.Tensor:
    """The mean negative log-likelihood of choosing each cause from among itself and the other events.

    Args:
        logits: (options,), the strength of each option; the causes of each choice first.
        sizes: the numbers of causes and of other events in each choice.
    """
    losses: list[torch.Tensor] = []
    for own in logits.float().split([causes + others for causes, others in sizes]):
        causes, others = own.split(sizes[len(losses)])
        losses.append(functional.softplus(others.logsumexp(0) - causes).mean())
    return torch.stack(losses).mean()
