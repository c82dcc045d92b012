"""What a net said before it went on to learn something else, for it to keep to.

On texts that nobody labelled the net is drawn to its own former answers (learning without forgetting, Li and Hoiem
2016), so that the new task does not cost the old ones what few labelled rows would not notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from whywire_lab.recipes.training_loop import batches_by_length, collate, predict

Said = tuple[torch.Tensor, torch.Tensor]
"""A row of logits for a text, (width,), and one for each of its tokens, (tokens, width)."""


@dataclass(frozen=True)
class FormerAnswers:
    """A net's first two outputs for texts.

    Attributes:
        said: by text.
        spread: the variance of every logit of either output over all texts.
    """

    said: Mapping[str, Said]
    spread: Said

    @classmethod
    def of(cls, net: torch.nn.Module, tokenizer: Any, texts: Sequence[str]) -> FormerAnswers:
        """What ``net`` says of ``texts`` now."""
        net.eval()
        lengths = [len(encoding.ids) for encoding in tokenizer.encode_batch(texts)]
        said = {
            text: (torch.from_numpy(row), torch.from_numpy(lines[:length]))
            for text, row, lines, length in zip(texts, *predict(net, tokenizer, texts), lengths, strict=True)
        }
        rows, tokens = zip(*said.values(), strict=True)
        return cls(said, (torch.stack(rows).var(0), torch.cat(tokens).var(0)))

    def batches(self, size: int) -> Iterator[list[str]]:
        """The texts, shuffled, in batches of about the same length."""
        return batches_by_length(list(self.said), size, len)

    def loss(self, net: torch.nn.Module, tokenizer: Any, texts: Sequence[str]) -> torch.Tensor:
        """How far ``net`` is from what it said: squared, in variances of the logit, averaged; both outputs' sum."""
        rows, tokens = net(*collate(tokenizer.encode_batch(texts)))[:2]
        off = [
            ((row.float() - said) ** 2 / self.spread[0]).mean()
            + ((lines[: len(told)].float() - told) ** 2 / self.spread[1]).mean()
            for row, lines, (said, told) in zip(rows, tokens, (self.said[text] for text in texts), strict=True)
        ]
        return torch.stack(off).mean()
