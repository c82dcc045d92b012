"""Trains the heads over a sentence model's states: vectors of mentions, and whether their words are understood alone.

The sentence model itself stays unchanged.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from whywire.models import OnnxModel
from whywire.sentences.mention_heads import FILE
from whywire_lab.recipes.event_mentions import english_mentions, russian_mentions
from whywire_lab.recipes.export import read_config, write_config
from whywire_lab.recipes.mention_vectors import train_vectors
from whywire_lab.recipes.words_alone import train_alone

HIDDEN_STATES = {
    layers: f"/encoder/encoder/layer.{layer}/output/LayerNorm/LayerNormalization_output_0"
    for layers, layer in (("en", 5), ("ru", 1))
}
"""The middle layer whose states are read, by language; later layers keep only what the sentence tasks need."""


def train_mentions(data: Path, language: str, out: Path) -> None:
    """Train the heads and write them into a sentence model's folder, with the layer they read in its ``config.json``.

    Args:
        data: folder of the corpora.
        language: ``en`` or ``ru``.
        out: folder of a calibrated sentence model.
    """
    write_config(out, read_config(out) | {"hidden": HIDDEN_STATES[language]})
    model = OnnxModel(out)
    mentions = english_mentions(data, model) if language == "en" else russian_mentions(data, model)
    everything = np.arange(len(mentions.topics))
    weights = train_vectors(mentions, everything) | train_alone(data, language, model)
    exact = ("alone", "alone_bias")
    saved: dict[str, Any] = {
        name: array.astype(np.float32 if name in exact else np.float16) for name, array in weights.items()
    }
    np.savez_compressed(out / FILE, **saved)
