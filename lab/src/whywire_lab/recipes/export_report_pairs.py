"""From a trained model of report pairs to two int8 graphs: one reads an article, the other relates two.

``article.onnx.gz`` takes the three inputs of a BERT and gives ``states`` (1, tokens, size), those of the title first,
and ``embedding`` (1, size). ``pair.onnx.gz`` takes of each side the states, the ``types`` of its tokens (0 title, 1
lead), and the states of its title alone; it gives ``neighbours``, ``picked`` and ``strength``. Both are for one
article and one pair at a time, so nothing is padded. A build keeps the states of the articles it compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from whywire.models.encoder import inputs_of
from whywire_lab.recipes.export import INPUTS, Feed, write_config, write_graph
from whywire_lab.recipes.report_pair_model import ARTICLE_TOKENS, ReadArticles, SplitNet, texts_of
from whywire_lab.recipes.report_rows import ReportPair

ARTICLE, PAIR = "article.onnx.gz", "pair.onnx.gz"

STATES, EMBEDDING = "states", "embedding"
PAIR_INPUTS = ("left", "left_types", "left_title", "right", "right_types", "right_title")
PAIR_OUTPUTS = ("neighbours", "picked", "strength")

SAMPLES = 120
"""Pairs that show how uneven activations are, and what int8 costs."""


class Reading(torch.nn.Module):
    """The lower layers, as the graph of an article."""

    def __init__(self, net: SplitNet) -> None:
        super().__init__()
        self.net = net

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``states`` and ``embedding``."""
        return self.net.read(input_ids, attention_mask, token_type_ids)


class Relating(torch.nn.Module):
    """The upper layers and the head, as the graph of a pair."""

    def __init__(self, net: SplitNet) -> None:
        super().__init__()
        self.net = net

    def forward(
        self,
        left: torch.Tensor, left_types: torch.Tensor, left_title: torch.Tensor,
        right: torch.Tensor, right_types: torch.Tensor, right_title: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:  # fmt: skip
        """Return the three outputs of the head."""
        sides = [
            ReadArticles(
                states, torch.ones_like(states[..., :1]), title, torch.ones_like(title[..., :1]),
                types.amax(1, keepdim=True).to(states.dtype),
            )
            for states, types, title in ((left, left_types, left_title), (right, right_types, right_title))
        ]  # fmt: skip
        return self.net.relate(*sides)


def export_report_pairs(
    net: SplitNet, tokenizer: Tokenizer, rows: Sequence[ReportPair], config: Mapping[str, Any], folder: Path
) -> None:
    """Write both graphs, ``tokenizer.json`` and ``config.json``.

    Args:
        rows: pairs like those that will be asked about.
        config: what the runtime must know besides.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.enable_truncation(ARTICLE_TOKENS)
    net = net.cpu().eval()
    chosen = list(rows[:: -(-len(rows) // SAMPLES)])
    read = [[tokenizer.encode(texts) if isinstance(texts, str) else tokenizer.encode(*texts)
             for texts in (texts_of(row.left), texts_of(row.right))] for row in chosen]  # fmt: skip
    sample = torch.ones((1, 8), dtype=torch.long)
    length = {0: "batch", 1: "length"}
    lost = write_graph(
        Reading(net),
        (sample, sample, torch.zeros_like(sample)),
        dict.fromkeys(INPUTS, length),
        {STATES: length, EMBEDDING: {0: "batch"}},
        [inputs_of(encoding) for sides in read for encoding in sides],
        folder / ARTICLE,
        table=net.encoder.embeddings.word_embeddings.weight.detach().numpy(),
    )
    feeds = [pair_feed(*(_side(net, encoding) for encoding in sides)) for sides in read]
    axes = {name: {0: "batch", 1: name if name.endswith("title") else name.split("_")[0]} for name in PAIR_INPUTS}
    lost |= write_graph(
        Relating(net),
        tuple(torch.from_numpy(feeds[0][name]) for name in PAIR_INPUTS),
        axes,
        {name: {0: "batch"} for name in PAIR_OUTPUTS},
        feeds,
        folder / PAIR,
    )
    tokenizer.no_truncation()
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    write_config(folder, {**config, "max_tokens": ARTICLE_TOKENS, "lost_to_int8": lost})


Side = tuple[NDArray[np.float32], NDArray[np.int64]]
"""The states of an article, (1, tokens, size), and the types of its tokens, (1, tokens)."""


def pair_feed(left: Side, right: Side) -> Feed:
    """The inputs of the graph of a pair from two articles that were read."""
    feed: dict[str, NDArray[Any]] = {}
    for name, (states, types) in (("left", left), ("right", right)):
        feed |= {name: states, f"{name}_types": types, f"{name}_title": states[:, types[0] == 0]}
    return feed


def _side(net: SplitNet, encoding: Encoding) -> Side:
    feed = inputs_of(encoding)
    with torch.no_grad():
        states, _ = net.read(*(torch.from_numpy(feed[name]) for name in INPUTS))
    return states.numpy(), feed["token_type_ids"]
