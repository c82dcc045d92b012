"""The common part of the sentence and the pair model: an encoder, and how its tokens become one vector."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

DROPOUT = 0.1


class Dropout(torch.nn.Module):
    """Dropout whose mask is made from random bytes: drawing a float for every value took a quarter of a step.

    Args:
        share: of the values to drop, to the nearest 256th.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.p = share
        self.dropped = round(256 * share)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Zero a share of the values while training, and scale up the rest."""
        if not self.training or not self.dropped:
            return values
        if values.is_cuda:  # where random numbers cost nothing
            return torch.nn.functional.dropout(values, self.p)
        rng = np.random.default_rng(int(torch.randint(2**62, ())))
        kept = torch.from_numpy(rng.integers(0, 256, tuple(values.shape), np.uint8)) >= self.dropped
        return values * kept.to(values.dtype).mul_(256 / (256 - self.dropped))


class EncoderNet(torch.nn.Module):
    """A pretrained encoder of the BERT family that is to be fine-tuned.

    Args:
        encoder: anything with ``config.hidden_size`` and ``last_hidden_state`` in what it returns.
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        for module in list(encoder.modules()):
            for name, child in module.named_children():
                if type(child) is torch.nn.Dropout:
                    setattr(module, name, Dropout(child.p))
        self.size = int(encoder.config.hidden_size)
        self.dropout = Dropout(DROPOUT)

    def hidden(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """The last layer's vectors, (batch, length, size)."""
        inputs = {"input_ids": input_ids, "attention_mask": attention_mask}
        if getattr(self.encoder.config, "type_vocab_size", 0) > 1:  # XLM-R and MPNet have no word for the second text
            inputs["token_type_ids"] = token_type_ids
        result: torch.Tensor = self.encoder(**inputs).last_hidden_state
        return result


def mean_of(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean (batch, size) of the tokens where ``mask`` (batch, length, 1) is one."""
    return (hidden * mask).sum(1) / mask.sum(1).clamp(min=1)


def sides(
    attention_mask: torch.Tensor, token_type_ids: torch.Tensor, like: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The masks of the two texts of a pair, left and right, (batch, length, 1) each, in the numbers of ``like``."""
    right = token_type_ids.unsqueeze(-1).to(like.dtype)
    return attention_mask.unsqueeze(-1).to(like.dtype) - right, right


def text_vectors(hidden: torch.Tensor, left: torch.Tensor, right: torch.Tensor) -> list[torch.Tensor]:
    """Vectors of two texts, (batch, size) each: [CLS], the mean of either text, and the difference of the means."""
    first, second = mean_of(hidden, left), mean_of(hidden, right)
    return [hidden[:, 0], first, second, (first - second).abs()]
