"""Recipe: train, measure and export the sentence model."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from whywire.models.encoder import Text
from whywire.models.odds import probabilities_of
from whywire.sentences.decoding import PRESENT, QUESTIONS, calibrated_signals, decode_parts, relations_by_slot
from whywire_lab.metrics.fair_spans import SpanCounts, compare_relations, total
from whywire_lab.recipes.base_encoders import Base
from whywire_lab.recipes.calibration import calibrate_sentences
from whywire_lab.recipes.checkpoints import save_net
from whywire_lab.recipes.export import export_onnx
from whywire_lab.recipes.learning_without_forgetting import FormerAnswers
from whywire_lab.recipes.multiple_choice import Choice, ChoiceBatch, choice_batches, choices_of
from whywire_lab.recipes.pair_rows import PairRow
from whywire_lab.recipes.sentence_data import SentenceRow, augmented, questions
from whywire_lab.recipes.sentence_model import MAX_TOKENS, SIGNAL_CALIBRATION, SentenceNet, sentence_loss
from whywire_lab.recipes.training_loop import (
    Schedule,
    batches_by_length,
    collate,
    console,
    decodable,
    fit,
    mixed_precision,
    predict,
    seed_everything,
)

PLAIN_SHARE = 0.35
"""Share of the plain negative sentences of SemEval that one epoch sees; there are eight to one positive."""

CHOICE_BATCHES, KEPT_BATCHES = 1.5, 0.5
"""Batches of choices and of unlabelled texts for each batch of sentences, while the net learns strength."""

FORMER_ANSWERS_WEIGHT = 2.0
"""Weight of the loss that keeps the former answers."""


@dataclass(frozen=True)
class StrengthRound:
    """A second round of training, in which a sentence model also learns the strength of causes.

    Args:
        graded: pairs of ``train`` and ``valid`` with a strength.
        texts: unlabelled sentences, on which the net keeps its former answers.
        schedule: of this round, which starts from the weights of the first.
    """

    graded: Mapping[str, Sequence[PairRow]]
    texts: Sequence[str]
    schedule: Schedule


def train_sentences(
    base: Base,
    train: Sequence[SentenceRow],
    valid: Sequence[SentenceRow],
    folder: Path,
    schedule: Schedule,
    seed: int,
    *,
    marked_in: str,
    strength_round: StrengthRound | None = None,
) -> dict[str, float]:
    """Fine-tune ``base``, calibrate on ``valid``, write the model into ``folder``; return its scores there.

    Args:
        marked_in: the corpus whose rows in ``valid`` calibrate the probability of a relation: real sentences in the
            model's language.
        strength_round: the second round; without it the model has no strength.
    """
    seed_everything(0)  # all runs start from the same heads, or their mean would mean nothing
    tokenizer = base.tokenizer
    tokenizer.enable_truncation(MAX_TOKENS)
    net = SentenceNet(base.encoder, has_strength=strength_round is not None)
    scores: dict[str, float] = {}

    def measured(choices: Sequence[Choice]) -> Callable[[int], float]:
        def after_epoch(epoch: int) -> float:
            scores.update(held_out_scores(net, tokenizer, valid))
            if choices:
                scores["chosen"] = choice_accuracy(net, tokenizer, choices)
            console.print(f"valid after epoch {epoch + 1}: {scores}")
            return sum(scores.values())

        return after_epoch

    fit(
        net,
        lambda _: sentence_batches(train, schedule.batch),
        lambda batch: reading_loss(net, tokenizer, batch),
        schedule,
        measured(()),
        seed,
    )
    if strength_round:
        choices, held_out = (choices_of(strength_round.graded[part]) for part in ("train", "valid"))
        memory = FormerAnswers.of(net, tokenizer, strength_round.texts)

        def mixed(_: int) -> list[list[Any]]:
            batches = sentence_batches(train, schedule.batch)
            chosen, kept = (int(len(batches) * share) for share in (CHOICE_BATCHES, KEPT_BATCHES))
            batches += islice(choice_batches(choices, schedule.batch), chosen)
            batches += islice(memory.batches(schedule.batch), kept)
            random.shuffle(batches)
            return batches

        def mixed_loss(batch: Sequence[Any]) -> torch.Tensor:
            if isinstance(batch[0], str):
                return FORMER_ANSWERS_WEIGHT * memory.loss(net, tokenizer, batch)
            if isinstance(batch[0], Choice):
                shown = ChoiceBatch.of(batch)
                return shown.loss(net(*collate(tokenizer.encode_batch(shown.pairs)))[2])
            return reading_loss(net, tokenizer, batch)

        first = seed + schedule.runs
        fit(net, mixed, mixed_loss, strength_round.schedule, measured([choice.drawn() for choice in held_out]), first)
    save_net(net, folder)
    config = {"kind": "sentences", "base": base.name, "max_tokens": MAX_TOKENS}
    tokenizer.no_truncation()
    marked = [row for row in valid if row.corpus == marked_in and row.relations is not None]
    write_sentences(
        net, tokenizer, config, folder, valid, marked, strength_round.graded["valid"] if strength_round else ()
    )
    return scores


def sentence_batches(rows: Sequence[SentenceRow], size: int) -> list[list[Any]]:
    """The batches of one epoch: all rows, but only a random share of the plain negative sentences."""
    plain = [row for row in rows if row.corpus == "semeval-1" and not row.counterfactual]
    marked = [row for row in rows if row.corpus != "semeval-1" or row.counterfactual]
    sample = [augmented(row) for row in marked + random.sample(plain, int(len(plain) * PLAIN_SHARE))]
    return list(batches_by_length(sample, size, lambda row: len(row.text)))


def reading_loss(net: SentenceNet, tokenizer: Any, batch: Sequence[SentenceRow]) -> torch.Tensor:
    """The loss of a net on labelled sentences."""
    encodings = tokenizer.encode_batch([row.text for row in batch])
    inputs = collate(encodings)
    return sentence_loss(net(*inputs), batch, encodings, inputs[1])


def write_sentences(
    net: SentenceNet,
    tokenizer: Any,
    config: dict[str, Any],
    folder: Path,
    valid: Sequence[SentenceRow],
    marked: Sequence[SentenceRow],
    graded: Sequence[PairRow],
) -> None:
    """Write the int8 model, calibrated as it will run on the rows of :func:`calibrate_sentences`."""
    outputs = {"sentence": False, "tokens": True} | ({"strength": False} if net.has_strength else {})
    pairs = random.sample(graded, min(len(valid), len(graded)))
    samples: list[Text] = [*(row.text for row in valid), *((row.left, row.right) for row in pairs)]
    export_onnx(net, outputs, tokenizer, config, samples, folder)
    calibrate_sentences(folder, valid, marked, graded)


def held_out_scores(net: SentenceNet, tokenizer: Any, rows: Sequence[SentenceRow]) -> dict[str, float]:
    """The scores that decide which epoch is kept: F1 of the questions at their best thresholds, and of the spans."""
    scores = {
        f"{name}_f1": best_f1(predict(net, tokenizer, _texts(own))[0][:, QUESTIONS[name]], np.array(truth))
        for name, own, truth in questions(rows)
    }
    scores["spans_f1"] = total(compared_spans(net, tokenizer, rows)).score.f1
    with_parts = [row for row in rows if row.parts]
    exact = [
        decode_parts(tokens[1:], tokens[0], offsets, row.text) == row.parts
        for row, (_, tokens, offsets) in zip(with_parts, decodable(net, tokenizer, _texts(with_parts)), strict=True)
    ]
    scores["parts_exact"] = sum(exact) / max(1, len(exact))
    return {name: round(value, 4) for name, value in scores.items()}


def compared_spans(net: SentenceNet, tokenizer: Any, rows: Sequence[SentenceRow]) -> list[dict[str, SpanCounts]]:
    """The spans found in each sentence that has relations beside those marked, counted fairly."""
    marked = [row for row in rows if row.relations]
    counts = []
    for row, (sentence, tokens, offsets) in zip(marked, decodable(net, tokenizer, _texts(marked)), strict=True):
        present = probabilities_of(sentence[PRESENT])
        tokens = calibrated_signals(tokens[1:], SIGNAL_CALIBRATION)
        found = list(relations_by_slot(tokens, offsets, row.text, present).values())
        counts.append(compare_relations(found, row.relations or ()))
    return counts


def choice_accuracy(net: SentenceNet, tokenizer: Any, choices: Sequence[Choice]) -> float:
    """The share of choices whose strongest option is a cause."""
    right = []
    with torch.no_grad(), mixed_precision():
        for choice in choices:
            pairs = [(row.left, row.right) for row in choice.rows]
            strengths = net(*collate(tokenizer.encode_batch(pairs)))[2][:, 0]
            right.append(int(strengths.argmax()) < len(choice.causes))
    return round(float(np.mean(right)), 4)


def _texts(rows: Sequence[SentenceRow]) -> list[str]:
    return [row.text for row in rows]


def best_f1(scores: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> float:
    """The highest F1 of the positive class over all thresholds."""
    hits = np.cumsum(truth[np.argsort(-scores)])
    return float((2 * hits / (np.arange(1, len(truth) + 1) + truth.sum())).max())
