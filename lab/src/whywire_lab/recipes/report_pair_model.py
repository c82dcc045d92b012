"""The model of report pairs: title and lead of two articles in, their relation out.

Reports are read one by one by an encoder that is not trained (:mod:`whywire_lab.recipes.report_encoder`). Then the
two titles, whose tokens know their leads by now, go through the upper layers together (PreTTR, MacAvaney et al.
2020; DeFormer, Cao et al. 2020), and the vectors of the whole reports are compared beside.

Three outputs: ``neighbours`` and ``picked``, (batch, 7) each, are the logits of the seven relations by the two
guidelines, free of the prior of any source (:mod:`whywire_lab.recipes.relation_priors`); ``strength``, (batch, 2),
how strongly left caused right and right left.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from whywire.pairs.relations import RELATIONS, Relation, column
from whywire.pairs.report_reader import ReadReport
from whywire_lab.recipes.alignment import Alignment
from whywire_lab.recipes.encoder_net import Dropout, text_vectors
from whywire_lab.recipes.pair_rows import DIRECTIONS
from whywire_lab.recipes.report_encoder import READ_LAYERS, additive
from whywire_lab.recipes.report_rows import NEIGHBOURS, PICKED
from whywire_lab.recipes.training_loop import LENGTH_STEP

GUIDELINES = (NEIGHBOURS, PICKED)

COSINES = 2
"""Cosines of two reports: of their titles, and of the whole."""

FIRST_SLOPE, FIRST_MIDDLE = 6.0, 0.6
"""What the logit of *same event* starts from: the slope by each cosine, and where their mean says nothing."""


@dataclass(frozen=True, slots=True)
class Side:
    """The reports on one side of pairs.

    Args:
        states: (batch, length, size), of the titles' tokens; ``tokens`` (batch, length, 1) is one where there is one.
        vectors: (batch, 2, size), unit vectors of the title and of the whole.
        has_lead: (batch, 1), one where there is a lead.
    """

    states: torch.Tensor
    tokens: torch.Tensor
    vectors: torch.Tensor
    has_lead: torch.Tensor

    @classmethod
    def of(cls, read: Sequence[ReadReport], device: torch.device) -> Side:
        """Pad what was read of reports to the longest title."""
        longest = max(len(own.states) for own in read)
        longest += -longest % LENGTH_STEP
        states = np.zeros((len(read), longest, read[0].states.shape[1]), dtype=np.float32)
        tokens = np.zeros((len(read), longest, 1), dtype=np.float32)
        for number, own in enumerate(read):
            states[number, : len(own.states)] = own.states
            tokens[number, : len(own.states)] = 1
        vectors = np.stack([np.stack([own.title, own.whole]) for own in read])
        leads = np.array([[own.has_lead] for own in read], dtype=np.float32)
        return cls(*(torch.from_numpy(table).to(device) for table in (states, tokens, vectors, leads)))


@dataclass(frozen=True, slots=True)
class Answers:
    """What a net says of pairs: logits by each guideline, and of strength."""

    relations: dict[str, torch.Tensor]
    strength: torch.Tensor


class ReportPairNet(torch.nn.Module):
    """The upper layers, through which two titles go together, and the head.

    Args:
        encoder: of the BERT family; its layers above ``READ_LAYERS`` are copied.
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        layers = encoder.encoder.layer
        self.layers = copy.deepcopy(layers[min(READ_LAYERS, len(layers) - 1) :])
        for module in list(self.layers.modules()):
            for name, child in module.named_children():
                if type(child) is torch.nn.Dropout:
                    setattr(module, name, Dropout(child.p))
        size = int(encoder.config.hidden_size)
        self.side = torch.nn.Embedding(2, size)
        torch.nn.init.zeros_(self.side.weight)
        self.align = Alignment(size)
        self.dropout = Dropout(0.1)
        width = 4 * size + 2 * self.align.width + 2 * COSINES * size + COSINES + 2
        self.trunk = torch.nn.Sequential(torch.nn.Linear(width, size), torch.nn.GELU())
        self.neighbours, self.picked = (torch.nn.Linear(size, len(RELATIONS)) for _ in GUIDELINES)
        self.by_cosines = torch.nn.ModuleList(_from_cosines() for _ in GUIDELINES)
        self.strength = torch.nn.Sequential(
            torch.nn.Linear(size, size), torch.nn.GELU(), torch.nn.Linear(size, DIRECTIONS)
        )

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.side.weight.device

    def forward(self, left: Side, right: Side) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return ``neighbours``, ``picked`` and ``strength``."""
        cosines = (left.vectors * right.vectors).sum(-1)
        features = torch.cat(
            [
                *self._titles_together(left, right),
                (left.vectors - right.vectors).abs().flatten(1),
                (left.vectors * right.vectors).flatten(1) * left.vectors.shape[-1] ** 0.5,
                cosines,
                left.has_lead,
                right.has_lead,
            ],
            dim=-1,
        )
        seen = self.trunk(self.dropout(features))
        neighbours, picked = (
            head(seen) + by_cosines(cosines)
            for head, by_cosines in zip((self.neighbours, self.picked), self.by_cosines, strict=True)
        )
        return neighbours, picked, self.strength(seen)

    def answers(self, left: Sequence[ReadReport], right: Sequence[ReadReport]) -> Answers:
        """The answers on pairs of reports that were read."""
        neighbours, picked, strength = self(*(Side.of(reports, self.device) for reports in (left, right)))
        return Answers({NEIGHBOURS: neighbours, PICKED: picked}, strength)

    def _titles_together(self, left: Side, right: Side) -> list[torch.Tensor]:
        """Features of the two titles after the layers, which they go through together."""
        hidden = torch.cat([left.states + self.side.weight[0], right.states + self.side.weight[1]], dim=1)
        one = torch.cat([left.tokens, torch.zeros_like(right.tokens)], dim=1)
        two = torch.cat([torch.zeros_like(left.tokens), right.tokens], dim=1)
        mask = additive((one + two).squeeze(-1), hidden)
        for layer in self.layers:
            hidden = layer(hidden, mask)
        words = [self.align(hidden, one, two), self.align(hidden, two, one)]
        return [*text_vectors(hidden, one, two), *words]


def _from_cosines() -> torch.nn.Linear:
    """The part of the logits that the cosines alone give; at first they speak for or against *same event* only."""
    layer = torch.nn.Linear(COSINES, len(RELATIONS))
    with torch.no_grad():
        layer.weight.zero_()
        layer.bias.zero_()
        layer.weight[column(Relation.SAME_EVENT)] = FIRST_SLOPE
        layer.bias[column(Relation.SAME_EVENT)] = -COSINES * FIRST_SLOPE * FIRST_MIDDLE
    return layer
