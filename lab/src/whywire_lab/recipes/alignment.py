"""Compares two texts word by word, as a layer of the pair model."""

from __future__ import annotations

import torch
from torch.nn import functional

from whywire_lab.recipes.encoder_net import mean_of


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
