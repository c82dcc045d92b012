"""Losses of the model of report pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import torch
from torch.nn import functional

from whywire.pairs.relations import RELATIONS
from whywire_lab.recipes.relation_priors import Prior
from whywire_lab.recipes.report_draws import prior_group
from whywire_lab.recipes.report_pair_model import GUIDELINES, Answers
from whywire_lab.recipes.report_rows import ReportPair

STRENGTH_WEIGHT = 0.5
"""Weight of the loss of strength beside that of the relations."""


class GradedRow(Protocol):
    """A row that may say how strongly either side caused the other."""

    @property
    def weight(self) -> float:
        """How much it counts."""

    @property
    def strength(self) -> tuple[float | None, float | None]:
        """How strongly left caused right, 0 to 1, and right left."""


def pair_loss(
    answers: Answers,
    rows: Sequence[ReportPair],
    priors: Mapping[str, Mapping[str, Prior]],
) -> torch.Tensor:
    """The whole loss of a batch.

    Args:
        priors: by guideline, the prior of each group of rows; added to the logits in training alone.
    """
    loss = torch.zeros((), device=answers.strength.device)
    for guideline in GUIDELINES:
        logits = answers.relations[guideline].float()
        shifts = np.stack([_shift(row, guideline, priors) for row in rows])
        weights = [row.weight * (guideline in row.guidelines) for row in rows]
        loss = loss + allowed_loss(
            logits + torch.tensor(shifts, dtype=torch.float32, device=logits.device), rows, weights
        )
    return loss + STRENGTH_WEIGHT * strength_loss(answers.strength, rows)


def _shift(row: ReportPair, guideline: str, priors: Mapping[str, Mapping[str, Prior]]) -> Prior:
    return np.log(priors[guideline].get(prior_group(row, guideline), np.ones(len(RELATIONS)) / len(RELATIONS)))


def allowed_loss(logits: torch.Tensor, rows: Sequence[ReportPair], weights: Sequence[float]) -> torch.Tensor:
    """Minus the logarithm of the probability inside each row's set, a weighted mean over the rows."""
    device = logits.device
    allowed = torch.tensor([[relation in row.allowed for relation in RELATIONS] for row in rows], device=device)
    weight = torch.tensor(weights, dtype=torch.float32, device=device)
    inside = functional.log_softmax(logits, dim=-1).masked_fill(~allowed, -1e4).logsumexp(-1)
    return -(inside * weight).sum() / weight.sum().clamp(min=1.0)


def strength_loss(logits: torch.Tensor, rows: Sequence[GradedRow]) -> torch.Tensor:
    """Cross-entropy of strength, a share of one and not a class, in the directions a row knows."""
    device = logits.device
    known = torch.tensor([[float(value is not None) for value in row.strength] for row in rows], device=device)
    truth = torch.tensor([[float(value or 0) for value in row.strength] for row in rows], device=device)
    weights = torch.tensor([row.weight for row in rows], device=device).unsqueeze(-1) * known
    losses = functional.binary_cross_entropy_with_logits(logits.float(), truth, reduction="none")
    return (losses * weights).sum() / weights.sum().clamp(min=1.0)
