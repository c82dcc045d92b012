"""The encoder of reports: the base as it is, which nothing is trained in, as an int8 graph.

Two outputs. ``states``, (1, tokens, size): the tokens after ``READ_LAYERS`` layers, from which the layers of the pair
model go on. ``vector``, (1, size): the unit vector of the text, the mean of the last layer's tokens without what all
texts of its language have in common ("all but the top", Mu and Viswanath 2018).

Trained with the few thousand labelled pairs at hand, the vectors of the base became worse at telling events apart in
news that was held out; so they stay, and training starts from the outputs of this graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from whywire.models.encoder import Text, inputs_of
from whywire.pairs.report_reader import STATES, VECTOR
from whywire.pairs.reports import Report
from whywire_lab.recipes.base_encoders import Base
from whywire_lab.recipes.encoder_net import mean_of
from whywire_lab.recipes.export import INPUTS, write_config, write_graph
from whywire_lab.recipes.training_loop import collate

READ_LAYERS = 6
"""Layers that read a report alone before the layers of a pair go on."""

ARTICLE_TOKENS = 96
"""Tokens of title and lead that are read."""

SAMPLES = 240
"""Texts that show how uneven activations are, and what int8 costs."""

CENTRED_ON = 600
"""Reports of each language that show what all have in common."""


class Reading(torch.nn.Module):
    """The base encoder with the two outputs.

    Args:
        encoder: of the BERT family, with ``embeddings`` and ``encoder.layer``.
        centre: (size,), subtracted from the unit mean of the tokens.
        common: (directions, size), orthonormal rows that are removed from it then.
    """

    def __init__(self, encoder: Any, centre: NDArray[np.float32], common: NDArray[np.float32]) -> None:
        super().__init__()
        self.encoder = encoder
        self.centre = torch.nn.Parameter(torch.from_numpy(centre), requires_grad=False)
        self.common = torch.nn.Parameter(torch.from_numpy(common), requires_grad=False)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``states`` and ``vector``."""
        hidden = self.encoder.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        mask = additive(attention_mask, hidden)
        states = hidden
        for number, layer in enumerate(self.encoder.encoder.layer, start=1):
            hidden = layer(hidden, mask)
            if number == min(READ_LAYERS, len(self.encoder.encoder.layer)):
                states = hidden
        mean = functional.normalize(mean_of(hidden, attention_mask.unsqueeze(-1).to(hidden.dtype)), dim=-1)
        own = mean - self.centre
        return states, functional.normalize(own - own @ self.common.T @ self.common, dim=-1)


def text_of(report: Report) -> Text:
    """What a tokenizer is given of a report: the lead is the second text."""
    return (report.title, report.lead) if report.lead else report.title


def common_part(base: Base, by_language: Iterable[Sequence[Report]]) -> tuple[Any, Any]:
    """The centre (size,) of all texts, and the directions in which titles and whole reports of a language differ.

    Args:
        by_language: reports of each language.
    """
    means = []
    with torch.no_grad():
        for reports in by_language:
            for kind in ([report.bare for report in reports], [report for report in reports if report.lead]):
                vectors = []
                for at in range(0, len(kind), 32):
                    ids, mask, types = collate(base.tokenizer.encode_batch(list(map(text_of, kind[at : at + 32]))))
                    hidden = base.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
                    vectors.append(functional.normalize(mean_of(hidden, mask.unsqueeze(-1).float()), dim=-1))
                if vectors:
                    means.append(torch.cat(vectors).mean(0))
    centre = torch.stack(means).mean(0)
    _, sizes, rows = torch.linalg.svd(torch.stack(means) - centre, full_matrices=False)
    return centre.numpy(), rows[sizes > 1e-4 * sizes[0]][: len(means) - 1].numpy()


def export_report_encoder(base: Base, by_language: Sequence[Sequence[Report]], folder: Path) -> None:
    """Write ``model.onnx.gz``, ``tokenizer.json`` and ``config.json``.

    Args:
        by_language: reports of each language, with leads, that show what all have in common.
    """
    folder.mkdir(parents=True, exist_ok=True)
    base.tokenizer.enable_truncation(ARTICLE_TOKENS)
    net = Reading(base.encoder.eval(), *common_part(base, [own[:CENTRED_ON] for own in by_language]))
    mixed = [report for own in by_language for report in own[: SAMPLES // len(by_language)]]
    feeds = [
        inputs_of(base.tokenizer.encode(text) if isinstance(text, str) else base.tokenizer.encode(*text))
        for number, report in enumerate(mixed)
        for text in [text_of(report if number % 3 else report.bare)]
    ]
    sample = torch.ones((1, 8), dtype=torch.long)
    length = {0: "batch", 1: "length"}
    lost = write_graph(
        net,
        (sample, sample, torch.zeros_like(sample)),
        dict.fromkeys(INPUTS, length),
        {STATES: length, VECTOR: {0: "batch"}},
        feeds,
        folder / "model.onnx.gz",
        table=base.encoder.embeddings.word_embeddings.weight.detach().numpy(),
    )
    base.tokenizer.no_truncation()
    base.tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    write_config(
        folder, {"kind": "report-encoder", "base": base.name, "max_tokens": ARTICLE_TOKENS, "lost_to_int8": lost}
    )


def additive(mask: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """A mask of ones (batch, length) as what attention adds to its scores, (batch, 1, 1, length)."""
    return (1.0 - mask.to(like.dtype))[:, None, None, :] * -1e4
