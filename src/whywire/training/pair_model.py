"""The pair model: one pass over two headlines gives their relation; one over a single headline, its embedding.

Two outputs. ``relation``, (batch, 7): the logits of HeadlineCause's classes, *same event* among them.
``embedding``, (batch, size): a unit vector of the first headline alone, near for headlines worth comparing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from whywire.headlines.relations import RELATIONS
from whywire.training.pair_data import PairRow

MAX_TOKENS = 96


class PairNet(torch.nn.Module):
    """An encoder, a head that compares the two headlines' means, and an embedding."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        size = encoder.config.hidden_size
        self.encoder = encoder
        self.dropout = torch.nn.Dropout(0.1)
        self.relation = torch.nn.Sequential(
            torch.nn.Linear(4 * size, size), torch.nn.GELU(), torch.nn.Linear(size, len(RELATIONS))
        )

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``relation`` (batch, 7) and ``embedding`` (batch, size)."""
        hidden = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        right = token_type_ids.unsqueeze(-1).to(hidden.dtype)
        left = attention_mask.unsqueeze(-1).to(hidden.dtype) - right
        first = (hidden * left).sum(1) / left.sum(1).clamp(min=1)
        second = (hidden * right).sum(1) / right.sum(1).clamp(min=1)
        features = torch.cat([hidden[:, 0], first, second, (first - second).abs()], dim=-1)
        return self.relation(self.dropout(features)), functional.normalize(first, dim=-1)


def relation_loss(logits: torch.Tensor, rows: Sequence[PairRow]) -> torch.Tensor:
    """Minus the logarithm of the probability inside each row's set of allowed relations."""
    allowed = torch.tensor([[relation in row.allowed for relation in RELATIONS] for row in rows])
    weights = torch.tensor([row.weight for row in rows])
    inside = functional.log_softmax(logits.float(), dim=-1).masked_fill(~allowed, -1e4).logsumexp(-1)
    return -(inside * weights).sum() / weights.sum()


def embedding_loss(vectors: torch.Tensor, teacher: torch.Tensor, groups: Sequence[int]) -> torch.Tensor:
    """Keep the base's idea of likeness, and draw headlines of one event together (InfoNCE, temperature 0.05).

    Args:
        vectors: (batch, size), unit length.
        teacher: (batch, any size), the base's unit vectors of the same headlines.
        groups: the event of each headline.
    """
    likeness = vectors.float() @ vectors.float().T
    kept = functional.mse_loss(likeness, teacher @ teacher.T)
    own = torch.eye(len(groups), dtype=torch.bool)
    together = torch.tensor([[a == b for b in groups] for a in groups]) & ~own
    scores = functional.log_softmax((likeness / 0.05).masked_fill(own, -1e4), dim=-1)
    drawn = -(scores * together).sum(-1)[together.any(-1)] / together.sum(-1)[together.any(-1)]
    return 5 * kept + (0.3 * drawn.mean() if len(drawn) else 0.0)
