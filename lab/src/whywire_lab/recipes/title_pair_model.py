"""The model of picked pairs: one pass over two titles gives their relation and the strength of a cause.

Two outputs. ``relation``, (batch, 7): the logits of HeadlineCause's classes. ``strength``, (batch, 2): logits of how
strongly left caused right and right caused left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from whywire.pairs.relations import RELATIONS
from whywire_lab.recipes.alignment import Alignment
from whywire_lab.recipes.encoder_net import EncoderNet, sides, text_vectors
from whywire_lab.recipes.pair_rows import DIRECTIONS, PairRow
from whywire_lab.recipes.training_loop import collate, mixed_precision

MAX_TOKENS = 96


class TitlePairNet(EncoderNet):
    """An encoder, and a head that compares the two titles as wholes and word by word."""

    def __init__(self, encoder: Any) -> None:
        super().__init__(encoder)
        self.align = Alignment(self.size)
        self.relation, self.strength = (
            torch.nn.Sequential(
                torch.nn.Linear(4 * self.size + 2 * self.align.width, self.size),
                torch.nn.GELU(),
                torch.nn.Linear(self.size, width),
            )
            for width in (len(RELATIONS), DIRECTIONS)
        )

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``relation`` (batch, 7) and ``strength`` (batch, 2)."""
        hidden = self.hidden(input_ids, attention_mask, token_type_ids)
        left, right = sides(attention_mask, token_type_ids, hidden)
        seen = text_vectors(hidden, left, right)
        words = [self.align(hidden, left, right), self.align(hidden, right, left)]
        features = self.dropout(torch.cat([*seen, *words], dim=-1))
        return self.relation(features), self.strength(features)


def relation_loss(logits: torch.Tensor, rows: Sequence[PairRow]) -> torch.Tensor:
    """Minus the logarithm of the probability inside each row's set of allowed relations."""
    allowed = torch.tensor([[relation in row.allowed for relation in RELATIONS] for row in rows])
    weights = torch.tensor([row.weight for row in rows])
    inside = functional.log_softmax(logits.float(), dim=-1).masked_fill(~allowed, -1e4).logsumexp(-1)
    return -(inside * weights).sum() / weights.sum()


def predict_pairs(
    net: TitlePairNet, tokenizer: Any, rows: Sequence[PairRow]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The logits of the pairs as they stand: relation (rows, 7) and strength (rows, 2)."""
    order = sorted(range(len(rows)), key=lambda number: len(rows[number].left) + len(rows[number].right))
    result: dict[int, Any] = {}
    for at in range(0, len(order), 64):
        chosen = order[at : at + 64]
        inputs = collate(tokenizer.encode_batch([(rows[number].left, rows[number].right) for number in chosen]))
        with torch.no_grad(), mixed_precision():
            relation, strength = net(*inputs)
        found = zip(relation.float().numpy(), strength.float().numpy(), strict=True)
        result.update(zip(chosen, found, strict=True))
    relations, strengths = zip(*(result[number] for number in range(len(rows))), strict=True)
    return np.stack(relations), np.stack(strengths)
