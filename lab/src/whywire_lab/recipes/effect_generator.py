"""Recipe: a causal language model that writes what may follow a headline (HeadlineCause, section 4.3).

It learns from lines of a cause, a separator and its effect, and answers for the effect alone; whatever checkpoint of
``transformers`` it starts from, the separator is a token of its own. It only writes headlines; the pair model says
how probably each follows (``whywire.answers.predictions``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from whywire.answers.effect_writer import MAX_TOKENS, SEPARATOR, EffectWriter, load_checkpoint
from whywire.errors import InputError, ModelError
from whywire.news import Problem
from whywire.news.row_files import read_json_lines
from whywire.news.text_files import decode, open_bytes, place_of
from whywire_lab.corpora.splits import first_words, part_of
from whywire_lab.recipes.corpus_pairs import load_pairs
from whywire_lab.recipes.pair_rows import CAUSED, CAUSED_BACK, PairRow
from whywire_lab.recipes.training_loop import (
    Schedule,
    batches_by_length,
    console,
    linear_warmup_and_decay,
    mixed_precision,
    seed_everything,
)

IGNORED = -100
"""The label of a token that the loss passes over, by torch's convention."""

SCHEDULE = Schedule(epochs=3, rate=5e-5, batch=16)
"""Three epochs at the rate of ``transformers``' default for fine-tuning."""


@dataclass(frozen=True, slots=True)
class EffectPair:
    """Two headlines, the first of which led to the second."""

    cause: str
    effect: str


def load_effects(path: Path) -> dict[str, list[EffectPair]]:
    """Read ``{cause, effect}`` a line; return the pairs of ``train``, and of ``valid`` to stop by.

    Pairs whose causes begin alike are in one part. Of a folder of corpora: the English :func:`effects_among` them.

    Raises:
        InputError: a line is no such object, or all of them are in one part.
    """
    if path.is_dir():
        return effects_among(load_pairs(path), "en")
    parts: dict[str, list[EffectPair]] = {"train": [], "valid": []}
    with open_bytes(path) as stream, decode(stream) as lines:
        for row in read_json_lines(lines, place_of(path)):
            if isinstance(row, Problem):
                raise InputError(row.reason, where=row.place)
            pair = _pair(row.value, row.place)
            parts["train" if part_of(first_words(pair.cause)) == "train" else "valid"].append(pair)
    for part, pairs in parts.items():
        if not pairs:
            raise InputError(f"no pair is for {part}", where=str(path), hint="give some hundred pairs at least")
    return parts


def effects_among(rows: Mapping[str, Sequence[PairRow]], language: str) -> dict[str, list[EffectPair]]:
    """The causes and effects among the pair model's rows of ``train`` and ``valid``; ``dev`` is left out.

    Args:
        rows: of each part.
        language: of the headlines, ``en`` or ``ru``.
    """
    return {
        part: [
            EffectPair(row.left, row.right) if row.allowed == CAUSED else EffectPair(row.right, row.left)
            for row in rows[part]
            if row.language == language and row.allowed in (CAUSED, CAUSED_BACK)
        ]
        for part in ("train", "valid")
    }


def _pair(value: object, place: str) -> EffectPair:
    found = [value.get(name) if isinstance(value, dict) else None for name in ("cause", "effect")]
    cause, effect = (" ".join(text.split()) if isinstance(text, str) else "" for text in found)
    if not (cause and effect):
        raise InputError("not an object with a cause and an effect", where=place)
    return EffectPair(cause, effect)


class EffectLearner(EffectWriter):
    """A causal language model that learns to write effects."""

    @classmethod
    def from_base(cls, name: str | Path) -> EffectLearner:
        """A causal checkpoint to train, by its name on the hub or from a folder.

        Raises:
            ModelError: there is none under the name.
        """
        net, tokenizer = load_checkpoint(name)
        tokenizer.add_tokens([SEPARATOR], special_tokens=True)
        if tokenizer.eos_token is None:
            raise ModelError("the checkpoint has no token that ends a text", where=str(name))
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
        net.resize_token_embeddings(len(tokenizer))
        return cls(net, tokenizer)

    def save(self, folder: Path) -> None:
        """Write weights and tokenizer as ``transformers`` does."""
        self.net.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    def loss(self, pairs: Sequence[EffectPair]) -> torch.Tensor:
        """The mean negative log-likelihood (a scalar, nats a token) of the effects, given their causes."""
        rows = [self._row(pair) for pair in pairs]
        longest = max(len(ids) for ids, _ in rows)

        def padded(values: Sequence[Sequence[int]], filler: int) -> torch.Tensor:
            return torch.tensor([[*row, *[filler] * (longest - len(row))] for row in values])

        ids = padded([ids for ids, _ in rows], self.tokenizer.pad_token_id)
        mask = padded([[1] * len(ids) for ids, _ in rows], 0)
        labels = padded([[IGNORED] * start + ids[start:] for ids, start in rows], IGNORED)
        loss: torch.Tensor = self.net(input_ids=ids, attention_mask=mask, labels=labels).loss
        return loss

    def mean_loss(self, pairs: Sequence[EffectPair], batch: int) -> float:
        """The mean of :meth:`loss` over many pairs, ``batch`` at a time."""
        with torch.no_grad(), mixed_precision():
            parts = [pairs[at : at + batch] for at in range(0, len(pairs), batch)]
            return sum(float(self.loss(part)) * len(part) for part in parts) / len(pairs)

    def _row(self, pair: EffectPair) -> tuple[list[int], int]:
        """The tokens of cause, separator, effect and end, and where the effect starts."""
        prompt = self._prompt(pair.cause)
        effect = self._tokens(pair.effect)[: MAX_TOKENS - len(prompt) - 1]
        return [*prompt, *effect, self.tokenizer.eos_token_id], len(prompt)


def train_effects(
    base: str | Path,
    parts: dict[str, list[EffectPair]],
    folder: Path,
    schedule: Schedule = SCHEDULE,
    seed: int = 1,
) -> dict[str, float]:
    """Fine-tune a causal checkpoint to write effects, and write the best epoch's into ``folder``.

    Args:
        base: a name on the hub, or a folder.
        parts: the pairs of ``train`` and ``valid``.

    Returns:
        The loss on ``valid``, in nats a token: ``before`` training and ``after``.
    """
    seed_everything(seed)
    writer = EffectLearner.from_base(base)
    net, valid = writer.net, parts["valid"]
    before = best = writer.mean_loss(valid, schedule.batch)
    console.print(f"before  held-out loss {before:.4f}")
    writer.save(folder)
    plan = [
        list(batches_by_length(parts["train"], schedule.batch, lambda pair: len(pair.cause) + len(pair.effect)))
        for _ in range(schedule.epochs)
    ]
    total = sum(map(len, plan))
    optimiser = torch.optim.AdamW(net.parameters(), lr=schedule.rate, weight_decay=schedule.weight_decay, fused=True)
    rates = linear_warmup_and_decay(optimiser, total, schedule.warmup, floor=0.0)
    for epoch, batches in enumerate(plan, 1):
        net.train()
        for batch in batches:
            with mixed_precision():
                loss = writer.loss(batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            rates.step()
            optimiser.zero_grad(set_to_none=True)
        net.eval()
        score = writer.mean_loss(valid, schedule.batch)
        console.print(f"epoch {epoch}/{schedule.epochs}  held-out loss {score:.4f}")
        if score < best:
            best = score
            writer.save(folder)
    return {"before": before, "after": best}
