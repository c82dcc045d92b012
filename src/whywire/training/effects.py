"""Recipe: a causal language model that writes what may follow a headline (HeadlineCause, section 4.3).

It learns from lines of a cause, a separator and its effect, and answers for the effect alone; whatever checkpoint of
``transformers`` it starts from, the separator is a token of its own. It only makes up headlines: how likely each is
to follow, the model of pairs says (``whywire.answers.predictions``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from whywire.corpora.json_lines import json_lines
from whywire.corpora.parts import gist, part_of
from whywire.errors import InputError, ModelError
from whywire.training.loop import Schedule, batches_by_length, console, mixed_precision, seed_everything

SEPARATOR = "<|leads to|>"
"""Stands between cause and effect; no news says it."""

MAX_TOKENS = 128
"""Of cause and effect together; two headlines are rarely half as long."""

NEW_TOKENS = 40
"""Of an effect that is written: as long as a long headline."""

TOP_P = 0.9
"""Each token is drawn from the likeliest that make up so much of the probability (Holtzman et al. 2020)."""

IGNORED = -100
"""The label of a token that the loss passes over, by torch's convention."""

EFFECTS = Schedule(epochs=3, rate=5e-5, batch=16)
"""Radford et al.'s rate for fine-tuning; small checkpoints are through in minutes."""


@dataclass(frozen=True, slots=True)
class EffectPair:
    """Two headlines, the first of which led to the second."""

    cause: str
    effect: str


def load_effects(path: Path) -> dict[str, list[EffectPair]]:
    """Read ``{cause, effect}`` a line; return the pairs of ``train``, and of ``valid`` to stop by.

    Pairs whose causes begin alike are in one part.

    Raises:
        InputError: a line is no such object, or all of them are in one part.
    """
    parts: dict[str, list[EffectPair]] = {"train": [], "valid": []}
    for number, row in enumerate(json_lines(path), 1):
        cause, effect = (row.get(name) if isinstance(row, dict) else None for name in ("cause", "effect"))
        if not (isinstance(cause, str) and isinstance(effect, str) and cause.strip() and effect.strip()):
            raise InputError("not an object with a cause and an effect", where=f"{path}:{number}")
        pair = EffectPair(" ".join(cause.split()), " ".join(effect.split()))
        parts["train" if part_of(gist(pair.cause)) == "train" else "valid"].append(pair)
    for part, pairs in parts.items():
        if not pairs:
            raise InputError(f"no pair is for {part}", where=str(path), hint="give some hundred pairs at least")
    return parts
