"""What the two nets have in common: an encoder, and how its tokens become one vector."""

from __future__ import annotations

from typing import Any

import torch

DROPOUT = 0.1


class EncoderNet(torch.nn.Module):
    """A pretrained encoder of the BERT family that is to be fine-tuned.

    Args:
        encoder: anything with ``config.hidden_size`` and ``last_hidden_state`` in what it returns.
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        self.size = int(encoder.config.hidden_size)
        self.dropout = torch.nn.Dropout(DROPOUT)

    def hidden(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """The last layer's vectors, (batch, length, size)."""
        inputs = {"input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": token_type_ids}
        if self.encoder.config.type_vocab_size < 2:  # XLM-R and DeBERTa-v3 have no word for the second text
            inputs["token_type_ids"] = torch.zeros_like(token_type_ids)
        result: torch.Tensor = self.encoder(**inputs).last_hidden_state
        return result


def mean_of(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean (batch, size) of the tokens where ``mask`` (batch, length, 1) is one."""
    return (hidden * mask).sum(1) / mask.sum(1).clamp(min=1)
