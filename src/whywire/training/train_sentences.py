"""Recipe: train, measure and export the sentence model."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from whywire.sentences.layout import CAUSAL, COUNTERFACTUAL
from whywire.training.bases import Base
from whywire.training.calibration import fit_platt
from whywire.training.export import export_onnx
from whywire.training.loop import (
    Schedule,
    batches_by_length,
    collate,
    console,
    fit,
    mixed_precision,
    seed_everything,
)
from whywire.training.sentence_data import SentenceRow, augmented
from whywire.training.sentence_model import MAX_TOKENS, SentenceNet, sentence_loss

PLAIN_SHARE = 0.35
"""Share of the plain negative sentences of SemEval that one epoch sees; there are eight to one positive."""


def train_sentences(
    base: Base,
    train: Sequence[SentenceRow],
    valid: Sequence[SentenceRow],
    folder: Path,
    schedule: Schedule,
    seed: int,
) -> dict[str, float]:
    """Fine-tune ``base``, calibrate on ``valid``, write the model into ``folder``; return its scores there."""
    seed_everything(seed)
    tokenizer = base.tokenizer
    tokenizer.enable_truncation(MAX_TOKENS)
    net = SentenceNet(base.encoder)
    plain = [row for row in train if row.corpus == "semeval-1" and not row.counterfactual]
    marked = [row for row in train if row.corpus != "semeval-1" or row.counterfactual]

    def epoch_batches(_: int) -> Iterable[list[SentenceRow]]:
        sample = marked + random.sample(plain, int(len(plain) * PLAIN_SHARE))
        return batches_by_length([augmented(row) for row in sample], schedule.batch, lambda row: len(row.text))

    def loss_of(rows: Sequence[SentenceRow]) -> torch.Tensor:
        encodings = tokenizer.encode_batch([row.text for row in rows])
        inputs = collate(encodings)
        return sentence_loss(net(*inputs), rows, encodings, inputs[1])

    causal = [row for row in valid if row.causal is not None]
    imagined = [row for row in valid if row.counterfactual is not None and row.corpus != "semeval-2"]
    scores: dict[str, float] = {}

    def after_epoch(epoch: int) -> float:
        for name, rows, column in (("causal", causal, CAUSAL), ("counterfactual", imagined, COUNTERFACTUAL)):
            logits = predict_sentence(net, tokenizer, rows)[:, column]
            truth = np.array([bool(row.causal if name == "causal" else row.counterfactual) for row in rows])
            scores[f"{name}_f1"] = f1(logits > 0, truth)
        console.print(f"valid after epoch {epoch + 1}: {scores}")
        return scores["causal_f1"] + scores["counterfactual_f1"]

    fit(net, epoch_batches, loss_of, schedule, after_epoch)
    calibration = {}
    for name, rows, column in (("causal", causal, CAUSAL), ("counterfactual", imagined, COUNTERFACTUAL)):
        truth = np.array([bool(row.causal if name == "causal" else row.counterfactual) for row in rows])
        (scale,), shift = fit_platt(predict_sentence(net, tokenizer, rows)[:, [column]], truth)
        calibration[name] = {"scale": scale, "shift": shift}
    config = {"kind": "sentences", "base": base.name, "max_tokens": MAX_TOKENS, "calibration": calibration}
    tokenizer.no_truncation()
    export_onnx(net, {"sentence": False, "tokens": True}, tokenizer, config, folder)
    torch.save(net.state_dict(), folder / "net.pt")
    return scores


def predict_sentence(net: SentenceNet, tokenizer: Any, rows: Sequence[SentenceRow]) -> np.ndarray[Any, Any]:
    """The ``sentence`` logits of the rows, (rows, 2 + SLOTS), in their order."""
    order = sorted(range(len(rows)), key=lambda number: len(rows[number].text))
    result: dict[int, Any] = {}
    with torch.no_grad(), mixed_precision():
        for at in range(0, len(order), 64):
            chosen = order[at : at + 64]
            inputs = collate(tokenizer.encode_batch([rows[number].text for number in chosen]))
            result |= dict(zip(chosen, net(*inputs)[0].float().numpy(), strict=True))
    return np.stack([result[number] for number in range(len(rows))])


def f1(predicted: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> float:
    """F1 of the positive class."""
    hits = float((predicted & truth).sum())
    return 2 * hits / max(1.0, float(predicted.sum() + truth.sum()))
