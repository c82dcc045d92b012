"""Recipe: train, measure and export the pair model of one language."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from whywire.pairs.relations import MIRROR, RELATIONS
from whywire_lab.recipes.base_encoders import Base
from whywire_lab.recipes.calibration import calibrate_headlines, fit_temperature
from whywire_lab.recipes.checkpoints import save_net
from whywire_lab.recipes.export import export_onnx
from whywire_lab.recipes.multiple_choice import GRADED, Choice, ChoiceBatch, choice_batches, choices_of
from whywire_lab.recipes.pair_model import (
    MAX_TOKENS,
    PairNet,
    embedding_loss,
    relation_loss,
    strength_loss,
)
from whywire_lab.recipes.pair_rows import PairRow, augmented
from whywire_lab.recipes.training_loop import (
    Schedule,
    batches_by_length,
    collate,
    console,
    fit,
    mixed_precision,
    seed_everything,
)

REAL_CORPORA, RARE_TIMES = ("stream", "headline-cause", "topics"), 2
"""Causes and refutations between real headlines are few, and an epoch shows each of them so often."""

SAMPLED, SAMPLED_SHARE = ("headline-stories", "contrast-sets", "uci"), 0.35
"""Corpora of many pairs from few stories, and the share of their pairs that one epoch sees."""

EMBEDDING_SHARE = 6
"""Batches of pairs for each batch that trains the embedding."""

DIRECTED = frozenset(
    relation for relation in RELATIONS if MIRROR[RELATIONS.index(relation)] != RELATIONS.index(relation)
)
"""The four relations that have a direction."""


@dataclass(frozen=True, slots=True)
class GroupedTitle:
    """A headline that trains the embedding: its event, and the base's vector of it."""

    title: str
    group: int
    teacher: np.ndarray[Any, Any]


def base_embedder(base: Base) -> Callable[[Sequence[str]], np.ndarray[Any, Any]]:
    """Unit vectors (texts, size) by the mean of the base's token vectors, as it is now, from the texts' centre.

    Some bases (e5) put all texts into one narrow cone, where two headlines that have nothing in common look alike.
    """
    encoder = copy.deepcopy(base.encoder).eval()
    tokenizer = base.tokenizer

    def embed(texts: Sequence[str]) -> np.ndarray[Any, Any]:
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        vectors: dict[int, Any] = {}
        for at in range(0, len(order), 64):
            chosen = order[at : at + 64]
            ids, mask, types = collate(tokenizer.encode_batch([texts[number] for number in chosen]))
            with torch.no_grad(), mixed_precision():
                hidden = encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state.float()
            weights = mask.unsqueeze(-1)
            means = functional.normalize((hidden * weights).sum(1) / weights.sum(1), dim=-1)
            vectors.update(zip(chosen, means, strict=True))
        whole = torch.stack([vectors[number] for number in range(len(texts))])
        centred: np.ndarray[Any, Any] = functional.normalize(whole - whole.mean(0), dim=-1).numpy()
        return centred

    return embed


def train_pairs(
    base: Base,
    parts: dict[str, list[PairRow]],
    members: Sequence[Sequence[GroupedTitle]],
    folder: Path,
    schedule: Schedule,
    seed: int,
    *,
    others: Mapping[str, str] | None = None,
) -> dict[str, float]:
    """Fine-tune ``base``, calibrate on ``valid``, write the model into ``folder``; return its scores there.

    Args:
        members: pools of grouped headlines for the embedding; a batch is drawn from one of them.
        others: the embedded models that are to be asked as well, by what the config calls them: ``second`` where a
            pair is read with care, ``strength_by`` how strong a cause is.
    """
    seed_everything(0)  # all runs start from the same heads, or their mean would mean nothing
    tokenizer = base.tokenizer
    tokenizer.enable_truncation(MAX_TOKENS)
    net = PairNet(base.encoder)
    valid = [row for row in parts["valid"] if row.corpus == "stream"]
    graded = [row for row in parts["valid"] if row.corpus in GRADED]
    rows = [
        row
        for row in parts["train"]
        if row.corpus not in GRADED
        for _ in range(RARE_TIMES if row.corpus in REAL_CORPORA and row.allowed <= DIRECTED else 1)
    ]
    choices = choices_of(row for row in parts["train"] if row.corpus in GRADED)
    pools = [_by_group(pool) for pool in members]

    def epoch_batches(_: int) -> Iterable[list[Any]]:
        shown = [augmented(row) for row in rows if row.corpus not in SAMPLED or random.random() < SAMPLED_SHARE]
        pairs = list(batches_by_length(shown, schedule.batch, lambda row: len(row.left) + len(row.right)))
        embeddings = [_sample_members(random.choice(pools), 48) for _ in range(len(pairs) // EMBEDDING_SHARE)]
        batches: list[list[Any]] = [*pairs, *embeddings, *choice_batches(choices, schedule.batch)]
        random.shuffle(batches)
        return batches

    def loss_of(batch: Sequence[Any]) -> torch.Tensor:
        if isinstance(batch[0], GroupedTitle):
            vectors = net(*collate(tokenizer.encode_batch([member.title for member in batch])))[2]
            teacher = torch.tensor(np.stack([member.teacher for member in batch]))
            return embedding_loss(vectors, teacher, [member.group for member in batch])
        if isinstance(batch[0], Choice):
            shown = ChoiceBatch.of(batch)
            relation, strength, _ = net(*collate(tokenizer.encode_batch(shown.pairs)))
            return relation_loss(relation, shown.rows) + shown.loss(strength)
        relation, strength, _ = net(*collate(tokenizer.encode_batch([(row.left, row.right) for row in batch])))
        return relation_loss(relation, batch) + strength_loss(strength, batch)

    scores: dict[str, float] = {}

    def after_epoch(epoch: int) -> float:
        logits = predict_pairs(net, tokenizer, valid)[0]
        scores["nll"] = float(relation_loss(torch.tensor(logits / fit_temperature(logits, valid)), valid))
        scores["strength"] = float(strength_loss(torch.tensor(predict_pairs(net, tokenizer, graded)[1]), graded))
        console.print(f"valid after epoch {epoch + 1}: {scores}")
        return -sum(scores.values())

    fit(net, epoch_batches, loss_of, schedule, after_epoch, seed)
    save_net(net, folder)
    config: dict[str, Any] = {
        "kind": "headlines",
        "base": base.name,
        "max_tokens": MAX_TOKENS,
        "relations": [str(relation) for relation in RELATIONS],
        **(others or {}),
    }
    tokenizer.no_truncation()
    outputs = {"relation": False, "strength": False, "embedding": False}
    samples = [(row.left, row.right) for row in valid]
    export_onnx(net, outputs, tokenizer, config, samples, folder)
    calibrate_headlines(folder, valid, graded)
    return scores


def predict_pairs(
    net: PairNet, tokenizer: Any, rows: Sequence[PairRow]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The logits of the pairs as they stand: relation (rows, 7) and strength (rows, 2)."""
    order = sorted(range(len(rows)), key=lambda number: len(rows[number].left) + len(rows[number].right))
    result: dict[int, Any] = {}
    for at in range(0, len(order), 64):
        chosen = order[at : at + 64]
        inputs = collate(tokenizer.encode_batch([(rows[number].left, rows[number].right) for number in chosen]))
        with torch.no_grad(), mixed_precision():
            relation, strength, _ = net(*inputs)
        found = zip(relation.float().numpy(), strength.float().numpy(), strict=True)
        result.update(zip(chosen, found, strict=True))
    relations, strengths = zip(*(result[number] for number in range(len(rows))), strict=True)
    return np.stack(relations), np.stack(strengths)


def _by_group(members: Sequence[GroupedTitle]) -> dict[int, list[GroupedTitle]]:
    result: dict[int, list[GroupedTitle]] = {}
    for member in members:
        result.setdefault(member.group, []).append(member)
    return result


def _sample_members(by_group: dict[int, list[GroupedTitle]], size: int) -> list[GroupedTitle]:
    """Two headlines of each of some events, neighbours in the list: topics that are easily confused."""
    names = list(by_group)
    at = random.randrange(len(names))
    near = [names[(at + step) % len(names)] for step in range(size // 4)]
    far = random.sample(names, min(size // 4, len(names)))
    return [
        member
        for name in dict.fromkeys(near + far)
        for member in random.sample(by_group[name], min(2, len(by_group[name])))
    ]
