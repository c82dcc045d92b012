"""The training loop of every recipe: batches of similar length, bf16 where it is faster, warm-up and decay."""

from __future__ import annotations

import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

Row = TypeVar("Row")
Logits = NDArray[np.float32]
console = Console(stderr=True)

LENGTH_STEP = 8


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to train.

    Args:
        epochs: passes over the data.
        rate: the encoder's peak learning rate; heads that start from nothing learn ``head_factor`` times faster.
        layer_decay: each layer of the encoder learns so many times as fast as the one above it, the highest two steps
            slower than ``rate``: a pooler lies between (Clark et al. 2020, as published).
        batch: rows a step.
        accumulate: batches whose gradients make one step.
        warmup: share of the steps over which the rate rises.
        frozen: how many of the encoder's first layers are not trained, nor its embeddings then.
        keep: the decay of a moving mean of the weights, which is measured and kept; 0 for the weights themselves.
        runs: runs from one start, in different orders, whose weights are averaged (Wortsman et al. 2022).
        then: how to go on from the mean, which is then averaged with the runs that start from it.
    """

    epochs: int = 3
    rate: float = 1e-4
    head_factor: float = 5.0
    layer_decay: float = 1.0
    batch: int = 32
    accumulate: int = 1
    warmup: float = 0.1
    weight_decay: float = 0.01
    frozen: int = 0
    keep: float = 0.0
    runs: int = 1
    then: Schedule | None = None

    def with_runs(self, runs: int) -> Schedule:
        """The same with so many runs, now and in what follows."""
        return replace(self, runs=runs, then=self.then and self.then.with_runs(runs))


def mixed_precision() -> torch.autocast:
    """bf16 autocast where the processor has bf16 instructions; without them it would only slow things down."""
    supported = torch.cpu._is_avx512_bf16_supported()
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=supported)


def seed_everything(seed: int) -> None:
    """Seed all random numbers, so that a run can be repeated."""
    random.seed(seed)
    torch.manual_seed(seed)


def batches_by_length(rows: Sequence[Row], size: int, length: Callable[[Row], int]) -> Iterator[list[Row]]:
    """Shuffled batches whose rows are of about the same length, so that little is padding."""
    shuffled = random.sample(rows, len(rows))
    pools = [shuffled[at : at + 50 * size] for at in range(0, len(shuffled), 50 * size)]
    batches = []
    for pool in pools:
        pool.sort(key=length)
        batches += [pool[at : at + size] for at in range(0, len(pool), size)]
    random.shuffle(batches)
    yield from batches


def fit(
    net: torch.nn.Module,
    epoch_batches: Callable[[int], Iterable[Sequence[Any]]],
    loss_of: Callable[[Sequence[Any]], torch.Tensor],
    schedule: Schedule,
    after_epoch: Callable[[int], float],
    seed: int,
    *,
    known: Sequence[dict[str, torch.Tensor]] = (),
) -> None:
    """Train ``net`` in place; it ends as the mean of the runs' weights after their best epochs.

    Args:
        epoch_batches: the batches of one epoch, given its number.
        loss_of: the loss of one batch, a scalar.
        after_epoch: measures the net on held-out rows; higher is better.
        seed: of the first run; the next ones count on from it.
        known: weights from earlier rounds that are averaged with those of the runs.
    """
    start = _state(net)
    states: list[dict[str, torch.Tensor]] = []
    for run in range(schedule.runs):
        seed_everything(seed + run)
        net.load_state_dict(start)
        states.append(_best_of_run(net, epoch_batches, loss_of, schedule, after_epoch))
    states += known
    net.load_state_dict(_mean(states))
    net.eval()
    if len(states) > 1:
        after_epoch(schedule.epochs)
    if schedule.then:
        fit(net, epoch_batches, loss_of, schedule.then, after_epoch, seed + schedule.runs, known=[_state(net)])


def _mean(states: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if value.is_floating_point() else value
        for name, value in states[0].items()
    }


def _state(net: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in net.state_dict().items()}


def linear_warmup_and_decay(
    optimiser: torch.optim.Optimizer, total: int, warmup: float, floor: float = 0.02
) -> torch.optim.lr_scheduler.LambdaLR:
    """A learning rate that rises linearly over the first steps and falls linearly over the others.

    Args:
        total: steps in all.
        warmup: share of them over which the rate rises.
        floor: share of the peak below which it does not fall.
    """
    rising = max(1, int(total * warmup))
    return torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / rising, max(floor, (total - step) / max(1, total - rising)))
    )


def _by_rate(net: torch.nn.Module, schedule: Schedule) -> list[dict[str, Any]]:
    """The parameters that learn, by their peak rates."""
    named = [(name, parameter) for name, parameter in net.named_parameters() if parameter.requires_grad]
    layers = {name: int(found[1]) for name, _ in named if (found := re.search(r"^encoder\..*\blayer\.(\d+)\.", name))}
    above = max(layers.values(), default=-1) + 2
    groups: dict[float, list[torch.nn.Parameter]] = defaultdict(list)
    for name, parameter in named:
        slower = schedule.layer_decay ** (above - layers.get(name, -1))
        groups[schedule.rate * (slower if name.startswith("encoder.") else schedule.head_factor)].append(parameter)
    return [{"params": parameters, "lr": rate} for rate, parameters in groups.items()]


def _best_of_run(
    net: torch.nn.Module,
    epoch_batches: Callable[[int], Iterable[Sequence[Any]]],
    loss_of: Callable[[Sequence[Any]], torch.Tensor],
    schedule: Schedule,
    after_epoch: Callable[[int], float],
) -> dict[str, torch.Tensor]:
    whole: Any = net
    whole.encoder.embeddings.word_embeddings.requires_grad_(False)  # half the weights, and few rows a step move them
    if schedule.frozen:
        whole.encoder.embeddings.requires_grad_(False)
        whole.encoder.encoder.layer[: schedule.frozen].requires_grad_(False)
    optimiser = torch.optim.AdamW(_by_rate(net, schedule), weight_decay=schedule.weight_decay, fused=True)
    plan = [list(epoch_batches(epoch)) for epoch in range(schedule.epochs)]
    total = sum(-(-len(batches) // schedule.accumulate) for batches in plan)
    rates = linear_warmup_and_decay(optimiser, total, schedule.warmup)
    averaged = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(schedule.keep)) if schedule.keep else None
    best, best_state = float("-inf"), _state(net)
    for epoch, batches in enumerate(plan):
        net.train()
        started, running = time.monotonic(), 0.0
        for number, batch in enumerate(batches, 1):
            with mixed_precision():
                loss = loss_of(batch)
            (loss / schedule.accumulate).backward()
            if number % schedule.accumulate == 0 or number == len(batches):
                torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimiser.step()
                rates.step()
                optimiser.zero_grad(set_to_none=True)
                if averaged:
                    averaged.update_parameters(net)
            running += float(loss.detach())
            if number % 50 == 0 or number == len(batches):
                spent = time.monotonic() - started
                console.print(
                    f"epoch {epoch + 1}/{schedule.epochs}  step {number}/{len(batches)}  "
                    f"loss {running / number:.4f}  {spent / number:.2f} s/step"
                )
        reached = _state(net)
        if averaged:
            net.load_state_dict(averaged.module.state_dict())
        net.eval()
        with torch.no_grad():
            score = after_epoch(epoch)
        if score > best:
            best = score
            best_state = _state(net)
        net.load_state_dict(reached)
    return best_state


def collate(encodings: Sequence[Any]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Pad encodings to the longest: ``input_ids``, ``attention_mask``, ``token_type_ids`` of (batch, length).

    Lengths are rounded up to a multiple of ``LENGTH_STEP``: tensors of few shapes find their memory again.
    """
    longest = max(len(encoding.ids) for encoding in encodings)
    longest += -longest % LENGTH_STEP

    def padded(name: str) -> torch.Tensor:
        return torch.tensor([getattr(encoding, name) + [0] * (longest - len(encoding.ids)) for encoding in encodings])

    return padded("ids"), padded("attention_mask"), padded("type_ids")


def predict(net: torch.nn.Module, tokenizer: Any, texts: Sequence[str]) -> tuple[Logits, list[Logits]]:
    """A net's outputs for texts, in their order: a row (its first output) and a matrix (its second) for each.

    The second has a line for every token, and for the padding after them.
    """
    order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
    result: dict[int, Any] = {}
    with torch.no_grad(), mixed_precision():
        for at in range(0, len(order), 64):
            chosen = order[at : at + 64]
            inputs = collate(tokenizer.encode_batch([texts[number] for number in chosen]))
            found = (output.float().numpy() for output in net(*inputs)[:2])
            result |= dict(zip(chosen, zip(*found, strict=True), strict=True))
    rows, matrices = zip(*(result[number] for number in range(len(texts))), strict=True)
    return np.stack(rows), list(matrices)


def decodable(
    net: torch.nn.Module, tokenizer: Any, texts: Sequence[str]
) -> Iterator[tuple[Logits, Logits, list[tuple[int, int]]]]:
    """For each text its row, its lines from [CLS] on, and the characters of the tokens after [CLS]."""
    for text, row, lines in zip(texts, *predict(net, tokenizer, texts), strict=True):
        offsets = tokenizer.encode(text).offsets[1:-1]
        yield row, lines[: len(offsets) + 1], offsets
