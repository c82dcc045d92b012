"""From a trained model of report pairs to the folder that Whywire runs: the encoder's graph, and that of a pair.

``pair.onnx.gz`` takes of either report the states of its title, its two vectors and whether it has a lead, as
:mod:`whywire.pairs.comparing` gives them, and returns ``relation``. It is for one pair at a time, so nothing is
padded.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from whywire.pairs.comparing import PAIR_GRAPH, RELATION, SIDE_INPUTS, pair_feed
from whywire.pairs.report_reader import ReportReader
from whywire_lab.recipes.export import read_config, write_config, write_graph
from whywire_lab.recipes.report_pair_model import ReportPairNet, Side
from whywire_lab.recipes.report_rows import ReportPair

SAMPLES = 240
"""Pairs that show how uneven activations are, and what int8 costs."""


class Comparing(torch.nn.Module):
    """The net as the graph of a pair."""

    def __init__(self, net: ReportPairNet) -> None:
        super().__init__()
        self.net = net

    def forward(
        self,
        left_states: torch.Tensor, left_vectors: torch.Tensor, left_has_lead: torch.Tensor,
        right_states: torch.Tensor, right_vectors: torch.Tensor, right_has_lead: torch.Tensor,
    ) -> torch.Tensor:  # fmt: skip
        """Return the logits of the relations of neighbours, which alone are asked for at run time."""
        left, right = (
            Side(states, torch.ones_like(states[..., :1]), vectors, has_lead)
            for states, vectors, has_lead in (
                (left_states, left_vectors, left_has_lead),
                (right_states, right_vectors, right_has_lead),
            )
        )
        neighbours: torch.Tensor = self.net(left, right)[0]
        return neighbours


def export_report_pairs(
    net: ReportPairNet,
    reader: ReportReader,
    encoder: Path,
    rows: Sequence[ReportPair],
    config: Mapping[str, Any],
    folder: Path,
) -> None:
    """Write ``model.onnx.gz``, ``tokenizer.json``, ``pair.onnx.gz`` and ``config.json``.

    Args:
        encoder: the folder of the encoder that the net was trained on; ``reader`` reads with it.
        rows: pairs like those that will be asked about.
        config: what the runtime must know besides.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("model.onnx.gz", "tokenizer.json"):
        if encoder != folder:
            shutil.copyfile(encoder / name, folder / name)
    chosen = [row if number % 3 else row.bare for number, row in enumerate(rows[:: -(-len(rows) // SAMPLES)])]
    read = reader.read(report for row in chosen for report in (row.left, row.right))
    feeds = [pair_feed(read[row.left], read[row.right]) for row in chosen]
    axes = {
        f"{side}_{name}": {0: "batch"} | ({1: side} if name == "states" else {})
        for side in ("left", "right")
        for name in SIDE_INPUTS
    }
    lost = write_graph(
        Comparing(net.cpu().eval()),
        tuple(torch.from_numpy(feeds[0][name]) for name in axes),
        axes,
        {RELATION: {0: "batch"}},
        feeds,
        folder / PAIR_GRAPH,
    )
    own = read_config(encoder)
    write_config(folder, {**own, **config, "lost_to_int8": {**own["lost_to_int8"], **lost}})
