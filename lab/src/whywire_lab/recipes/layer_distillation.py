"""Layer distillation: an encoder with fewer layers is trained to give the hidden states of the whole one."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import torch
from tokenizers import Encoding

from whywire_lab.recipes.base_encoders import Base
from whywire_lab.recipes.encoder_net import mean_of
from whywire_lab.recipes.training_loop import (
    batches_by_length,
    collate,
    console,
    linear_warmup_and_decay,
    mixed_precision,
    seed_everything,
)

MAX_TOKENS = 64
RATE, BATCH, WARMUP = 4e-4, 32, 0.05
TEXT_VECTOR_WEIGHT = 20.0
"""Weight of the texts' vectors beside that of their tokens'."""

SEED = 0


def with_fewer_layers(base: Base, layers: int, texts: Iterable[str], *, epochs: int = 1) -> Base:
    """Keep ``layers`` of the base's layers, evenly spaced with the last one, trained to give its hidden states.

    After each layer that stays, every token's vector is drawn to the whole encoder's at that depth (Sanh
    et al. 2019; Jiao et al. 2020, without their attention loss), and after the last a text's mean vector as well.

    Args:
        texts: what the encoder will read, in any order; ``epochs`` passes over them. Tables are not changed.

    Raises:
        ValueError: the base's layers cannot be spaced so.
    """
    deep = base.encoder.config.num_hidden_layers
    if deep % layers:
        raise ValueError(f"{layers} of {deep} layers are not evenly spaced")
    step = deep // layers
    teacher = copy.deepcopy(base.encoder).eval()
    student = copy.deepcopy(base.encoder)
    student.encoder.layer = torch.nn.ModuleList(list(student.encoder.layer)[step - 1 :: step])
    student.config.num_hidden_layers = layers
    student.eval()  # it learns without dropout, and keeps it for what it is trained to next
    seed_everything(SEED)
    tokenizer = base.tokenizer
    tokenizer.enable_truncation(MAX_TOKENS)
    read = tokenizer.encode_batch(list(texts))
    tokenizer.no_truncation()
    _learn(student, teacher, step, read, epochs)
    return replace(base, encoder=student.requires_grad_(True))


def _learn(student: Any, teacher: Any, step: int, read: Sequence[Encoding], epochs: int) -> None:
    parameters = [value for name, value in student.named_parameters() if name.startswith("encoder.")]
    student.embeddings.requires_grad_(False)
    optimiser = torch.optim.AdamW(parameters, lr=RATE, weight_decay=0.01, fused=True)
    shuffled = (batches_by_length(read, BATCH, lambda text: len(text.ids)) for _ in range(epochs))
    batches = [batch for epoch in shuffled for batch in epoch]
    rates = linear_warmup_and_decay(optimiser, len(batches), WARMUP)
    started, running = time.monotonic(), 0.0
    for number, batch in enumerate(batches, 1):
        ids, mask, types = collate(batch)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types, "output_hidden_states": True}
        with mixed_precision():
            with torch.no_grad():
                truths = teacher(**inputs).hidden_states[step::step]
            loss = _distance(student(**inputs).hidden_states[1:], truths, mask.unsqueeze(-1).float())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        rates.step()
        optimiser.zero_grad(set_to_none=True)
        running = 0.98 * running + 0.02 * float(loss.detach()) if number > 1 else float(loss.detach())
        if number % 50 == 0 or number == len(batches):
            pace = (time.monotonic() - started) / number
            console.print(f"distilling  step {number}/{len(batches)}  loss {running:.4f}  {pace:.2f} s/step")


def _distance(found: Sequence[torch.Tensor], truths: Sequence[torch.Tensor], mask: torch.Tensor) -> torch.Tensor:
    """The mean share, over layers, of the token vectors' variance that is missed, plus that of the texts' vectors."""
    losses = [_missed(own.float() * mask, truth.float() * mask) for own, truth in zip(found, truths, strict=True)]
    own, truth = (mean_of(states[-1].float(), mask) for states in (found, truths))
    return sum(losses, torch.zeros(())) / len(losses) + TEXT_VECTOR_WEIGHT * _missed(own, truth)


def _missed(own: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    return (own - truth).square().sum() / truth.square().sum()
