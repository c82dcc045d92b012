"""The pair model: one pass over two headlines gives their relation; one over a single headline, its embedding.

Three outputs. ``relation``, (batch, 7): the logits of HeadlineCause's classes, *same event* among them.
``strength``, (batch, 2): logits of how strongly left caused right and right caused left. ``embedding``, (batch,
size): a unit vector of the first headline alone, near for headlines worth comparing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from whywire.pairs.relations import RELATIONS
from whywire_lab.recipes.encoder_net import EncoderNet, mean_of, sides, text_vectors
from whywire_lab.recipes.pair_rows import PairRow

MAX_TOKENS = 96
DIRECTIONS = 2


class Alignment(torch.nn.Module):
    """Compares two headlines word by word (decomposable attention, Parikh et al. 2016).

    A small encoder that was trained to embed single sentences hardly learns to compare two in its own layers.
    Here every token attends to the other headline, and is compared with what it found: a name that is missing on the
    other side, or another number in its place, shows at once.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.look = torch.nn.Linear(size, size)
        self.sharpness = torch.nn.Parameter(torch.tensor(10.0))
        self.compare = torch.nn.Sequential(torch.nn.Linear(3 * size, size), torch.nn.GELU())
        self.width = 2 * size + 2

    def forward(self, hidden: torch.Tensor, own: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        """Return, for the headline where ``own`` (batch, length, 1) is one, (batch, width) features."""
        return self.between(hidden, own, hidden, other)

    def between(
        self, asking: torch.Tensor, own: torch.Tensor, asked: torch.Tensor, other: torch.Tensor
    ) -> torch.Tensor:
        """Return features (batch, width) of the tokens ``asking`` where ``own`` is one, compared with ``asked``.

        Args:
            asking: (batch, length, size); its mask ``own`` is (batch, length, 1).
            asked: (batch, another length, size); its mask ``other`` likewise.
        """
        looks, looked_at = (functional.normalize(self.look(states), dim=-1) for states in (asking, asked))
        elsewhere = other.transpose(1, 2) == 0
        similarity = looks @ looked_at.transpose(1, 2)
        found = torch.softmax((similarity * self.sharpness).masked_fill(elsewhere, -1e4), dim=-1) @ asked
        compared = self.compare(torch.cat([asking, found, (asking - found).abs()], dim=-1))
        nearest = similarity.masked_fill(elsewhere, -1.0).amax(-1, keepdim=True)
        return torch.cat(
            [
                mean_of(compared, own),
                compared.masked_fill(own == 0, -1e4).amax(1),
                mean_of(nearest, own),
                nearest.masked_fill(own == 0, 1.0).amin(1),
            ],
            dim=-1,
        )


class PairNet(EncoderNet):
    """An encoder, a head that compares the two headlines as text_vectors and word by word, and an embedding."""

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
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return ``relation`` (batch, 7), ``strength`` (batch, 2) and ``embedding`` (batch, size)."""
        hidden = self.hidden(input_ids, attention_mask, token_type_ids)
        left, right = sides(attention_mask, token_type_ids, hidden)
        seen = text_vectors(hidden, left, right)
        words = [self.align(hidden, left, right), self.align(hidden, right, left)]
        features = self.dropout(torch.cat([*seen, *words], dim=-1))
        return self.relation(features), self.strength(features), functional.normalize(seen[1], dim=-1)


def relation_loss(logits: torch.Tensor, rows: Sequence[PairRow]) -> torch.Tensor:
    """Minus the logarithm of the probability inside each row's set of allowed relations."""
    allowed = torch.tensor([[relation in row.allowed for relation in RELATIONS] for row in rows])
    weights = torch.tensor([row.weight for row in rows])
    inside = functional.log_softmax(logits.float(), dim=-1).masked_fill(~allowed, -1e4).logsumexp(-1)
    return -(inside * weights).sum() / weights.sum()


def strength_loss(logits: torch.Tensor, rows: Sequence[PairRow]) -> torch.Tensor:
    """Cross-entropy of strength, a share of one and not a class, in the directions a row knows."""
    known = torch.tensor([[float(value is not None) for value in row.strength] for row in rows])
    truth = torch.tensor([[float(value or 0) for value in row.strength] for row in rows])
    weights = torch.tensor([row.weight for row in rows]).unsqueeze(-1) * known
    losses = functional.binary_cross_entropy_with_logits(logits.float(), truth, reduction="none")
    return (losses * weights).sum() / weights.sum().clamp(min=1.0)


def embedding_loss(vectors: torch.Tensor, teacher: torch.Tensor, groups: Sequence[int]) -> torch.Tensor:
    """Keep the base's similarity between events; bring headlines of one event together (InfoNCE, temperature 0.05).

    Args:
        vectors: (batch, size), unit length.
        teacher: (batch, any size), the base's unit vectors of the same headlines.
        groups: the event of each headline.
    """
    similarity = vectors.float() @ vectors.float().T
    own = torch.eye(len(groups), dtype=torch.bool)
    together = torch.tensor([[a == b for b in groups] for a in groups]) & ~own
    kept = (similarity - teacher @ teacher.T).square()[~together].mean()
    scores = functional.log_softmax((similarity / 0.05).masked_fill(own, -1e4), dim=-1)
    drawn = -(scores * together).sum(-1)[together.any(-1)] / together.sum(-1)[together.any(-1)]
    return 5 * kept + (0.3 * drawn.mean() if len(drawn) else 0.0)
