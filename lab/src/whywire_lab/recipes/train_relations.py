"""Recipe: train, measure and export the model ``relations``, for selected pairs in both languages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch

from whywire.pairs.relations import RELATIONS
from whywire.pairs.title_pairs import KIND
from whywire_lab.recipes.base_encoders import Base
from whywire_lab.recipes.calibration import calibrate_pairs, fit_temperature
from whywire_lab.recipes.checkpoints import save_net
from whywire_lab.recipes.export import export_onnx
from whywire_lab.recipes.pair_rows import PairRow, augmented
from whywire_lab.recipes.relations_data import RelationsRows
from whywire_lab.recipes.report_pair_loss import strength_loss
from whywire_lab.recipes.title_pair_model import MAX_TOKENS, TitlePairNet, predict_pairs, relation_loss
from whywire_lab.recipes.training_loop import Schedule, batches_by_length, collate, console, fit, seed_everything

EPOCH = 9600
"""Rows of an epoch."""


def train_relations(base: Base, rows: RelationsRows, folder: Path, schedule: Schedule, seed: int) -> dict[str, float]:
    """Fine-tune ``base``, calibrate on the valid rows, write the model into ``folder``; return its scores there."""
    seed_everything(0)  # all runs start from the same heads, or their mean would mean nothing
    tokenizer = base.tokenizer
    tokenizer.enable_truncation(MAX_TOKENS)
    net = TitlePairNet(base.encoder)

    def epoch_batches(_: int) -> Iterable[list[PairRow]]:
        shown = [augmented(row) for row in rows.draw(EPOCH)]
        return batches_by_length(shown, schedule.batch, lambda row: len(row.left) + len(row.right))

    def loss_of(batch: Sequence[PairRow]) -> torch.Tensor:
        relation, strength = net(*collate(tokenizer.encode_batch([(row.left, row.right) for row in batch])))
        return relation_loss(relation, batch) + strength_loss(strength, batch)

    scores: dict[str, float] = {}

    def after_epoch(epoch: int) -> float:
        logits = predict_pairs(net, tokenizer, rows.related)[0]
        tempered = torch.tensor(logits / fit_temperature(logits, rows.related))
        scores["nll"] = float(relation_loss(tempered, rows.related))
        strengths = torch.tensor(predict_pairs(net, tokenizer, rows.graded)[1])
        scores["strength"] = float(strength_loss(strengths, rows.graded))
        console.print(f"valid after epoch {epoch + 1}: {scores}")
        return -scores["nll"]

    fit(net, epoch_batches, loss_of, schedule, after_epoch, seed)
    save_net(net, folder)
    write_relations(net, base, rows, folder)
    return scores


def write_relations(net: TitlePairNet, base: Base, rows: RelationsRows, folder: Path) -> None:
    """Write the int8 model, calibrated on the valid rows."""
    config: dict[str, Any] = {
        "kind": KIND,
        "base": base.name,
        "max_tokens": MAX_TOKENS,
        "relations": [str(relation) for relation in RELATIONS],
    }
    base.tokenizer.no_truncation()
    samples = [(row.left, row.right) for row in rows.related]
    export_onnx(net, {"relation": False, "strength": False}, base.tokenizer, config, samples, folder)
    calibrate_pairs(folder, rows.related, rows.graded)
