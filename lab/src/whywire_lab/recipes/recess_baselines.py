"""The span extractors of the RECESS paper: four configurations, each the one before with one addition.

=====================  ==============================================================================
``recess-baseline``    every border of cause and effect is the most probable token by itself
``recess-beam``        a beam search over borders, so that spans start before they end and lie apart
``recess-signal``      a classifier says whether the sentence has a signal at all
``recess-augmented``   an altered copy of every training sentence
=====================  ==============================================================================

The paper (Tan et al. 2023) takes them over from 1Cademy (Chen et al. 2022). Two things are done otherwise here:
their signal classifier is an encoder of its own, ours a head beside the spans', which is the other variant of their
code; they paraphrase causes and effects with a language model, we drop, swap and misspell words (Wei & Zou 2019,
without the thesaurus). Without the classifier every sentence is given a signal.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

from whywire.errors import InputError
from whywire.sentences.reading import CausalRelation
from whywire_lab.metrics.fair_spans import by_label, compare_relations, total
from whywire_lab.recipes.base_encoders import Base, load_base
from whywire_lab.recipes.checkpoints import read_checkpoint, write_checkpoint
from whywire_lab.recipes.embedded_models import BASES, FOREIGN_SCHEDULES, SCHEDULES, schedule_for
from whywire_lab.recipes.recess_net import COMBINATIONS, Example, SpanNet, read_relations, span_loss
from whywire_lab.recipes.sentence_data import SentenceRow, detokenised, load_recess, moved_row
from whywire_lab.recipes.sentence_model import MAX_TOKENS
from whywire_lab.recipes.training_loop import (
    Schedule,
    batches_by_length,
    collate,
    console,
    decodable,
    fit,
    seed_everything,
)


@dataclass(frozen=True, slots=True)
class RecessConfiguration:
    """What a configuration adds to the baseline."""

    beam: bool = False
    signal_classifier: bool = False
    augmented: bool = False


RECESS_CONFIGURATIONS = {
    "recess-baseline": RecessConfiguration(),
    "recess-beam": RecessConfiguration(beam=True),
    "recess-signal": RecessConfiguration(beam=True, signal_classifier=True),
    "recess-augmented": RecessConfiguration(beam=True, signal_classifier=True, augmented=True),
}

LARGE_SCHEDULES = FOREIGN_SCHEDULES | {
    # the paper's own: 200 steps of warm-up are 8 in 100
    "albert/albert-xxlarge-v2": Schedule(
        epochs=10, rate=2e-5, head_factor=1, batch=8, warmup=0.08, weight_decay=0.005
    ),
}


def make_recess_baseline(
    name: str, data: Path, folder: Path, *, seed: int = 1, runs: int | None = None, base: str | None = None
) -> dict[str, Any]:
    """Train the configuration of that name on RECESS, measure it and write it into ``folder``.

    Args:
        seed: of the first run; the next ones count on from it.
        runs: how many runs to average, in place of the schedule's number.
        base: the encoder to start from: a hub name, a folder, or a name in ``base_encoders.PACKAGES``.

    Returns:
        What ``scores.json`` says.
    """
    start = load_base(base or BASES["sentences-en"])
    schedule = schedule_for(start, SCHEDULES["sentences-en"], LARGE_SCHEDULES, runs)
    return train_recess_baseline(name, start, load_recess(data), folder, schedule, seed)


def train_recess_baseline(
    name: str, base: Base, parts: dict[str, list[SentenceRow]], folder: Path, schedule: Schedule, seed: int
) -> dict[str, Any]:
    """Fine-tune ``base``, keep what is best on ``valid``, write weights, tokenizer, config and scores.

    Args:
        parts: rows of ``train``, ``valid`` and ``dev``; those without relations are left out.

    Returns:
        For ``valid`` and ``dev``: fair precision, recall and F1 of each label and of all together.
    """
    configuration = RECESS_CONFIGURATIONS[name]
    seed_everything(0)  # all runs start from the same heads, or their mean would mean nothing
    tokenizer = base.tokenizer
    tokenizer.enable_truncation(MAX_TOKENS)
    net = SpanNet(base.encoder, signal_classifier=configuration.signal_classifier)
    marked = {part: [row for row in rows if row.relations] for part, rows in parts.items()}
    for part, rows in marked.items():
        if not rows:
            raise InputError("there is no sentence with a causal relation", where=part)
    train = marked["train"] + [altered(row, seed) for row in marked["train"] if configuration.augmented]
    learnt = [example for row in train for example in examples(row)]

    def epoch_batches(_: int) -> Iterable[list[Example]]:
        return batches_by_length(learnt, schedule.batch, lambda example: len(example.text))

    def loss_of(rows: Sequence[Example]) -> torch.Tensor:
        encodings = tokenizer.encode_batch([row.text for row in rows])
        return span_loss(net(*collate(encodings)), rows, encodings)

    def after_epoch(epoch: int) -> float:
        scores = span_scores(net, tokenizer, configuration, marked["valid"])
        text = ", ".join(f"{label} {score['f1']}" for label, score in scores.items())
        console.print(f"{name}: F1 on valid after epoch {epoch + 1}: {text}")
        return scores["overall"]["f1"]

    fit(net, epoch_batches, loss_of, schedule, after_epoch, seed)
    scores = {part: span_scores(net, tokenizer, configuration, marked[part]) for part in ("valid", "dev")}
    write_checkpoint(folder, name, net, base, MAX_TOKENS, scores)
    return scores


def load_recess_baseline(folder: Path) -> tuple[SpanNet, Tokenizer, RecessConfiguration]:
    """What :func:`train_recess_baseline` wrote, ready for :func:`read_sentences`.

    Raises:
        ModelError: the folder holds something else, or a file is missing.
    """
    return read_checkpoint(
        folder,
        RECESS_CONFIGURATIONS,
        lambda encoder, configuration: SpanNet(encoder, signal_classifier=configuration.signal_classifier),
        "make one with: whywire train recess-beam",
    )


def read_sentences(
    net: SpanNet, tokenizer: Tokenizer, configuration: RecessConfiguration, texts: Sequence[str]
) -> list[tuple[CausalRelation, ...]]:
    """The relations of sentences that are known to be causal, the best first, none or one or ``COMBINATIONS``."""
    if not texts:
        return []
    outputs = decodable(net, tokenizer, texts)
    return [
        read_relations(tokens[1:], signalled, offsets, text, beam=configuration.beam)
        for text, (signalled, tokens, offsets) in zip(texts, outputs, strict=True)
    ]


def span_scores(
    net: SpanNet, tokenizer: Tokenizer, configuration: RecessConfiguration, rows: Sequence[SentenceRow]
) -> dict[str, dict[str, float]]:
    """Fair precision, recall and F1 (Ortmann 2022) of each label and ``overall``.

    The baseline has one answer; as published, it is given again where a sentence has a second relation.
    """
    counts = []
    for row, found in zip(
        rows, read_sentences(net, tokenizer, configuration, [row.text for row in rows]), strict=True
    ):
        answers = found if configuration.beam else found * COMBINATIONS
        counts.append(compare_relations(answers, row.relations or ()))
    scores = {label: found.score for label, found in sorted(by_label(counts).items())}
    scores["overall"] = total(counts).score
    return {
        label: {"precision": round(score.precision, 4), "recall": round(score.recall, 4), "f1": round(score.f1, 4)}
        for label, score in scores.items()
    }


def examples(row: SentenceRow) -> list[Example]:
    """One example for each relation of a sentence."""
    relations = row.relations or ()
    signalled = any(relation.signals for relation in relations)
    return [
        Example(row.text, relation.cause, relation.effect, next(iter(relation.signals), None), signalled)
        for relation in relations
    ]


DROPPED, SWAPPED, MISSPELT = 0.1, 0.05, 0.05
"""Shares of the free words of a copy; Wei & Zou 2019 recommend a tenth at most for some hundreds of rows."""

_WORD = re.compile(r"\S*\s*")


def altered(row: SentenceRow, seed: int) -> SentenceRow:
    """A copy of a sentence with some words dropped, swapped or misspelt, half of the time detokenised.

    Words at a border of a span and words of a signal stay as and where they are, so each span begins and ends with
    the words it did, and holds no word it did not. The same row and seed give the same copy.
    """
    rng = random.Random(f"{seed} {row.text}")
    relations = row.relations or ()
    borders = {
        border
        for relation in relations
        for span in (relation.cause, relation.effect, *relation.signals)
        for border in span
    }
    signals = [span for relation in relations for span in relation.signals]
    pieces = [(match.start(), match.group()) for match in _WORD.finditer(row.text) if match.group()]
    fixed = [
        number == len(pieces) - 1
        or piece.isspace()
        or any(start <= border < start + len(piece) for border in borders)
        or any(start < signal[1] and start + len(piece) > signal[0] for signal in signals)
        for number, (start, piece) in enumerate(pieces)
    ]
    words = [piece for _, piece in pieces]
    for number, held in enumerate(fixed):
        if held:
            continue
        if rng.random() < DROPPED:
            words[number] = ""
        elif number and not fixed[number - 1] and rng.random() < SWAPPED:
            words[number - 1], words[number] = words[number], words[number - 1]
        elif rng.random() < MISSPELT:
            words[number] = _misspelt(words[number], rng)
    places, length = [], 0
    for word in words:
        places.append(length)
        length += len(word)

    def moved(border: int) -> int:
        number = max(number for number, (start, _) in enumerate(pieces) if start <= border)
        return places[number] + border - pieces[number][0]

    copy = moved_row(row, "".join(words), lambda span: (moved(span[0]), moved(span[1])))
    return detokenised(copy) if rng.random() < 0.5 else copy


def _misspelt(word: str, rng: random.Random) -> str:
    """A word with two neighbouring letters exchanged, none of them its first or last; short ones stay."""
    letters = word.rstrip()
    if len(letters) < 4:
        return word
    at = rng.randrange(1, len(letters) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
