"""Losses of the model of report pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.nn import functional

from whywire.pairs.relations import RELATIONS, Relation
from whywire_lab.recipes.pair_rows import SAME
from whywire_lab.recipes.relation_priors import Prior
from whywire_lab.recipes.report_draws import prior_group
from whywire_lab.recipes.report_pair_model import GUIDELINES, Answers
from whywire_lab.recipes.report_rows import ReportPair

STRENGTH_WEIGHT, EMBEDDING_WEIGHT = 0.5, 0.1
"""Weights of the losses of strength and of the embedding beside that of the relations."""

SHARPNESS = 20.0
"""Times the cosine of two articles in the loss of the embedding (one over the temperature of InfoNCE)."""


def pair_loss(
    answers: Answers,
    rows: Sequence[ReportPair],
    priors: Mapping[str, Mapping[str, Prior]],
    components: Sequence[str],
    *,
    embedding: bool,
) -> torch.Tensor:
    """The whole loss of a batch.

    Args:
        priors: by guideline, the prior of each group of rows; added to the logits in training alone.
        components: of the rows; two articles of one component are not taken for different events.
        embedding: whether the vectors are trained, too.
    """
    loss = torch.zeros((), device=answers.strength.device)
    for guideline in GUIDELINES:
        logits = answers.relations[guideline].float()
        shifts = np.stack([_shift(row, guideline, priors) for row in rows])
        weights = [row.weight * (guideline in row.guidelines) for row in rows]
        loss = loss + allowed_loss(
            logits + torch.tensor(shifts, dtype=torch.float32, device=logits.device), rows, weights
        )
    loss = loss + STRENGTH_WEIGHT * strength_loss(answers.strength, rows)
    if embedding:
        loss = loss + EMBEDDING_WEIGHT * embedding_loss(answers.left, answers.right, rows, components)
    return loss


def _shift(row: ReportPair, guideline: str, priors: Mapping[str, Mapping[str, Prior]]) -> Prior:
    return np.log(priors[guideline].get(prior_group(row, guideline), np.ones(len(RELATIONS)) / len(RELATIONS)))


def allowed_loss(logits: torch.Tensor, rows: Sequence[ReportPair], weights: Sequence[float]) -> torch.Tensor:
    """Minus the logarithm of the probability inside each row's set, a weighted mean over the rows."""
    device = logits.device
    allowed = torch.tensor([[relation in row.allowed for relation in RELATIONS] for row in rows], device=device)
    weight = torch.tensor(weights, dtype=torch.float32, device=device)
    inside = functional.log_softmax(logits, dim=-1).masked_fill(~allowed, -1e4).logsumexp(-1)
    return -(inside * weight).sum() / weight.sum().clamp(min=1.0)


def strength_loss(logits: torch.Tensor, rows: Sequence[ReportPair]) -> torch.Tensor:
    """Cross-entropy of strength, a share of one and not a class, in the directions a row knows."""
    device = logits.device
    known = torch.tensor([[float(value is not None) for value in row.strength] for row in rows], device=device)
    truth = torch.tensor([[float(value or 0) for value in row.strength] for row in rows], device=device)
    weights = torch.tensor([row.weight for row in rows], device=device).unsqueeze(-1) * known
    losses = functional.binary_cross_entropy_with_logits(logits.float(), truth, reduction="none")
    return (losses * weights).sum() / weights.sum().clamp(min=1.0)


def embedding_loss(
    left: torch.Tensor, right: torch.Tensor, rows: Sequence[ReportPair], components: Sequence[str]
) -> torch.Tensor:
    """Bring reports of one event together, away from those of other stories and of other events (InfoNCE).

    Each report of a pair of one event is to find its partner among the right reports of the batch that are of other
    components, or that are known to tell of another event: those its own rows say so of.
    """
    same = torch.tensor([row.allowed == SAME for row in rows], device=left.device)
    if not bool(same.any()):
        return torch.zeros((), device=left.device)
    other = [[a != b for b in components] for a in components]
    denied: dict[object, set[object]] = {}
    for row in rows:
        if Relation.SAME_EVENT not in row.allowed:
            denied.setdefault(row.left, set()).add(row.right)
            denied.setdefault(row.right, set()).add(row.left)
    for number, row in enumerate(rows):
        for place, candidate in enumerate(rows):
            if candidate.right in denied.get(row.left, ()):
                other[number][place] = True
        other[number][number] = True
    scores = SHARPNESS * (left.float() @ right.float().T)
    kept = scores.masked_fill(~torch.tensor(other, device=left.device), -1e4)
    found = functional.log_softmax(kept, dim=-1).diagonal()
    return -found[same].mean()
