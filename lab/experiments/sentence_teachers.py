"""Does a small sentence model gain by the soft answers of a large one? On folds of one corpus, one net a call.

A teacher, then a small encoder on the labels alone, then one on the labels and the teacher's answers to sentences
that nobody labelled::

    python lab/experiments/sentence_teachers.py --data DATA --task causal --fold 0 --base MPNET --out runs/teacher-0
    python lab/experiments/sentence_teachers.py --data DATA --task causal --fold 0 --out runs/alone-0
    python lab/experiments/sentence_teachers.py --data DATA --task causal --fold 0 --teacher runs/teacher-0 \
        --out runs/taught-0

Each trains on the corpus's other folds and says what it thinks of this one, which neither it nor its teacher has
seen. Rows are those of ``train`` and ``valid``; folds share no document and no near-duplicates. The last epoch
counts, whatever it gives. Teacher and pupil must cut words alike, as BERT's uncased encoders do.

With ``--compare NAME...``, the scores of ``--out``'s folders ``NAME-0``, ``NAME-1``… side by side.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from whywire.models.odds import probabilities_of
from whywire.sentences.decoding import QUESTIONS
from whywire_lab.corpora import causal_news_corpus, semeval2020
from whywire_lab.corpora.splits import first_words, part_of
from whywire_lab.metrics.classification import calibration_error, roc_auc
from whywire_lab.metrics.fair_spans import by_label, total
from whywire_lab.recipes.base_encoders import load_base
from whywire_lab.recipes.checkpoints import read_checkpoint, write_checkpoint
from whywire_lab.recipes.embedded_models import kept_texts
from whywire_lab.recipes.learning_without_forgetting import FormerAnswers
from whywire_lab.recipes.sentence_data import SentenceRow
from whywire_lab.recipes.sentence_model import MAX_TOKENS, SentenceNet
from whywire_lab.recipes.train_sentences import best_f1, compared_spans, reading_loss, sentence_batches
from whywire_lab.recipes.training_loop import (
    Schedule,
    console,
    fit,
    predict,
    seed_everything,
)

FOLDS = 3
SMALL = "e5-small"

LARGE_SCHEDULE = Schedule(epochs=3, rate=5e-5, head_factor=4.0)
SMALL_SCHEDULE = Schedule(epochs=3, rate=1.5e-4)
"""Half of the epochs of the embedded English model."""

TASKS = ("causal", "counterfactual")

SOFT_TEXTS = 1500
"""Sentences of the news stream that a pupil learns from by its teacher's answers."""

SOFT_SHARE = 0.5
"""Batches of these for each batch of labelled sentences."""

SOFT_WEIGHT = 2.0
"""Weight of their loss beside that of the labels."""


def fold_of(key: str) -> int:
    """The fold of a document, or of a sentence's first words."""
    return int.from_bytes(hashlib.sha256(f"fold {key}".encode()).digest()[:4]) % FOLDS


def folded_rows(data: Path, task: str) -> list[tuple[int, SentenceRow]]:
    """The rows of a task outside ``dev``, each with its fold."""
    rows = []
    if task == "causal":
        for sentence in causal_news_corpus.read_sentences(data / "causal_news_corpus_v2"):
            if part_of(sentence.document) != "dev":
                row = SentenceRow(
                    sentence.text, causal=sentence.causal, relations=sentence.relations, corpus="recess"
                )
                rows.append((fold_of(sentence.document), row))
        return rows
    folder = data / "semeval2020_task5"
    for labelled in semeval2020.read_subtask1(folder / "subtask1_train.csv"):
        row = SentenceRow(labelled.text, counterfactual=labelled.counterfactual, corpus="semeval-1")
        rows.append((fold_of(first_words(row.text)), row))
    return [(fold, row) for fold, row in rows if part_of(first_words(row.text)) != "dev"]


def train_one(options: argparse.Namespace) -> dict[str, Any]:
    """Train a net outside a fold, write it with its scores in the fold, and return these."""
    base = load_base(options.base)
    rows = folded_rows(options.data, options.task)
    train = [row for fold, row in rows if fold != options.fold]
    held_out = [row for fold, row in rows if fold == options.fold]
    seed_everything(options.seed)
    base.tokenizer.enable_truncation(MAX_TOKENS)
    net = SentenceNet(base.encoder)
    memory = None
    if options.teacher:
        teacher, cut, _ = read_checkpoint(
            options.teacher, {"sentences": None}, lambda encoder, _: SentenceNet(encoder), "train a teacher first"
        )
        texts = kept_texts(options.data, "en", ())[:SOFT_TEXTS]
        same = [text for text in texts if cut.encode(text).tokens[1:-1] == base.tokenizer.encode(text).tokens[1:-1]]
        console.print(f"{len(same)} of {len(texts)} sentences are cut alike; the teacher answers them")
        memory = FormerAnswers.of(teacher, cut, same)
        # heads that the teacher's corpus says nothing of hardly vary; their noise is not to be learnt
        of_row, of_token = memory.variances
        memory = replace(memory, variances=(of_row.clamp(min=1.0), of_token.clamp(min=1.0)))

    def batches(_: int) -> list[list[Any]]:
        found = sentence_batches(train, schedule.batch)
        if memory:
            found += islice(memory.batches(schedule.batch), int(len(found) * SOFT_SHARE))
            random.shuffle(found)
        return found

    def loss(batch: Sequence[Any]) -> torch.Tensor:
        if memory and isinstance(batch[0], str):
            return SOFT_WEIGHT * memory.loss(net, base.tokenizer, batch)
        return reading_loss(net, base.tokenizer, batch)

    usual = SMALL_SCHEDULE if options.base == SMALL else LARGE_SCHEDULE
    schedule = replace(usual, epochs=options.epochs or usual.epochs, rate=options.rate or usual.rate)
    fit(net, batches, loss, schedule, lambda epoch: epoch, options.seed)
    scores = {"task": options.task, "fold": options.fold, "seed": options.seed} | measured(
        net, base.tokenizer, held_out, options.task
    )
    write_checkpoint(options.out, "sentences", net, base, MAX_TOKENS, scores)
    return scores


def measured(net: SentenceNet, tokenizer: Any, rows: Sequence[SentenceRow], task: str) -> dict[str, float]:
    """F1 of the question at one half and at its best threshold, AUC, and F1 of the spans, in per cent."""
    truth = np.array([getattr(row, task) for row in rows])
    logits = predict(net, tokenizer, [row.text for row in rows])[0][:, QUESTIONS[task]]
    said = logits > 0
    scores = {
        "F1": 2 * (said & truth).sum() / (said.sum() + truth.sum()),
        "best F1": best_f1(logits, truth),
        "AUC": roc_auc(logits, truth),
        "calibration error": calibration_error(probabilities_of(logits), truth),
    }
    if task == "causal":
        counts = compared_spans(net, tokenizer, rows)
        scores["spans"] = total(counts).score.f1
        scores |= {f"spans, {label}": part.score.f1 for label, part in sorted(by_label(counts).items())}
    return {name: round(100 * float(value), 2) for name, value in scores.items()}


def compare(folder: Path, names: Sequence[str]) -> None:
    """Print the mean and deviation over folds of each score, and the mean difference from the first name's."""
    read: dict[str, dict[int, dict[str, float]]] = {}
    for name in names:
        found = [json.loads(path.read_text()) for path in sorted(folder.glob(f"{name}-*/scores.json"))]
        read[name] = {one["fold"]: one for one in found}
    shared = sorted(set.intersection(*({*own} for own in read.values())))
    print(f"folds {shared}")
    for score in read[names[0]][shared[0]]:
        if score in ("task", "fold", "seed"):
            continue
        first = np.array([read[names[0]][fold][score] for fold in shared])
        line = [f"{score:20}"]
        for name in names:
            own = np.array([read[name][fold][score] for fold in shared])
            line.append(f"{name} {own.mean():.1f} ± {own.std():.1f} ({(own - first).mean():+.1f})")
        print("  ".join(line))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--task", choices=TASKS, default="causal")
    parser.add_argument("--fold", type=int, choices=range(FOLDS), default=0)
    parser.add_argument("--base", default=SMALL, help="a name in base_encoders.PACKAGES, a folder, or a hub name")
    parser.add_argument("--epochs", type=int, help="in place of the usual number")
    parser.add_argument("--rate", type=float, help="the encoder's peak learning rate, in place of the usual one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--teacher", type=Path, help="the folder of a teacher that was trained outside the same fold")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--compare", nargs="+", metavar="NAME")
    options = parser.parse_args()
    if options.compare:
        compare(options.out, options.compare)
    else:
        console.print(train_one(options))


if __name__ == "__main__":
    main()
