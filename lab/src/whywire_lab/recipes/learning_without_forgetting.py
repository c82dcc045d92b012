"""Learning without forgetting (Li and Hoiem 2016): while a net learns a new task, it keeps its former answers.

On unlabelled texts a loss draws the net to its former answers, so that the old tasks do not get worse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from whywire_lab.recipes.training_loop import batches_by_length, collate, predict

Answer = tuple[torch.Tensor, torch.Tensor]
"""The logits of a text, (width,), and of each of its tokens, (tokens, width)."""


@dataclass(frozen=True)
class FormerAnswers:
    """A net's first two outputs for texts.

    Args:
        answers: by text.
        variances: of every logit of both outputs over all texts.
    """

    answers: Mapping[str, Answer]
    variances: Answer

    @classmethod
    def of(cls, net: torch.nn.Module, tokenizer: Any, texts: Sequence[str]) -> FormerAnswers:
        """The present outputs of ``net`` for ``texts``."""
        net.eval()
        lengths = [len(encoding.ids) for encoding in tokenizer.encode_batch(texts)]
        answers = {
            text: (torch.from_numpy(row), torch.from_numpy(lines[:length]))
            for text, row, lines, length in zip(texts, *predict(net, tokenizer, texts), lengths, strict=True)
        }
        rows, tokens = zip(*answers.values(), strict=True)
        return cls(answers, (torch.stack(rows).var(0), torch.cat(tokens).var(0)))

    def batches(self, size: int) -> Iterator[list[str]]:
        """Shuffled batches of texts of about the same length."""
        return batches_by_length(list(self.answers), size, len)

    def loss(self, net: torch.nn.Module, tokenizer: Any, texts: Sequence[str]) -> torch.Tensor:
        """The mean squared distance from the former logits, in units of their variances; summed over both outputs."""
        rows, tokens = net(*collate(tokenizer.encode_batch(texts)))[:2]
        off = [
            ((row.float() - former) ** 2 / self.variances[0]).mean()
            + ((lines[: len(former_lines)].float() - former_lines) ** 2 / self.variances[1]).mean()
            for row, lines, (former, former_lines) in zip(
                rows, tokens, (self.answers[text] for text in texts), strict=True
            )
        ]
        return torch.stack(off).mean()
