"""CRAB's three pairwise tasks, an encoder fine-tuned on each (Romanou et al. 2023, section 5.2 and appendix B).

================  ==========================================================
``crab-score``    how strongly did one event lead to the other, 0 to 100?
``crab-classes``  which of the four classes is that?
``crab-binary``   did it lead to the other at all?
================  ==========================================================

Events come with their documents, as far as they fit. The paper does not say how long or how fast it trained; the
schedules are those of the other recipes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch.nn import functional

from whywire.elements import CLASS_MIDPOINTS, strength_class
from whywire_lab.corpora import event_causes
from whywire_lab.corpora.crab import CausalPair, StoryEvent, find_pairs, read_pairs, split_pairs
from whywire_lab.corpora.splits import part_of_story
from whywire_lab.metrics.crab import BINARY, CAUSAL, CLASSES, FOUR, SCORE, Judgement, evaluate
from whywire_lab.recipes.base_encoders import Base, load_base
from whywire_lab.recipes.checkpoints import read_checkpoint, write_checkpoint
from whywire_lab.recipes.embedded_models import FOREIGN_SCHEDULES, schedule_for
from whywire_lab.recipes.encoder_net import EncoderNet, mean_of
from whywire_lab.recipes.pair_rows import DIRECT_STRENGTH, INDIRECT_STRENGTH
from whywire_lab.recipes.training_loop import (
    Schedule,
    batches_by_length,
    collate,
    console,
    fit,
    mixed_precision,
    seed_everything,
)

BASE = "minilm"
SCHEDULE = Schedule(epochs=3, rate=2e-4, runs=2, then=Schedule(epochs=2, rate=1e-4, head_factor=2.0, runs=2))
"""The encoder and the schedule where no other is asked for."""

MAX_TOKENS = 512
"""Two events and most of their documents, which the release clips at 250 words each."""

VALID_SHARE = 0.2
"""The share of stories (or pairs), of those not held out, by which the best epoch is chosen."""

Logits = NDArray[np.float64]
Parts = dict[str, list[CausalPair]]


@dataclass(frozen=True, slots=True)
class PairwiseTask:
    """A way to ask about a pair.

    Args:
        width: numbers that the net gives for a pair.
        score: the name of its macro F1.
        loss: of a batch, from what the net gives and the pairs.
        read: what the numbers for one pair mean.
    """

    width: int
    score: str
    loss: Callable[[torch.Tensor, Sequence[CausalPair]], torch.Tensor]
    read: Callable[[Logits], Judgement]


def _shares_loss(logits: torch.Tensor, truth: Sequence[float]) -> torch.Tensor:
    return functional.binary_cross_entropy_with_logits(logits[:, 0].float(), torch.tensor(truth))


def _score_loss(logits: torch.Tensor, pairs: Sequence[CausalPair]) -> torch.Tensor:
    return _shares_loss(logits, [pair.score / 100 for pair in pairs])


def _binary_loss(logits: torch.Tensor, pairs: Sequence[CausalPair]) -> torch.Tensor:
    return _shares_loss(logits, [float(strength_class(pair.score) in CAUSAL) for pair in pairs])


def _class_loss(logits: torch.Tensor, pairs: Sequence[CausalPair]) -> torch.Tensor:
    return functional.cross_entropy(
        logits.float(), torch.tensor([CLASSES.index(strength_class(pair.score)) for pair in pairs])
    )


def _read_share(logits: Logits) -> Judgement:
    return Judgement.of(float(100 / (1 + np.exp(-logits[0]))))


def _read_class(logits: Logits) -> Judgement:
    """The most probable class, and the expected middle of the classes."""
    probabilities = np.exp(logits - logits.max())
    return Judgement.of(
        float(probabilities @ list(CLASS_MIDPOINTS.values()) / probabilities.sum()), CLASSES[int(np.argmax(logits))]
    )


PAIRWISE_TASKS = {
    "crab-score": PairwiseTask(1, SCORE, _score_loss, _read_share),
    "crab-classes": PairwiseTask(len(CLASSES), FOUR, _class_loss, _read_class),
    "crab-binary": PairwiseTask(1, BINARY, _binary_loss, _read_share),
}


class PairwiseNet(EncoderNet):
    """An encoder that reads both events together, and one layer over its first token and its mean."""

    def __init__(self, encoder: Any, width: int) -> None:
        super().__init__(encoder)
        self.answer = torch.nn.Linear(2 * self.size, width)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Return (batch, width)."""
        hidden = self.hidden(input_ids, attention_mask, token_type_ids)
        whole = mean_of(hidden, attention_mask.unsqueeze(-1).to(hidden.dtype))
        result: torch.Tensor = self.answer(self.dropout(torch.cat([hidden[:, 0], whole], dim=-1)))
        return result


def make_pairwise(
    name: str,
    data: Path,
    folder: Path,
    *,
    split: str,
    seed: int = 1,
    runs: int | None = None,
    base: str | None = None,
) -> dict[str, Any]:
    """Train the recipe of that name, measure it and write it into ``folder``.

    Args:
        data: see :func:`load_parts`.
        split: one of the paper's ways to hold pairs out: ``date``, ``story`` or ``random``.
        seed: of the first run; the next ones count on from it.
        runs: how many runs to average, in place of the schedule's number.
        base: the encoder to start from: a hub name, a folder, or a name in ``base_encoders.PACKAGES``.

    Returns:
        What ``scores.json`` says.
    """
    parts = load_parts(data, split)
    start = load_base(base or BASE)
    schedule = schedule_for(start, SCHEDULE, FOREIGN_SCHEDULES, runs)
    return train_pairwise(name, start, parts, folder, schedule, seed)


def load_parts(data: Path, split: str) -> Parts:
    """The pairs of ``train``, ``valid`` and ``test``.

    Args:
        data: the folder of corpora; CRAB's is taken where it is there, else that of event_causes. Or one of the two,
            or a file in CRAB's format.
        split: of CRAB; event_causes has its own topics held out, which no model of ours learns from.

    Raises:
        InputError: neither is there, a file is broken, or it has too few stories to hold some out.
    """
    questions = [folder / "questions.jsonl" for folder in (data / "event_causes", data)]
    found = next((path for path in questions if path.is_file()), None)
    crab = data / "crab"
    if found and not crab.is_dir():
        return _of_questions(found)
    rest, test = split_pairs(read_pairs(find_pairs(crab if crab.is_dir() else data)), split)
    train, valid = split_pairs(rest, split, VALID_SHARE)
    return {"train": train, "valid": valid, "test": test}


def _of_questions(path: Path) -> Parts:
    """Options and their effects: a right one is a high cause, a wrong one a low one; no further grades are given."""
    known: dict[tuple[str, str], tuple[int, float]] = {}
    for question in event_causes.read_questions(path):
        for number, option in enumerate(question.options):
            if not option.startswith(event_causes.NO_EVENT):
                strength = DIRECT_STRENGTH if number in question.answers else INDIRECT_STRENGTH
                known[option, question.effect] = question.topic, 100 * strength
    parts: Parts = {"train": [], "valid": [], "dev": []}
    for (cause, effect), (topic, score) in known.items():
        pair = CausalPair(StoryEvent(cause, cause), StoryEvent(effect, effect), score, str(topic))
        parts[part_of_story(topic)].append(pair)
    return {"train": parts["train"], "valid": parts["valid"], "test": parts["dev"]}


def texts_of(pair: CausalPair) -> tuple[str, str]:
    """What the encoder reads: each event before its document; a document of both is read once."""
    left, right = ((event.text, event.context) for event in (pair.cause, pair.effect))
    shown = [left, (right[0], "" if right[1] == left[1] else right[1])]
    first, second = ("\n".join(filter(None, texts)) for texts in shown)
    return first, second


def train_pairwise(
    name: str, base: Base, parts: Parts, folder: Path, schedule: Schedule, seed: int
) -> dict[str, Any]:
    """Fine-tune ``base``, keep what is best on ``valid``, write weights, tokenizer, config and scores.

    Returns:
        For ``valid`` and ``test``: the number of pairs and the macro F1.
    """
    task = PAIRWISE_TASKS[name]
    seed_everything(0)  # all runs start from the same head, or their mean would mean nothing
    limit = min(MAX_TOKENS, base.encoder.config.max_position_embeddings - 2)  # RoBERTa counts positions from 2
    tokenizer = base.tokenizer
    tokenizer.enable_truncation(limit)
    net = PairwiseNet(base.encoder, task.width)

    def epoch_batches(_: int) -> Iterable[list[CausalPair]]:
        return batches_by_length(parts["train"], schedule.batch, lambda pair: sum(map(len, texts_of(pair))))

    def loss_of(pairs: Sequence[CausalPair]) -> torch.Tensor:
        return task.loss(net(*collate(tokenizer.encode_batch([texts_of(pair) for pair in pairs]))), pairs)

    def after_epoch(epoch: int) -> float:
        loss = task.loss(torch.tensor(predict_pairwise(net, tokenizer, parts["valid"])), parts["valid"])
        console.print(f"{name}: loss on valid after epoch {epoch + 1}: {float(loss):.4f}")
        return -float(loss)

    fit(net, epoch_batches, loss_of, schedule, after_epoch, seed)
    scores = {
        part: {
            "pairs": len(parts[part]),
            task.score: round(evaluate(parts[part], judge(net, tokenizer, task, parts[part])).scores[task.score], 4),
        }
        for part in ("valid", "test")
    }
    write_checkpoint(folder, name, net, base, limit, scores)
    return scores


def load_pairwise(folder: Path) -> tuple[PairwiseNet, Tokenizer, PairwiseTask]:
    """What :func:`train_pairwise` wrote, ready for :func:`judge`.

    Raises:
        ModelError: the folder holds something else, or a file is missing.
    """
    return read_checkpoint(
        folder,
        PAIRWISE_TASKS,
        lambda encoder, task: PairwiseNet(encoder, task.width),
        "make one with: whywire train crab-score",
    )


def judge(net: PairwiseNet, tokenizer: Tokenizer, task: PairwiseTask, pairs: Sequence[CausalPair]) -> list[Judgement]:
    """What the net says of each pair."""
    return [task.read(logits) for logits in predict_pairwise(net, tokenizer, pairs)]


def predict_pairwise(net: PairwiseNet, tokenizer: Tokenizer, pairs: Sequence[CausalPair]) -> Logits:
    """What the net gives for each pair, (pairs, width)."""
    texts = [texts_of(pair) for pair in pairs]
    order = sorted(range(len(texts)), key=lambda number: sum(map(len, texts[number])))
    found: Logits = np.zeros((len(texts), net.answer.out_features))
    for start in range(0, len(order), 32):
        chosen = order[start : start + 32]
        with torch.no_grad(), mixed_precision():
            found[chosen] = (
                net(*collate(tokenizer.encode_batch([texts[number] for number in chosen]))).float().numpy()
            )
    return found
